// SPDX-License-Identifier: BSD-3-Clause
// Pose, twist, acceleration and Jacobians of one frame, and the centre of mass.
#include "dynamics/dynamics_impl.hpp"
#include "linear_algebra/matrix.hpp"
#include "linear_algebra/six_columns.hpp"
#include "linear_algebra/vectors.hpp"

namespace jounce {
namespace {

Twist<double> turned(const SO3<double>& R, const Twist<double>& V) { return {R * V.w, R * V.v}; }

/// J^T, column by column, in `room`.
double* transposed(const MatrixView& J, double* room) {
  const int n = static_cast<int>(J.cols());
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < 6; ++i) room[n * i + j] = J.data()[6 * j + i];
  return room;
}

}  // namespace

SE3<double> Dynamics::pose(FrameId frame) const {
  const SE3<double> T = impl_->frame_pose(frame);
  if (!impl_->moderate_state)
    require_frame_finite("pose", impl_->robot.frame_info(frame), finite(T));
  return T;
}
SE3<double> Dynamics::Impl::frame_pose(FrameId frame) const {
  const FrameInfo& f = robot.frame_info(frame);
  return storage.view().pose[f.body] * f.offset;
}
Twist<double> Dynamics::Impl::frame_twist(FrameId frame) const {
  const FrameInfo& f = robot.frame_info(frame);
  return Ad_inv(f.offset, storage.view().V[f.body]);
}
Twist<double> Dynamics::Impl::frame_acceleration(FrameId frame) const {
  const FrameInfo& f = robot.frame_info(frame);
  return Ad_inv(f.offset, storage.view().Vdot[f.body]);
}
Twist<double> Dynamics::Impl::classical_acceleration(FrameId frame) const {
  const Twist<double> V = frame_twist(frame), A = frame_acceleration(frame);
  return {A.w, A.v + cross(V.w, V.v)};
}
Twist<double> Dynamics::Impl::checked(const char* caller, FrameId frame,
                                      const Twist<double>& V) const {
  if (!moderate_state) require_frame_finite(caller, robot.frame_info(frame), finite(V));
  return V;
}

Twist<double> Dynamics::twist_body(FrameId frame) const {
  return impl_->checked("twist_body", frame, impl_->frame_twist(frame));
}
Twist<double> Dynamics::twist_space(FrameId frame) const {
  return impl_->checked("twist_space", frame,
                        Ad(impl_->frame_pose(frame), impl_->frame_twist(frame)));
}
Twist<double> Dynamics::twist_hybrid(FrameId frame) const {
  return impl_->checked("twist_hybrid", frame,
                        turned(impl_->frame_pose(frame).R, impl_->frame_twist(frame)));
}

Twist<double> Dynamics::spatial_acceleration_body(FrameId frame) const {
  return impl_->checked("spatial_acceleration_body", frame, impl_->frame_acceleration(frame));
}
Twist<double> Dynamics::spatial_acceleration_space(FrameId frame) const {
  return impl_->checked(
      "spatial_acceleration_space", frame,
      Ad(impl_->frame_pose(frame), impl_->frame_acceleration(frame)));  // ad_V V = 0
}
Twist<double> Dynamics::classical_acceleration_body(FrameId frame) const {
  return impl_->checked("classical_acceleration_body", frame, impl_->classical_acceleration(frame));
}
Twist<double> Dynamics::classical_acceleration_hybrid(FrameId frame) const {
  return impl_->checked("classical_acceleration_hybrid", frame,
                        turned(impl_->frame_pose(frame).R, impl_->classical_acceleration(frame)));
}

MatrixView Dynamics::Impl::run_jacobian(const char* caller, FrameId frame, Representation in) {
  const FrameInfo& info = robot.frame_info(frame);
  kernel.jacobian(robot.model(), storage.view(), info.body, info.offset, in, tree_matrix.data());
  const MatrixView J = fold_columns(6, tree_matrix.data(), matrix.data());
  if (!moderate_state) require_finite(robot, caller, {{"J", J}});
  return J;
}
MatrixView Dynamics::jacobian(FrameId frame, Representation in) {
  return impl_->run_jacobian("jacobian", frame, in);
}
MatrixView Dynamics::jacobian(FrameId frame, Representation in, const VectorArg& q) {
  Impl& d = *impl_;
  const bool tame = check_q(d.robot, "jacobian", "q", q) && d.all_moderate();
  const FrameInfo& info = d.robot.frame_info(frame);
  const State<double> x = d.tree_state(q, d.zeros, d.zeros);
  d.kernel.path_jacobian(d.robot.model(), x, d.work.view(), info.body, info.offset, in,
                         d.tree_matrix.data());
  const MatrixView J = d.fold_columns(6, d.tree_matrix.data(), d.matrix.data());
  if (!tame) require_finite(d.robot, "jacobian", {{"J", J}});
  return J;
}
MatrixView Dynamics::jacobian_body(FrameId frame) {
  return impl_->run_jacobian("jacobian_body", frame, Representation::body);
}
MatrixView Dynamics::jacobian_space(FrameId frame) {
  return impl_->run_jacobian("jacobian_space", frame, Representation::space);
}
MatrixView Dynamics::jacobian_hybrid(FrameId frame) {
  return impl_->run_jacobian("jacobian_hybrid", frame, Representation::hybrid);
}

MatrixView Dynamics::Impl::run_jacobian_rate(const char* caller, FrameId frame, Representation in) {
  const FrameInfo& info = robot.frame_info(frame);
  jounce::jacobian_rate(robot.model(), storage.view(), info.body, info.offset, frame_twist(frame),
                        in, tree_matrix.data());
  const MatrixView rate = fold_columns(6, tree_matrix.data(), matrix.data());
  if (!moderate_state) require_finite(robot, caller, {{"rate", rate}});
  return rate;
}
MatrixView Dynamics::jacobian_rate(FrameId frame, Representation in) {
  return impl_->run_jacobian_rate("jacobian_rate", frame, in);
}
MatrixView Dynamics::jacobian_body_rate(FrameId frame) {
  return impl_->run_jacobian_rate("jacobian_body_rate", frame, Representation::body);
}
MatrixView Dynamics::jacobian_space_rate(FrameId frame) {
  return impl_->run_jacobian_rate("jacobian_space_rate", frame, Representation::space);
}
MatrixView Dynamics::jacobian_hybrid_rate(FrameId frame) {
  return impl_->run_jacobian_rate("jacobian_hybrid_rate", frame, Representation::hybrid);
}

Com<double> Dynamics::com() const {
  if (impl_->robot.mass() == 0)
    throw ComputationError("com: robot \"" + impl_->robot.name() + "\" has no moving mass");
  const Com<double> found = jounce::com(impl_->robot.model(), impl_->storage.view());
  if (!impl_->moderate_state)
    require_finite("com", "the centre of mass",
                   finite(found.position) && finite(found.velocity) && finite(found.acceleration));
  return found;
}
MatrixView Dynamics::com_jacobian() {
  Impl& d = *impl_;
  if (d.robot.mass() == 0)
    throw ComputationError("com_jacobian: robot \"" + d.robot.name() + "\" has no moving mass");
  jounce::com_jacobian(d.robot.model(), d.storage.view(), d.subtree_mass.data(),
                       d.subtree_moment.data(), d.tree_matrix.data());
  const MatrixView J = d.fold_columns(3, d.tree_matrix.data(), d.matrix.data());
  if (!d.moderate_state) require_finite(d.robot, "com_jacobian", {{"J", J}});
  return J;
}

double Dynamics::manipulability(FrameId frame) {
  Impl& d = *impl_;
  return dense::volume_of(d.robot.nv(), transposed(jacobian_body(frame), d.mass_jacobian.data()));
}

/// d/dq_k of the volume w is w tr(J^+ dJ), with dJ the rate of J at v = e_k.
VectorView Dynamics::manipulability_gradient(FrameId frame) {
  Impl& d = *impl_;
  const int nv = d.robot.nv();
  double* Q = transposed(jacobian_body(frame), d.mass_jacobian.data());
  const dense::SixColumns span = dense::span_of(nv, Q, 0);
  std::fill(d.solution.begin(), d.solution.end(), 0.0);
  if (span.volume == 0) return {d.solution.data(), nv};
  double* inverse = d.jacobian.data();  // of J, transposed: G Q^T
  for (int j = 0; j < nv; ++j) {
    std::fill(inverse + 6 * j, inverse + 6 * (j + 1), 0.0);
    for (int c = 0; c < 6; ++c) dense::add_multiple(6, Q[nv * c + j], span.G[c], inverse + 6 * j);
  }
  d.for_each_direction([&](int k) {
    const MatrixView dJ = jacobian_rate(frame, Representation::body);
    d.solution[static_cast<size_t>(k)] = span.volume * dense::dot(6 * nv, inverse, dJ.data());
  });
  return {d.solution.data(), nv};
}

/// 1 - Q Q^T, and nothing at all where Q spans every velocity.
MatrixView Dynamics::null_space_projector(FrameId frame, double cutoff) {
  Impl& d = *impl_;
  if (!(cutoff >= 0)) throw InputError("null_space_projector: cutoff must not be negative");
  const int n = d.robot.nv();
  double *Q = transposed(jacobian_body(frame), d.mass_jacobian.data()), *N = d.square.data();
  const dense::SixColumns span = dense::span_of(n, Q, cutoff);
  if (span.rank < n) dense::one_minus_product(n, span.rank, Q, Q, N);
  else std::fill(d.square.begin(), d.square.end(), 0.0);
  return {N, n, n};
}

}  // namespace jounce
