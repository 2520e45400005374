// SPDX-License-Identifier: BSD-3-Clause
// Equations of constrained motion for many right-hand sides, which stand in columns: turned so that
// they lie side by side, solved, and turned back.
#pragma once

#include <jounce/algorithm/constrained_solve.hpp>

#include "kernels/lanes/lanes.hpp"

namespace jounce {

/// Right-hand sides that are solved side by side.
inline constexpr int constrained_columns = 32;

/// So many of them: f and g before, x and nu after.
struct ConstrainedColumns {
  double* x = nullptr;       ///< [constrained_columns][stride]
  int stride = 0;            ///< n, rounded up to a multiple of four
  double* nu = nullptr;      ///< [constrained_columns][width of the factors]
  double* beside = nullptr;  ///< [stride + width][constrained_columns] room
};

inline namespace JOUNCE_ISA {

/// Rows become columns; both are multiples of four.
inline void turn_over(int rows, int columns, const double* from, int from_stride, double* to,
                      int to_stride) {
  using lanes::shuffled;
  for (int i = 0; i < rows; i += 4)
    for (int j = 0; j < columns; j += 4) {
      const double* x = from + from_stride * i + j;
      double* y = to + to_stride * j + i;
      const lanes::Column a = lanes::load(x), b = lanes::load(x + from_stride);
      const lanes::Column c = lanes::load(x + 2 * from_stride),
                          d = lanes::load(x + 3 * from_stride);
      const lanes::Column ab_even = shuffled<0, 4, 2, 6>(a, b), ab_odd = shuffled<1, 5, 3, 7>(a, b);
      const lanes::Column cd_even = shuffled<0, 4, 2, 6>(c, d), cd_odd = shuffled<1, 5, 3, 7>(c, d);
      lanes::store(shuffled<0, 1, 4, 5>(ab_even, cd_even), y);
      lanes::store(shuffled<0, 1, 4, 5>(ab_odd, cd_odd), y + to_stride);
      lanes::store(shuffled<2, 3, 6, 7>(ab_even, cd_even), y + 2 * to_stride);
      lanes::store(shuffled<2, 3, 6, 7>(ab_odd, cd_odd), y + 3 * to_stride);
    }
}

/// One row of all columns.
struct RowBeside {
  using Register = Pack<double, 8>;
  static constexpr int registers = constrained_columns / 8;
  Register r[registers];

  [[gnu::always_inline]] explicit RowBeside(const double* x) {
    for (int k = 0; k < registers; ++k) r[k] = Register::load(x + 8 * k);
  }
  [[gnu::always_inline]] void add(double s, const double* x) {
    for (int k = 0; k < registers; ++k) r[k] = r[k] + Register::load(x + 8 * k) * s;
  }
  /// The same to two rows at once: x is read but once.
  [[gnu::always_inline]] static void add(RowBeside& a, double s, RowBeside& b, double t,
                                         const double* x) {
    for (int k = 0; k < registers; ++k) {
      const Register y = Register::load(x + 8 * k);
      a.r[k] = a.r[k] + y * s;
      b.r[k] = b.r[k] + y * t;
    }
  }
  [[gnu::always_inline]] void scale(double s) {
    for (int k = 0; k < registers; ++k) r[k] = r[k] * s;
  }
  [[gnu::always_inline]] void store(double* x) const {
    for (int k = 0; k < registers; ++k) r[k].store(x + 8 * k);
  }
};

/// symmetric_solve for all columns.
inline void solve_multipliers(const ConstrainedFactors<double>& f, double* nu) {
  const auto at = [&](int i) { return nu + constrained_columns * i; };
  for (int i = 0; i < f.rows; ++i) {
    RowBeside sum(at(i));
    for (int j = 0; j < i; ++j) {
      const double* row = f.S + f.width * j;
      sum.add(-row[i] * row[j], at(j));
    }
    sum.store(at(i));
  }
  for (int j = f.rows - 1; j >= 0; --j) {
    const double* row = f.S + f.width * j;
    RowBeside sum(at(j));
    for (int i = j + 1; i < f.rows; ++i) sum.add(-row[i], at(i));
    sum.scale(row[j]);
    sum.store(at(j));
  }
}

/// nu := nu - Y^T D^-1 x, two rows at a time.
inline void subtract_products(const ConstrainedFactors<double>& f, const double* x, double* nu) {
  for (int i = 0; i < f.rows; i += 2) {
    RowBeside one(nu + constrained_columns * i);
    const bool two = i + 1 < f.rows;
    RowBeside other(nu + constrained_columns * (two ? i + 1 : i));
    for (int k = 0; k < f.pattern.n; ++k) {
      if (f.range[k].last <= i || f.range[k].first > i + 1) continue;
      const double* y = f.Y + f.width * k + i;
      RowBeside::add(one, -y[0] * f.inverse_D[k], other, -y[1] * f.inverse_D[k],
                     x + constrained_columns * k);
    }
    one.store(nu + constrained_columns * i);
    if (two) other.store(nu + constrained_columns * (i + 1));
  }
}
/// x := D^-1 (x + Y nu), two coordinates with the same rows at a time.
inline void add_multipliers(const ConstrainedFactors<double>& f, double* x, const double* nu) {
  for (int k = 0; k < f.pattern.n;) {
    const ConstraintRange& range = f.range[k];
    const bool two = k + 1 < f.pattern.n && f.range[k + 1].first == range.first &&
                     f.range[k + 1].last == range.last;
    const int other = two ? k + 1 : k;
    RowBeside a(x + constrained_columns * k), b(x + constrained_columns * other);
    for (int i = range.first; i < range.last; ++i)
      RowBeside::add(a, f.Y[f.width * k + i], b, f.Y[f.width * other + i],
                     nu + constrained_columns * i);
    a.scale(f.inverse_D[k]);
    b.scale(f.inverse_D[other]);
    a.store(x + constrained_columns * k);
    b.store(x + constrained_columns * other);
    k = other + 1;
  }
}

/// constrained_solve for all columns, row by row.
inline void solve_beside(const ConstrainedFactors<double>& f, double* x, double* nu) {
  const MassPattern& s = f.pattern;
  const auto x_at = [&](int k) { return x + constrained_columns * k; };
  for (int k = s.n - 1; k >= 0; --k) {
    RowBeside sum(x_at(k));
    for (int c = s.below_at[k]; c < s.below_at[k + 1]; ++c)
      sum.add(-f.LD[s.stride * s.below[c] + k], x_at(s.below[c]));
    sum.store(x_at(k));
  }
  subtract_products(f, x, nu);
  solve_multipliers(f, nu);
  add_multipliers(f, x, nu);
  for (int k = 0; k < s.n; ++k) {
    RowBeside sum(x_at(k));
    for (int c = s.at[k]; c < s.at[k + 1]; ++c)
      sum.add(-f.LD[s.stride * k + s.column[c]], x_at(s.column[c]));
    sum.store(x_at(k));
  }
}

inline void solve_columns(const ConstrainedFactors<double>& f, const ConstrainedColumns& c) {
  constexpr int columns = constrained_columns;
  double *x = c.beside, *nu = c.beside + columns * c.stride;
  turn_over(columns, c.stride, c.x, c.stride, x, columns);
  turn_over(columns, f.width, c.nu, f.width, nu, columns);
  solve_beside(f, x, nu);
  turn_over(c.stride, columns, x, columns, c.x, c.stride);
  turn_over(f.width, columns, nu, columns, c.nu, f.width);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
