// SPDX-License-Identifier: BSD-3-Clause
// A twist or a wrench as one pack of eight lanes, (w, 0, v, 0) or (m, 0, f, 0).
//
// Six components of one state fill a register as well as one component of eight states does. A 6x6
// matrix is held by columns: its product with a twist is six multiply-adds, each with one number
// spread over the lanes. Cross products are two products and three turns x y z -> y z x.
#pragma once

#include <jounce/scalar/pack.hpp>

#include "kernels/lanes/lanes.hpp"

namespace jounce {

using Lanes = Pack<double, 8>;

/// Eight lanes in memory: no vector type, the same for every instruction set.
struct alignas(64) LaneRow {
  double x[8];
};

namespace twist_lanes::inline JOUNCE_ISA {

/// Register by register: a copy of all at once would go through memory.
[[gnu::always_inline]] inline Lanes load(const double* x) {
  Lanes a;
  for (int k = 0; k < Lanes::registers; ++k)
    __builtin_memcpy(&a.r[k], x + k * Lanes::register_lanes, sizeof(a.r[k]));
  return a;
}
[[gnu::always_inline]] inline Lanes load(const LaneRow& row) { return load(row.x); }
[[gnu::always_inline]] inline void store(const Lanes& a, double* x) {
  for (int k = 0; k < Lanes::registers; ++k)
    __builtin_memcpy(x + k * Lanes::register_lanes, &a.r[k], sizeof(a.r[k]));
}
[[gnu::always_inline]] inline void store(const Lanes& a, LaneRow& row) { store(a, row.x); }

/// The lanes a, b, c, d of each half.
template <int a, int b, int c, int d, class L>
[[gnu::always_inline]] inline L in_halves(const L& x) {
  L y;
  if constexpr (L::register_lanes == 8)
    y.r[0] = __builtin_shufflevector(x.r[0], x.r[0], a, b, c, d, 4 + a, 4 + b, 4 + c, 4 + d);
  else if constexpr (L::register_lanes == 4)
    for (int k = 0; k < 2; ++k) y.r[k] = __builtin_shufflevector(x.r[k], x.r[k], a, b, c, d);
  else {
    constexpr int source[4] = {a, b, c, d};
    for (int k = 0; k < 8; ++k) y.set(k, x[(k & 4) + source[k & 3]]);
  }
  return y;
}
/// The first and the second half of the result: 0 and 1 are halves of x, 2 is zero.
template <int first, int second, class L>
[[gnu::always_inline]] inline L of_halves(const L& x) {
  L y;
  if constexpr (L::register_lanes == 8) {
    constexpr int a = 4 * first, b = 4 * second;
    y.r[0] = __builtin_shufflevector(x.r[0], typename L::Register{}, a, a + 1, a + 2, a + 3, b,
                                     b + 1, b + 2, b + 3);
  } else if constexpr (L::register_lanes == 4) {
    if constexpr (first < 2) y.r[0] = x.r[first];
    if constexpr (second < 2) y.r[1] = x.r[second];
  } else {
    for (int k = 0; k < 4; ++k) {
      if constexpr (first < 2) y.set(k, x[4 * first + k]);
      if constexpr (second < 2) y.set(4 + k, x[4 * second + k]);
    }
  }
  return y;
}
/// One half as a register of four, and two of them as one pack.
template <int h, class L>
[[gnu::always_inline]] inline lanes::Column half(const L& x) {
  constexpr int a = 4 * h;
  if constexpr (L::register_lanes == 8)
    return lanes::Column(__builtin_shufflevector(x.r[0], x.r[0], a, a + 1, a + 2, a + 3));
  else if constexpr (L::register_lanes == 4) return lanes::Column(x.r[h]);
  else return lanes::Column{x[a], x[a + 1], x[a + 2], x[a + 3]};
}
template <class L>
[[gnu::always_inline]] inline L joined(const lanes::Column& a, const lanes::Column& b) {
  L x;
  if constexpr (L::register_lanes == 8)
    x.r[0] = __builtin_shufflevector(a.r, b.r, 0, 1, 2, 3, 4, 5, 6, 7);
  else if constexpr (L::register_lanes == 4) x.r[0] = a.r, x.r[1] = b.r;
  else
    for (int k = 0; k < 4; ++k) x.set(k, a[k]), x.set(4 + k, b[k]);
  return x;
}
/// The lanes x and y of a, the lanes z of b.
template <class L>
[[gnu::always_inline]] inline L xy_and_z(const L& a, const L& b) {
  L y;
  if constexpr (L::register_lanes == 8)
    y.r[0] = __builtin_shufflevector(a.r[0], b.r[0], 0, 1, 10, 11, 4, 5, 14, 15);
  else if constexpr (L::register_lanes == 4)
    for (int k = 0; k < 2; ++k) y.r[k] = __builtin_shufflevector(a.r[k], b.r[k], 0, 1, 6, 7);
  else
    for (int k = 0; k < 8; ++k) y.set(k, (k & 2) != 0 ? b[k] : a[k]);
  return y;
}
[[gnu::always_inline]] inline Lanes next_axis(const Lanes& x) { return in_halves<1, 2, 0, 3>(x); }
[[gnu::always_inline]] inline Lanes swap_xy(const Lanes& x) { return in_halves<1, 0, 3, 2>(x); }

/// A 6x6 matrix by columns times the twist or wrench x in memory.
[[gnu::always_inline]] inline Lanes times(const LaneRow* columns, const LaneRow& x) {
  Lanes a = load(columns[0]) * x.x[0], b = load(columns[1]) * x.x[1];
  a += load(columns[2]) * x.x[2];
  b += load(columns[3]) * x.x[4];
  a += load(columns[4]) * x.x[5];
  b += load(columns[5]) * x.x[6];
  return a + b;
}
/// Three columns times the first half of x, and times its second half.
struct HalfProducts {
  Lanes first, second;
};
[[gnu::always_inline]] inline HalfProducts half_times(const LaneRow* columns, const LaneRow& x) {
  HalfProducts y{load(columns[0]) * x.x[0], load(columns[0]) * x.x[4]};
  for (int k = 1; k < 3; ++k) {
    const Lanes column = load(columns[k]);
    y.first += column * x.x[k];
    y.second += column * x.x[4 + k];
  }
  return y;
}
/// Ad_{H^-1} V from the columns (R^T, -R^T [p]) of w: those of v are (0, R^T).
[[gnu::always_inline]] inline Lanes Ad_inv_times(const LaneRow* columns, const LaneRow& V) {
  const HalfProducts y = half_times(columns, V);
  return y.first + of_halves<2, 0>(y.second);
}
/// Ad*_{H^-1} F from the columns ([p] R, R) of f: those of m are (R, 0).
[[gnu::always_inline]] inline Lanes dual_Ad_inv_times(const LaneRow* columns, const LaneRow& F) {
  const HalfProducts y = half_times(columns, F);
  return y.second + of_halves<1, 2>(y.first);
}
/// G V from the columns (I, -[h]) of w and the mass: those of v are ([h], m 1).
[[gnu::always_inline]] inline Lanes inertia_times(const LaneRow* columns, double mass,
                                                  const LaneRow& V) {
  const HalfProducts y = half_times(columns, V);
  return (y.first + of_halves<2, 1>(load(V)) * mass) - of_halves<1, 2>(y.second);
}
/// The sum of the products of all lanes.
[[gnu::always_inline]] inline double dot(const Lanes& a, const Lanes& b) {
  const Lanes c = a * b;
  return ((c[0] + c[4]) + (c[1] + c[5])) + (c[2] + c[6]);
}

inline void put(const Vec3<double>& w, const Vec3<double>& v, LaneRow& row) {
  row = {{w.x, w.y, w.z, 0, v.x, v.y, v.z, 0}};
}
inline void put(const Twist<double>& V, LaneRow& row) { put(V.w, V.v, row); }
inline void put(const Wrench<double>& F, LaneRow& row) { put(F.m, F.f, row); }
inline Twist<double> twist(const LaneRow& row) {
  return {{row.x[0], row.x[1], row.x[2]}, {row.x[4], row.x[5], row.x[6]}};
}
inline Wrench<double> wrench(const LaneRow& row) {
  return {{row.x[0], row.x[1], row.x[2]}, {row.x[4], row.x[5], row.x[6]}};
}

}  // namespace twist_lanes::inline JOUNCE_ISA
}  // namespace jounce
