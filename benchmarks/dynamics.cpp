// SPDX-License-Identifier: BSD-3-Clause
// Speed of inverse, forward and hybrid dynamics, of the mass matrix and of what is solved with it,
// checks included; and how it grows with the length of a chain.
#include <cmath>
#include <functional>
#include <jounce/dynamics.hpp>
#include <jounce/equations/equations.hpp>
#include <jounce/io.hpp>
#include <jounce/kinematics.hpp>
#include <jounce/mass_factors.hpp>
#include <jounce/model/generate.hpp>
#include <jounce/paper/dense_hybrid.hpp>

#include "benchmarks/bench.hpp"
#include "benchmarks/flops.hpp"
#include "benchmarks/pack_kernels.hpp"
#include "kernels/kernel_tree.hpp"
#include "report/text.hpp"

namespace jounce::bench {
namespace {

struct Measured {
  const char* algorithm;
  std::function<void()> call;
  FlopCount flops = {};
};

/// The recursion without the door around it: checks of arguments, what surrounds the robot, the
/// copy of the result. The ratio is that of the door's time to it.
Row recursion_row(const Robot& robot, double inverse_ns) {
  KernelTree tree(robot);
  EquationsStorage<double> room(robot.system());
  const Equations<double, double, KernelTree> equations{tree, room};
  const std::vector<double> q = robot.random(1), v(static_cast<size_t>(robot.nv()), 0.1);
  const State<double> x = equations.set_up({q.data(), v.data(), v.data()}, {});
  const double ns = nanoseconds([&] { tree.inverse(x, room.tree.view()); });
  return {
      .robot = robot.name(), .algorithm = "inverse/recursion", .ns = ns, .ratio = inverse_ns / ns};
}

std::vector<Row> dynamics_rows(const std::string& name) {
  Dynamics dynamics(load("builtin:" + name));
  const Robot& robot = dynamics.robot();
  const DynamicsFlops flops = count_dynamics(robot);
  const auto nv = static_cast<size_t>(robot.nv());
  const std::vector<double> q = robot.random(1), v(nv, 0.1);
  const auto flags = std::make_unique<bool[]>(nv);
  for (size_t k = 0; k < nv; k += 2) flags[k] = true;
  const std::span<const bool> prescribed(flags.get(), nv);
  const FrameId tip = FrameId(static_cast<int>(robot.description().links.size()) - 1);
  Kinematics kinematics(robot);
  MassFactors factors(robot);
  factors.at(q);
  std::vector<double> a(nv), tau(nv);
  MassMatrix M(robot);
  MassInverse inverse(robot);
  Eigen::MatrixXd J(6, robot.nv());
  const Measured all[] = {
      {"inverse", [&] { dynamics.inverse(q, v, v, into(tau)); }, flops.inverse},
      {"forward", [&] { dynamics.forward(q, v, v, into(a)); }, flops.forward},
      {"hybrid", [&] { dynamics.hybrid(prescribed, q, v, v, v, into(a), into(tau)); },
       flops.hybrid},
      {"mass", [&] { dynamics.mass(q, into(M)); }, flops.mass},
      {"mass-inverse", [&] { dynamics.mass_inverse(q, into(inverse)); }},
      {"mass-solve", [&] { factors.solve(v, into(a)); }, flops.mass_solve},
      {"jacobian-path", [&] { kinematics.jacobian(tip, Representation::body, q, into(J)); },
       flops.jacobian}};
  std::vector<Row> rows;
  for (const Measured& one : all)
    rows.push_back(with_peak({.robot = name,
                              .algorithm = one.algorithm,
                              .ns = nanoseconds(one.call),
                              .flops = double(one.flops.total())}));
  rows.push_back(recursion_row(robot, rows.front().ns));
  const DynamicsTimes batch = pack_kernels().dynamics(robot.model(), q.data());
  const std::pair<const char*, double> times[] = {
      {"inverse", batch.inverse}, {"forward", batch.forward}, {"mass", batch.mass}};
  for (const auto& [algorithm, ns] : times)
    rows.push_back({.robot = name,
                    .algorithm = algorithm,
                    .mode = "batch64",
                    .lanes = DynamicsTimes::lanes,
                    .ns = ns});
  return rows;
}

Robot chain(int n) {
  return Robot(generate(
      {.shape = TreeShape::chain, .bodies = n, .kinds = {JointKind::revolute}, .seed = 1}));
}

/// The factored mass matrix of mass-solve stays out of the time, as it does for many columns.
std::vector<Row> measure_chain(int n) {
  Dynamics dynamics(chain(n));
  MassFactors factors(dynamics.robot());
  const std::vector<double> q = dynamics.robot().random(1), v(static_cast<size_t>(n), 0.1);
  std::vector<double> found(v), more(v);
  const auto flags = std::make_unique<bool[]>(size_t(n));
  for (int k = 0; k < n; k += 2) flags[size_t(k)] = true;
  factors.at(q);
  const Measured all[] = {
      {"inverse", [&] { dynamics.inverse(q, v, v, into(found)); }},
      {"forward", [&] { dynamics.forward(q, v, v, into(found)); }},
      {"mass-solve", [&] { factors.solve(v, into(found)); }},
      {"hybrid",
       [&] {
         dynamics.hybrid({flags.get(), size_t(n)}, q, v, v, v, into(found), into(more));
       }},
      {"hybrid-dense", [&] {
         keep(dense_hybrid(dynamics, {flags.get(), size_t(n)}, q, v, v, v));
       }}};
  const size_t count = std::size(all) - (n > 200 ? 1 : 0);  // the last takes O(n^3)
  std::vector<Row> rows;
  for (const Measured& one : std::span(all, count))
    rows.push_back({.robot = "chain_" + std::to_string(n),
                    .algorithm = one.algorithm,
                    .ns = nanoseconds(one.call, 0.05)});
  return rows;
}

}  // namespace

std::vector<Row> dynamics() {
  std::vector<Row> rows;
  for (const char* name : {"arm7", "quadruped", "humanoid"})
    for (Row& row : dynamics_rows(name)) rows.push_back(std::move(row));
  for (const int n : {10, 20, 50, 100, 200, 400, 700, 1000})
    for (Row& row : measure_chain(n)) rows.push_back(std::move(row));
  return rows;
}

std::vector<LinearFit> chain_fits(const std::vector<Row>& rows) {
  std::vector<LinearFit> fits;
  for (const char* algorithm : {"inverse", "forward", "hybrid", "mass-solve"}) {
    double count = 0, n = 0, t = 0, nn = 0, nt = 0, tt = 0;
    for (const Row& row : rows) {
      if (row.algorithm != algorithm || row.robot.rfind("chain_", 0) != 0) continue;
      const double length = std::stod(row.robot.substr(6));
      count += 1, n += length, t += row.ns;
      nn += length * length, nt += length * row.ns, tt += row.ns * row.ns;
    }
    if (count < 3) continue;
    const double cov = nt - n * t / count, var_n = nn - n * n / count, var_t = tt - t * t / count;
    const double slope = cov / var_n;
    fits.push_back({algorithm, (t - slope * n) / count, slope, cov * cov / (var_n * var_t)});
  }
  return fits;
}

report::Table newton_euler_flops() {
  report::Table table{
      "Inverse dynamics of n revolute joints: the reference form and the fast one on numbers that "
      "count, sines and cosines left out, beside Featherstone's 130n-68 "
      "multiplications and 101n-56 additions",
      {"n", "multiply", "add", "fast: multiply", "fast: add", "130n-68", "101n-56"},
      {}};
  for (const int n : {1, 2, 6, 7, 10, 30, 100}) {
    const DynamicsFlops all = count_dynamics(chain(n));
    const FlopCount &flops = all.inverse, &fast = all.inverse_fast;
    table.rows.push_back({std::to_string(n), std::to_string(flops.multiply),
                          std::to_string(flops.add), std::to_string(fast.multiply),
                          std::to_string(fast.add), std::to_string(130 * n - 68),
                          std::to_string(101 * n - 56)});
  }
  return table;
}

}  // namespace jounce::bench
