// SPDX-License-Identifier: BSD-3-Clause
// The equations of constrained motion with the sparse factors of the mass matrix, M = L^T D L:
//   M x - B^T nu = f,   B x = g.
//
// With Y = L^-T B^T, half a solution for every row of B, and S = Y^T D^-1 Y ([Kim] (67): his
// A M^-1 A^T) nothing else is needed:
//   w = L^-T f,   S nu = g - Y^T D^-1 w,   x = L^-1 D^-1 (w + Y nu).
// M^-1 B^T is never formed. Y and S have a row for every coordinate and constraint, padded to whole
// registers, so that all constraints of a coordinate are computed with at once.
#pragma once

#include <jounce/algorithm/ltdl.hpp>
#include <jounce/algorithm/register_rows.hpp>

namespace jounce {

/// Rows of B that a coordinate touches, or one that it carries: from first to before last.
struct ConstraintRange {
  int first = 0, last = 0;
};

template <class Real>
struct ConstrainedFactors {
  MassPattern pattern;
  const Real* LD = nullptr;
  const ConstraintRange* range = nullptr;  ///< [n]
  int rows = 0, width = 0;                 ///< of B; rounded up to whole registers
  const Real* B = nullptr;                 ///< [n][width] B^T, zero behind the last row; may be Y
  Real* Y = nullptr;                       ///< [n][width]
  Real* S = nullptr;                       ///< [width][width] its factors
  Real* inverse_D = nullptr;               ///< [n] room
  /// [rows] where f and g are known at once: f lies in B behind the last row. Half of their
  /// solution is found with the factors, and constrained_finish finds the rest.
  const Real* g = nullptr;
};

namespace detail::inline JOUNCE_ISA {

/// Y := L^-T B^T, each row in one go.
template <int registers, class Real>
constexpr void half_solve(const ConstrainedFactors<Real>& f) {
  const MassPattern& s = f.pattern;
  for (int k = s.n - 1; k >= 0; --k) {
    if (f.range[k].first == f.range[k].last && f.g == nullptr && f.B == f.Y) continue;
    on_pieces<registers>(f.width, [&]<int piece>(int at) {
      RowSums<1, piece, Real> sum;
      sum.load(0, f.B + f.width * k + at);
      const int length = s.length(k);
      for (int c = s.below_at[k]; c < s.below_at[k + 1]; ++c)
        sum.add(0, -f.LD[s.row[s.below[c]] + length], f.Y + f.width * s.below[c] + at);
      sum.store(0, f.Y + f.width * k + at);
    });
  }
}
/// S := Y^T D^-1 Y, four rows at a time; with -g in front of the lane that Y carries.
template <int registers, class Real>
constexpr void multiply_rows(const ConstrainedFactors<Real>& f) {
  const MassPattern& s = f.pattern;
  for (int k = 0; k < s.n; ++k) f.inverse_D[k] = Real(1) / f.LD[s.diagonal[k]];
  for (int first = 0; first < f.rows; first += 4)
    on_pieces<registers>(f.width, [&]<int piece>(int at) {
      RowSums<4, piece, Real> sum{};
      for (int k = 0; k < s.n; ++k) {
        if (f.range[k].last <= first || f.range[k].first >= first + 4) continue;
        const Real* y = f.Y + f.width * k;
        for (int i = 0; i < 4; ++i) sum.add(i, y[first + i] * f.inverse_D[k], y + at);
      }
      for (int i = 0; i < 4; ++i) sum.store(i, f.S + f.width * (first + i) + at);
    });
  if (f.g == nullptr) return;
  for (int i = 0; i < f.rows; ++i) f.S[f.width * i + f.rows] -= f.g[i];
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// Y becomes L^-T B^T, S the factors of its own.
template <class Real>
constexpr PivotRange<Real> constrained_factor(const ConstrainedFactors<Real>& f) {
  return detail::on_width(f.width, [&]<int registers>() {
    detail::half_solve<registers>(f);
    detail::multiply_rows<registers>(f);
    return symmetric_factor<registers>(f.rows, f.width, f.S);
  });
}

/// x: f before, nu: g before, in `width` numbers.
template <class Real>
constexpr void constrained_solve(const ConstrainedFactors<Real>& f, Real* x, Real* nu) {
  const MassPattern& s = f.pattern;
  ltdl_solve_transposed(s, f.LD, x);
  for (int k = 0; k < s.n; ++k) {
    const Real weighted = -(x[k] * f.inverse_D[k]);
    const Real* y = f.Y + f.width * k;
    detail::add_row<0>(f.width, weighted, y, nu);
  }
  symmetric_solve(f.rows, f.width, f.S, nu);
  for (int k = 0; k < s.n; ++k) {
    const Real* y = f.Y + f.width * k;
    x[k] = (x[k] + detail::dot_row<0>(f.width, y, nu)) * f.inverse_D[k];
  }
  ltdl_solve_lower(s, f.LD, x);
}
/// The same for the f and g that the factors were made with; nu has `width` numbers.
template <class Real>
constexpr void constrained_finish(const ConstrainedFactors<Real>& f, Real* x, Real* nu) {
  const MassPattern& s = f.pattern;
  for (int i = 0; i < f.width; ++i) nu[i] = Real(0);
  for (int i = 0; i < f.rows; ++i) nu[i] = -f.S[f.width * i + f.rows];
  symmetric_solve_upper(f.rows, f.width, f.S, nu);
  nu[f.rows] = Real(1);
  detail::on_width(f.width, [&]<int registers>() {
    for (int k = 0; k < s.n; ++k)
      x[k] = detail::dot_row<registers>(f.width, f.Y + f.width * k, nu) * f.inverse_D[k];
  });
  ltdl_solve_lower(s, f.LD, x);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
