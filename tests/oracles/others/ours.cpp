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
Robot read(const Question& question) {
  ReadOptions options;
  options.couple_mimic = false;
  RobotDescription robot = read_robot(question.path, options).robot;
  for (JointDescription& joint : robot.joints) joint.properties.armature.clear();
  return with_base(Robot(std::move(robot)), question.floating ? JointKind::free : JointKind::fixed);
}

/// The name of a joint; that of the base may be taken in the file.
std::string name_of(const Robot& robot, const JointInfo& joint) {
  const JointDescription& description = robot.description().joints[std::size_t(joint.description)];
  return description.parent.empty() ? base : joint.name;
}

/// Names by coordinate; none where a joint is neither free nor has one.
std::vector<std::string> names_of(const Robot& robot) {
  std::vector<std::string> names;
  for (const JointInfo& joint : robot.joints()) {
    if (joint.nv != 1 && joint.kind != JointKind::free) return {};
    for (std::string& name : coordinates_of(name_of(robot, joint), joint.nv))
      names.push_back(std::move(name));
  }
  return names;
}

Eigen::VectorXd position(const Robot& robot) {
  Eigen::VectorXd q(robot.nq());
  for (const JointInfo& joint : robot.joints()) {
    const std::string name = name_of(robot, joint);
    if (joint.nv == 1) q[joint.q] = number_of(name, "q");
    else q.segment<7>(joint.q) << position_of(name), quaternion_of(name);
  }
  return q;
}

}  // namespace

Answer ask_jounce(const Question& question) {
  const Robot robot = read(question);
  Answer answer{robot.nq(), robot.nv(), names_of(robot), {}, {}, {}};
  if (answer.coordinates.empty()) return answer;
  const Surroundings bare{.passive = false};
  const Eigen::VectorXd q = position(robot), v = numbers_of(answer.coordinates, "v");
  Dynamics dynamics(robot);
  const auto attempt = [](auto compute) {
    try {
      compute();
    } catch (const ComputationError&) {  // joints that move no mass, numbers beyond double
    }
  };
  attempt([&] { answer.M = dynamics.mass(q); });
  attempt([&] { answer.tau = dynamics.inverse(q, v, numbers_of(answer.coordinates, "a"), bare); });
  attempt([&] { answer.a = dynamics.forward(q, v, numbers_of(answer.coordinates, "tau"), bare); });
  return answer;
}

#ifdef JOUNCE_WITH_KDL
Answer ask_kdl(const Question& question) {
  const Robot robot = read(question);
  Answer answer{robot.nq(), robot.nv(), names_of(robot), {}, {}, {}};
  if (robot.nq() != robot.nv()) answer.coordinates.clear();  // no free joints there
  if (answer.coordinates.empty()) return answer;
  test::KdlPeer kdl(robot);
  kdl.set(position(robot), numbers_of(answer.coordinates, "v"));
  answer.tau = kdl.inverse(numbers_of(answer.coordinates, "a"));
  return answer;
}
#endif

}  // namespace jounce::others
