// SPDX-License-Identifier: BSD-3-Clause
// Our own answer, and KDL's, which has no reader and is given our description.
#include <jounce/dynamics.hpp>
#include <jounce/io.hpp>
#include <jounce/model/operations.hpp>

#include "oracles/others/peer.hpp"
#ifdef JOUNCE_WITH_KDL
#include "oracles/kdl_peer.hpp"
#endif

namespace jounce::others {
namespace {

/// Without the inertias of rotors, which the peers do not read.
Robot read_fixed(const std::string& path) {
  ReadOptions options;
  options.couple_mimic = false;
  RobotDescription robot = read_robot(path, options).robot;
  for (JointDescription& joint : robot.joints) joint.properties.armature.clear();
  return with_base(Robot(std::move(robot)), JointKind::fixed);
}

/// Names by coordinate; none where a joint has several.
std::vector<std::string> names_of(const Robot& robot) {
  std::vector<std::string> names;
  for (const JointInfo& joint : robot.joints()) {
    if (joint.nv != 1) return {};
    names.push_back(joint.name);
  }
  return names;
}

}  // namespace

Answer ask_jounce(const std::string& path, const std::string& /*text*/) {
  const Robot robot = read_fixed(path);
  Answer answer{robot.nq(), robot.nv(), names_of(robot), {}, {}, {}};
  if (answer.joints.empty()) return answer;
  const Surroundings bare{.passive = false};
  const Eigen::VectorXd q = numbers_of(answer.joints, "q"), v = numbers_of(answer.joints, "v");
  Dynamics dynamics(robot);
  const auto attempt = [](auto compute) {
    try {
      compute();
    } catch (const ComputationError&) {  // joints that move no mass, numbers beyond double
    }
  };
  attempt([&] { answer.M = dynamics.mass(q); });
  attempt([&] { answer.tau = dynamics.inverse(q, v, numbers_of(answer.joints, "a"), bare); });
  attempt([&] { answer.a = dynamics.forward(q, v, numbers_of(answer.joints, "tau"), bare); });
  return answer;
}

#ifdef JOUNCE_WITH_KDL
Answer ask_kdl(const std::string& path, const std::string& /*text*/) {
  const Robot robot = read_fixed(path);
  Answer answer{robot.nq(), robot.nv(), names_of(robot), {}, {}, {}};
  if (answer.joints.empty()) return answer;
  test::KdlPeer kdl(robot);
  kdl.set(numbers_of(answer.joints, "q"), numbers_of(answer.joints, "v"));
  answer.tau = kdl.inverse(numbers_of(answer.joints, "a"));
  return answer;
}
#endif

}  // namespace jounce::others
