// SPDX-License-Identifier: BSD-3-Clause
// ltdl_factor by rows of registers: only those eights of a row are touched that have entries, where
// the reference goes through all up to the diagonal, and a row is scaled while it is in registers.
#pragma once

#include "kernels/lanes/constrained_columns.hpp"

namespace jounce::inline JOUNCE_ISA {

/// Numbers of row i from `at` on, less what the rows below it take; the nearest of those, which was
/// finished last, comes last.
template <int registers>
[[gnu::always_inline]] inline RowBeside<registers> eliminated(const MassPattern& s, const double* M,
                                                              int i, int at) {
  const int count = s.below_at[i + 1] - s.below_at[i];
  const int* below = s.below + s.below_at[i];  // null where nothing is below anything
  RowBeside<registers> sum(M + s.stride * i + at);
  sum.add_all(
      0, count,
      [&](int c) {
        const int k = below[count - 1 - c];
        const double* row = M + s.stride * k;
        return -(row[i] * row[k]);  // - L_ki D_k
      },
      [&](int c) { return M + s.stride * below[count - 1 - c] + at; });
  return sum;
}

inline void ltdl_factor_in_lanes(const MassPattern& s, double* M) {
  using Register = Pack<double, 8>;
  const Register lane = Register::generate([](int k) { return double(k); });
  for (int i = s.n - 1; i >= 0; --i) {
    double* row = M + s.stride * i;
    const int diagonal = i / 8 * 8;
    const Register end = eliminated<1>(s, M, i, diagonal).r[0];
    end.store(row + diagonal);
    const double pivot = row[i], inverse = 1 / pivot;
    const auto before = lane < Register(double(i - diagonal));
    select(before, end * Register(inverse), Register(0.0)).store(row + diagonal);
    row[i] = pivot;
    for (int at = diagonal + 8; at < s.stride; at += 8) Register(0.0).store(row + at);
    const auto scaled = [&]<int registers>(int at) {
      RowBeside<registers> part = eliminated<registers>(s, M, i, at);
      part.scale(inverse);
      part.store(row + at);
    };
    const int *column = s.column + s.at[i], *past = s.column + s.at[i + 1];
    const auto pass = [&](int until) {
      while (column < past && *column < until) ++column;
      return column < past && *column < diagonal;
    };
    while (pass(0)) {
      const int at = *column / 8 * 8;
      const bool wide = pass(at + 8) && *column < at + 16;
      if (wide) scaled.template operator()<2>(at);
      else scaled.template operator()<1>(at);
      pass(at + (wide ? 16 : 8));
    }
  }
}

}  // namespace jounce::inline JOUNCE_ISA
