// SPDX-License-Identifier: BSD-3-Clause
// QR factors with column pivoting of six columns that lie beside one another, A P = Q R: a row of A
// is a register. Householder's reflections (Golub, Van Loan, section 5.4.2); the lengths of the
// columns are summed anew at every step, as what is left of one is not known to its own digits from
// what was there before. Columns keep their lanes: `order` says which comes when.
#pragma once

#include <cmath>
#include <jounce/scalar/pack.hpp>

namespace jounce {

/// A P = Q R; column k of A P is column order[k] of A. Row k of R stands in R[k], its columns in
/// the order of A's; `inverse` has the columns of (R P^T)^-1 where there are six rows or more.
/// Reflection k is 1 - scale v v^T, v = (first, what is below the diagonal).
struct SixByQr {
  int count, order[6];  ///< rows of R
  double first[6], scale[6];
  double R[6][8], inverse[6][8];
};

inline namespace JOUNCE_ISA {
namespace six {

using Row = Pack<double, 8>;

[[gnu::always_inline]] inline Row row(const double* A, int i) { return Row::load(A + 8 * i); }
[[gnu::always_inline]] inline auto at_lane(int k) {
  static constexpr double one[15] = {0, 0, 0, 0, 0, 0, 0, 1};
  return Row::load(one + 7 - k) > Row(0);
}

/// The sum of term(i), in two sums, so that one addition need not wait for the other.
template <class Term>
[[gnu::always_inline]] inline Row sum(int first, int last, Term term) {
  Row even(0), odd(0);
  for (; first + 1 < last; first += 2) {
    even += term(first);
    odd += term(first + 1);
  }
  if (first < last) even += term(first);
  return even + odd;
}

/// Columns whose squares sum to no more are zero: the scale of their reflection may not be finite.
inline constexpr double least_square = 1e-290;

/// The columns that are not chosen yet: their lanes are one, and a list of them.
struct Left {
  double lane[8] = {1, 1, 1, 1, 1, 1, 0, 0};
  int count = 6, column[6] = {0, 1, 2, 3, 4, 5};

  /// Takes out the one with the largest number; the first where none compares.
  int take_largest(const double* of) {
    int best = 0;
    double most = -1;
    for (int c = 0; c < count; ++c)
      if (of[column[c]] > most) best = c, most = of[column[c]];
    const int found = column[best];
    column[best] = column[--count];
    lane[found] = 0;
    return found;
  }
};

/// Rows from k on less what reflection k takes of the columns left; its vector goes to their lane
/// `at`. What the squares of their lengths are then, from row k + 1 on.
[[gnu::always_inline]] inline Row reflect(int n, int k, double first, double scale, int at,
                                          const Row& left, double* A) {
  const auto entry = [&](int i) { return Row(A[8 * i + at]); };
  const Row below = sum(k + 1, n, [&](int i) { return entry(i) * row(A, i); });
  const Row along = left * Row(scale) * (Row(first) * row(A, k) + below);
  (row(A, k) - Row(first) * along).store(A + 8 * k);
  return sum(k + 1, n, [&](int i) {
    const Row rest = row(A, i) - entry(i) * along;
    rest.store(A + 8 * i);
    return rest * rest;
  });
}

/// Q in rows of eight from the reflections that stand below the diagonal.
inline void form_q(int n, const SixByQr& f, const double* A, double* Q) {
  for (int i = 0; i < n; ++i) {
    double one[8] = {};
    if (i < f.count) one[i] = 1;
    Row::load(one).store(Q + 8 * i);
  }
  for (int j = f.count; j-- > 0;) {
    const auto entry = [&](int i) { return Row(i == j ? f.first[j] : A[8 * i + f.order[j]]); };
    const Row along = Row(f.scale[j]) * sum(j, n, [&](int i) { return entry(i) * row(Q, i); });
    for (int i = j; i < n; ++i) (row(Q, i) - entry(i) * along).store(Q + 8 * i);
  }
}

/// The columns of (R P^T)^-1 one after the other; not finite where R is singular.
inline void invert(SixByQr& f) {
  for (int j = 0; j < 6; ++j) {
    const int at = f.order[j];
    Row column = select(at_lane(at), Row(1), Row(0));
    for (int k = 0; k < j; ++k) column -= Row(f.R[k][at]) * Row::load(f.inverse[k]);
    (column * Row(1 / f.R[j][at])).store(f.inverse[j]);
  }
}

}  // namespace six

/// A: [n][8], the last two of each zero; Q of the same shape, null where it is not wanted.
inline void six_by_qr(int n, double* A, double* Q, SixByQr& f) {
  using namespace six;
  f.count = n < 6 ? n : 6;
  Left left;
  Row squares = sum(0, n, [&](int i) { return row(A, i) * row(A, i); });
  for (int k = 0; k < f.count; ++k) {
    double square[8];
    squares.store(square);
    const int at = f.order[k] = left.take_largest(square);
    const bool zero = square[at] <= least_square;
    const double x = A[8 * k + at];
    f.first[k] = f.scale[k] = 0;
    double diagonal = zero ? 0 : x;
    if (square[at] > least_square && n - k > 1) {  // else there is nothing to reflect
      diagonal = -std::copysign(std::sqrt(square[at]), x);
      f.first[k] = x - diagonal;
      f.scale[k] = -1 / (diagonal * f.first[k]);
    }
    const Row lanes_left = zero ? Row(0) : Row::load(left.lane);
    squares = reflect(n, k, f.first[k], f.scale[k], at, lanes_left, A);
    const Row rest = select(lanes_left > Row(0), row(A, k), Row(0));
    select(at_lane(at), Row(diagonal), rest).store(f.R[k]);
  }
  for (int c = f.count; c < 6; ++c) f.order[c] = left.column[c - f.count];
  if (Q) form_q(n, f, A, Q);
  if (f.count == 6) invert(f);
}

/// The sum of x x^T over `count` columns x.
inline void six_by_six(int count, const double (*columns)[8], double* to) {
  using six::Row;
  for (int j = 0; j < 6; ++j) {
    Row found(0);
    for (int c = 0; c < count; ++c) found += Row(columns[c][j]) * Row::load(columns[c]);
    double lane[8];
    found.store(lane);
    for (int i = 0; i < 6; ++i) to[6 * j + i] = lane[i];
  }
}

}  // namespace JOUNCE_ISA
}  // namespace jounce
