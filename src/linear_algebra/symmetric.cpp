// SPDX-License-Identifier: BSD-3-Clause
// Jacobi's rotations: each clears one off-diagonal entry (Golub, Van Loan, section 8.5); sweeps
// over all of them converge quadratically.
#include "linear_algebra/symmetric.hpp"

#include <cmath>

namespace jounce::dense {
namespace {

struct Square {
  int n;
  double* x;
  double& operator()(int i, int j) const { return x[n * j + i]; }
};

/// S -> J^T S J and U -> U J for the rotation J of p and q that makes S(p, q) zero.
void rotate(const Square& S, const Square& U, int p, int q) noexcept {
  const double pq = S(p, q), theta = (S(q, q) - S(p, p)) / (2 * pq);
  const double t = std::copysign(1 / (std::abs(theta) + std::sqrt(1 + theta * theta)), theta);
  const double c = 1 / std::sqrt(1 + t * t), s = t * c;
  const double pp = S(p, p) - t * pq, qq = S(q, q) + t * pq;
  for (int k = 0; k < S.n; ++k) {
    const double a = S(k, p), b = S(k, q), u = U(k, p), v = U(k, q);
    S(p, k) = S(k, p) = c * a - s * b, S(q, k) = S(k, q) = s * a + c * b;
    U(k, p) = c * u - s * v, U(k, q) = s * u + c * v;
  }
  S(p, p) = pp, S(q, q) = qq;
  S(p, q) = S(q, p) = 0;
}

}  // namespace

void diagonalise(int n, double* S_numbers, double* U_numbers) noexcept {
  const Square S{n, S_numbers}, U{n, U_numbers};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) U(i, j) = i == j ? 1 : 0;
  for (int sweep = 0; sweep < 60; ++sweep) {
    double on = 0, off = 0;
    for (int p = 0; p < n; ++p) {
      on += std::abs(S(p, p));
      for (int q = p + 1; q < n; ++q) off += std::abs(S(p, q));
    }
    if (off <= 1e-17 * on) return;
    for (int p = 0; p < n; ++p)
      for (int q = p + 1; q < n; ++q)
        if (S(p, q) != 0) rotate(S, U, p, q);
  }
}

}  // namespace jounce::dense
