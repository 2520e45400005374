// SPDX-License-Identifier: BSD-3-Clause
// Joints locked at values: the pose at these values becomes the placement of a fixed joint.
#include <cmath>
#include <jounce/model/loop.hpp>
#include <jounce/model/manifold.hpp>

#include "model/edit.hpp"
#include "numbers.hpp"

namespace jounce {
namespace {

/// The moving joint frame in the parent link's, by a robot of this one joint.
SE3<double> locked_placement(const JointDescription& joint, std::vector<double> q) {
  const std::string where = "lock_joints: " + detail::quoted("joint", joint.name);
  const auto needed = static_cast<size_t>(joint_nq(joint.geometry));
  if (q.size() != needed)
    throw InputError(where + ": values has " + std::to_string(q.size()) + " elements, needs " +
                     std::to_string(needed));
  RobotDescription alone;
  alone.links.emplace_back().name = joint.child;
  alone.joints.push_back({joint.name, "", joint.child, joint.geometry});
  const Robot robot(std::move(alone));
  robot.check_q(where, "values", q);
  robot.normalize(q);
  const std::vector<double> rest(static_cast<size_t>(robot.nv()), 0.0);
  return detail::link_motion(robot, FrameId(0), q.data(), rest.data()).pose;
}

/// A follower may be named along with its leader if its value is the one that follows.
void check_follower(const JointDescription& joint, const JointValues& values) {
  const auto own = values.find(joint.name), leader = values.find(joint.mimic->leader);
  if (own == values.end()) return;
  const std::string where = "lock_joints: " + detail::quoted("joint", joint.name) + " mimics \"" +
                            joint.mimic->leader + "\"";
  if (leader == values.end()) throw InputError(where + "; lock that one instead");
  const double follows = joint.mimic->multiplier * leader->second[0] + joint.mimic->offset;
  locked_placement(joint, own->second);  // refuses a wrong size and NaN
  if (std::abs(own->second[0] - follows) > 1e-9 * (1 + std::abs(follows)))
    throw InputError(where + " and follows at " + std::to_string(follows) + ", found " +
                     std::to_string(own->second[0]));
}

void check_names(const Robot& robot, const JointValues& values) {
  for (const auto& [name, unused] : values) {
    for (const JointDescription& joint : robot.description().joints)
      if (joint.name == name && joint_nq(joint.geometry) == 0)
        throw InputError("lock_joints: " + detail::quoted("joint", name) + " is fixed already");
    detail::find_named("lock_joints", robot, "moving joint", name, robot.joints());
  }
}

void fix(JointDescription& joint, const std::vector<double>& values) {
  joint.geometry = fixed_joint(locked_placement(joint, values));
  joint.properties = {};
  joint.mimic.reset();
  joint.actuated.reset();
  joint.closed.clear();
}

/// The coordinate of a joint with one degree of freedom.
double coordinate(const JointDescription& joint, const std::vector<double>& values) {
  return is_circle(joint.geometry) ? std::atan2(values[1], values[0]) : values[0];
}

/// A gear without joints holds where its offset vanishes, up to full turns of those it had.
void check_locked_gear(const LoopDescription& loop, const LoopDescription& before,
                       const RobotDescription& robot) {
  double turn = 0, size = std::abs(before.offset);
  for (const TiedJoint& tied : before.joints) {
    for (const JointDescription& joint : robot.joints)
      if (joint.name == tied.name && is_circle(joint.geometry))
        turn = common_measure(tied.ratio, turn);
    size += std::abs(tied.ratio);
  }
  const double open = turn > 0 ? turn * principal_angle(loop.offset / turn) : loop.offset;
  if (std::abs(open) > 1e-9 * std::max(1.0, size))
    throw InputError("lock_joints: the values contradict " + detail::quoted("loop", loop.name) +
                     ": it is open by " + short_text(std::abs(open)));
}

/// Gears go on without the joints that are locked.
void lock_gears(const RobotDescription& before, const JointValues& values,
                std::vector<LoopDescription>& loops) {
  for (const JointDescription& joint : before.joints) {
    const auto own = values.find(joint.mimic ? joint.mimic->leader : joint.name);
    if (own == values.end()) continue;
    for (LoopDescription& loop : loops) {
      const auto tied = std::find_if(loop.joints.begin(), loop.joints.end(),
                                     [&](const auto& one) { return one.name == joint.name; });
      if (tied == loop.joints.end()) continue;
      if (loop.kind == LoopKind::custom)
        throw InputError("lock_joints: " + detail::quoted("loop", loop.name) +
                         " is a function of " + detail::quoted("joint", joint.name));
      const double q = joint.mimic ? joint.mimic->multiplier * own->second[0] + joint.mimic->offset
                                   : coordinate(joint, own->second);
      loop.offset -= tied->ratio * q;
      loop.joints.erase(tied);
    }
  }
  const auto is_locked = [](const LoopDescription& loop) {
    return loop.kind == LoopKind::gear && loop.joints.empty();
  };
  for (size_t k = 0; k < loops.size(); ++k)
    if (is_locked(loops[k])) check_locked_gear(loops[k], before.loops[k], before);
  std::erase_if(loops, is_locked);
}

}  // namespace

Robot lock_joints(const Robot& robot, const JointValues& values) {
  check_names(robot, values);
  RobotDescription locked = robot.description();
  for (JointDescription& joint : locked.joints)
    if (const auto own = values.find(joint.name); own != values.end() && !joint.mimic)
      fix(joint, own->second);
  for (JointDescription& joint : locked.joints) {
    if (!joint.mimic) continue;
    check_follower(joint, values);
    if (const auto leader = values.find(joint.mimic->leader); leader != values.end())
      fix(joint, {joint.mimic->multiplier * leader->second[0] + joint.mimic->offset});
  }
  lock_gears(robot.description(), values, locked.loops);
  return Robot(std::move(locked));
}

}  // namespace jounce
