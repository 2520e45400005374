// SPDX-License-Identifier: BSD-3-Clause
// Rows of numbers that fill whole registers: sums of them, and symmetric matrices of such rows.
#pragma once

#include <jounce/scalar/pack.hpp>

namespace jounce {

/// The largest and the smallest pivot of a symmetric matrix.
template <class Real>
struct PivotRange {
  Real largest{}, smallest{};
};

inline constexpr int constraint_register = 8;
constexpr int padded_constraints(int rows) {
  return (rows + constraint_register - 1) / constraint_register * constraint_register;
}

namespace detail::inline JOUNCE_ISA {

/// to += s x, of `registers` registers; 0: as many as the width has.
template <int registers, class Real>
[[gnu::always_inline]] constexpr void add_row(int width, const Real& s, const Real* x, Real* to) {
  const int n = registers > 0 ? registers * constraint_register : width;
  if constexpr (std::is_same_v<Real, double>) {
    using Register = Pack<double, constraint_register>;
    for (int k = 0; k < n; k += constraint_register)
      (Register::load(to + k) + Register::load(x + k) * s).store(to + k);
  } else {
    for (int k = 0; k < n; ++k) to[k] = to[k] + s * x[k];
  }
}
/// x . y
template <int registers, class Real>
[[gnu::always_inline]] constexpr Real dot_row(int width, const Real* x, const Real* y) {
  const int n = registers > 0 ? registers * constraint_register : width;
  Real sum(0);
  if constexpr (std::is_same_v<Real, double>) {
    using Register = Pack<double, constraint_register>;
    Register sums = Register::load(x) * Register::load(y);
    for (int k = constraint_register; k < n; k += constraint_register)
      sums = sums + Register::load(x + k) * Register::load(y + k);
    double part[constraint_register];
    sums.store(part);
    for (int k = 0; k < 4; ++k) part[k] += part[k + 4];
    sum = (part[0] + part[2]) + (part[1] + part[3]);
  } else {
    for (int k = 0; k < n; ++k) sum = sum + x[k] * y[k];
  }
  return sum;
}

/// f<piece>(at) for pieces of one or two registers.
template <int registers, class F>
[[gnu::always_inline]] constexpr void on_pieces(int width, F f) {
  if constexpr (registers > 0) return f.template operator()<registers>(0);
  int at = 0;
  for (; at + 2 * constraint_register <= width; at += 2 * constraint_register)
    f.template operator()<2>(at);
  if (at < width) f.template operator()<1>(at);
}
/// f<registers>(), 0 for more than two of them.
template <class F>
[[gnu::always_inline]] constexpr auto on_width(int width, F f) {
  if (width == constraint_register) return f.template operator()<1>();
  if (width == 2 * constraint_register) return f.template operator()<2>();
  return f.template operator()<0>();
}

/// So many rows of a sum of rows, in registers.
template <int rows, int registers, class Real>
struct RowSums {
  static constexpr int width = registers * constraint_register;
  using Part = std::conditional_t<std::is_same_v<Real, double>, Pack<double, constraint_register>,
                                  Real[constraint_register]>;
  Part part[rows][registers];

  /// f(part, at) for all parts of row i.
  template <class F>
  [[gnu::always_inline]] constexpr void each(int i, F f) {
    for (int r = 0; r < registers; ++r) f(part[i][r], constraint_register * r);
  }
  [[gnu::always_inline]] constexpr void load(int i, const Real* x) {
    each(i, [&](Part& to, int at) {
      if constexpr (std::is_same_v<Real, double>) to = Part::load(x + at);
      else
        for (int k = 0; k < constraint_register; ++k) to[k] = x[at + k];
    });
  }
  [[gnu::always_inline]] constexpr void add(int i, const Real& s, const Real* x) {
    each(i, [&](Part& to, int at) {
      if constexpr (std::is_same_v<Real, double>) to = to + Part::load(x + at) * s;
      else
        for (int k = 0; k < constraint_register; ++k) to[k] = to[k] + s * x[at + k];
    });
  }
  [[gnu::always_inline]] constexpr void store(int i, Real* x) {
    each(i, [&](Part& from, int at) {
      if constexpr (std::is_same_v<Real, double>) from.store(x + at);
      else
        for (int k = 0; k < constraint_register; ++k) x[at + k] = from[k];
    });
  }
};

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// L D L^T in place of a symmetric matrix, its rows `width` apart, whole registers, of which the
/// half behind the diagonal is read: L^T D behind it, 1 / D on it. A pivot of which rounding has
/// left nothing is taken for infinite, so that its row drops out.
template <int registers = 0, class Real>
constexpr PivotRange<Real> symmetric_factor(int n, int width, Real* S) {
  PivotRange<Real> found;
  Real diagonal(0);
  for (int i = 0; i < n; ++i)
    diagonal = select(S[(width + 1) * i] > diagonal, S[(width + 1) * i], diagonal);
  for (int j = 0; j < n; ++j) {
    Real* row = S + width * j;
    const Real pivot = row[j];
    found.largest = j == 0 ? pivot : select(pivot > found.largest, pivot, found.largest);
    found.smallest = j == 0 ? pivot : select(pivot < found.smallest, pivot, found.smallest);
    row[j] = select(pivot > diagonal * Plain<Real>(1e-15), Real(1) / pivot, Real(0));
    for (int i = j + 1; i < n; ++i)  // whole rows: what is before the diagonal is not read
      detail::add_row<registers>(width, -row[i] * row[j], row, S + width * i);
  }
  return found;
}
/// The second half of that below. Column by column: a sum along a row would wait for each addend.
template <class Real>
constexpr void symmetric_solve_upper(int n, int width, const Real* S, Real* x) {
  for (int j = n - 1; j >= 0; --j) {
    const Real found = x[j] * S[(width + 1) * j];
    x[j] = found;
    for (int i = 0; i < j; ++i) x[i] = x[i] - S[width * i + j] * found;
  }
}
/// x := S^-1 x.
template <class Real>
constexpr void symmetric_solve(int n, int width, const Real* S, Real* x) {
  for (int j = 0; j < n; ++j) {
    const Real* row = S + width * j;
    const Real share = x[j] * row[j];
    for (int i = j + 1; i < n; ++i) x[i] = x[i] - row[i] * share;
  }
  symmetric_solve_upper(n, width, S, x);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
