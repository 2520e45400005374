// SPDX-License-Identifier: BSD-3-Clause
// Householder's reflections with column pivoting (Golub, Van Loan, section 5.4.2). The lengths of
// the columns are summed anew at every step: what is left of one is not known to its own digits
// from what was there before.
#include "linear_algebra/pivoted_qr.hpp"

#include <algorithm>
#include <cmath>

#include "linear_algebra/vectors.hpp"

namespace jounce::dense {
namespace {

/// x -> (1 - tau v v^T) x with v = (1, below).
void reflect(int below, double tau, const double* v, double* x) noexcept {
  const double along = tau * (x[0] + dot(below, v, x + 1));
  x[0] -= along;
  add_multiple(below, -along, v, x + 1);
}

/// The column that is longest from row k on, and its length squared.
int longest(int m, int n, const double* A, int k, double& square) noexcept {
  int best = k;
  square = -1;
  for (int j = k; j < n; ++j) {
    const double* x = A + m * j + k;
    const double found = dot(m - k, x, x);
    if (found > square) best = j, square = found;
  }
  return best;
}

}  // namespace

void pivoted_qr(int m, int n, double* A, double* tau, int* order) noexcept {
  for (int j = 0; j < n; ++j) order[j] = j;
  for (int k = 0; k < std::min(m, n); ++k) {
    double square = 0;
    const int best = longest(m, n, A, k, square);
    if (best != k) {
      std::swap_ranges(A + m * k, A + m * (k + 1), A + m * best);
      std::swap(order[k], order[best]);
    }
    double* x = A + m * k + k;
    tau[k] = 0;
    if (!(square > 0) || m - k == 1) continue;  // nothing to reflect
    const double length = -std::copysign(std::sqrt(square), x[0]);
    tau[k] = (length - x[0]) / length;
    scale(m - k - 1, 1 / (x[0] - length), x + 1);
    x[0] = length;
    for (int j = k + 1; j < n; ++j) reflect(m - k - 1, tau[k], x + 1, A + m * j + k);
  }
}

void times_q(int m, int k, const double* A, const double* tau, double* x) noexcept {
  for (int j = k; j-- > 0;) reflect(m - j - 1, tau[j], A + m * j + j + 1, x + j);
}
void times_q_transposed(int m, int k, const double* A, const double* tau, double* x) noexcept {
  for (int j = 0; j < k; ++j) reflect(m - j - 1, tau[j], A + m * j + j + 1, x + j);
}

}  // namespace jounce::dense
