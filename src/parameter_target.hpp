// SPDX-License-Identifier: BSD-3-Clause
// Parameters by their names, and what they change in a robot.
#pragma once

#include <jounce/model/robot.hpp>
#include <jounce/model/workspace.hpp>
#include <jounce/sensitivity.hpp>

namespace jounce {

/// A parameter, resolved.
struct ParameterTarget {
  ParameterKind kind;
  int component = 0;
  int body = 0;        ///< whose inertia or joint it is; 0: nothing moves with it
  int coordinate = 0;  ///< of the robot: armature, damping, friction, stiffness
  int bushing = 0;     ///< its place among all
  int loop = 0;        ///< likewise
  Factor spring{};     ///< stiffness, rest: the part of the joint that has the coordinate
  double own[6] = {};  ///< rest: the stiffnesses of that part
  Wrench<double> F{};  ///< wrench: what one unit of it does to the body
  Inertia<double> dG;
  Twist<double> motion;  ///< placement: in the parent body's frame; axis, pitch: in the body's
};

/// InputError where the robot has no such parameter.
ParameterTarget resolve(const Robot& robot, const Parameter& parameter);

/// Whether a parameter moves a joint.
constexpr bool moves_joint(ParameterKind kind) {
  return kind == ParameterKind::placement || kind == ParameterKind::axis ||
         kind == ParameterKind::pitch;
}
constexpr bool of_bushing(ParameterKind kind) {
  return kind >= ParameterKind::bushing_stiffness && kind <= ParameterKind::bushing_placement_2;
}
constexpr bool of_loop(ParameterKind kind) {
  return kind >= ParameterKind::loop_placement_1 && kind <= ParameterKind::loop_offset;
}
Twist<double> unit_twist(int k);

/// How a parameter that moves a joint changes it, at a state of the tree.
struct JointChange {
  Twist<double> h, S;  ///< T^-1 dT, and dS of its first screw
};
JointChange joint_change(const Model<double>& m, const Workspace<double>& w,
                         const ParameterTarget& target, const double* q);

}  // namespace jounce
