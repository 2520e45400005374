// SPDX-License-Identifier: BSD-3-Clause
// ltdl_factor and ltdl_inverse by rows of registers. Of a factor only those eights of a row are
// touched that have entries, where the reference goes through all up to the diagonal, and a row is
// scaled while it is in registers; an inverse is full.
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

inline void ltdl_inverse_in_lanes(const MassPattern& s, const double* LD, double* inverse) {
  for (int i = 0; i < s.n; ++i) {
    const double* L = LD + s.stride * i;
    on_columns((i + 7) / 8 * 8, [&]<int registers>(int at) {
      RowBeside<registers> sum;
      sum.add_all(
          s.at[i], s.at[i + 1], [&](int c) { return -L[s.column[c]]; },
          [&](int c) { return inverse + s.stride * s.column[c] + at; });
      sum.store(inverse + s.stride * i + at);
    });
    finish_inverse_row(s, LD, i, inverse);
  }
}

/// x := M^-1 x, or L^-T x alone, for eight right-hand sides side by side.
inline void ltdl_solve_beside(const MassPattern& s, const double* LD, bool whole, double* x) {
  for (int k = s.n - 1; k >= 0; --k) {
    RowBeside<1> sum(x + 8 * k);
    sum.add_all(
        s.below_at[k], s.below_at[k + 1], [&](int c) { return -LD[s.stride * s.below[c] + k]; },
        [&](int c) { return x + 8 * s.below[c]; });
    sum.store(x + 8 * k);
  }
  for (int k = 0; whole && k < s.n; ++k) {
    RowBeside<1> sum(x + 8 * k);
    sum.scale(1 / LD[(s.stride + 1) * k]);
    sum.add_all(
        s.at[k], s.at[k + 1], [&](int c) { return -LD[s.stride * k + s.column[c]]; },
        [&](int c) { return x + 8 * s.column[c]; });
    sum.store(x + 8 * k);
  }
}

}  // namespace jounce::inline JOUNCE_ISA
