// SPDX-License-Identifier: BSD-3-Clause
// M = L^T D L of a mass matrix, which fills no zero of it: L has the sparsity of the tree.
//
// Featherstone 2005 ("Efficient factorization of the joint-space inertia matrix for branched
// kinematic trees"), and 2008, section 6.5: rows are eliminated from the last to the first, so that
// a joint touches only those that carry it. His loops update rows again and again; here a row is
// finished in one go, eight numbers of it at a time, which stay in registers.
//
// Rows have their entries alone, side by side, the diagonal behind them. The entries of a row in
// front of that of coordinate i are in the columns of row i (what carries i carries all that i
// carries): rows are added up entry by entry, and that of i is number length(i) of every row below.
//
// From L M^-1 = D^-1 L^-T, whose half below the diagonal is zero, follows M^-1 row by row
// (Takahashi, Fagan, Chen 1973), without L^-1: a row is a sum of those above it.
#pragma once

#include <algorithm>
#include <jounce/scalar/number.hpp>
#include <type_traits>
#include <utility>

namespace jounce {

/// Where a mass matrix is not zero below its diagonal, and where its rows stand.
struct MassPattern {
  int n = 0, stride = 0;          ///< how far rows of an inverse, which are full, are apart
  const int* at = nullptr;        ///< [n + 1] row k has the columns column[at[k]]..[at[k+1]],
  const int* column = nullptr;    ///< ascending
  const int* below_at = nullptr;  ///< [n + 1] and column k the rows below[below_at[k]]..
  const int* below = nullptr;
  const int* row = nullptr;       ///< [n + 1] where row k begins: whole registers of eight
  const int* diagonal = nullptr;  ///< [n] where its diagonal stands, behind its entries

  /// How many entries row k has in front of its diagonal.
  constexpr int length(int k) const { return diagonal[k] - row[k]; }
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

/// Entries of M (n x n, row by row; only the lower triangle is read) in the pattern's rows. Rows
/// and columns of prescribed coordinates (null: none) are those of 1.
template <class Real>
constexpr void take_rows(const MassPattern& s, const Real* M, const bool* prescribed, Real* rows) {
  const std::ptrdiff_t n = s.n;
  for (std::ptrdiff_t k = 0; k < n; ++k) {
    Real* to = rows + s.row[k];
    if (prescribed == nullptr && k >= 8 && s.length(int(k)) == k) {  // nothing is left out
      std::copy(M + n * k, M + n * k + k + 1, to);
      continue;
    }
    const bool fixed = prescribed != nullptr && prescribed[k];
    for (int c = s.at[k]; c < s.at[k + 1]; ++c, ++to) {
      const int j = s.column[c];
      *to = fixed || (prescribed != nullptr && prescribed[j]) ? Real(0) : M[n * k + j];
    }
    *to = fixed ? Real(1) : M[n * k + k];
  }
}

/// Row i of the factors in the place of M's, after those below it.
template <class Real>
constexpr void ltdl_factor_row(const MassPattern& s, int i, Real* M) {
  Real* row = M + s.row[i];
  const int length = s.length(i);
  for (int j = 0; j <= length; j += 8)
    detail::sum_rows(
        row + j, s.below + s.below_at[i], s.below_at[i + 1] - s.below_at[i],
        [&](int k) { return -(M[s.row[k] + length] * M[s.diagonal[k]]); },  // - L_ki D_k L_kj
        [&](int k) { return M + s.row[k] + j; }, row + j);
  const Real inverse = Real(1) / row[length];
  for (int j = 0; j < length; ++j) row[j] = row[j] * inverse;
  for (int j = length + 1; j < s.row[i + 1] - s.row[i]; ++j) row[j] = Real(0);
}
/// Factors M, in the pattern's rows, in place: L in front of the diagonal, where its own diagonal
/// is 1, D on it, zeros behind. A pivot that is not positive is left for the caller to find.
template <class Real>
constexpr void ltdl_factor(const MassPattern& s, Real* M) {
  for (int i = s.n - 1; i >= 0; --i) ltdl_factor_row(s, i, M);
}

/// x := L^-T x, L^T x and L^-1 x.
template <class Real>
constexpr void ltdl_solve_transposed(const MassPattern& s, const Real* LD, Real* x) {
  for (int k = s.n - 1; k >= 0; --k) {
    const Real* L = LD + s.row[k];
    const Real x_k = x[k];
    for (int c = s.at[k]; c < s.at[k + 1]; ++c, ++L) x[s.column[c]] = x[s.column[c]] - *L * x_k;
  }
}
template <class Real>
constexpr void ltdl_times_transposed(const MassPattern& s, const Real* LD, Real* x) {
  for (int k = 0; k < s.n; ++k) {
    const Real* L = LD + s.row[k];
    for (int c = s.at[k]; c < s.at[k + 1]; ++c, ++L) x[s.column[c]] = x[s.column[c]] + *L * x[k];
  }
}
template <class Real>
constexpr void ltdl_solve_lower(const MassPattern& s, const Real* LD, Real* x) {
  for (int k = 0; k < s.n; ++k) {
    const Real* L = LD + s.row[k];
    Real x_k = x[k];
    for (int c = s.at[k]; c < s.at[k + 1]; ++c, ++L) x_k = x_k - *L * x[s.column[c]];
    x[k] = x_k;
  }
}

}  // namespace JOUNCE_ISA

namespace detail::inline JOUNCE_ISA {

/// f(0), f(1), ..., f(count - 1), written out: what is indexed by these stays in registers.
template <int count, class F>
[[gnu::always_inline]] constexpr void for_each_written_out(F f) {
  [&]<int... k>(std::integer_sequence<int, k...>) __attribute__((always_inline)) {
    (f(std::integral_constant<int, k>()), ...);
  }
  (std::make_integer_sequence<int, count>());
}

/// Arms: so few coordinates, each carried by all before it.
inline constexpr int few_in_a_row = 8;
inline constexpr bool is_short_chain(const MassPattern& s) {
  return s.n <= few_in_a_row && 2 * s.at[s.n] == s.n * (s.n - 1);
}
/// x := M^-1 x of those. A number that is found waits for none to be written and read again.
template <class Real>
constexpr void ltdl_solve_short_chain(const MassPattern& s, const Real* LD, Real* x) {
  constexpr int most = few_in_a_row;
  Real y[most]{};
  const auto each = [&](auto f) __attribute__((always_inline)) {
    for_each_written_out<most>([&](auto k) __attribute__((always_inline)) {
      if (k < s.n) f(k);
    });
  };
  each([&](auto k) __attribute__((always_inline)) { y[k] = x[k]; });
  for_each_written_out<most>([&](auto from) __attribute__((always_inline)) {
    constexpr int k = most - 1 - from;
    if (k >= s.n) return;
    const Real* L = LD + s.row[k];
    for_each_written_out<k>([&](auto j)
                                __attribute__((always_inline)) { y[j] = y[j] - L[j] * y[k]; });
  });
  each([&](auto k) __attribute__((always_inline)) { y[k] = y[k] / LD[s.diagonal[k]]; });
  each([&](auto k) __attribute__((always_inline)) {
    const Real* L = LD + s.row[k];
    for_each_written_out<k>([&](auto j)
                                __attribute__((always_inline)) { y[k] = y[k] - L[j] * y[j]; });
    x[k] = y[k];
  });
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// x := M^-1 x.
template <class Real>
constexpr void ltdl_solve(const MassPattern& s, const Real* LD, Real* x) {
  if constexpr (std::is_arithmetic_v<Real>)  // others do not fit in registers
    if (detail::is_short_chain(s)) return detail::ltdl_solve_short_chain(s, LD, x);
  ltdl_solve_transposed(s, LD, x);
  for (int k = 0; k < s.n; ++k) x[k] = x[k] / LD[s.diagonal[k]];
  ltdl_solve_lower(s, LD, x);
}

/// The diagonal of row i of M^-1, whose entries before it are known, and the column above it.
template <class Real>
constexpr void finish_inverse_row(const MassPattern& s, const Real* LD, int i, Real* inverse) {
  const Real* L = LD + s.row[i];
  Real *row = inverse + s.stride * i, *column = inverse + i;
  Real sum = Real(1) / LD[s.diagonal[i]];
  for (int c = s.at[i]; c < s.at[i + 1]; ++c, ++L) sum = sum - *L * row[s.column[c]];
  row[i] = sum;
  for (int j = 0; j < i; ++j) column[s.stride * j] = row[j];
}
/// M^-1 in n rows of the pattern's stride.
template <class Real>
constexpr void ltdl_inverse(const MassPattern& s, const Real* LD, Real* inverse) {
  for (int i = 0; i < s.n; ++i) {
    for (int j = 0; j < i; j += 8)
      detail::sum_rows<Real>(
          nullptr, s.column + s.at[i], s.length(i),
          [&](int k) { return -LD[s.row[i] + s.length(k)]; },
          [&](int k) { return inverse + s.stride * k + j; }, inverse + s.stride * i + j);
    finish_inverse_row(s, LD, i, inverse);
  }
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
