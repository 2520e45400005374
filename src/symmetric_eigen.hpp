// SPDX-License-Identifier: BSD-3-Clause
// Eigenvalues and vectors of a small symmetric matrix by Jacobi's rotations, without allocation.
//
// Each rotation clears one off-diagonal entry (Golub, Van Loan, section 8.5); sweeps over all of
// them converge quadratically. Eigen's own solver allocates a workspace at every call.
#pragma once

#include <Eigen/Core>
#include <cmath>

namespace jounce {

/// S becomes diagonal (the eigenvalues), the columns of U the eigenvectors.
inline void diagonalise(Eigen::MatrixXd& S, Eigen::MatrixXd& U) {
  const Eigen::Index n = S.rows();
  U.setIdentity();
  for (int sweep = 0; sweep < 60; ++sweep) {
    double off = 0;
    for (Eigen::Index p = 0; p < n; ++p)
      for (Eigen::Index q = p + 1; q < n; ++q) off += S(p, q) * S(p, q);
    if (off <= 1e-32 * S.diagonal().squaredNorm()) return;
    for (Eigen::Index p = 0; p < n; ++p)
      for (Eigen::Index q = p + 1; q < n; ++q) {
        if (S(p, q) == 0) continue;
        const double theta = (S(q, q) - S(p, p)) / (2 * S(p, q));
        const double t = std::copysign(1 / (std::abs(theta) + std::hypot(1, theta)), theta);
        const double c = 1 / std::hypot(1, t), s = t * c;
        for (Eigen::Index k = 0; k < n; ++k) {  // S J, then J^T (S J), and U J
          const double a = S(k, p), b = S(k, q), u = U(k, p), v = U(k, q);
          S(k, p) = c * a - s * b, S(k, q) = s * a + c * b;
          U(k, p) = c * u - s * v, U(k, q) = s * u + c * v;
        }
        for (Eigen::Index k = 0; k < n; ++k) {
          const double a = S(p, k), b = S(q, k);
          S(p, k) = c * a - s * b, S(q, k) = s * a + c * b;
        }
      }
  }
}

}  // namespace jounce
