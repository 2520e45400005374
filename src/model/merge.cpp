// SPDX-License-Identifier: BSD-3-Clause
// Robots made larger: a payload attached, or another robot merged in.
#include <unordered_set>

#include "model/edit.hpp"

namespace jounce {
namespace {

/// A joint that starts at `placement` on a link or frame and carries `child`.
JointDescription mounted(const detail::Mount& mount, const SE3<double>& placement,
                         const std::string& child, JointDescription joint) {
  joint.parent = mount.link;
  joint.child = child;
  if (joint.name.empty()) joint.name = child + "_joint";
  joint.geometry.placement = mount.placement * placement * joint.geometry.placement;
  return joint;
}

/// Every name of a robot with the prefix before it.
RobotDescription prefixed(RobotDescription robot, const std::string& prefix) {
  const auto add = [&](std::string& name) {
    if (!name.empty()) name.insert(0, prefix);
  };
  for (LinkDescription& link : robot.links) add(link.name);
  for (JointDescription& joint : robot.joints) {
    add(joint.name), add(joint.parent), add(joint.child);
    if (joint.mimic) add(joint.mimic->leader);
  }
  for (FrameDescription& frame : robot.frames) add(frame.name), add(frame.link);
  for (LoopDescription& loop : robot.loops) {
    add(loop.name), add(loop.link_1), add(loop.link_2);
    for (TiedJoint& joint : loop.joints) add(joint.name);
  }
  for (BushingDescription& one : robot.bushings) add(one.name), add(one.link_1), add(one.link_2);
  return robot;
}

template <class Items, class OtherItems>
void check_clashes(const char* what, const Items& a, const OtherItems& b) {
  std::unordered_set<std::string_view> taken;
  for (const auto& item : a) taken.insert(item.name);
  for (const auto& item : b)
    if (taken.count(item.name) > 0)
      throw InputError("merge: both robots have a " + detail::quoted(what, item.name) +
                       "; give a prefix that keeps them apart");
}

void check_clashes(const RobotDescription& a, const RobotDescription& b) {
  check_clashes("link", a.links, b.links);
  check_clashes("joint", a.joints, b.joints);
  check_clashes("frame", a.frames, b.frames);
  check_clashes("link or frame", a.links, b.frames);
  check_clashes("link or frame", a.frames, b.links);
  check_clashes("loop", a.loops, b.loops);
  check_clashes("bushing", a.bushings, b.bushings);
}

/// Says of every joint whether it has a motor, as its robot understood it.
void name_motors(RobotDescription& robot) {
  const bool named = names_motors(robot);
  for (JointDescription& joint : robot.joints)
    if (joint_nv(joint.geometry) > 0) joint.actuated = has_motor(joint, named);
}

/// An end of a loop or bushing that was held by the world of the robot that is mounted.
void stand_on(const detail::Mount& mount, const SE3<double>& placement, std::string& link,
              SE3<double>& end) {
  if (!link.empty()) return;
  link = mount.link;
  end = mount.placement * placement * end;
}

template <class Items>
void append(Items& to, Items&& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

Robot attach(const Robot& robot, std::string_view link_or_frame, const LinkDescription& payload,
             const SE3<double>& placement) {
  const detail::Mount mount = detail::find_mount("attach", robot, link_or_frame);
  detail::check_placement("attach", placement);
  const std::string where = "attach: " + detail::quoted("robot", robot.name());
  if (payload.name.empty()) throw InputError("attach: the payload has no name");
  for (const FrameInfo& frame : robot.frames())
    if (frame.name == payload.name)
      throw InputError(where + " already has a " + detail::quoted("link or frame", frame.name));
  JointDescription joint = mounted(mount, placement, payload.name, {});
  for (const JointDescription& other : robot.description().joints)
    if (other.name == joint.name)
      throw InputError(where + " already has a " + detail::quoted("joint", joint.name));
  RobotDescription larger = robot.description();
  larger.links.push_back(payload);
  larger.joints.push_back(std::move(joint));
  return Robot(std::move(larger));
}

Robot merge(const Robot& a, std::string_view link_or_frame, const Robot& b,
            const SE3<double>& placement, const std::string& prefix,
            const JointDescription& joint) {
  const detail::Mount mount = detail::find_mount("merge", a, link_or_frame);
  detail::check_placement("merge", placement);
  RobotDescription both = a.description(), other = prefixed(b.description(), prefix);
  const detail::Tree tree(other);
  JointDescription link = mounted(mount, placement, other.links[tree.root].name, joint);
  if (tree.base() >= 0) other.joints[static_cast<size_t>(tree.base())] = std::move(link);
  else other.joints.insert(other.joints.begin(), std::move(link));
  const auto mount_ends = [&](auto& one) {
    stand_on(mount, placement, one.link_1, one.placement_1);
    stand_on(mount, placement, one.link_2, one.placement_2);
  };
  for (LoopDescription& loop : other.loops)
    if (loop.joints.empty()) mount_ends(loop);
  for (BushingDescription& bushing : other.bushings) mount_ends(bushing);
  if (names_motors(both) || names_motors(other)) name_motors(both), name_motors(other);
  check_clashes(both, other);
  append(both.links, std::move(other.links));
  append(both.joints, std::move(other.joints));
  append(both.frames, std::move(other.frames));
  append(both.loops, std::move(other.loops));
  append(both.bushings, std::move(other.bushings));
  return Robot(std::move(both));
}

}  // namespace jounce
