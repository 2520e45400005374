// SPDX-License-Identifier: BSD-3-Clause
// M = L^T D L of a mass matrix, which fills no zero of it: L has the sparsity of the tree.
//
// Featherstone 2005 ("Efficient factorization of the joint-space inertia matrix for branched
// kinematic trees"), and 2008, section 6.5: rows are eliminated from the last to the first, so that
// a joint touches only those that carry it. His loops update rows again and again; here a row is
// finished in one go, eight numbers of it at a time, which stay in registers.
//
// From L M^-1 = D^-1 L^-T, whose half below the diagonal is zero, follows M^-1 row by row
// (Takahashi, Fagan, Chen 1973), without L^-1: a row is a sum of those above it.
#pragma once

#include <jounce/scalar/number.hpp>

namespace jounce {

/// Where a mass matrix is not zero below its diagonal, and how far its rows are apart.
struct MassPattern {
  int n = 0, stride = 0;
  const int* at = nullptr;        ///< [n + 1] row k has the columns column[at[k]]..[at[k+1]],
  const int* column = nullptr;    ///< ascending
  const int* below_at = nullptr;  ///< [n + 1] and column k the rows below[below_at[k]]..
  const int* below = nullptr;
};

/// Up to so many entries in a row of L on average, factors are made and solved with faster than
/// articulated bodies.
inline constexpr int entries_worth_a_body = 16;

inline namespace JOUNCE_ISA {

/// How far rows of n numbers are apart: whole registers of eight, and not a multiple of 256 bytes,
/// at which the numbers of a column would share few lines of a cache.
constexpr int padded_row(int n) {
  const int whole = (n + 7) / 8 * 8;
  return whole % 32 == 0 ? whole + 8 : whole;
}

}  // namespace JOUNCE_ISA

namespace detail::inline JOUNCE_ISA {

/// Eight numbers of a row.
template <class Real>
struct RowPiece {
  static constexpr int width = 8;
  Real x[width]{};

  constexpr void add(const Real& a, const Real* y) {
    for (int k = 0; k < width; ++k) x[k] = x[k] + a * y[k];
  }
};

/// to = start + sum over c of weight(index[c]) times row(index[c]); start may be null. Two sums, so
/// that one addition need not wait for the other.
template <class Real, class Weight, class Row>
[[gnu::always_inline]] constexpr void sum_rows(const Real* start, const int* index, int count,
                                               Weight weight, Row row, Real* to) {
  RowPiece<Real> even, odd;
  if (start != nullptr) even.add(Real(1), start);
  for (int c = 0; c + 1 < count; c += 2) {
    even.add(weight(index[c]), row(index[c]));
    odd.add(weight(index[c + 1]), row(index[c + 1]));
  }
  if (count % 2 == 1) even.add(weight(index[count - 1]), row(index[count - 1]));
  for (int k = 0; k < even.width; ++k) to[k] = even.x[k] + odd.x[k];
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// Factors M (rows of the pattern's stride; only the lower triangle is read) in place: L below the
/// diagonal, where its own diagonal is 1, D on it. What is above may be zeroed or left. A pivot
/// that is not positive is left for the caller to find.
template <class Real>
constexpr void ltdl_factor(const MassPattern& s, Real* M) {
  for (int i = s.n - 1; i >= 0; --i) {
    Real* row = M + s.stride * i;
    for (int j = 0; j <= i; j += 8)
      detail::sum_rows(
          row + j, s.below + s.below_at[i], s.below_at[i + 1] - s.below_at[i],
          [&](int k) { return -(M[s.stride * k + i] * M[s.stride * k + k]); },  // - L_ki D_k L_kj
          [&](int k) { return M + s.stride * k + j; }, row + j);
    const Real inverse = Real(1) / row[i];
    for (int j = 0; j < i; ++j) row[j] = row[j] * inverse;
    for (int j = i + 1; j < s.stride; ++j) row[j] = Real(0);
  }
}

/// x := L^-T x, L^T x and L^-1 x.
template <class Real>
constexpr void ltdl_solve_transposed(const MassPattern& s, const Real* LD, Real* x) {
  for (int k = s.n - 1; k >= 0; --k) {
    const Real* row = LD + s.stride * k;
    const Real x_k = x[k];
    for (int c = s.at[k]; c < s.at[k + 1]; ++c)
      x[s.column[c]] = x[s.column[c]] - row[s.column[c]] * x_k;
  }
}
template <class Real>
constexpr void ltdl_times_transposed(const MassPattern& s, const Real* LD, Real* x) {
  for (int k = 0; k < s.n; ++k)
    for (int c = s.at[k]; c < s.at[k + 1]; ++c)
      x[s.column[c]] = x[s.column[c]] + LD[s.stride * k + s.column[c]] * x[k];
}
template <class Real>
constexpr void ltdl_solve_lower(const MassPattern& s, const Real* LD, Real* x) {
  for (int k = 0; k < s.n; ++k) {
    const Real* row = LD + s.stride * k;
    Real x_k = x[k];
    for (int c = s.at[k]; c < s.at[k + 1]; ++c) x_k = x_k - row[s.column[c]] * x[s.column[c]];
    x[k] = x_k;
  }
}

/// x := M^-1 x.
template <class Real>
constexpr void ltdl_solve(const MassPattern& s, const Real* LD, Real* x) {
  ltdl_solve_transposed(s, LD, x);
  for (int k = 0; k < s.n; ++k) x[k] = x[k] / LD[s.stride * k + k];
  ltdl_solve_lower(s, LD, x);
}

/// The diagonal of row i of M^-1, whose entries before it are known, and the column above it.
template <class Real>
constexpr void finish_inverse_row(const MassPattern& s, const Real* LD, int i, Real* inverse) {
  const Real* L = LD + s.stride * i;
  Real *row = inverse + s.stride * i, *column = inverse + i;
  Real sum = Real(1) / L[i];
  for (int c = s.at[i]; c < s.at[i + 1]; ++c) sum = sum - L[s.column[c]] * row[s.column[c]];
  row[i] = sum;
  for (int j = 0; j < i; ++j) column[s.stride * j] = row[j];
}
/// M^-1 in n rows of the pattern's stride.
template <class Real>
constexpr void ltdl_inverse(const MassPattern& s, const Real* LD, Real* inverse) {
  for (int i = 0; i < s.n; ++i) {
    for (int j = 0; j < i; j += 8)
      detail::sum_rows<Real>(
          nullptr, s.column + s.at[i], s.at[i + 1] - s.at[i],
          [&](int k) { return -LD[s.stride * i + k]; },
          [&](int k) { return inverse + s.stride * k + j; }, inverse + s.stride * i + j);
    finish_inverse_row(s, LD, i, inverse);
  }
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
