// SPDX-License-Identifier: BSD-3-Clause
// Goals of inverse kinematics: how far a frame is from one, and how that changes with its twist.
//
// The error is e = (log(R^T R_goal), p_goal - p): turns in the frame's own axes, ways in the
// ground's, so that turning the frame does not seem to change the way to a far goal. A body twist
// (w, v) of the frame changes it by  -(dexp_space(e_w)^-1 w, R v).
#pragma once

#include <jounce/inverse_kinematics.hpp>

namespace jounce {

/// A twist as six numbers, angular first.
inline void write_twist(const Twist<double>& V, double* to) {
  to[0] = V.w.x, to[1] = V.w.y, to[2] = V.w.z, to[3] = V.v.x, to[4] = V.v.y, to[5] = V.v.z;
}

inline Twist<double> weighted(const PoseGoal& goal, const Twist<double>& e) {
  return {e.w * goal.rotation_weight, e.v * goal.position_weight};
}
/// (log(R^T R_goal), p_goal - p).
inline Twist<double> error_of(const PoseGoal& goal, const SE3<double>& T) {
  return {log(inverse_times(T, goal.pose).R), goal.pose.p - T.p};
}
/// How much of its weighted error, at which the frame turns by `turn`, a body twist X takes.
inline Twist<double> taken_by(const PoseGoal& goal, const SE3<double>& T, const Vec3<double>& turn,
                              const Twist<double>& X) {
  return weighted(goal, {dexp_space_inv(turn, X.w), T.R * X.v});
}

/// InputError for goals and options that no search can serve.
void check_goals(std::span<const PoseGoal> goals);
void check_options(const Robot& robot, const IkOptions& options);

}  // namespace jounce
