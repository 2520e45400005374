// SPDX-License-Identifier: BSD-3-Clause
// What the kinds of joint are: their names, axes, coordinates, and the parts they consist of.
//
// Every axis is turned onto z: with A the rotation that takes z to the axis a,
//   exp([a] q) = A Rot_z(q) A^-1,
// the A before goes into the placement, the A^-1 behind it into what follows: the next part, or the
// offset of the link on its body.
#include <algorithm>
#include <cmath>
#include <jounce/model/joint.hpp>

#include "model/robot_data.hpp"

namespace jounce {

const char* name(JointKind kind) {
  switch (kind) {
    case JointKind::fixed:
      return "fixed";
    case JointKind::revolute:
      return "revolute";
    case JointKind::prismatic:
      return "prismatic";
    case JointKind::helical:
      return "helical";
    case JointKind::cylindrical:
      return "cylindrical";
    case JointKind::universal:
      return "universal";
    case JointKind::planar:
      return "planar";
    case JointKind::translational:
      return "translational";
    case JointKind::spherical:
      return "spherical";
    case JointKind::euler_ball:
      return "euler_ball";
    case JointKind::free:
      return "free";
    case JointKind::circle:
      return "circle";
    case JointKind::composite:
      return "composite";
    case JointKind::custom:
      return "custom";
  }
  return "unknown";
}

const char* name(LoopKind kind) {
  switch (kind) {
    case LoopKind::fixed:
      return "fixed";
    case LoopKind::revolute:
      return "revolute";
    case LoopKind::prismatic:
      return "prismatic";
    case LoopKind::cylindrical:
      return "cylindrical";
    case LoopKind::universal:
      return "universal";
    case LoopKind::planar:
      return "planar";
    case LoopKind::spherical:
      return "spherical";
    case LoopKind::point:
      return "point";
    case LoopKind::orientation:
      return "orientation";
    case LoopKind::distance:
      return "distance";
    case LoopKind::knife_edge:
      return "knife_edge";
    case LoopKind::rolling:
      return "rolling";
    case LoopKind::gear:
      return "gear";
    case LoopKind::custom:
      return "custom";
  }
  return "unknown";
}

size_t axes_needed(JointKind kind) {
  switch (kind) {
    case JointKind::revolute:
    case JointKind::prismatic:
    case JointKind::helical:
    case JointKind::cylindrical:
    case JointKind::planar:
    case JointKind::circle:
      return 1;
    case JointKind::universal:
      return 2;
    case JointKind::euler_ball:
      return 3;
    default:
      return 0;
  }
}

namespace {

/// What an elementary kind has by `elementary`; others have an angle about each axis.
int count(const JointGeometry& joint, int (*elementary)(JointKind)) {
  if (is_custom(joint)) return joint.custom == nullptr ? 0 : joint.custom->dof;
  int n = elementary(joint.kind);
  if (n == 0) n = static_cast<int>(axes_needed(joint.kind));
  if (is_composite(joint))
    for (const JointGeometry& part : joint.parts) n += count(part, elementary);
  return n;
}

}  // namespace

int joint_nq(const JointGeometry& joint) { return count(joint, elementary_nq); }
int joint_nv(const JointGeometry& joint) { return count(joint, elementary_nv); }

bool names_motors(const RobotDescription& robot) {
  return std::any_of(robot.joints.begin(), robot.joints.end(),
                     [](const JointDescription& joint) { return joint.actuated == true; });
}
bool has_motor(const JointDescription& joint, bool motors_named) {
  const bool can = !is_free(joint.geometry) && !is_fixed(joint.geometry) && !joint.mimic;
  return can && (motors_named ? joint.actuated == true : joint.actuated != false);
}

JointGeometry fixed_joint(const SE3<double>& placement) {
  JointGeometry joint;
  joint.placement = placement;
  return joint;
}
JointGeometry helical_joint(const Vec3<double>& axis, double pitch) {
  JointGeometry joint;
  joint.kind = JointKind::helical;
  joint.axes = {axis};
  joint.pitch = pitch;
  return joint;
}
JointGeometry revolute_joint(const Vec3<double>& axis) {
  JointGeometry joint = helical_joint(axis, 0);
  joint.kind = JointKind::revolute;
  return joint;
}
JointGeometry prismatic_joint(const Vec3<double>& axis) {
  JointGeometry joint = helical_joint(axis, 0);
  joint.kind = JointKind::prismatic;
  return joint;
}

namespace {

/// The shortest rotation that takes z to the unit vector a: exact for coordinate axes. Below the
/// equator 1 + z loses its digits, so 1 / (1 + z) is written as (1 - z) / (1 - z^2).
SE3<double> z_to(const Vec3<double>& a) {
  const Vec3<double> unit = a * (1 / norm(a));
  const double square = unit.x * unit.x + unit.y * unit.y;
  if (unit.z < 0 && square < 1e-200) return {{{{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}}}, {}};
  const double factor = unit.z < 0 ? (1 - unit.z) / square : 1 / (1 + unit.z);
  const Mat3<double> v = hat(Vec3<double>{-unit.y, unit.x, 0});  // z cross a
  return {{Mat3<double>::identity() + v + v * v * factor}, {}};
}

}  // namespace

void PartList::add(const JointGeometry& joint) {
  const auto add_part = [this](JointKind kind, const SE3<double>& axis, double pitch) {
    parts.push_back({kind, rest * axis, pitch, 0, 0, -1});
    rest = inverse(axis);
  };
  rest = rest * joint.placement;
  switch (joint.kind) {
    case JointKind::fixed:
      break;
    case JointKind::universal:
    case JointKind::euler_ball:
      for (const Vec3<double>& axis : joint.axes) add_part(JointKind::revolute, z_to(axis), 0);
      break;
    case JointKind::composite:
      for (const JointGeometry& part : joint.parts) add(part);
      break;
    case JointKind::custom:
      add_part(joint.kind, {}, 0);
      break;
    default:
      add_part(joint.kind, joint.axes.empty() ? SE3<double>{} : z_to(joint.axes[0]), joint.pitch);
  }
}

void list_kinds(Robot::Data& d) {
  d.kind.assign(d.parent.size(), JointKind::fixed);
  for (size_t i = 1; i < d.kind.size(); ++i) {
    const bool one_part = d.part_at[i + 1] - d.part_at[i] == 1;
    d.kind[i] = one_part ? d.part[static_cast<size_t>(d.part_at[i])].kind : JointKind::composite;
  }
}

}  // namespace jounce
