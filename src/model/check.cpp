// SPDX-License-Identifier: BSD-3-Clause
// Whether a description is a robot: names, tree, geometry and inertias.
#include <algorithm>
#include <cmath>
#include <jounce/model/custom_motion.hpp>
#include <jounce/model/manifold.hpp>
#include <set>
#include <unordered_map>

#include "linear_algebra/symmetric.hpp"
#include "model/robot_data.hpp"
#include "numbers.hpp"

namespace jounce {

namespace {

using Index = std::unordered_map<std::string_view, int>;

std::string text(const Vec3<double>& a) {
  char buffer[96];
  std::snprintf(buffer, sizeof(buffer), "(%g,%g,%g)", a.x, a.y, a.z);
  return buffer;
}
std::string quoted(const char* what, const std::string& name) {
  return std::string(what) + " \"" + name + "\"";
}

void check_pose(const std::string& where, const SE3<double>& T) {
  if (!is_finite(T.p)) throw InputError(where + ": position " + text(T.p) + " is not finite");
  if (!is_rotation(T.R))
    throw InputError(where + ": rotation is not orthogonal (defect " +
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
      throw InputError(where + ": axis " + text(axis) + " has no direction");
    if (std::abs(norm(axis) - 1) > 1e-6)
      throw InputError(where + ": axis " + text(axis) + " has length " + short_text(norm(axis)) +
                       ", needs 1");
  }
  for (size_t k = 1; k < needed; ++k)
    if (norm(cross(joint.axes[k - 1], joint.axes[k])) < 1e-6)
      throw InputError(where + ": axes " + std::to_string(k) + " and " + std::to_string(k + 1) +
                       " are parallel");
}

void check_geometry(const std::string& where, const JointGeometry& joint, bool part = false) {
  check_pose(where + ": placement", joint.placement);
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

void check_rest(const std::string& where, const JointDescription& joint) {
  const std::vector<double>& rest = joint.properties.rest;
  check_size(where, "rest", rest, joint_nq(joint.geometry));
  if (rest.empty()) return;
  for (const double x : rest)
    if (std::isinf(x)) throw InputError(where + ": rest is infinite");
  for_each_unit_place(joint.geometry, 0, [&](int first, int count) {
    double length = 0;
    for (int k = 0; k < count; ++k)
      length = std::hypot(length, rest[static_cast<size_t>(first + k)]);
    if (!(std::abs(length - 1) <= 1e-6))
      throw InputError(where + ": the " + unit_name(count) + " of rest has length " +
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
      check_pose(std::string(where).append(": its function at q = (").append(at).append(")"), T);
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
  check_rest(where, joint);
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

/// The second moment of mass about the com, tr(I)/2 1 - I, must not be negative in any direction:
/// that is positive definiteness of I and the triangle inequality in one.
void check_inertia(const LinkDescription& link) {
  const std::string where = quoted("link", link.name);
  const Sym3<double>& I = link.I_com;
  if (!std::isfinite(link.mass) || link.mass < 0)
    throw InputError(where + ": mass " + short_text(link.mass) +
                     " must be finite and not negative");
  if (!is_finite(link.com)) throw InputError(where + ": com " + text(link.com) + " is not finite");
  for (const double x : {I.xx, I.xy, I.yy, I.xz, I.yz, I.zz})
    if (!std::isfinite(x)) throw InputError(where + ": inertia is not finite");
  double S[9] = {I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz}, axes[9];
  dense::diagonalise(3, S, axes);
  double moment[3] = {S[0], S[4], S[8]};
  std::sort(moment, moment + 3);
  const double tolerance = 1e-6 * std::abs(moment[2]);  // files round their numbers
  if (moment[0] < -tolerance)
    throw InputError(where + ": inertia is not positive definite (principal moment " +
                     short_text(moment[0]) + ")");
  if (moment[0] + moment[1] < moment[2] - tolerance)
    throw InputError(where + ": inertia violates the triangle inequality (principal moments " +
                     short_text(moment[0]) + ", " + short_text(moment[1]) + ", " +
                     short_text(moment[2]) + ")");
  if (link.mass == 0 && moment[2] > 0) throw InputError(where + ": has inertia but no mass");
}

template <class Items>
Index index_of(const char* what, const Items& items) {
  Index index;
  for (size_t k = 0; k < items.size(); ++k) {
    if (items[k].name.empty())
      throw InputError(std::string(what) + " number " + std::to_string(k + 1) + " has no name");
    if (!index.emplace(items[k].name, static_cast<int>(k)).second)
      throw InputError(quoted(what, items[k].name) + " is named twice");
  }
  return index;
}

template <class Items>
std::vector<std::string> names_of(const Items& items) {
  std::vector<std::string> names;
  names.reserve(items.size());
  for (const auto& item : items) names.push_back(item.name);
  return names;
}

int find_link(const std::string& where, const std::string& link, const Index& links,
              const RobotDescription& robot) {
  const auto found = links.find(link);
  if (found == links.end())
    throw InputError(where + ": there is no link \"" + link +
                     "\"; nearest: " + nearest_names(link, names_of(robot.links)));
  return found->second;
}

void check_mimic(const RobotDescription& robot, const Index& joints) {
  for (const JointDescription& joint : robot.joints) {
    if (!joint.mimic) continue;
    const std::string where = quoted("joint", joint.name);
    const auto leader = joints.find(joint.mimic->leader);
    if (leader == joints.end())
      throw InputError(
          where + ": there is no joint \"" + joint.mimic->leader +
          "\" to mimic; nearest: " + nearest_names(joint.mimic->leader, names_of(robot.joints)));
    const JointDescription& other = robot.joints[static_cast<size_t>(leader->second)];
    if (&other == &joint) throw InputError(where + ": mimics itself");
    if (other.mimic) throw InputError(where + ": mimics \"" + other.name + "\", which is a mimic");
    if (joint_nq(joint.geometry) != 1 || joint_nq(other.geometry) != 1)
      throw InputError(where + ": mimic needs one coordinate on both sides");
    if (!std::isfinite(joint.mimic->multiplier) || !std::isfinite(joint.mimic->offset))
      throw InputError(where + ": mimic multiplier and offset must be finite");
  }
}

/// The joint above every link, -1 for none; throws where there are two.
std::vector<int> parent_joints(const RobotDescription& robot, const Index& links) {
  std::vector<int> above(robot.links.size(), -1);
  for (size_t k = 0; k < robot.joints.size(); ++k) {
    const JointDescription& joint = robot.joints[k];
    const std::string where = quoted("joint", joint.name);
    if (!joint.parent.empty()) find_link(where, joint.parent, links, robot);
    int& first = above[static_cast<size_t>(find_link(where, joint.child, links, robot))];
    if (first >= 0)
      throw InputError(quoted("link", joint.child) + " is the child of two joints, \"" +
                       robot.joints[static_cast<size_t>(first)].name + "\" and \"" + joint.name +
                       "\"");
    first = static_cast<int>(k);
  }
  return above;
}

/// The one link that hangs on no other link; throws where there are two or none.
int find_root(const RobotDescription& robot, const std::vector<int>& above) {
  int root = -1;
  for (size_t k = 0; k < robot.links.size(); ++k) {
    if (above[k] >= 0 && !robot.joints[static_cast<size_t>(above[k])].parent.empty()) continue;
    if (root >= 0)
      throw InputError("two roots: links \"" + robot.links[static_cast<size_t>(root)].name +
                       "\" and \"" + robot.links[k].name + "\" have no parent");
    root = static_cast<int>(k);
  }
  if (root < 0)
    throw InputError(quoted("joint", robot.joints.front().name) + " is part of a cycle");
  return root;
}

/// Joints with parents first, else as in the file; throws for cycles.
std::vector<int> order_joints(const RobotDescription& robot, const Index& links) {
  const std::vector<int> above = parent_joints(robot, links);
  const int root = find_root(robot, above);
  std::vector<std::vector<int>> below(robot.links.size());
  for (size_t k = 0; k < robot.joints.size(); ++k)
    if (!robot.joints[k].parent.empty())
      below[static_cast<size_t>(links.at(robot.joints[k].parent))].push_back(static_cast<int>(k));
  std::vector<int> order;
  std::set<int> ready;  // joints whose parent is placed; the first of the file goes next
  const int base = above[static_cast<size_t>(root)];
  if (base >= 0) ready.insert(base);
  else
    ready.insert(below[static_cast<size_t>(root)].begin(), below[static_cast<size_t>(root)].end());
  while (!ready.empty()) {
    const int next = *ready.begin();
    ready.erase(ready.begin());
    order.push_back(next);
    const int child = links.at(robot.joints[static_cast<size_t>(next)].child);
    ready.insert(below[static_cast<size_t>(child)].begin(),
                 below[static_cast<size_t>(child)].end());
  }
  if (order.size() == robot.joints.size()) return order;
  std::vector<bool> used(robot.joints.size(), false);
  for (const int k : order) used[static_cast<size_t>(k)] = true;
  const auto missing = std::find(used.begin(), used.end(), false) - used.begin();
  throw InputError(quoted("joint", robot.joints[static_cast<size_t>(missing)].name) +
                   " is part of a cycle");
}

}  // namespace

std::vector<int> check_description(const RobotDescription& robot) {
  if (robot.links.empty()) throw InputError(quoted("robot", robot.name) + " has no links");
  if (!is_finite(robot.gravity))
    throw InputError(quoted("robot", robot.name) + ": gravity is not finite");
  const Index links = index_of("link", robot.links), joints = index_of("joint", robot.joints);
  index_of("frame", robot.frames);
  for (const LinkDescription& link : robot.links) check_inertia(link);
  for (const JointDescription& joint : robot.joints) {
    const std::string where = quoted("joint", joint.name);
    check_geometry(where, joint.geometry);
    check_pose(where + ": child placement", joint.child_placement);
    check_properties(where, joint);
    check_function(where, joint);
  }
  for (const FrameDescription& frame : robot.frames) {
    find_link(quoted("frame", frame.name), frame.link, links, robot);
    check_pose(quoted("frame", frame.name), frame.placement);
    if (links.count(frame.name) > 0)
      throw InputError(quoted("frame", frame.name) + " has the name of a link");
  }
  index_of("loop", robot.loops);
  for (const LoopDescription& loop : robot.loops) {
    const std::string where = quoted("loop", loop.name);
    find_link(where, loop.link_1, links, robot);
    find_link(where, loop.link_2, links, robot);
    check_pose(where + ": placement 1", loop.placement_1);
    check_pose(where + ": placement 2", loop.placement_2);
  }
  check_mimic(robot, joints);
  return order_joints(robot, links);
}

}  // namespace jounce
