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
  Kinematics kinematics(robot);
  const std::vector<double> q = robot.random(1), v(static_cast<size_t>(robot.nv()), 0.1);
  const FrameId tip = FrameId(static_cast<int>(robot.description().links.size()) - 1);
  Eigen::MatrixXd J(6, robot.nv()), J_com(3, robot.nv());
  constexpr auto body = Representation::body;
  std::vector<Row> rows{
      row(name, "fk", nanoseconds([&] { kinematics.at(q); })),
      row(name, "fk-velocity-acceleration", nanoseconds([&] { kinematics.at(q, v, v); })),
      row(name, "jacobian", nanoseconds([&] { kinematics.at(q).jacobian(tip, body, into(J)); }))};
  kinematics.at(q, v);
  rows.push_back(row(name, "jacobian-rate",
                     nanoseconds([&] { kinematics.jacobian_rate(tip, body, into(J)); })));
  rows.push_back(
      row(name, "com-jacobian", nanoseconds([&] { kinematics.com_jacobian(into(J_com)); })));
  return rows;
}

/// The mean over reachable poses, restarts included.
Row inverse_kinematics() {
  const Robot arm = load("builtin:arm7");
  Kinematics kinematics(arm);
  InverseKinematics ik(arm);
  const FrameId flange = arm.frame("flange");
  const std::vector<double> guess = arm.neutral();
  constexpr int poses = 500;
  std::vector<SE3<double>> goal;
  for (std::uint64_t seed = 0; seed < poses; ++seed) {
    kinematics.at(arm.random(seed));
    goal.push_back(kinematics.pose(flange));
  }
  std::vector<double> found(guess);
  const double ns = nanoseconds([&] {
    for (const SE3<double>& pose : goal) {
      const PoseGoal to{flange, pose};
      ik.solve({&to, 1}, guess, {}, into(found));
    }
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
