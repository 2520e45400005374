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
  const FrameInfo& f = impl_->robot.frame_info(frame);
  return impl_->storage.view().pose[f.body] * f.offset;
}

Twist<double> Dynamics::twist_body(FrameId frame) const {
  const FrameInfo& f = impl_->robot.frame_info(frame);
  return Ad_inv(f.offset, impl_->storage.view().V[f.body]);
}
Twist<double> Dynamics::twist_space(FrameId frame) const {
  return Ad(pose(frame), twist_body(frame));
}
Twist<double> Dynamics::twist_hybrid(FrameId frame) const {
  return turned(pose(frame).R, twist_body(frame));
}

Twist<double> Dynamics::spatial_acceleration_body(FrameId frame) const {
  const FrameInfo& f = impl_->robot.frame_info(frame);
  return Ad_inv(f.offset, impl_->storage.view().Vdot[f.body]);
}
Twist<double> Dynamics::spatial_acceleration_space(FrameId frame) const {
  return Ad(pose(frame), spatial_acceleration_body(frame));  // ad_V V = 0
}
Twist<double> Dynamics::classical_acceleration_body(FrameId frame) const {
  const Twist<double> V = twist_body(frame), A = spatial_acceleration_body(frame);
  return {A.w, A.v + cross(V.w, V.v)};
}
Twist<double> Dynamics::classical_acceleration_hybrid(FrameId frame) const {
  return turned(pose(frame).R, classical_acceleration_body(frame));
}

MatrixView Dynamics::jacobian(FrameId frame, Representation in) {
  Impl& d = *impl_;
  const SE3<double> T = pose(frame);
  d.kernel.jacobian(&d.robot.model(), &d.storage.view(), d.robot.frame_info(frame).body, &T,
                    static_cast<int>(in), d.tree_matrix.data());
  return d.fold_columns(6, d.tree_matrix.data(), d.matrix.data());
}
MatrixView Dynamics::jacobian(FrameId frame, Representation in, const VectorArg& q) {
  Impl& d = *impl_;
  d.robot.check_q("jacobian", "q", q);
  const FrameInfo& info = d.robot.frame_info(frame);
  const State<double> x = d.tree_state(q, d.zeros, d.zeros);
  d.kernel.path_jacobian(&d.robot.model(), &x, &d.work.view(), info.body, &info.offset,
                         static_cast<int>(in), d.tree_matrix.data());
  return d.fold_columns(6, d.tree_matrix.data(), d.matrix.data());
}
MatrixView Dynamics::jacobian_body(FrameId frame) { return jacobian(frame, Representation::body); }
MatrixView Dynamics::jacobian_space(FrameId frame) {
  return jacobian(frame, Representation::space);
}
MatrixView Dynamics::jacobian_hybrid(FrameId frame) {
  return jacobian(frame, Representation::hybrid);
}

MatrixView Dynamics::jacobian_rate(FrameId frame, Representation in) {
  Impl& d = *impl_;
  jounce::jacobian_rate(d.robot.model(), d.storage.view(), d.robot.frame_info(frame).body,
                        pose(frame), twist_body(frame), in, d.tree_matrix.data());
  return d.fold_columns(6, d.tree_matrix.data(), d.matrix.data());
}
MatrixView Dynamics::jacobian_body_rate(FrameId frame) {
  return jacobian_rate(frame, Representation::body);
}
MatrixView Dynamics::jacobian_space_rate(FrameId frame) {
  return jacobian_rate(frame, Representation::space);
}
MatrixView Dynamics::jacobian_hybrid_rate(FrameId frame) {
  return jacobian_rate(frame, Representation::hybrid);
}

Com<double> Dynamics::com() const {
  if (impl_->robot.mass() == 0)
    throw ComputationError("com: robot \"" + impl_->robot.name() + "\" has no moving mass");
  return jounce::com(impl_->robot.model(), impl_->storage.view());
}
MatrixView Dynamics::com_jacobian() {
  Impl& d = *impl_;
  if (d.robot.mass() == 0)
    throw ComputationError("com_jacobian: robot \"" + d.robot.name() + "\" has no moving mass");
  jounce::com_jacobian(d.robot.model(), d.storage.view(), d.subtree_mass.data(),
                       d.subtree_moment.data(), d.tree_matrix.data());
  return d.fold_columns(3, d.tree_matrix.data(), d.matrix.data());
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
