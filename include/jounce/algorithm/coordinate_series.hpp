// SPDX-License-Identifier: BSD-3-Clause
// Coordinates along a motion as truncated Taylor series, Taylor numbers or power series.
//
// dq/dt is known from q and v (rate, model/manifold.hpp): coefficient k + 1 of q follows from the
// coefficients up to k of both.
#pragma once

#include <jounce/algorithm/derivative_room.hpp>
#include <jounce/model/manifold.hpp>
#include <jounce/scalar/power_series.hpp>

namespace jounce::inline JOUNCE_ISA {

/// Coefficient k + 1 of a factor's own coordinates, from the coefficients up to k of q and v.
template <class Number>
constexpr void extend_coordinates(const Factor& f, int k, const Number* v, Number* q) {
  Number qdot[7];
  rate(f, q, v, qdot);
  for (int j = 0; j < f.nq; ++j)
    q[j].c[k + 1] = coefficient(qdot[j], k) * fraction<Number>(1, k + 1);
}
/// Coefficients 1 to last of the coordinates of joint i, from coefficient 0 and those of v.
template <class P, class Number>
constexpr void extend_coordinates(const Model<P>& m, int i, int last, const Number* v, Number* q) {
  for (int r = m.part_at[i]; r < m.part_at[i + 1]; ++r) {
    const Factor f = part_factor(m, i, r);
    for (int k = 0; k < last; ++k) extend_coordinates(f, k, v + f.v, q + f.q);
  }
}

/// A pose given by coefficients 0..last as a pose of series.
template <class Number>
SE3<Number> pose_series(SeriesRoom<Number>& room, const SE3<double>* T, int last) {
  const auto vector = [&](auto entry) {
    Vec3<Number> x{room.number(), room.number(), room.number()};
    for (int k = 0; k <= last; ++k) {
      const Vec3<double> at = entry(T[k]);
      x.x.c[k] = at.x, x.y.c[k] = at.y, x.z.c[k] = at.z;
    }
    return x;
  };
  SE3<Number> pose;
  for (int n = 0; n < 3; ++n)
    pose.R.m.row[n] = vector([n](const SE3<double>& at) { return at.R.m.row[n]; });
  pose.p = vector([](const SE3<double>& at) { return at.p; });
  return pose;
}

}  // namespace jounce::inline JOUNCE_ISA
