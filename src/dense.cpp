// SPDX-License-Identifier: BSD-3-Clause
// Eigen's products and factors of dense matrices, and Jacobi's rotations.
//
// Each rotation clears one off-diagonal entry (Golub, Van Loan, section 8.5); sweeps over all of
// them converge quadratically. Eigen's own solver allocates a workspace at every call.
#include "dense.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "elimination.hpp"

namespace jounce::dense {
namespace {

/// S -> J^T S J and U -> U J for the rotation J of p and q that makes S(p, q) zero.
template <class Square>
void rotate(Square& S, Square& U, Eigen::Index p, Eigen::Index q) noexcept {
  const double pq = S(p, q), theta = (S(q, q) - S(p, p)) / (2 * pq);
  const double t = std::copysign(1 / (std::abs(theta) + std::sqrt(1 + theta * theta)), theta);
  const double c = 1 / std::sqrt(1 + t * t), s = t * c;
  const double pp = S(p, p) - t * pq, qq = S(q, q) + t * pq;
  for (Eigen::Index k = 0; k < S.rows(); ++k) {
    const double a = S(k, p), b = S(k, q), u = U(k, p), v = U(k, q);
    S(p, k) = S(k, p) = c * a - s * b, S(q, k) = S(k, q) = s * a + c * b;
    U(k, p) = c * u - s * v, U(k, q) = s * u + c * v;
  }
  S(p, p) = pp, S(q, q) = qq;
  S(p, q) = S(q, p) = 0;
}

/// Sweeps over all pairs until what is off the diagonal is rounding.
template <class Square>
void sweep_until_diagonal(Square S, Square U) noexcept {
  const Eigen::Index n = S.rows();
  U.setIdentity();
  for (int sweep = 0; sweep < 60; ++sweep) {
    double off = 0;
    for (Eigen::Index p = 0; p < n; ++p)
      for (Eigen::Index q = p + 1; q < n; ++q) off += std::abs(S(p, q));
    if (off <= 1e-17 * S.diagonal().cwiseAbs().sum()) return;
    for (Eigen::Index p = 0; p < n; ++p)
      for (Eigen::Index q = p + 1; q < n; ++q)
        if (S(p, q) != 0) rotate(S, U, p, q);
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

void diagonalise(int n, double* S, double* U) noexcept {
  sweep_until_diagonal(MatrixXd::Map(S, n, n), MatrixXd::Map(U, n, n));
}

Matrix6 pseudo_inverse(Matrix6 S, double cutoff) noexcept {
  const Elimination<6> lu(S);
  Matrix6 U, result;
  lu.inverse(result.data());
  // The least eigenvalue is at least 1 / |S^-1|, the largest at most |S|: here none is dropped.
  if (lu.determinant > 0 && std::max(cutoff, 1e-12) * S.norm() * result.norm() < 1)
    return (result + result.transpose()) / 2;
  result.setZero();
  sweep_until_diagonal(Matrix6::Map(S.data()), Matrix6::Map(U.data()));
  const double least = cutoff * S.diagonal().maxCoeff();
  for (int k = 0; k < 6; ++k) {
    if (S(k, k) <= least || S(k, k) <= 0) continue;  // but not what is no number
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) result(i, j) += U(i, k) * U(j, k) / S(k, k);
  }
  return result;
}

}  // namespace jounce::dense
