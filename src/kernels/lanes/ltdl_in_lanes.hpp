// SPDX-License-Identifier: BSD-3-Clause
// ltdl_factor and ltdl_inverse by rows of registers: a row is scaled while it is in registers.
#pragma once

#include "kernels/lanes/constrained_columns.hpp"

namespace jounce::inline JOUNCE_ISA {

/// Numbers of row i from `at` on, less what the rows below it take; the nearest of those, which was
/// finished last, comes last. minus_DL has the rows as they were before they were scaled, negated.
template <int registers>
[[gnu::always_inline]] inline RowBeside<registers> eliminated(const MassPattern& s, const double* M,
                                                              const double* minus_DL, int i,
                                                              int at) {
  const int count = s.below_at[i + 1] - s.below_at[i], length = s.length(i);
  const int* below = s.below + s.below_at[i];  // null where nothing is below anything
  RowBeside<registers> sum(M + s.row[i] + at);
  sum.add_all(
      0, count, [&](int c) { return minus_DL[s.row[below[count - 1 - c]] + length]; },
      [&](int c) { return M + s.row[below[count - 1 - c]] + at; });
  return sum;
}

/// As many numbers as the rows have are written behind them.
inline void ltdl_factor_row_in_lanes(const MassPattern& s, int i, double* M) {
  using Register = Pack<double, 8>;
  const Register lane = Register::generate([](int k) { return double(k); });
  double* minus_DL = M + s.row[s.n];
  double *row = M + s.row[i], *before = minus_DL + s.row[i];
  const int length = s.length(i), last = length / 8 * 8;
  const Register end = eliminated<1>(s, M, minus_DL, i, last).r[0];
  (-end).store(before + last);
  const double inverse = -1 / before[length];
  const Register at_pivot(double(length - last));
  const Register rest = select(lane > at_pivot, Register(0.0), end);
  select(lane < at_pivot, end * Register(inverse), rest).store(row + last);  // at once: no wait
  on_columns(last, [&]<int registers>(int at) {
    RowBeside<registers> part = eliminated<registers>(s, M, minus_DL, i, at);
    part.scale(-1);
    part.store(before + at);
    part.scale(-inverse);
    part.store(row + at);
  });
}
inline void ltdl_factor_in_lanes(const MassPattern& s, double* M) {
  for (int i = s.n - 1; i >= 0; --i) ltdl_factor_row_in_lanes(s, i, M);
}

inline void ltdl_inverse_in_lanes(const MassPattern& s, const double* LD, double* inverse) {
  for (int i = 0; i < s.n; ++i) {
    const double* L = LD + s.row[i];
    const int* column = s.column + s.at[i];
    on_columns((i + 7) / 8 * 8, [&]<int registers>(int at) {
      RowBeside<registers> sum;
      sum.add_all(
          0, s.length(i), [&](int c) { return -L[c]; },
          [&](int c) { return inverse + s.stride * column[c] + at; });
      sum.store(inverse + s.stride * i + at);
    });
    finish_inverse_row(s, LD, i, inverse);
  }
}

/// x := M^-1 x, or L^-T x alone, for eight right-hand sides side by side.
inline void ltdl_solve_beside(const MassPattern& s, const double* LD, bool whole, double* x) {
  for (int k = s.n - 1; k >= 0; --k) {
    const int length = s.length(k);
    RowBeside<1> sum(x + 8 * k);
    sum.add_all(
        s.below_at[k], s.below_at[k + 1], [&](int c) { return -LD[s.row[s.below[c]] + length]; },
        [&](int c) { return x + 8 * s.below[c]; });
    sum.store(x + 8 * k);
  }
  for (int k = 0; whole && k < s.n; ++k) {
    const double* L = LD + s.row[k];
    const int* column = s.column + s.at[k];
    RowBeside<1> sum(x + 8 * k);
    sum.scale(1 / LD[s.diagonal[k]]);
    sum.add_all(
        0, s.length(k), [&](int c) { return -L[c]; }, [&](int c) { return x + 8 * column[c]; });
    sum.store(x + 8 * k);
  }
}

}  // namespace jounce::inline JOUNCE_ISA
