// SPDX-License-Identifier: BSD-3-Clause
// What the front door tells about one frame, and about the centre of mass.
#include "dense.hpp"
#include "dynamics/dynamics_impl.hpp"
#include "elimination.hpp"

namespace jounce {
namespace {

Twist<double> turned(const SO3<double>& R, const Twist<double>& V) { return {R * V.w, R * V.v}; }

/// A B^T of two Jacobians.
dense::Matrix6 outer(const MatrixView& A, const MatrixView& B) {
  return A.lazyProduct(B.transpose());
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
  const FrameInfo& info = d.robot.frame_info(frame);
  d.kernel.jacobian(&d.robot.model(), &d.storage.view(), info.body, &info.offset,
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
  const FrameInfo& info = d.robot.frame_info(frame);
  jounce::jacobian_rate(d.robot.model(), d.storage.view(), info.body, info.offset,
                        twist_body(frame), in, d.tree_matrix.data());
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
  const MatrixView J = jacobian_body(frame);
  return std::sqrt(std::max(0.0, dense::Elimination<6>(outer(J, J)).determinant));
}

/// d/dq_k sqrt(det G) = sqrt(det G) tr(G^-1 dJ J^T) with G = J J^T, and dJ the rate of J at v =
/// e_k.
VectorView Dynamics::manipulability_gradient(FrameId frame) {
  Impl& d = *impl_;
  const int nv = d.robot.nv();
  const MatrixView J = jacobian_body(frame);
  const dense::Elimination<6> G(outer(J, J));
  const double value = std::sqrt(std::max(0.0, G.determinant));
  std::fill(d.solution.begin(), d.solution.end(), 0.0);
  if (value == 0) return {d.solution.data(), nv};
  std::copy(J.data(), J.data() + 6 * nv, d.jacobian.begin());
  const MatrixView kept(d.jacobian.data(), 6, nv);
  dense::Matrix6 inverse;
  G.inverse(inverse.data());
  d.for_each_direction([&](int k) {
    const MatrixView dJ = jacobian_rate(frame, Representation::body);
    d.solution[static_cast<size_t>(k)] = value * inverse.cwiseProduct(outer(kept, dJ)).sum();
  });
  return {d.solution.data(), nv};
}

MatrixView Dynamics::null_space_projector(FrameId frame, double cutoff) {
  Impl& d = *impl_;
  if (!(cutoff >= 0)) throw InputError("null_space_projector: cutoff must not be negative");
  const MatrixView J = jacobian_body(frame);
  const dense::Matrix6 inverse = dense::pseudo_inverse(outer(J, J), cutoff * cutoff);
  const int nv = d.robot.nv();
  for (int j = 0; j < nv; ++j) {
    const Eigen::Matrix<double, 6, 1> lifted = inverse * J.col(j);
    for (int i = 0; i < nv; ++i)
      d.square[static_cast<size_t>(j * nv + i)] = (i == j ? 1.0 : 0.0) - J.col(i).dot(lifted);
  }
  return {d.square.data(), nv, nv};
}

}  // namespace jounce
