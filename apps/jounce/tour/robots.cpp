// SPDX-License-Identifier: BSD-3-Clause
// Tour, chapter "Robots": what is bundled, drawn from its frames, and checks of its kinematics.
#include <chrono>
#include <jounce/inverse_kinematics.hpp>
#include <jounce/io.hpp>

#include "apps/jounce/tour/chapters.hpp"
#include "pictures/robot_drawing.hpp"
#include "report/text.hpp"

namespace jounce::app {
namespace {

/// A configuration that shows the robot's shape: half way between zero and a random one.
std::vector<double> showing(const Robot& robot) {
  std::vector<double> q = robot.neutral(), to = robot.random(3), dv(size_t(robot.nv()));
  robot.difference(q, to, dv);
  for (const JointInfo& joint : robot.joints())
    for (int k = 0; k < joint.nv; ++k)
      dv[size_t(joint.v + k)] *= joint.kind == JointKind::free || robot.nv() > 12 ? 0.0 : 0.3;
  robot.integrate(q, dv, to);
  return to;
}

report::Figure picture(const Robot& robot) {
  return {pictures::draw(robot, robot.loops().empty() ? showing(robot) : robot.closed()).svg,
          "builtin:" + robot.name(), true};
}

std::string kinds_of(const Robot& robot) {
  std::string kinds;
  for (const JointInfo& joint : robot.joints())
    if (const std::string kind = name(joint.kind); kinds.find(kind) == std::string::npos)
      kinds += (kinds.empty() ? "" : ", ") + kind;
  return kinds;
}

/// The largest difference between a Jacobian and central differences of poses.
double jacobian_error(const Robot& robot) {
  Kinematics kinematics(robot);
  const FrameId tip = FrameId(static_cast<int>(robot.description().links.size()) - 1);
  const std::vector<double> q = robot.random(2);
  const Eigen::MatrixXd J = kinematics.at(q).jacobian_body(tip);
  double worst = 0;
  std::vector<double> step(size_t(robot.nv())), at(q.size());
  for (size_t k = 0; k < step.size(); ++k) {
    step[k] = -1e-5;
    robot.integrate(q, step, at);
    const SE3<double> before = kinematics.at(at).pose(tip);
    step[k] = 1e-5;
    robot.integrate(q, step, at);
    const SE3<double> after = kinematics.at(at).pose(tip);
    const Twist<double> moved = log(inverse_times(before, after)) * (0.5e5);
    step[k] = 0;
    const auto column = J.col(static_cast<Eigen::Index>(k));
    worst = std::max(worst, norm(moved.w - Vec3<double>{column[0], column[1], column[2]}));
    worst = std::max(worst, norm(moved.v - Vec3<double>{column[3], column[4], column[5]}));
  }
  return worst;
}

struct IkTrial {
  double share = 0;         ///< of random reachable poses that were found within the limits
  double microseconds = 0;  ///< mean of one solution, restarts included
};

IkTrial try_inverse_kinematics(int n) {
  const Robot arm = load("builtin:arm7");
  Kinematics kinematics(arm);
  InverseKinematics ik(arm);
  const FrameId flange = arm.frame("flange");
  int solved = 0;
  const auto start = std::chrono::steady_clock::now();
  for (int k = 0; k < n; ++k) {
    const SE3<double> target = kinematics.at(arm.random(std::uint64_t(k))).pose(flange);
    if (ik.solve({{flange, target}}, arm.neutral()).converged) ++solved;
  }
  const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
  return {double(solved) / n, time.count() / n};
}

}  // namespace

report::Chapter tour_robots() {
  report::Table table{
      "Bundled robots", {"robot", "dof", "joints", "links", "mass / kg", "kinds"}, {}};
  report::Checks checks;
  std::vector<report::Block> figures;
  for (const std::string_view name : builtin_robots()) {
    const Robot robot = load("builtin:" + std::string(name));
    table.rows.push_back({std::string(name), std::to_string(robot.nv()),
                          std::to_string(robot.joints().size()),
                          std::to_string(robot.description().links.size()),
                          report::significant(robot.mass(), 4), kinds_of(robot)});
    checks.rows.push_back(report::at_most("Jacobian of " + std::string(name) + " by differences",
                                          jacobian_error(robot), 1e-8));
    figures.push_back(picture(robot));
  }
  const IkTrial ik = try_inverse_kinematics(10000);
  checks.rows.push_back(report::at_least("share of 10000 reachable poses of arm7 solved by ik, " +
                                             report::significant(ik.microseconds, 3) + " us each",
                                         ik.share, 0.99));
  report::Chapter chapter{"Robots", "robots", {}};
  chapter.blocks.push_back(report::Paragraph{
      "Robots come from URDF, from Jounce's own JSON, from tables (jounce convert), "
      "from a generator, or from this list: jounce info builtin:NAME."});
  chapter.blocks.push_back(table);
  chapter.blocks.push_back(checks);
  for (report::Block& figure : figures) chapter.blocks.push_back(std::move(figure));
  return chapter;
}

}  // namespace jounce::app
