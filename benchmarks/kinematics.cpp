// SPDX-License-Identifier: BSD-3-Clause
// Speed of kinematics, checks included: poses, Jacobians, inverse kinematics,
// loading.
#include <jounce/inverse_kinematics.hpp>
#include <jounce/io.hpp>
#include <jounce/model/generate.hpp>

#include "benchmarks/bench.hpp"

namespace jounce::bench {
namespace {

Row row(const std::string& robot, const char* algorithm, double ns) {
  return {.robot = robot, .algorithm = algorithm, .ns = ns};
}

std::vector<Row> kinematics_rows(const std::string& name) {
  const Robot robot = load("builtin:" + name);
  Dynamics dynamics(robot);
  const std::vector<double> q = robot.random(1), v(static_cast<size_t>(robot.nv()), 0.1);
  const FrameId tip = FrameId(static_cast<int>(robot.description().links.size()) - 1);
  return {row(name, "fk", nanoseconds([&] { dynamics.kinematics(q); })),
          row(name, "fk-velocity-acceleration", nanoseconds([&] { dynamics.kinematics(q, v, v); })),
          row(name, "jacobian", nanoseconds([&] {
                dynamics.kinematics(q);
                dynamics.jacobian_body(tip);
              })),
          row(name, "jacobian-rate", nanoseconds([&] { dynamics.jacobian_body_rate(tip); })),
          row(name, "com-jacobian", nanoseconds([&] { dynamics.com_jacobian(); }))};
}

/// The mean over reachable poses, restarts included.
Row inverse_kinematics() {
  const Robot arm = load("builtin:arm7");
  Dynamics dynamics(arm);
  InverseKinematics ik(arm);
  const FrameId flange = arm.frame("flange");
  const std::vector<double> guess = arm.neutral();
  constexpr int poses = 500;
  std::vector<SE3<double>> goal;
  for (std::uint64_t seed = 0; seed < poses; ++seed) {
    dynamics.kinematics(arm.random(seed));
    goal.push_back(dynamics.pose(flange));
  }
  const double ns = nanoseconds([&] {
    for (const SE3<double>& pose : goal) ik.solve({{flange, pose}}, guess);
  });
  return row("arm7", "ik", ns / poses);
}

Row load_urdf() {
  GeneratorOptions options;
  options.shape = TreeShape::random_tree;
  options.bodies = 50;
  const std::string text = write_urdf(generate(options), true);  // without the frame "tool"
  return row("random_tree_50", "load-urdf", nanoseconds([&] {
               const Robot robot(read_urdf(text, "tree.urdf").robot);
               keep(robot);
             }));
}

}  // namespace

std::vector<Row> kinematics() {
  std::vector<Row> rows;
  for (const char* name : {"arm7", "quadruped", "humanoid"})
    for (Row& measured : kinematics_rows(name)) rows.push_back(std::move(measured));
  rows.push_back(inverse_kinematics());
  rows.push_back(load_urdf());
  return rows;
}

}  // namespace jounce::bench
