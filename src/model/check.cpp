// SPDX-License-Identifier: BSD-3-Clause
// Whether a description is a robot: the joints one by one, and the whole.
#include "model/check.hpp"

#include <algorithm>
#include <cmath>
#include <jounce/model/custom_motion.hpp>
#include <jounce/model/custom_rows.hpp>
#include <jounce/model/loop.hpp>
#include <jounce/model/manifold.hpp>

#include "model/robot_data.hpp"
#include "numbers.hpp"

namespace jounce {

namespace {

/// `which` stands behind `where` in messages: ": placement".
void check_pose(const std::string& where, const char* which, const SE3<double>& T) {
  if (!is_finite(T.p))
    throw InputError(where + which + ": position " + short_text(T.p) + " is not finite");
  if (!is_rotation(T.R))
    throw InputError(where + which + ": rotation is not orthogonal (defect " +
                     short_text(rotation_defect(T.R)) + ")");
}

void check_axes(const std::string& where, const JointGeometry& joint) {
  const size_t needed = axes_needed(joint.kind);
  if (joint.axes.size() != needed)
    throw InputError(where + ": a " + name(joint.kind) + " joint needs " + std::to_string(needed) +
                     (needed == 1 ? " axis" : " axes") + ", found " +
                     std::to_string(joint.axes.size()));
  for (const Vec3<double>& axis : joint.axes) {
    if (!is_finite(axis) || norm(axis) == 0)
      throw InputError(where + ": axis " + short_text(axis) + " has no direction");
    if (std::abs(norm(axis) - 1) > 1e-6)
      throw InputError(where + ": axis " + short_text(axis) + " has length " +
                       short_text(norm(axis)) + ", needs 1");
  }
  for (size_t k = 1; k < needed; ++k)
    if (norm(cross(joint.axes[k - 1], joint.axes[k])) < 1e-6)
      throw InputError(where + ": axes " + std::to_string(k) + " and " + std::to_string(k + 1) +
                       " are parallel");
}

void check_geometry(const std::string& where, const JointGeometry& joint, bool part = false) {
  check_pose(where, ": placement", joint.placement);
  check_axes(where, joint);
  if (is_helical(joint) && !std::isfinite(joint.pitch))
    throw InputError(where + ": pitch " + short_text(joint.pitch) + " is not finite");
  if (is_custom(joint) && (joint.custom == nullptr || part))
    throw InputError(where + (part ? ": a custom joint cannot be a part" : ": has no function"));
  if (!is_custom(joint) && joint.custom != nullptr)
    throw InputError(where + ": a " + name(joint.kind) + " joint takes no function");
  if (!is_composite(joint)) return;
  if (joint.parts.empty()) throw InputError(where + ": a composite joint needs parts, found none");
  for (size_t k = 0; k < joint.parts.size(); ++k)
    check_geometry(where + ", part " + std::to_string(k + 1), joint.parts[k], true);
  if (joint_nv(joint) > 6)
    throw InputError(where + ": has " + std::to_string(joint_nv(joint)) +
                     " coordinates, at most 6 are possible");
}

void check_size(const std::string& where, const char* what, const std::vector<double>& values,
                int needed) {
  if (values.empty()) return;
  if (static_cast<int>(values.size()) != needed)
    throw InputError(where + ": " + what + " has " + std::to_string(values.size()) +
                     " elements, needs " + std::to_string(needed));
  for (const double x : values)
    if (std::isnan(x)) throw InputError(where + ": " + what + " is NaN");
}

void check_not_negative(const std::string& where, const char* what,
                        const std::vector<double>& values) {
  for (const double x : values)
    if (!(x >= 0) || std::isinf(x))
      throw InputError(where + ": " + what + " " + short_text(x) +
                       " must be finite and not negative");
}

/// f(first, count) for all coordinates of a joint that have length 1 together.
template <class F>
void for_each_unit_place(const JointGeometry& joint, int first, F f) {
  const UnitCoordinates unit = unit_coordinates(joint.kind);
  if (unit.count > 0) f(first + unit.first, unit.count);
  for (const JointGeometry& part : joint.parts) {
    for_each_unit_place(part, first, f);
    first += joint_nq(part);
  }
}

/// Coordinates of a joint, where they are given.
void check_position(const std::string& where, const char* what, const JointDescription& joint,
                    const std::vector<double>& q) {
  check_size(where, what, q, joint_nq(joint.geometry));
  if (q.empty()) return;
  for (const double x : q)
    if (std::isinf(x)) throw InputError(where + ": " + what + " is infinite");
  for_each_unit_place(joint.geometry, 0, [&](int first, int count) {
    double length = 0;
    for (int k = 0; k < count; ++k) length = std::hypot(length, q[static_cast<size_t>(first + k)]);
    if (!(std::abs(length - 1) <= 1e-6))
      throw InputError(where + ": the " + unit_name(count) + " of " + what + " has length " +
                       short_text(length) + ", needs 1");
  });
}

/// The pose of a custom joint must be one wherever its function is defined: looked at within the
/// limits, or within 1 of zero.
void check_function(const std::string& where, const JointDescription& joint) {
  if (!is_custom(joint.geometry)) return;
  const CustomJoint& custom = *joint.geometry.custom;
  const JointProperties& p = joint.properties;
  const double still[6] = {};
  for (const double share : {0.5, 0.0, 0.2, 0.7, 1.0}) {
    double q[6];
    std::string at;
    for (int k = 0; k < custom.dof; ++k) {
      const auto n = static_cast<size_t>(k);
      double lower = p.lower.empty() ? -infinity : p.lower[n];
      double upper = p.upper.empty() ? infinity : p.upper[n];
      if (!std::isfinite(lower)) lower = std::isfinite(upper) ? upper - 2 : -1;
      if (!std::isfinite(upper)) upper = lower + 2;
      q[k] = lower + share * (upper - lower);
      at += (k == 0 ? "" : ", ") + short_text(q[k]);
    }
    SE3<double> T;
    move_custom(custom, q, still, [&](const CustomMotion<double>& motion) { T = motion.T(); });
    const auto& [a, b, c] = T.R.m.row;
    if (is_finite(a) && is_finite(b) && is_finite(c) && is_finite(T.p))
      check_pose(where, (": its function at q = (" + at + ")").c_str(), T);
  }
}

void check_properties(const std::string& where, const JointDescription& joint) {
  const JointProperties& p = joint.properties;
  const int nv = joint_nv(joint.geometry), nq = joint_nq(joint.geometry);
  check_size(where, "lower limit", p.lower, nv);
  check_size(where, "upper limit", p.upper, nv);
  check_size(where, "velocity limit", p.velocity_limit, nv);
  check_size(where, "effort limit", p.effort_limit, nv);
  check_size(where, "armature", p.armature, nv);
  for (const ResistanceInfo& one : resistances) check_size(where, one.name, p.*one.of_joint, nv);
  check_size(where, "stiffness", p.stiffness, nv);
  check_position(where, "rest", joint, p.rest);
  check_position(where, "closed", joint, joint.closed);
  check_not_negative(where, "armature", p.armature);
  for (const ResistanceInfo& one : resistances)
    check_not_negative(where, one.name, p.*one.of_joint);
  check_not_negative(where, "stiffness", p.stiffness);
  if ((!p.lower.empty() || !p.upper.empty()) && nq != nv)
    throw InputError(where + ": a " + name(joint.geometry.kind) + " joint has no position limits");
  for (size_t k = 0; k < std::min(p.lower.size(), p.upper.size()); ++k)
    if (p.lower[k] > p.upper[k])
      throw InputError(where + ": lower limit " + short_text(p.lower[k]) +
                       " lies above upper limit " + short_text(p.upper[k]));
}

/// The places of names; faults where one is missing or taken.
template <class Items>
NameIndex index_of(Subject subject, const char* what, const Items& items, Notices& notices) {
  NameIndex index;
  for (size_t k = 0; k < items.size(); ++k) {
    if (items[k].name.empty())
      notices.fault(subject, "",
                    std::string(what) + " number " + std::to_string(k + 1) + " has no name");
    else if (!index.emplace(items[k].name, static_cast<int>(k)).second)
      notices.fault(subject, items[k].name, named(what, items[k].name) + " is named twice");
  }
  return index;
}

void check_joint(const JointDescription& joint) {
  const std::string where = named("joint", joint.name);
  check_geometry(where, joint.geometry);
  check_pose(where, ": child placement", joint.child_placement);
  check_properties(where, joint);
  check_function(where, joint);
  if (joint.actuated == true && !has_motor(joint, true))
    throw InputError(where + ": a " +
                     (joint.mimic ? "joint that mimics another"
                                  : name(joint.geometry.kind) + std::string(" joint")) +
                     " has no motor");
}

void check_frame(const FrameDescription& frame, const NameIndex& links) {
  const std::string where = named("frame", frame.name);
  check_pose(where, "", frame.placement);
  if (links.count(frame.name) > 0) throw InputError(where + " has the name of a link");
}

void require_positive(const std::string& where, const char* what, double x) {
  if (!(x > 0 && std::isfinite(x)))
    throw InputError(where + ": " + what + " " + short_text(x) + " must be finite and positive");
}

/// What a gear or a function of the user's ties.
void check_tied(const std::string& where, const LoopDescription& loop,
                const RobotDescription& robot) {
  if (!loop.link_1.empty() || !loop.link_2.empty())
    throw InputError(where + ": kind " + name(loop.kind) + " is between joints and has no links");
  const bool gear = loop.kind == LoopKind::gear;
  if (loop.joints.empty()) throw InputError(where + " names no joints");
  int coordinates = 0;
  double turn = 0;  // that all circles return after
  for (auto tied = loop.joints.begin(); tied != loop.joints.end(); ++tied) {
    const auto same = [&](const auto& joint) { return joint.name == tied->name; };
    const auto joint = std::find_if(robot.joints.begin(), robot.joints.end(), same);
    if (joint == robot.joints.end())
      throw InputError(where + ": there is no joint " + in_quotes(tied->name) +
                       "; nearest: " + nearest_names(tied->name, names_of(robot.joints)));
    if (std::find_if(loop.joints.begin(), tied, same) != tied)
      throw InputError(where + ": joint " + in_quotes(tied->name) + " is named twice");
    const int nv = joint_nv(joint->geometry);
    if (nv == 0 || (gear && nv != 1))
      throw InputError(where + ": joint " + in_quotes(tied->name) + " has " + std::to_string(nv) +
                       " degrees of freedom" + (gear ? ", a gear needs one" : ""));
    if (gear && !(tied->ratio != 0 && std::isfinite(tied->ratio)))
      throw InputError(where + ": ratio " + short_text(tied->ratio) + " of joint " +
                       in_quotes(tied->name) + " must be finite and not zero");
    if (gear && is_circle(joint->geometry)) turn = common_measure(tied->ratio, turn);
    coordinates += joint_nq(joint->geometry);
  }
  if (gear && !std::isfinite(loop.offset)) throw InputError(where + ": offset is not finite");
  for (const TiedJoint& tied : loop.joints)
    if (gear && turn > 0 && turn < 1e-3 * std::abs(tied.ratio))
      throw InputError(where +
                       ": the ratios of its circle joints have no common measure, so that "
                       "full turns leave no sum of angles that must vanish");
  if (gear) return;
  if (loop.custom == nullptr) throw InputError(where + ": kind custom needs a function");
  if (loop.custom->coordinates != coordinates)
    throw InputError(where + ": its function is one of " +
                     std::to_string(loop.custom->coordinates) + " coordinates, its joints have " +
                     std::to_string(coordinates));
}

void check_loop(const LoopDescription& loop, const RobotDescription& robot) {
  const std::string where = named("loop", loop.name);
  check_pose(where, ": placement 1", loop.placement_1);
  check_pose(where, ": placement 2", loop.placement_2);
  if (loop.kind == LoopKind::gear || loop.kind == LoopKind::custom)
    return check_tied(where, loop, robot);
  if (!loop.joints.empty())
    throw InputError(where + ": kind " + name(loop.kind) + " has no joints");
  if (loop.link_1 == loop.link_2)
    throw InputError(where + ": both ends are on " +
                     (loop.link_1.empty() ? "the world" : named("link", loop.link_1)));
  if (loop.kind == LoopKind::distance) require_positive(where, "length", loop.length);
  if (loop.kind == LoopKind::rolling) require_positive(where, "radius", loop.radius);
}

void check_bushing(const BushingDescription& bushing) {
  const std::string where = named("bushing", bushing.name);
  check_pose(where, ": placement 1", bushing.placement_1);
  check_pose(where, ": placement 2", bushing.placement_2);
  if (bushing.link_1 == bushing.link_2)
    throw InputError(where + ": both ends are on " +
                     (bushing.link_1.empty() ? "the world" : named("link", bushing.link_1)));
  for (const auto& [what, numbers] :
       {std::pair("stiffness", &bushing.stiffness), std::pair("damping", &bushing.damping)})
    for (const double x : *numbers)
      if (!(x >= 0 && std::isfinite(x)))
        throw InputError(where + ": " + what + " " + short_text(x) +
                         " must be finite and not negative");
}

/// The links that frames, loops and bushings sit on.
void check_seats(const RobotDescription& robot, const NameIndex& links, Notices& notices) {
  const auto check = [&](Subject subject, const char* what, const std::string& name,
                         const std::string& link) {
    if (links.count(link) == 0)
      notices.fault(subject, name, named(what, name) + ": " + no_link(link, robot, notices));
  };
  for (const FrameDescription& frame : robot.frames)
    check(Subject::frame, "frame", frame.name, frame.link);
  for (const LoopDescription& loop : robot.loops)
    for (const std::string& link : {loop.link_1, loop.link_2})
      if (!link.empty()) check(Subject::loop, "loop", loop.name, link);
  for (const BushingDescription& bushing : robot.bushings)
    for (const std::string& link : {bushing.link_1, bushing.link_2})
      if (!link.empty()) check(Subject::bushing, "bushing", bushing.name, link);
}

}  // namespace

void Notices::add(Noticed noticed) {
  if (level(noticed.kind) == Level::fault && ++faults_ > most_shown) return;
  list_.push_back(std::move(noticed));
}

void Notices::refuse_faults() const {
  std::string message;
  for (const Noticed& noticed : list_)
    if (level(noticed.kind) == Level::fault)
      message += (message.empty() ? "" : "\n") + noticed.what;
  if (faults_ > most_shown)
    message += "\nand " + std::to_string(faults_ - most_shown) + " more faults";
  if (faults_ > 0) throw InputError(message);
}

std::string no_link(const std::string& link, const RobotDescription& robot,
                    const Notices& notices) {
  std::string message = "there is no link " + in_quotes(link);
  if (notices.faults() >= Notices::most_shown) return message;  // nobody will see it
  return message + "; nearest: " + nearest_names(link, names_of(robot.links));
}

std::vector<int> check_description(const RobotDescription& robot, Notices& notices) {
  if (robot.links.empty())
    notices.fault(Subject::robot, robot.name, named("robot", robot.name) + " has no links");
  if (!is_finite(robot.gravity))
    notices.fault(Subject::robot, robot.name,
                  named("robot", robot.name) + ": gravity is not finite");
  const NameIndex links = index_of(Subject::link, "link", robot.links, notices);
  const NameIndex joints = index_of(Subject::joint, "joint", robot.joints, notices);
  index_of(Subject::frame, "frame", robot.frames, notices);
  index_of(Subject::loop, "loop", robot.loops, notices);
  index_of(Subject::bushing, "bushing", robot.bushings, notices);
  check_inertias(robot, notices);
  for (const JointDescription& joint : robot.joints)
    notices.attempt(Subject::joint, joint.name, [&] { check_joint(joint); });
  for (const FrameDescription& frame : robot.frames)
    notices.attempt(Subject::frame, frame.name, [&] { check_frame(frame, links); });
  for (const LoopDescription& loop : robot.loops)
    notices.attempt(Subject::loop, loop.name, [&] { check_loop(loop, robot); });
  for (const BushingDescription& bushing : robot.bushings)
    notices.attempt(Subject::bushing, bushing.name, [&] { check_bushing(bushing); });
  check_seats(robot, links, notices);
  check_mimics(robot, joints, notices);
  const bool named_well = links.size() == robot.links.size() &&
                          joints.size() == robot.joints.size() && !robot.links.empty();
  return named_well ? check_tree(robot, links, notices) : std::vector<int>();
}

}  // namespace jounce
