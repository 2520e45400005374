// SPDX-License-Identifier: BSD-3-Clause
// Linear systems of eight complex unknowns, one per lane, by elimination with row pivoting.
#pragma once

#include "stewart/study.hpp"

namespace jounce::stewart_detail::inline JOUNCE_ISA {

/// The matrix by rows, followed by `Sides` right-hand sides.
template <class Real, int Sides>
using Augmented = Complex<Real>[unknowns][unknowns + Sides];

/// Whether x >= bound in every lane.
template <class Real>
[[gnu::always_inline]] inline bool everywhere_at_least(const Real& x, const Real& bound) {
  if constexpr (Arithmetic<Real>) {
    return x >= bound;
  } else {
    double below[Real::lanes], count = 0;
    select(x >= bound, Real(0), Real(1)).store(below);
    for (const double one : below) count += one;
    return count == 0;
  }
}

/// Brings the row with the largest entry of column k to place k, in every lane its own.
template <class Real, int Sides>
[[gnu::noinline]] void pivot_each_lane(Augmented<Real, Sides>& A, int k) {
  Real largest = squared_norm(A[k][k]);
  for (int i = k + 1; i < unknowns; ++i) {
    const Real size = squared_norm(A[i][k]);
    const auto larger = size > largest;
    largest = select(larger, size, largest);
    for (int j = k; j < unknowns + Sides; ++j) {
      const Complex<Real> upper = A[k][j], lower = A[i][j];
      A[k][j] = {select(larger, lower.re, upper.re), select(larger, lower.im, upper.im)};
      A[i][j] = {select(larger, upper.re, lower.re), select(larger, upper.im, lower.im)};
    }
  }
}

/// Brings a row to place k whose entry of column k is at least a tenth of the largest. Mostly one
/// row will do for all lanes, and moving it costs much less than choosing lane by lane.
template <class Real, int Sides>
[[gnu::always_inline]] inline void pivot(Augmented<Real, Sides>& A, int k) {
  Real size[unknowns], largest(0);
  for (int i = k; i < unknowns; ++i) {
    size[i] = squared_norm(A[i][k]);
    largest = select(size[i] > largest, size[i], largest);
  }
  const Real bound = largest * Real(0.01);
  for (int i = k; i < unknowns; ++i) {
    if (!everywhere_at_least(size[i], bound)) continue;
    for (int j = k; j < unknowns + Sides && i != k; ++j) {
      const Complex<Real> lower = A[i][j];
      A[i][j] = A[k][j];
      A[k][j] = lower;
    }
    return;
  }
  pivot_each_lane<Real, Sides>(A, k);
}

/// Leaves the solutions in the columns of the right-hand sides.
template <class Real, int Sides>
void solve(Augmented<Real, Sides>& A) {
  for (int k = 0; k < unknowns; ++k) {
    pivot<Real, Sides>(A, k);
    const Complex<Real> inverse = reciprocal(A[k][k]);
    for (int j = k + 1; j < unknowns + Sides; ++j) A[k][j] = A[k][j] * inverse;
    for (int i = k + 1; i < unknowns; ++i)
      for (int j = k + 1; j < unknowns + Sides; ++j) A[i][j] -= A[i][k] * A[k][j];
  }
  for (int k = unknowns - 1; k > 0; --k)
    for (int i = 0; i < k; ++i)
      for (int side = unknowns; side < unknowns + Sides; ++side) A[i][side] -= A[i][k] * A[k][side];
}

}  // namespace jounce::stewart_detail::inline JOUNCE_ISA
