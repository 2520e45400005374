// SPDX-License-Identifier: BSD-3-Clause
// Eigen's products and factors of dense matrices, and Jacobi's rotations.
//
// Each rotation clears one off-diagonal entry (Golub, Van Loan, section 8.5); sweeps over all of
// them converge quadratically. Eigen's own solver allocates a workspace at every call.
#include "dense.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>

namespace jounce::dense {
namespace {

using Square = Eigen::Map<MatrixXd>;

/// S -> J^T S J and U -> U J for the rotation J of p and q that makes S(p, q) zero.
void rotate(Square& S, Square& U, Eigen::Index p, Eigen::Index q) noexcept {
  const double theta = (S(q, q) - S(p, p)) / (2 * S(p, q));
  const double t = std::copysign(1 / (std::abs(theta) + std::hypot(1, theta)), theta);
  const double c = 1 / std::hypot(1, t), s = t * c;
  for (Eigen::Index k = 0; k < S.rows(); ++k) {
    const double a = S(k, p), b = S(k, q), u = U(k, p), v = U(k, q);
    S(k, p) = c * a - s * b, S(k, q) = s * a + c * b;
    U(k, p) = c * u - s * v, U(k, q) = s * u + c * v;
  }
  for (Eigen::Index k = 0; k < S.rows(); ++k) {
    const double a = S(p, k), b = S(q, k);
    S(p, k) = c * a - s * b, S(q, k) = s * a + c * b;
  }
}

}  // namespace

MatrixXd times(const MatrixXd& A, const MatrixXd& B) { return A * B; }

MatrixXd solve(const MatrixXd& A, const MatrixXd& B) {
  return Eigen::PartialPivLU<MatrixXd>(A).solve(B);
}
MatrixXd inverse(const MatrixXd& A) { return solve(A, MatrixXd::Identity(A.rows(), A.cols())); }

bool positive_definite(const MatrixXd& A) {
  return Eigen::LLT<MatrixXd>(A).info() == Eigen::Success;
}
MatrixXd solve_positive(const MatrixXd& A, const MatrixXd& B) {
  return Eigen::LLT<MatrixXd>(A).solve(B);
}

void diagonalise(int n, double* S_, double* U_) noexcept {
  Square S(S_, n, n), U(U_, n, n);
  U.setIdentity();
  for (int sweep = 0; sweep < 60; ++sweep) {
    double off = 0;
    for (Eigen::Index p = 0; p < n; ++p)
      for (Eigen::Index q = p + 1; q < n; ++q) off += S(p, q) * S(p, q);
    if (off <= 1e-32 * S.diagonal().squaredNorm()) return;
    for (Eigen::Index p = 0; p < n; ++p)
      for (Eigen::Index q = p + 1; q < n; ++q)
        if (S(p, q) != 0) rotate(S, U, p, q);
  }
}

Matrix6 pseudo_inverse(Matrix6 S, double cutoff) noexcept {
  Matrix6 U, result = Matrix6::Zero();
  diagonalise(6, S.data(), U.data());
  const double least = cutoff * S.diagonal().maxCoeff();
  for (int k = 0; k < 6; ++k)
    if (S(k, k) > least && S(k, k) > 0)
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) result(i, j) += U(i, k) * U(j, k) / S(k, k);
  return result;
}

}  // namespace jounce::dense
