// SPDX-License-Identifier: BSD-3-Clause
// Gradients of whole simulations: against dual numbers through the same steps, differences, and
// forward against backward.
#include <gtest/gtest.h>

#include <cmath>
#include <jounce/any_number.hpp>
#include <jounce/integrators/explicit_rk.hpp>
#include <jounce/io.hpp>
#include <jounce/model/generate.hpp>
#include <jounce/simulation_gradient.hpp>

namespace jounce {
namespace {

using Number = Dual<double, 1>;
using Eigen::MatrixXd, Eigen::VectorXd;

/// The robot on dual numbers.
struct DualEquations {
  explicit DualEquations(const Robot& robot_) : robot(robot_), dynamics(robot_) {}
  int nq() const { return robot.nq(); }
  int nv() const { return robot.nv(); }
  std::span<const Factor> factors() const { return jounce::factors(robot.system()); }
  void acceleration(double, const Number* q, const Number* v, Number* a) {
    const auto of = [](const Number* x, int n) { return std::span<const Number>(x, size_t(n)); };
    dynamics.forward(of(q, nq()), of(v, nv()), std::span<const Number>(tau), {},
                     Into<Number>(a, nv(), 1));
  }

  Robot robot;
  BasicDynamics<Number> dynamics;
  std::vector<Number> tau;
};

struct Case {
  Robot robot;
  std::vector<double> q;
  VectorXd v, steps;
  MatrixXd taus;
};
/// A change of everything that a simulation starts from.
struct Direction {
  VectorXd q, v;
  MatrixXd taus;
};

Case case_of(const Robot& robot, int steps, double h, std::uint64_t seed) {
  Case c{robot, robot.random(seed), VectorXd::Zero(robot.nv()), VectorXd::Constant(steps, h), {}};
  srand(unsigned(seed));
  c.v.setRandom();
  c.taus = MatrixXd::Random(robot.nv(), steps);
  for (int k = 0; k < steps; ++k) c.steps[k] *= 1 + 0.3 * (k % 3);
  return c;
}
Direction random_direction(const Case& c) {
  return {VectorXd::Random(c.robot.nv()), VectorXd::Random(c.robot.nv()),
          MatrixXd::Random(c.robot.nv(), c.taus.cols())};
}

/// What the last state changes by along a direction, by dual numbers.
std::pair<VectorXd, VectorXd> by_dual_numbers(const Case& c, const ExplicitTable& table,
                                              const Direction& along) {
  const int n = c.robot.nv(), nq = c.robot.nq();
  DualEquations f(c.robot);
  const auto numbers = [](const VectorXd& x, const VectorXd& d) {
    std::vector<Number> y(size_t(x.size()));
    for (Eigen::Index k = 0; k < x.size(); ++k) y[size_t(k)].a = x[k], y[size_t(k)].d[0] = d[k];
    return y;
  };
  std::vector<Number> q(size_t(nq), Number(0)), start(q), v = numbers(c.v, along.v);
  for (int k = 0; k < nq; ++k) start[size_t(k)] = Number(c.q[size_t(k)]);
  const std::vector<Number> moved = numbers(VectorXd::Zero(n), along.q);
  move_along(f.factors(), start.data(), moved.data(), q.data());
  std::vector<Number> room_q(q), u(v), w(v), du(v.size() * size_t(table.stages)), dv(du);
  const StageRoom<Number> room{room_q.data(), u.data(), w.data(), du.data(), dv.data()};
  double t = 0;
  for (Eigen::Index k = 0; k < c.steps.size(); ++k) {
    f.tau = numbers(c.taus.col(k), along.taus.col(k));
    explicit_step(table, f, t, c.steps[k], q.data(), v.data(), false, room);
    q = room_q, v = w, t += c.steps[k];
  }
  std::vector<double> end(c.q);
  for (int k = 0; k < nq; ++k) end[size_t(k)] = q[size_t(k)].a;
  std::vector<Number> way(v);
  for (const Factor& one : f.factors())
    difference(one, end.data() + one.q, q.data() + one.q, way.data() + one.v);
  VectorXd dq(n), dv_end(n);
  for (int k = 0; k < n; ++k) dq[k] = way[size_t(k)].d[0], dv_end[k] = v[size_t(k)].d[0];
  return {dq, dv_end};
}

std::vector<Case> cases() {
  std::vector<Case> all = {case_of(load("builtin:arm7"), 20, 0.01, 1),
                           case_of(load("builtin:quadruped"), 12, 0.01, 2)};
  for (const JointKind kind : {JointKind::planar, JointKind::spherical, JointKind::circle,
                               JointKind::free, JointKind::universal})
    all.push_back(case_of(Robot(generate({.shape = TreeShape::chain,
                                          .bodies = 3,
                                          .kinds = {kind, JointKind::revolute},
                                          .seed = 5})),
                          12, 0.02, 3));
  return all;
}

TEST(SimulationGradients, AreThoseOfDualNumbers) {
  const struct {
    Integrator integrator;
    const ExplicitTable& table;
  } methods[] = {{Integrator::rk4, rk4_table},
                 {Integrator::dopri5, dopri5_table},
                 {Integrator::dop853, dop853_table}};
  for (const Case& c : cases())
    for (const auto& method : methods) {
      const int n = c.robot.nv();
      SimulationGradient gradient(c.robot, {.integrator = method.integrator});
      gradient.simulate(c.q, c.v, c.steps, c.taus);
      const VectorXd at_q = VectorXd::Random(n), at_v = VectorXd::Random(n);
      const SimulationCovector g = gradient.adjoint(at_q, at_v);
      for (int trial = 0; trial < 3; ++trial) {
        const Direction along = random_direction(c);
        const auto [dq, dv] = by_dual_numbers(c, method.table, along);
        const double wanted = at_q.dot(dq) + at_v.dot(dv);
        double found = g.q0.dot(along.q) + g.v0.dot(along.v), size = dq.norm() + dv.norm();
        for (int k = 0; k < along.taus.cols(); ++k) found += g.tau.col(k).dot(along.taus.col(k));
        EXPECT_NEAR(found, wanted, 1e-10 * size)
            << c.robot.name() << ", " << name(method.integrator);
      }
    }
}

TEST(SimulationGradients, ForwardAndBackwardAreTransposed) {
  for (const Case& c : cases()) {
    const int n = c.robot.nv();
    SimulationGradient gradient(c.robot);
    gradient.simulate(c.q, c.v, c.steps, c.taus);
    const SimulationTangents forward = gradient.tangents();
    for (int k = 0; k < n; ++k) {
      const SimulationCovector g = gradient.adjoint(VectorXd::Unit(n, k), VectorXd::Zero(n));
      const double size = forward.q.row(k).norm();
      EXPECT_LT((g.q0 - forward.q.row(k).head(n).transpose()).norm(), 1e-11 * size);
      EXPECT_LT((g.v0 - forward.q.row(k).segment(n, n).transpose()).norm(), 1e-11 * size);
      EXPECT_LT((g.tau.rowwise().sum() - forward.q.row(k).segment(2 * n, n).transpose()).norm(),
                1e-11 * size);
    }
  }
}

TEST(SimulationGradients, LittleMemoryHasTheSameBits) {
  const Case c = case_of(load("builtin:quadruped"), 30, 0.005, 7);
  const VectorXd one = VectorXd::Ones(c.robot.nv());
  SimulationGradient all(c.robot), little(c.robot, {.little_memory = true});
  for (SimulationGradient* x : {&all, &little}) x->simulate(c.q, c.v, c.steps, c.taus);
  const auto a = all.adjoint(one, one), b = little.adjoint(one, one);
  EXPECT_EQ(a.q0, b.q0);
  EXPECT_EQ(a.v0, b.v0);
  EXPECT_EQ(MatrixXd(a.tau), MatrixXd(b.tau));
}

TEST(SimulationGradients, CostsOfAllStates) {
  const Case c = case_of(load("builtin:arm7"), 15, 0.01, 4);
  const int n = c.robot.nv(), steps = 15;
  SimulationGradient gradient(c.robot);
  gradient.simulate(c.q, c.v, c.steps, c.taus);
  const MatrixXd dq = MatrixXd::Random(n, steps + 1), dv = MatrixXd::Random(n, steps + 1);
  const SimulationCovector g = gradient.adjoint_along(dq, dv);
  VectorXd sum_q = dq.col(0), sum_v = dv.col(0);
  for (int last = 1; last <= steps; ++last) {
    SimulationGradient part(c.robot);
    part.simulate(c.q, c.v, c.steps.head(last), c.taus.leftCols(last));
    const auto h = part.adjoint(dq.col(last), dv.col(last));
    sum_q += h.q0, sum_v += h.v0;
  }
  EXPECT_LT((g.q0 - sum_q).norm(), 1e-11 * sum_q.norm());
  EXPECT_LT((g.v0 - sum_v).norm(), 1e-11 * sum_v.norm());
}

/// The end of a simulation whose robot is changed.
VectorXd end_of_changed(const Case& c, double friction, double damping, double gravity) {
  RobotDescription d = c.robot.description();
  d.joints[2].properties.friction = {0.05 + friction};
  d.joints[3].properties.damping = {0.1 + damping};
  d.gravity.z += gravity;
  SimulationGradient run{Robot(d)};
  run.simulate(c.q, c.v, c.steps, c.taus);
  VectorXd x(2 * c.robot.nv());
  for (int k = 0; k < c.robot.nv(); ++k)
    x[k] = run.q()[size_t(k)], x[c.robot.nv() + k] = run.v()[size_t(k)];
  return x;
}
TEST(SimulationGradients, ByParametersAreDifferencesOfRobots) {
  const Case c = case_of(load("builtin:arm7"), 25, 0.004, 6);
  const int n = c.robot.nv();
  RobotDescription d = c.robot.description();
  d.joints[2].properties.friction = {0.05};
  d.joints[3].properties.damping = {0.1};
  SimulationGradient gradient(Robot(d), {.parameters = {{ParameterKind::friction, d.joints[2].name},
                                                        {ParameterKind::damping, d.joints[3].name},
                                                        {ParameterKind::gravity, "", 2}}});
  gradient.simulate(c.q, c.v, c.steps, c.taus);
  const SimulationTangents forward = gradient.tangents();
  for (int p = 0; p < 3; ++p) {
    const double e = 1e-6;  // friction bends within changes of 1e-4
    const auto at = [&](double s) {
      return end_of_changed(c, p == 0 ? s * e : 0, p == 1 ? s * e : 0, p == 2 ? s * e : 0);
    };
    const VectorXd wanted = (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * e);
    VectorXd found(2 * n);
    found << forward.q.col(3 * n + p), forward.v.col(3 * n + p);
    EXPECT_LT((found - wanted).norm(), 1e-8 * wanted.norm()) << p;
    for (int k = 0; k < n; ++k)
      EXPECT_NEAR(gradient.adjoint(VectorXd::Unit(n, k), VectorXd::Zero(n)).parameters[p], found[k],
                  1e-11 * found.norm());
  }
}

TEST(SimulationGradients, OfLoopsAreDifferencesOfTheSteps) {
  const Robot robot = load("builtin:five_bar");
  const int n = robot.nv();
  Case c = case_of(robot, 20, 0.005, 9);
  c.q = robot.closed();
  c.v = ConstrainedDynamics(robot).project(c.q, VectorXd::Ones(n));
  SimulationGradient gradient(robot);
  gradient.simulate(c.q, c.v, c.steps, c.taus);
  const VectorXd at_q = VectorXd::Random(n), at_v = VectorXd::Random(n);
  const SimulationCovector g = gradient.adjoint(at_q, at_v);
  const MatrixXd change = MatrixXd::Random(n, 20);
  const auto cost = [&](double e) {
    gradient.simulate(c.q, c.v, c.steps, c.taus + e * change);
    double sum = 0;
    for (int k = 0; k < n; ++k)
      sum += at_q[k] * gradient.q()[size_t(k)] + at_v[k] * gradient.v()[size_t(k)];
    return sum;
  };
  const double e = 1e-3,
               wanted = (8 * (cost(e) - cost(-e)) - (cost(2 * e) - cost(-2 * e))) / (12 * e);
  double found = 0;
  for (int k = 0; k < 20; ++k) found += g.tau.col(k).dot(change.col(k));
  EXPECT_NEAR(found, wanted, 1e-8 * std::abs(wanted));
}

TEST(SimulationGradients, RefusesWhatItHasNot) {
  const Robot arm = load("builtin:arm7");
  EXPECT_THROW(SimulationGradient(arm, {.integrator = Integrator::taylor}), InputError);
  SimulationGradient gradient(arm);
  const VectorXd v = VectorXd::Zero(7);
  EXPECT_THROW(gradient.simulate(arm.neutral(), v, {0.1, -0.1}, MatrixXd::Zero(7, 2)), InputError);
  EXPECT_THROW(gradient.simulate(arm.neutral(), v, {0.1, 0.1}, MatrixXd::Zero(7, 3)), InputError);
  gradient.simulate(arm.neutral(), v, {0.1, 0.1}, MatrixXd::Zero(7, 1));
  EXPECT_THROW(gradient.adjoint(VectorXd::Zero(6), v), InputError);
}

}  // namespace
}  // namespace jounce
