// SPDX-License-Identifier: BSD-3-Clause
// The robot as a frame feels it: operational-space inertia, and the inverse and null space of a
// Jacobian that are consistent with the dynamics (Khatib 1987).
//
//   Lambda = (J M^-1 J^T)^-1,  Jbar = M^-1 J^T Lambda,  N = 1 - Jbar J
// With M = L^T D L, J M^-1 J^T = X^T D^-1 X for X = L^-T J^T: six sparse solutions.
#include "dense.hpp"
#include "dynamics/dynamics_impl.hpp"

namespace jounce {
namespace {

using dense::Matrix6;

}  // namespace

MatrixView Dynamics::Impl::run_operational(const char* caller, FrameId frame, Representation in,
                                           double cutoff, Dynamics& self) {
  if (!(cutoff >= 0)) throw InputError(std::string(caller) + ": cutoff must not be negative");
  const MatrixView J = self.jacobian(frame, in);
  const int n = robot.nv();
  run_factors(caller, tree_state(q, zeros, zeros), nullptr);
  Eigen::Map<Eigen::MatrixXd> MJ(mass_jacobian.data(), n, 6);  // M^-1 J^T
  MJ = J.transpose();
  for (int k = 0; k < 6; ++k) ltdl_solve(pattern, factors.data(), MJ.col(k).data());
  Matrix6 mobility;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j <= i; ++j) mobility(i, j) = mobility(j, i) = J.row(i).dot(MJ.col(j));
  Matrix6::Map(lambda) = dense::pseudo_inverse(mobility, cutoff);
  return J;
}

MatrixView Dynamics::operational_inertia(FrameId frame, Representation in, double cutoff) {
  impl_->run_operational("operational_inertia", frame, in, cutoff, *this);
  return {impl_->lambda, 6, 6};
}
MatrixView Dynamics::dynamically_consistent_inverse(FrameId frame, Representation in,
                                                    double cutoff) {
  Impl& d = *impl_;
  d.run_operational("dynamically_consistent_inverse", frame, in, cutoff, *this);
  const int n = d.robot.nv();
  Eigen::Map<Eigen::MatrixXd> MJ(d.mass_jacobian.data(), n, 6);
  for (int k = 0; k < n; ++k) {
    const Eigen::Matrix<double, 1, 6> row = MJ.row(k) * Eigen::Map<Matrix6>(d.lambda);
    MJ.row(k) = row;
  }
  return {d.mass_jacobian.data(), n, 6};
}
MatrixView Dynamics::dynamic_null_space_projector(FrameId frame, double cutoff) {
  Impl& d = *impl_;
  const MatrixView J =
      d.run_operational("dynamic_null_space_projector", frame, Representation::body, cutoff, *this);
  const int n = d.robot.nv();
  const Eigen::Map<Eigen::MatrixXd> MJ(d.mass_jacobian.data(), n, 6);
  for (int j = 0; j < n; ++j) {
    const Eigen::Matrix<double, 6, 1> lifted = Eigen::Map<Matrix6>(d.lambda) * J.col(j);
    for (int i = 0; i < n; ++i)
      d.square[static_cast<size_t>(j * n + i)] = (i == j ? 1.0 : 0.0) - MJ.row(i).dot(lifted);
  }
  return {d.square.data(), n, n};
}

}  // namespace jounce
