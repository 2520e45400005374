// SPDX-License-Identifier: BSD-3-Clause
// Tour, chapter "Dynamics": round trips, the four Coriolis matrices, power, regressors, fixed
// steps, flops and times.
#include <algorithm>
#include <cmath>
#include <jounce/algorithm/coordinate_series.hpp>
#include <jounce/algorithm/crba.hpp>
#include <jounce/algorithm/kinematics.hpp>
#include <jounce/io.hpp>
#include <jounce/mass_factors.hpp>
#include <jounce/model/generate.hpp>
#include <jounce/model/workspace.hpp>
#include <jounce/regressor.hpp>
#include <jounce/simulation.hpp>

#include "apps/jounce/tour/chapters.hpp"
#include "apps/jounce/tour/largest.hpp"
#include "benchmarks/bench.hpp"
#include "benchmarks/flops.hpp"
#include "report/plot.hpp"
#include "report/text.hpp"

namespace jounce::app {
namespace {

constexpr const char* factorization_names[] = {"plain", "ploen", "lie", "christoffel"};

/// A tree with every kind of joint whose screws are independent.
Robot random_tree(std::uint64_t seed) {
  std::vector<JointKind> kinds = all_joint_kinds();
  kinds.erase(std::remove(kinds.begin(), kinds.end(), JointKind::composite), kinds.end());
  return Robot(generate({.shape = TreeShape(seed % 4),
                         .bodies = 2 + int(seed * 7 % 59),
                         .branches = 2,
                         .kinds = kinds,
                         .free_base = seed % 2 == 0,
                         .fixed_links = true,
                         .child_placements = true,
                         .passive = seed % 3 == 0,
                         .seed = seed}));
}

Eigen::VectorXd velocities(const Robot& robot, std::uint64_t seed) {
  Eigen::VectorXd v(robot.nv());
  for (Eigen::Index k = 0; k < v.size(); ++k) v[k] = std::sin(double(seed) + 1.7 * double(k));
  return v;
}

/// Largest defects over random trees: of C relative to its largest entry, of accelerations as
/// |M a + b - tau| / (|M||a| + |b| + |tau|).
struct Defects {
  double bias[4] = {}, skew[4] = {}, power[4] = {}, balance = 0, regressor = 0;
  double forward = 0, hybrid = 0, mass_inverse = 0, mass_solve = 0;
};

void measure_round_trips(Dynamics& dynamics, const std::vector<double>& q, const Eigen::VectorXd& v,
                         const Eigen::VectorXd& given, Defects& worst) {
  const Eigen::Index n = v.size();
  const Eigen::MatrixXd M = dynamics.mass(q);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(n), b = dynamics.inverse(q, v, zero);
  const auto raise = [&](double& largest_yet, const auto& a, const auto& bias, const auto& tau) {
    const double size = M.norm() * a.norm() + bias.norm() + tau.norm();
    largest_yet = std::max(largest_yet, (M * a + bias - tau).norm() / size);
  };
  raise(worst.forward, dynamics.forward(q, v, given), b, given);
  const auto flags = std::make_unique<bool[]>(size_t(n));
  for (Eigen::Index k = 0; k < n; k += 2) flags[size_t(k)] = true;
  const HybridResult mixed = dynamics.hybrid({flags.get(), size_t(n)}, q, v, given, -given);
  raise(worst.hybrid, mixed.a, b, mixed.tau);
  raise(worst.mass_inverse, Eigen::VectorXd(dynamics.mass_inverse(q) * given), zero, given);
  MassFactors factors(dynamics.robot());
  raise(worst.mass_solve, factors.at(q).solve(given), zero, given);
}

/// dM/dt by power series through the mass matrix: coriolis' own is C + C^T, which proves nothing.
Eigen::MatrixXd mass_rate(const Robot& robot, const std::vector<double>& q,
                          const Eigen::VectorXd& v) {
  using Number = Taylor<double, 1>;
  const Model<double>& m = robot.model();
  std::vector<Number> position(q.begin(), q.end()), speed(v.begin(), v.end());
  for (int i = 1; i < m.bodies; ++i)
    extend_coordinates(m, i, Number::order, speed.data(), position.data());
  WorkspaceStorage<Number> storage(m);
  std::vector<Inertia<Number>> composite(size_t(m.bodies));
  std::vector<Number> M(size_t(m.nv * m.nv));
  forward_poses(m, State<Number>{position.data(), speed.data()}, storage.view());
  crba(m, storage.view(), composite.data(), M.data());
  Eigen::MatrixXd rate(m.nv, m.nv);
  for (Eigen::Index k = 0; k < rate.size(); ++k) rate.data()[k] = M[size_t(k)].c[1];
  return rate;
}

void measure(std::uint64_t seed, Defects& worst) {
  Dynamics dynamics(random_tree(seed));
  const Robot& robot = dynamics.robot();
  const std::vector<double> q = robot.random(seed);
  const Eigen::VectorXd v = velocities(robot, seed), a = velocities(robot, seed + 1);
  measure_round_trips(dynamics, q, v, a, worst);
  const Eigen::VectorXd bias = dynamics.bias(q, v) - dynamics.gravity(q);
  const Eigen::MatrixXd Mdot = mass_rate(robot, q, v);
  for (int f = 0; f < 4; ++f) {
    const Eigen::MatrixXd C = dynamics.coriolis(q, v, Factorization(f)).matrix, S = Mdot - 2 * C;
    const double scale = largest(C) + 1e-300;
    worst.bias[f] = std::max(worst.bias[f], largest(C * v - bias) / scale);
    worst.skew[f] = std::max(worst.skew[f], largest(S + S.transpose()) / scale);
    worst.power[f] = std::max(worst.power[f], std::abs(v.dot(S * v)) / scale / v.squaredNorm());
  }
  const PowerBalance p = dynamics.power_balance(q, v, a);
  const double flow = std::abs(p.kinetic_rate) + std::abs(p.potential_rate) + std::abs(p.actuators);
  worst.balance = std::max(worst.balance, std::abs(p.residual()) / flow);
  Regressor regressor(robot, {.armature = true});
  const Eigen::VectorXd tau = dynamics.inverse(q, v, a, {.passive = false});
  const Eigen::VectorXd by_parameters = regressor.force(q, v, a) * regressor.parameters();
  worst.regressor = std::max(worst.regressor, largest(by_parameters - tau) / largest(tau));
}

/// The error of the energy of a falling quadruped after a quarter of a second.
double energy_drift(int steps) {
  Dynamics dynamics(load("builtin:quadruped"));
  Simulation sim(dynamics.robot(),
                 {.integrator = Integrator::rk4, .step = 0.25 / steps, .passive = false});
  SimulationState x =
      sim.start(dynamics.robot().neutral(), std::vector<double>(size_t(dynamics.robot().nv()), 2));
  const auto energy = [&] {
    const Energy now = dynamics.energy(x.q, x.v);
    return now.kinetic + now.potential;
  };
  const double before = energy();
  sim.run(x, 0.25, {.energy = false});
  return std::abs(energy() - before) / std::abs(before);
}

report::Figure drift_figure() {
  report::Series series{.name = "energy", .x = {}, .y = {}};
  for (int steps = 8; steps <= 256; steps *= 2) {
    series.x.push_back(250.0 / steps);
    series.y.push_back(energy_drift(steps));
  }
  report::Plot plot{.title = "Energy of a falling quadruped, fixed steps",
                    .x = {.label = "step", .unit = "ms", .log = true},
                    .y = {.label = "relative error", .unit = "", .log = true},
                    .series = {series}};
  return {report::both_widths(plot), "Runge-Kutta of order four on the configuration manifold."};
}

/// Flops of the reference forms, times of the kernels behind Dynamics, checks included.
report::Table speed_table() {
  report::Table table{"Flops of the reference forms, and nanoseconds of one call on this machine",
                      {"robot", "inverse", "ns", "forward", "ns", "mass", "ns"},
                      {}};
  for (const std::string name : {"arm7", "quadruped", "humanoid"}) {
    Dynamics dynamics(load("builtin:" + name));
    const bench::DynamicsFlops flops = bench::count_dynamics(dynamics.robot());
    const std::vector<double> q = dynamics.robot().random(1), v(size_t(dynamics.robot().nv()), 0.1);
    std::vector<double> found(v.size());
    MassMatrix M(dynamics.robot());
    const auto time = [](auto call) {
      return std::to_string(std::lround(bench::nanoseconds(call, 0.02)));
    };
    table.rows.push_back({name, std::to_string(flops.inverse.total()),
                          time([&] { dynamics.inverse(q, v, v, into(found)); }),
                          std::to_string(flops.forward.total()),
                          time([&] { dynamics.forward(q, v, v, into(found)); }),
                          std::to_string(flops.mass.total()),
                          time([&] { dynamics.mass(q, into(M)); })});
  }
  return table;
}

}  // namespace

report::Chapter tour_dynamics() {
  constexpr int trees = 100;
  Defects worst;
  for (std::uint64_t seed = 0; seed < trees; ++seed) measure(seed, worst);
  report::Table table{"Coriolis matrices of " + std::to_string(trees) +
                          " random trees: largest defects, relative to the largest entry",
                      {"factorisation", "C v - bias", "skewness of Mdot - 2C", "v'(Mdot - 2C)v"},
                      {}};
  report::Checks checks;
  checks.rows.push_back(report::at_most("forward solves M a + b = tau", worst.forward, 1e-12));
  checks.rows.push_back(report::at_most("hybrid solves M a + b = tau", worst.hybrid, 1e-12));
  checks.rows.push_back(report::at_most("inverse of M", worst.mass_inverse, 1e-12));
  checks.rows.push_back(report::at_most("articulated solve", worst.mass_solve, 1e-12));
  for (size_t f = 0; f < 4; ++f) {
    const std::string name = factorization_names[f];
    table.rows.push_back({name, report::significant(worst.bias[f], 2),
                          report::significant(worst.skew[f], 2),
                          report::significant(worst.power[f], 2)});
    checks.rows.push_back(report::at_most("C v is the bias, " + name, worst.bias[f], 1e-12));
    checks.rows.push_back(
        f == 0 ? report::at_least("plain is not skew", worst.skew[f], 1e-2)
               : report::at_most("Mdot - 2C is skew, " + name, worst.skew[f], 1e-12));
  }
  checks.rows.push_back(report::at_most("power balance", worst.balance, 1e-11));
  checks.rows.push_back(report::at_most("regressor times parameters", worst.regressor, 1e-11));
  const auto base = base_parameters(load("builtin:puma560")).independent.size();
  checks.rows.push_back(report::at_least("base parameters of puma560", double(base), 36));
  checks.rows.push_back(report::at_least("order of the fixed steps",
                                         std::log2(energy_drift(32) / energy_drift(64)), 3.5));
  return {"Dynamics",
          "dynamics",
          {report::Paragraph{"Inverse, forward and hybrid dynamics undo each other on random trees "
                             "with every kind of joint. Four matrices C(q, v) with the same "
                             "product C v; with three of them "
                             "Mdot - 2C is skew-symmetric, which adaptive control needs."},
           table, checks, speed_table(), drift_figure()}};
}

}  // namespace jounce::app
