// SPDX-License-Identifier: BSD-3-Clause
// The partial derivatives of forward dynamics from those of inverse dynamics.
//
// tau = ID(q, v, FD(q, v, tau)) for all q and v, so that
//   dFD/dq = -M^-1 dID/dq      dFD/dv = -M^-1 dID/dv      dFD/dtau = M^-1.
// A column of dID has entries only for the coordinates that carry its own and those it carries: the
// products take O(n^2 d). Blocks of eight rows and a few columns of both matrices stay in
// registers.
#pragma once

#include "kernels/lanes/lanes.hpp"

namespace jounce {

/// Which rows are not zero in any of the columns of a group, as many as the kernel finds together.
struct RelatedCoordinates {
  int n = 0;
  int group = 0;            ///< how many columns
  const int* at = nullptr;  ///< group g has the rows index[at[g]]..[at[g + 1]]
  const int* index = nullptr;
};

namespace lanes::inline JOUNCE_ISA {

/// Eight numbers of a column.
struct ColumnPiece {
  Column lo{}, hi{};

  [[gnu::always_inline]] void subtract(double a, const Column& y_lo, const Column& y_hi) {
    lo -= spread(a) * y_lo;
    hi -= spread(a) * y_hi;
  }
  [[gnu::always_inline]] void write(double* to, int count) const {
    if (count >= 8) {
      store(lo, to);
      store(hi, to + 4);
      return;
    }
    for (int k = 0; k < count; ++k) to[k] = k < 4 ? lo[k] : hi[k - 4];
  }
};

}  // namespace lanes::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// to[m] = -M^-1 from[m], column by column, `Columns` at a time, a group; inverse has rows of
/// `stride` numbers, a multiple of eight.
template <int Columns, int Matrices>
inline void minus_products(const RelatedCoordinates& related, const double* inverse, int stride,
                           const double* const (&from)[Matrices], double* const (&to)[Matrices]) {
  const int n = related.n;
  for (int k = 0; k < n; k += Columns) {
    int at[Columns];  // the last column stands in for those after it
    for (int c = 0; c < Columns; ++c) at[c] = n * (k + c < n ? k + c : n - 1);
    const int* index = related.index + related.at[k / Columns];
    const int count = related.at[k / Columns + 1] - related.at[k / Columns];
    for (int i = 0; i < n; i += 8) {
      lanes::ColumnPiece sum[Matrices][Columns];
      for (int r = 0; r < count; ++r) {
        const int j = index[r];
        const double* row = inverse + stride * j + i;
        const lanes::Column lo = lanes::load(row), hi = lanes::load(row + 4);
        for (int c = 0; c < Columns; ++c)
          for (int m = 0; m < Matrices; ++m) sum[m][c].subtract(from[m][at[c] + j], lo, hi);
      }
      for (int c = 0; c < Columns; ++c)
        for (int m = 0; m < Matrices; ++m) sum[m][c].write(to[m] + at[c] + i, n - i);
    }
  }
}
/// a_dq = -M^-1 dq and a_dv = -M^-1 dv; of one matrix alone where dv is null.
template <int Columns>
inline void minus_inverse_times(const RelatedCoordinates& related, const double* inverse,
                                int stride, const double* dq, const double* dv, double* a_dq,
                                double* a_dv) {
  if (dv == nullptr) return minus_products<Columns, 1>(related, inverse, stride, {dq}, {a_dq});
  minus_products<Columns, 2>(related, inverse, stride, {dq, dv}, {a_dq, a_dv});
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
