// SPDX-License-Identifier: BSD-3-Clause
// States of a robot as other libraries write them, and back.
//
// Velocities of a free base, where R is its rotation, w and v our body twist:
//   Pinocchio   (v, w)        q = position, quaternion x y z w
//   MuJoCo      (R v, w)      q = position, quaternion w x y z
//   Drake       (R w, R v)    q = quaternion w x y z, position
//   RBDL        (R v, w)      q = position, quaternion x y z; w behind all other coordinates
//   spatial     Ad_T (w, v)   our q: the right-invariant twist of the paper of Ali and others
// Spherical joints have the same order of quaternions. Accelerations are derivatives of these
// velocities, and forces have the same power.
#pragma once

#include <jounce/model/robot.hpp>

namespace jounce {

/// A state; a and tau may be empty.
struct RobotState {
  std::vector<double> q, v, a, tau;
};

/// Joints by name in the other library's order; empty where it has ours. Every joint with
/// coordinates of its own must be named, once.
using JointOrder = std::vector<std::string>;

/// Pinocchio's continuous joints (URDF type "continuous", here revolute joints without limits) have
/// the coordinates cos and sin, its planar joint (x, y, cos, sin) | (v_x, v_y, w).
RobotState to_pinocchio(const Robot& robot, const RobotState& ours, const JointOrder& order = {});
RobotState from_pinocchio(const Robot& robot, const RobotState& theirs,
                          const JointOrder& order = {});
RobotState to_mujoco(const Robot& robot, const RobotState& ours, const JointOrder& order = {});
RobotState from_mujoco(const Robot& robot, const RobotState& theirs, const JointOrder& order = {});
/// Drake's planar joint has the velocity (x', y', w). It has no spherical joint with a quaternion:
/// InputError.
RobotState to_drake(const Robot& robot, const RobotState& ours, const JointOrder& order = {});
RobotState from_drake(const Robot& robot, const RobotState& theirs, const JointOrder& order = {});
RobotState to_rbdl(const Robot& robot, const RobotState& ours, const JointOrder& order = {});
RobotState from_rbdl(const Robot& robot, const RobotState& theirs, const JointOrder& order = {});
/// Only the velocity of free joints on the ground changes.
RobotState to_spatial_base(const Robot& robot, const RobotState& ours);
RobotState from_spatial_base(const Robot& robot, const RobotState& theirs);

}  // namespace jounce
