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

/// The same of any sizes.
inline void turn_over_any(int rows, int columns, const double* from, int from_stride, double* to,
                          int to_stride) {
  const int whole_rows = rows / 4 * 4, whole_columns = columns / 4 * 4;
  turn_over(whole_rows, whole_columns, from, from_stride, to, to_stride);
  for (int i = 0; i < rows; ++i)
    for (int j = i < whole_rows ? whole_columns : 0; j < columns; ++j)
      to[to_stride * j + i] = from[from_stride * i + j];
}

/// Registers of eight that two rows of them fit in.
inline constexpr int most_beside =
    register_bytes(native_isa) >= 64 ? 6 : register_bytes(native_isa) / 16;

/// f<registers>(at) for pieces of so many columns, in eights, as large as registers allow that hold
/// two rows of them.
template <class F>
[[gnu::always_inline]] inline void on_columns(int columns, F f) {
  constexpr int most = most_beside;
  const auto run = [&]<int registers>(auto self, int wanted, int at) {
    if (wanted == registers) return f.template operator()<registers>(at);
    if constexpr (registers < most) self.template operator()<registers + 1>(self, wanted, at);
  };
  const int all = columns / 8, pieces = (all + most - 1) / most;
  for (int piece = 0, at = 0; piece < pieces; ++piece) {
    const int registers = (all - at) / (pieces - piece);
    run.template operator()<1>(run, registers, 8 * at);
    at += registers;
  }
}

/// One row of some columns.
template <int registers>
struct RowBeside {
  using Register = Pack<double, 8>;
  Register r[registers]{};

  RowBeside() = default;
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
  [[gnu::always_inline]] static void subtract(RowBeside& a, double s, RowBeside& b, double t,
                                              const double* x) {
    for (int k = 0; k < registers; ++k) {
      const Register y = Register::load(x + 8 * k);
      a.r[k] = a.r[k] - y * s;
      b.r[k] = b.r[k] - y * t;
    }
  }
  /// Adds weight(c) times row(c) for c from first to before last, in two sums, so that one addition
  /// need not wait for the other.
  template <class Weight, class Row>
  [[gnu::always_inline]] void add_all(int first, int last, Weight weight, Row row) {
    RowBeside odd;
    for (; first + 1 < last; first += 2) {
      add(weight(first), row(first));
      odd.add(weight(first + 1), row(first + 1));
    }
    if (first < last) add(weight(first), row(first));
    for (int k = 0; k < registers; ++k) r[k] = r[k] + odd.r[k];
  }
  [[gnu::always_inline]] void scale(double s) {
    for (int k = 0; k < registers; ++k) r[k] = r[k] * s;
  }
  [[gnu::always_inline]] void store(double* x) const {
    for (int k = 0; k < registers; ++k) r[k].store(x + 8 * k);
  }
};

/// Right-hand sides beside one another, and solutions in their place.
struct Beside {
  double *x = nullptr, *nu = nullptr;  ///< [n][stride], [rows][stride]
  int stride = 0;
  int filled = 0;  ///< rows of x from here on are zero before

  double* x_at(int k) const { return x + stride * k; }
  double* nu_at(int i) const { return nu + stride * i; }
};

/// symmetric_solve of nu.
template <int registers>
inline void solve_multipliers(const ConstrainedFactors<double>& f, const Beside& b) {
  for (int i = 0; i < f.rows; ++i) {
    RowBeside<registers> sum(b.nu_at(i));
    sum.add_all(
        0, i, [&](int j) { return -f.S[f.width * j + i] * f.S[(f.width + 1) * j]; },
        [&](int j) { return b.nu_at(j); });
    sum.store(b.nu_at(i));
  }
  for (int j = f.rows - 1; j >= 0; --j) {
    const double* row = f.S + f.width * j;
    RowBeside<registers> sum(b.nu_at(j));
    sum.add_all(
        j + 1, f.rows, [&](int i) { return -row[i]; }, [&](int i) { return b.nu_at(i); });
    sum.scale(row[j]);
    sum.store(b.nu_at(j));
  }
}

/// nu := nu - Y^T D^-1 x, two rows at a time.
template <int registers>
inline void subtract_products(const ConstrainedFactors<double>& f, const Beside& b) {
  for (int i = 0; i < f.rows; i += 2) {
    const int next = i + 1 < f.rows ? i + 1 : i;
    RowBeside<registers> one(b.nu_at(i)), other(b.nu_at(next));
    for (int k = 0; k < b.filled; ++k) {
      if (f.range[k].last <= i || f.range[k].first > i + 1) continue;
      const double* y = f.Y + f.width * k + i;
      RowBeside<registers>::add(one, -y[0] * f.inverse_D[k], other, -y[1] * f.inverse_D[k],
                                b.x_at(k));
    }
    if (next > i) other.store(b.nu_at(next));
    one.store(b.nu_at(i));
  }
}
/// x := D^-1 (x + Y nu), two coordinates with the same rows at a time.
template <int registers>
inline void add_multipliers(const ConstrainedFactors<double>& f, const Beside& b) {
  for (int k = 0; k < f.pattern.n;) {
    const ConstraintRange& range = f.range[k];
    const bool two = k + 1 < f.pattern.n && f.range[k + 1].first == range.first &&
                     f.range[k + 1].last == range.last;
    const int next = two ? k + 1 : k;
    RowBeside<registers> one(b.x_at(k)), other(b.x_at(next));
    for (int i = range.first; i < range.last; ++i)
      RowBeside<registers>::add(one, f.Y[f.width * k + i], other, f.Y[f.width * next + i],
                                b.nu_at(i));
    one.scale(f.inverse_D[k]);
    other.scale(f.inverse_D[next]);
    one.store(b.x_at(k));
    other.store(b.x_at(next));
    k = next + 1;
  }
}

/// constrained_solve for all columns, row by row: what precedes solve_multipliers, and what
/// follows.
template <int registers>
inline void start_beside(const ConstrainedFactors<double>& f, const Beside& b) {
  const MassPattern& s = f.pattern;
  for (int k = b.filled - 1; k >= 0; --k) {
    int last = s.below_at[k + 1];
    while (last > s.below_at[k] && s.below[last - 1] >= b.filled) --last;
    const int length = s.length(k);
    RowBeside<registers> sum(b.x_at(k));
    sum.add_all(
        s.below_at[k], last, [&](int c) { return -f.LD[s.row[s.below[c]] + length]; },
        [&](int c) { return b.x_at(s.below[c]); });
    sum.store(b.x_at(k));
  }
  subtract_products<registers>(f, b);
}
template <int registers>
inline void finish_beside(const ConstrainedFactors<double>& f, const Beside& b) {
  const MassPattern& s = f.pattern;
  add_multipliers<registers>(f, b);
  for (int k = 0; k < s.n; ++k) {
    const double* L = f.LD + s.row[k];
    const int* column = s.column + s.at[k];
    RowBeside<registers> sum(b.x_at(k));
    sum.add_all(
        0, s.length(k), [&](int c) { return -L[c]; }, [&](int c) { return b.x_at(column[c]); });
    sum.store(b.x_at(k));
  }
}

inline void solve_columns(const ConstrainedFactors<double>& f, const ConstrainedColumns& c) {
  constexpr int columns = constrained_columns;
  double *x = c.beside, *nu = c.beside + columns * c.stride;
  turn_over(columns, c.stride, c.x, c.stride, x, columns);
  turn_over(columns, f.width, c.nu, f.width, nu, columns);
  on_columns(columns, [&]<int registers>(int at) {
    const Beside b{x + at, nu + at, columns, f.pattern.n};
    start_beside<registers>(f, b);
    solve_multipliers<registers>(f, b);
    finish_beside<registers>(f, b);
  });
  turn_over(c.stride, columns, x, columns, c.x, c.stride);
  turn_over(f.width, columns, nu, columns, c.nu, f.width);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
