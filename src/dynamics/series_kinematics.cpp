// SPDX-License-Identifier: BSD-3-Clause
// Poses, twists and Jacobians of frames with their time derivatives.
#include <algorithm>
#include <jounce/algorithm/frame_series.hpp>

#include "dynamics/dynamics_impl.hpp"
#include "dynamics/factorial.hpp"

namespace jounce {
namespace {

/// Refuses a question that the last kinematics_series cannot answer.
void require(const char* caller, const SeriesImpl& s, int order, int known) {
  if (s.kinematics_order < 0)
    throw InputError(std::string(caller) +
                     ": no kinematics_series since the last call that used its memory");
  if (order < 0 || order > known)
    throw InputError(std::string(caller) + ": order is " + std::to_string(order) +
                     ", kinematics_series left 0 to " + std::to_string(known));
}

}  // namespace

void Dynamics::kinematics_series(const VectorArg& q, const MatrixArg& motion, int order,
                                 std::span<const Twist<double>> ground) {
  Impl& d = *impl_;
  SeriesImpl& s = *d.series;
  s.check("kinematics_series", d.robot, order, "motion", motion, order + 1);
  d.robot.check_q("kinematics_series", "q", q);
  s.check_ground("kinematics_series", ground);
  s.set_ground(ground);
  s.kinematics_order = -1;
  const Rows<double> own = s.own_v(d.robot);
  for (int k = 0; k <= order; ++k) {
    const std::span<const double> column = motion.column(k);
    for (size_t j = 0; j < column.size(); ++j) own[k][j] = column[j] * detail::inverse_factorial(k);
    s.expand(d.robot, k);
  }
  const Model<double>& m = d.robot.model();
  SeriesWorkspace<double>& w = s.storage.view();
  const double* tree_q = d.tree_state(q, d.zeros, d.zeros).q;
  start_series(m, tree_q, w);
  std::copy_n(s.V_0.begin(), order + 1, w.V[0]);
  s.kernel.twists(m, tree_q, order, w);
  for (int i = 1; i < m.bodies; ++i) extend_joint(m, tree_q, i, order + 1, w);
  for (int k = 0; k <= order + 1; ++k) extend_ground_poses(m, s.ground(), k, w);
  s.kinematics_order = order;
}

Mat4<double> Dynamics::pose_derivative(FrameId frame, int order) const {
  const SeriesImpl& s = *impl_->series;
  require("pose_derivative", s, order, s.kinematics_order + 1);
  const FrameInfo& info = impl_->robot.frame_info(frame);
  SE3<double> T[highest_order + 2];
  frame_pose_series(s.storage.view().pose[info.body], info.offset, order, T);
  const double scale = factorial(order);
  require_frame_finite("pose_derivative", info, finite(T[order].p * scale));
  Mat4<double> x;
  x.set_block(0, 0, T[order].R.m * scale);
  const Vec3<double> p = T[order].p * scale;
  x(0, 3) = p.x, x(1, 3) = p.y, x(2, 3) = p.z;
  x(3, 3) = order == 0 ? 1 : 0;
  return x;
}

Twist<double> Dynamics::twist_derivative(FrameId frame, Representation in, int order) const {
  const SeriesImpl& s = *impl_->series;
  require("twist_derivative", s, order, s.kinematics_order);
  const FrameInfo& info = impl_->robot.frame_info(frame);
  const SeriesWorkspace<double>& w = s.storage.view();
  Twist<double> V;
  if (in == Representation::body) {
    V = Ad_inv(info.offset, w.V[info.body][order]) * factorial(order);
  } else {
    FrameSeries<double> f;
    frame_pose_series(w.pose[info.body], info.offset, order, f.T);
    carry_series(w.pose[info.body], w.V[info.body], f.T, in, order, f.V);
    V = f.V[order] * factorial(order);
  }
  require_frame_finite("twist_derivative", info, finite(V));
  return V;
}

MatrixView Dynamics::jacobian_derivative(FrameId frame, Representation in, int order) {
  Impl& d = *impl_;
  const SeriesImpl& s = *d.series;
  require("jacobian_derivative", s, order, s.kinematics_order + 1);
  const FrameInfo& info = d.robot.frame_info(frame);
  FrameSeries<double> f;
  frame_pose_series(s.storage.view().pose[info.body], info.offset, order, f.T);
  jacobian_coefficient(d.robot.model(), s.storage.view(), info.body, f.T, in, order,
                       d.tree_matrix.data());
  const double scale = factorial(order);
  for (double& x : d.tree_matrix) x *= scale;
  const MatrixView J = d.fold_columns(6, d.tree_matrix.data(), d.matrix.data());
  require_finite(d.robot, "jacobian_derivative", {{"J", J}});
  return J;
}

}  // namespace jounce
