// SPDX-License-Identifier: BSD-3-Clause
// L D L^T of the little symmetric matrix of one joint (at most 6 x 6), without branches on numbers.
#pragma once

#include <jounce/scalar/number.hpp>

namespace jounce::inline JOUNCE_ISA {

/// Factors the lower triangle of A (n x n, row i at A + 6 i) in place: L below the diagonal, 1/D on
/// it. A pivot that is zero or negative gives an infinite or negative entry, which callers look
/// for.
template <class Real>
constexpr void factor(Real* A, int n) {
  for (int j = 0; j < n; ++j) {
    const Real inverse = Real(1) / A[6 * j + j];
    for (int i = j + 1; i < n; ++i) {
      const Real l = A[6 * i + j] * inverse;
      for (int k = j + 1; k <= i; ++k) A[6 * i + k] = A[6 * i + k] - l * A[6 * k + j];
    }
    for (int i = j + 1; i < n; ++i) A[6 * i + j] = A[6 * i + j] * inverse;
    A[6 * j + j] = inverse;
  }
}

/// x := A^-1 x, with the factors of A.
template <class P, class Real>
constexpr void solve(const P* A, int n, Real* x) {
  for (int i = 1; i < n; ++i)
    for (int k = 0; k < i; ++k) x[i] = x[i] - A[6 * i + k] * x[k];
  for (int i = n - 1; i >= 0; --i) {
    x[i] = x[i] * A[6 * i + i];
    for (int k = i + 1; k < n; ++k) x[i] = x[i] - A[6 * k + i] * x[k];
  }
}

}  // namespace jounce::inline JOUNCE_ISA
