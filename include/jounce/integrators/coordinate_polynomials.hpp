// SPDX-License-Identifier: BSD-3-Clause
// Coordinates along a motion as polynomials of time, to an order that is chosen when run.
//
// As algorithm/coordinate_series.hpp, one coefficient at a time: r' = r (w, 0)/2 of a quaternion r,
// p' = r v r^-1 of a position p, both as sums of products, O(k) for coefficient k.
#pragma once

#include <jounce/model/manifold.hpp>

namespace jounce {

/// Coefficients, column by column: number j of order k at [stride k + j].
struct Polynomials {
  double* numbers = nullptr;
  int stride = 0;

  double* operator()(int k) const { return numbers + std::ptrdiff_t(stride) * k; }
};

inline namespace JOUNCE_ISA {

/// sum_j a_j b_{k-j} of quaternions, added to out; conjugate: of b.
inline void add_quaternion_product(const Polynomials& a, const Polynomials& b, int k,
                                   bool conjugate, double* out) {
  const double sign = conjugate ? -1 : 1;
  for (int j = 0; j <= k; ++j) {
    const double *x = a(j), *y = b(k - j);
    const double y0 = sign * y[0], y1 = sign * y[1], y2 = sign * y[2];
    out[0] += x[3] * y0 + x[0] * y[3] + x[1] * y2 - x[2] * y1;
    out[1] += x[3] * y1 - x[0] * y2 + x[1] * y[3] + x[2] * y0;
    out[2] += x[3] * y2 + x[0] * y1 - x[1] * y0 + x[2] * y[3];
    out[3] += x[3] * y[3] - x[0] * y0 - x[1] * y1 - x[2] * y2;
  }
}
/// Cosine and sine (x, y) of an angle whose rate is w: coefficient k + 1 of both.
inline void extend_unit(const Polynomials& x, const Polynomials& w, int k) {
  double c = 0, s = 0;
  for (int j = 0; j <= k; ++j) {
    c -= x(j)[1] * w(k - j)[0];
    s += x(j)[0] * w(k - j)[0];
  }
  x(k + 1)[0] = c / (k + 1), x(k + 1)[1] = s / (k + 1);
}

/// Numbers of scratch for each order of a factor.
constexpr int polynomial_scratch = 12;

/// Coefficients 1 to order + 1 of a factor's own coordinates, from coefficient 0 and those of its
/// velocities up to order. Scratch has polynomial_scratch numbers for each of order + 2 orders.
inline void extend_polynomials(const Factor& f, int order, const Polynomials& v,
                               const Polynomials& q, double* scratch) {
  const int s = polynomial_scratch;
  if (is_flat(f)) {
    for (int k = 0; k <= order; ++k)
      for (int j = 0; j < f.nq; ++j) q(k + 1)[j] = v(k)[j] / (k + 1);
    return;
  }
  if (is_circle(f)) {
    for (int k = 0; k <= order; ++k) extend_unit(q, v, k);
    return;
  }
  if (f.kind == JointKind::planar) {
    const Polynomials turn{scratch, s};
    turn(0)[0] = cos(q(0)[2]), turn(0)[1] = sin(q(0)[2]);
    for (int k = 0; k <= order; ++k) {
      double x = 0, y = 0;
      for (int j = 0; j <= k; ++j) {
        const double *t = turn(j), *u = v(k - j);
        x += t[0] * u[1] - t[1] * u[2], y += t[1] * u[1] + t[0] * u[2];
      }
      q(k + 1)[0] = x / (k + 1), q(k + 1)[1] = y / (k + 1), q(k + 1)[2] = v(k)[0] / (k + 1);
      extend_unit(turn, v, k);
    }
    return;
  }
  const Polynomials r{q.numbers + quaternion_offset(f.kind), q.stride};
  const Polynomials half{scratch, s}, speed{scratch + 4, s}, turned{scratch + 8, s};
  for (int k = 0; k <= order; ++k) {
    for (int j = 0; j < 3; ++j) {
      half(k)[j] = 0.5 * v(k)[j];
      if (f.kind == JointKind::free) speed(k)[j] = v(k)[3 + j];
    }
    half(k)[3] = speed(k)[3] = 0;
    double rate[4] = {};
    add_quaternion_product(r, half, k, false, rate);
    for (int j = 0; j < 4; ++j) r(k + 1)[j] = rate[j] / (k + 1);
    if (f.kind != JointKind::free) continue;
    double moved[4] = {};
    std::fill_n(turned(k), 4, 0.0);
    add_quaternion_product(r, speed, k, false, turned(k));
    add_quaternion_product(turned, r, k, true, moved);
    for (int j = 0; j < 3; ++j) q(k + 1)[j] = moved[j] / (k + 1);
  }
}

}  // namespace JOUNCE_ISA
}  // namespace jounce
