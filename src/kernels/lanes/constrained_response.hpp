// SPDX-License-Identifier: BSD-3-Clause
// What forces and rates do to constrained motion: H with (x, nu) = H (f, g), where
//   M x - B^T nu = f,   B x = g,
// and its products with derivatives of f and g, whose columns have few entries. H is symmetric but
// for the sign of what mixes the two.
#pragma once

#include "kernels/lanes/constrained_columns.hpp"

namespace jounce {

/// A row of H for every force, padded to a multiple of four, then for every rate: x and nu, each
/// padded to whole registers.
struct ConstrainedResponse {
  double* H = nullptr;  ///< [rates_at + rows][stride], and three rows behind them
  int n = 0, rates_at = 0, rows = 0;
  int nu_at = 0, stride = 0;
};
/// H (-D, -C) for D and C by q and by v.
struct ConstrainedProducts {
  MassPattern pattern;  ///< where columns of D are not zero, unless they may be full
  bool full = false;
  const ConstraintRange* range = nullptr;  ///< [n] and those of C
  const double *D[2] = {}, *C[2] = {};     ///< [n][n], [n][C_stride]
  int C_stride = 0;
  double *x[2] = {}, *nu[2] = {};  ///< [n][n], [n][nu_stride]; room for a register behind them
  int nu_stride = 0;
};

inline namespace JOUNCE_ISA {

/// A row of H becomes a column x, and one nu behind it: ascending, for whole registers are written.
/// Whether all numbers are finite is known when all is written.
struct WholeRegisters {
  using Register = Pack<double, 8>;
  Register doubt{};

  [[gnu::always_inline]] void write(const Register& r, double* to) {
    r.store(to);
    doubt = doubt + r * Register(0.0);
  }
  /// A piece of a row, from its place in the row on.
  template <int registers>
  [[gnu::always_inline]] void write(const RowBeside<registers>& row, const ConstrainedResponse& in,
                                    int at, double* x, double* nu) {
    for (int r = 0; r < registers; ++r, at += 8)
      write(row.r[r], at < in.nu_at ? x + at : nu + at - in.nu_at);
  }
  [[nodiscard]] bool finite() const {
    double sum = 0;
    for (int lane = 0; lane < 8; ++lane) sum += doubt[lane];
    return sum == 0;
  }
};

inline void constrained_response(const ConstrainedFactors<double>& f,
                                 const ConstrainedResponse& to) {
  const int n = to.n, stride = to.stride;
  for (int k = 0; k < stride * (to.rates_at + f.rows + 3); k += constraint_register)
    WholeRegisters::Register().store(to.H + k);
  for (int k = 0; k < n; ++k) to.H[(stride + 1) * k] = 1;
  double* rates = to.H + stride * to.rates_at;
  for (int i = 0; i < f.rows; ++i) rates[(stride + 1) * i + to.nu_at] = 1;
  const auto forces = [&](int at, int last) {
    return Beside{to.H + at, rates + at, stride, last < n ? last : n};
  };
  on_columns(to.nu_at, [&]<int registers>(int at) {
    start_beside<registers>(f, forces(at, at + 8 * registers));
  });
  on_columns(stride, [&]<int registers>(int at) {
    solve_multipliers<registers>(f, {nullptr, rates + at, stride, 0});
  });
  on_columns(to.nu_at, [&]<int registers>(int at) { finish_beside<registers>(f, forces(at, n)); });
  turn_over((f.rows + 3) / 4 * 4, to.rates_at, rates, stride, to.H + to.nu_at, stride);
  for (int i = 0; i < f.rows; ++i)
    for (int k = 0; k < to.nu_at; ++k) rates[stride * i + k] = -rates[stride * i + k];
}

/// The rows of forces, that is dx and dnu by f; whether all is finite.
inline bool constrained_by_force(const ConstrainedResponse& in, double* x, double* nu,
                                 int nu_stride) {
  WholeRegisters to;
  for (int k = 0; k < in.n; ++k)
    for (int at = 0; at < in.stride; at += 8)
      to.write(RowBeside<1>(in.H + in.stride * k + at), in, at, x + in.n * k, nu + nu_stride * k);
  return to.finite();
}

/// Some columns of the products, of a piece of their numbers.
template <int registers>
[[gnu::always_inline]] inline void multiply_columns(const ConstrainedResponse& in,
                                                    const ConstrainedProducts& p, int at, int first,
                                                    int last, WholeRegisters& all) {
  const MassPattern& s = p.pattern;
  WholeRegisters to = all;
  for (int k = first; k < last; ++k) {
    const double *D_q = p.D[0] + in.n * k, *D_v = p.D[1] + in.n * k;
    const double *C_q = p.C[0] + p.C_stride * k, *C_v = p.C[1] + p.C_stride * k;
    RowBeside<registers> by_q, by_v;
    const auto take = [&](int j) __attribute__((always_inline)) {
      by_q.subtract(by_q, D_q[j], by_v, D_v[j], in.H + in.stride * j + at);
    };
    if (p.full) {
      for (int j = 0; j < in.n; ++j) take(j);
    } else {
      for (int c = s.at[k]; c < s.at[k + 1]; ++c) take(s.column[c]);
      take(k);
      for (int c = s.below_at[k]; c < s.below_at[k + 1]; ++c) take(s.below[c]);
    }
    for (int i = p.range[k].first; i < p.range[k].last; ++i)
      by_q.subtract(by_q, C_q[i], by_v, C_v[i], in.H + in.stride * (in.rates_at + i) + at);
    to.write(by_q, in, at, p.x[0] + in.n * k, p.nu[0] + p.nu_stride * k);
    to.write(by_v, in, at, p.x[1] + in.n * k, p.nu[1] + p.nu_stride * k);
  }
  all = to;
}

/// Whether all is finite.
inline bool constrained_products(const ConstrainedResponse& in, const ConstrainedProducts& p) {
  WholeRegisters to;
  const int at_once = in.stride / 8 <= most_beside ? in.n : 1;  // column by column, piece by piece
  for (int k = 0; k < in.n; k += at_once)
    on_columns(in.stride, [&]<int registers>(int at) {
      multiply_columns<registers>(in, p, at, k, k + at_once, to);
    });
  return to.finite();
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
