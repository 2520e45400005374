// SPDX-License-Identifier: BSD-3-Clause
// A program with algebra of its own that calls every part of the library: whatever flags it is
// compiled with, and whichever of two functions of the same name the linker keeps, it prints the
// same numbers.
#include <Eigen/Dense>
#include <cstdio>
#include <jounce/geometry_sensitivity.hpp>
#include <jounce/jounce.hpp>
#include <jounce/linear.hpp>
#include <jounce/model/generate.hpp>
#include <jounce/propellers.hpp>
#include <jounce/record_io.hpp>
#include <jounce/regressor.hpp>
#include <jounce/sensitivity.hpp>
#include <jounce/series_derivatives.hpp>
#include <jounce/simulation.hpp>
#include <jounce/state_conventions.hpp>
#include <jounce/stewart.hpp>
#include <jounce/trajectory.hpp>
#include <jounce/world_series.hpp>
#include <sstream>

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

bool good = true;

void show(const char* what, double x) {
  good = good && std::isfinite(x);
  std::printf("%s %.8g\n", what, x);
}
void expect_small(const char* what, double x) {
  if (x < 1e-8) return;
  good = false;
  std::printf("%s is off by %g\n", what, x);
}

void own_algebra() {
  for (const int n : {3, 6, 14, 20, 60, 200}) {
    MatrixXd A(n, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) A(i, j) = std::sin(1 + 3 * i + 7 * j + i * j);
    A.diagonal().array() += n;
    const MatrixXd S = A * A.transpose();
    const VectorXd b = VectorXd::LinSpaced(n, -1, 1);
    expect_small("LU", (A * A.partialPivLu().solve(b) - b).norm());
    expect_small("full LU", (A * A.fullPivLu().solve(b) - b).norm());
    expect_small("LLT", (S * S.llt().solve(b) - b).norm());
    expect_small("LDLT", (S * S.ldlt().solve(b) - b).norm());
    expect_small("QR", (A * A.colPivHouseholderQr().solve(b) - b).norm());
  }
}

void dynamics(const jounce::Robot& arm, const VectorXd& q, const VectorXd& v) {
  jounce::Dynamics dyn(arm);
  jounce::Kinematics kinematics(arm);
  const jounce::FrameId flange = arm.frame("flange");
  kinematics.at(q + q, v);
  const MatrixXd J = kinematics.jacobian_body(flange);
  show("jacobian", J.norm());
  show("pose", kinematics.pose(flange).p.x);
  std::ostringstream text;
  text << kinematics.pose("flange") << ' ' << kinematics.twist_body(flange);
  good = good && text.str().starts_with("R [") && text.str().find(" w [") != std::string::npos;
  show("inverse", dyn.inverse(q, v, 2 * v).norm());
  show("forward", dyn.forward(q, v, v).norm());
  show("mass", MatrixXd(dyn.mass(q)).partialPivLu().determinant());
  show("inverse mass", dyn.mass_inverse(q).norm());
  jounce::MassFactors factors(arm);
  factors.at(q + q);
  show("operational", factors.operational_inertia(flange, jounce::Representation::body).norm());
  show("null space", kinematics.null_space_projector(flange).norm());
  show("manipulability", kinematics.manipulability(flange));
  show("derivatives", jounce::Derivatives(arm).forward(q, v, v).dq.norm());
  show("second", jounce::SecondDerivatives(arm).forward_products(v, q, v, v).dqdq.norm());
  show("series", jounce::Series(arm, 2).inverse(q, J.topRows(4).transpose()).norm());
  jounce::SeriesDerivatives series(arm, 1);
  show("series derivatives", series.inverse(q, J.topRows(3).transpose())(1, 1).norm());
  jounce::Sensitivity to(arm, {{jounce::ParameterKind::payload, "flange", 0}});
  show("sensitivity", to.force(q, v, v).norm());
  jounce::Regressor regressor(arm);
  show("regressor", (regressor.force(q, v, v) * regressor.parameters()).norm());
  show("base parameters", double(jounce::base_parameters(arm).independent.size()));
}

void geometry(const jounce::Robot& arm, const VectorXd& q, const VectorXd& v) {
  jounce::Geometry of(arm);
  show("christoffel", of.christoffel(q).slice(1).norm());
  show("curvature", of.curvature(q).scalar());
  show("geodesic", of.geodesic(q, v, {0.1}).q(3, 0));
  const auto line = [&](double t, std::span<double> at, std::span<double> speed) {
    Eigen::Map<VectorXd>(at.data(), 7) = q + t * v;
    Eigen::Map<VectorXd>(speed.data(), 7) = v;
  };
  show("transport", of.transport(line, 0, 0.2, 4, v).norm());
  show("shortest path", of.shortest_path(q, q + 0.3 * v).length);
  jounce::MinimumMotion least(arm, {.limits = false});
  show("least energy", least.find(q, q + 0.3 * v).value);
  jounce::GeometrySensitivity to(arm, {{jounce::ParameterKind::payload, "flange", 0}});
  show("metric by payload", to.mass(q)(8, 0));
}

void control(const jounce::Robot& arm, const VectorXd& q) {
  jounce::Derivatives derivatives(arm);
  const VectorXd zero = VectorXd::Zero(7);
  const jounce::LinearModel model = jounce::linearise(derivatives, q, zero, zero);
  const jounce::LinearModel step = jounce::discretise(model, 0.01);
  const MatrixXd Q = MatrixXd::Identity(14, 14), R = MatrixXd::Identity(7, 7);
  const jounce::Regulator hold = jounce::continuous_regulator(model.A, model.B, Q, R);
  show("gain", hold.gain.norm());
  show("discrete gain", jounce::discrete_regulator(step.A, step.B, Q, R).gain.norm());
  show("horizon", jounce::finite_horizon_gains({step, step, step}, Q, R, Q)[0].norm());
  const MatrixXd closed = model.A - model.B * hold.gain;
  good = good && Eigen::EigenSolver<MatrixXd>(closed).eigenvalues().real().maxCoeff() < 0;

  jounce::InverseKinematics ik(arm);
  const jounce::FrameId flange = arm.frame("flange");
  const auto found = ik.solve({{flange, jounce::Kinematics(arm).at(q).pose(flange)}}, zero);
  show("inverse kinematics", found.converged);
  const jounce::TwistGoal up[] = {{flange, {{}, {0, 0, 0.1}}}};
  show("velocity", ik.velocity(q, up).v.norm());
}

void motion(const jounce::Robot& arm, std::vector<double> q) {
  jounce::Simulation sim(arm, {.integrator = jounce::Integrator::rk4, .step = 1e-3});
  jounce::SimulationState x = sim.start(q, std::vector<double>(7));
  sim.step(x, 1e-3);
  show("runge and kutta", x.q[0]);
  const double points[] = {0, 1, 3}, times[] = {0, 1, 2};
  show("spline", jounce::minimum_snap(points, times)(0.5));
  show("move", jounce::septic(0, 1, 2)(0.7));
  const jounce::Propellers propellers = jounce::tilted_hexarotor(0.3, 0.05, 0.4, 1e-5, 1e-7);
  const VectorXd speeds = VectorXd::LinSpaced(6, 100, 200);
  show("propellers", (propellers.speeds(propellers.wrench(speeds)) - speeds).norm() < 1e-8);
  const jounce::Robot chain(jounce::generate({.bodies = 5, .free_base = true}));
  const jounce::RobotState ours{
      chain.random(1), std::vector<double>(size_t(chain.nv()), 0.1), {}, {}};
  show("conventions", jounce::to_drake(chain, ours).v[3]);
  show("locked", jounce::lock_joints(arm, {{arm.joints()[0].name, {0.1}}}).nv());
}

void simulation(const jounce::Robot& arm, const VectorXd& q, const VectorXd& v) {
  for (const auto one :
       {jounce::Integrator::automatic, jounce::Integrator::rodas4, jounce::Integrator::taylor}) {
    jounce::Simulation sim(arm, {.integrator = one});
    sim.command(arm.joints()[1].name, jounce::Command::force(jounce::septic(0, 1, 0.05)));
    jounce::SimulationState x = sim.start(q, v);
    jounce::Record record(arm);
    show("energy drift", sim.run(x, 0.1, record, {.every = 0.02}).energy_drift < 1e-4);
    show("simulation", std::round(1e4 * x.q[3]));
    const std::string npz = jounce::write_record(record, jounce::RecordFormat::npz);
    show("record", jounce::read_record(arm, npz, "npz").q(3)[2] - record.q(3)[2]);
    const std::string kept = jounce::write_checkpoint(arm, x);
    show("checkpoint", jounce::read_checkpoint(arm, kept, "json").v[4] - x.v[4]);
  }
}

void stewart() {
  jounce::SixPoints base, platform;
  for (size_t k = 0; k < 6; ++k) {
    const double angle = 1.0471975511965976 * double(k), turn = k % 2 == 0 ? 0.3 : -0.3;
    base[k] = {std::cos(angle + turn), std::sin(angle + turn), 0};
    platform[k] = {0.5 * std::cos(angle - turn), 0.5 * std::sin(angle - turn), 0};
  }
  const jounce::Stewart hexapod(base, platform);
  const jounce::SE3<double> home{{}, {0, 0, 1}}, moved{{}, {0.1, 0.05, 1.1}};
  jounce::PoseSolver solver(hexapod, home);
  show("pose solver", solver.solve(hexapod.lengths(moved)).pose.p.z);
  show("determinant", hexapod.normalised_determinant(moved));
  show("all poses", double(jounce::all_poses(hexapod, hexapod.lengths(moved)).poses.size()));
}

}  // namespace

int main() {
  std::setvbuf(stdout, nullptr, _IONBF, 0);
  own_algebra();
  const jounce::Robot arm = jounce::load("builtin:arm7");
  const VectorXd q = VectorXd::LinSpaced(7, 0.2, 0.9), v = VectorXd::LinSpaced(7, -0.5, 0.5);
  dynamics(arm, q, v);
  geometry(arm, q, v);
  control(arm, q);
  motion(arm, {q.begin(), q.end()});
  simulation(arm, q, v);
  stewart();
  own_algebra();
  return good ? 0 : 1;
}
