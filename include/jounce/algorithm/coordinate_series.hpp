// SPDX-License-Identifier: BSD-3-Clause
// Coordinates along a motion as truncated Taylor series.
//
// dq/dt is known from q and v (rate, model/manifold.hpp): coefficient k + 1 of q follows from the
// coefficients up to k of both.
#pragma once

#include <jounce/algorithm/derivative_room.hpp>
#include <jounce/model/manifold.hpp>

namespace jounce::inline JOUNCE_ISA {

/// Coefficient k + 1 of a factor's own coordinates, from the coefficients up to k of q and v.
template <class T, int K>
constexpr void extend_coordinates(const Factor& f, int k, const Taylor<T, K>* v, Taylor<T, K>* q) {
  Taylor<T, K> qdot[7];
  rate(f, q, v, qdot);
  for (int j = 0; j < f.nq; ++j) q[j].c[k + 1] = qdot[j].c[k] * fraction<T>(1, k + 1);
}
/// Coefficients 1 to K of the coordinates of joint i, from coefficient 0 and those of v.
template <class P, class T, int K>
constexpr void extend_coordinates(const Model<P>& m, int i, const Taylor<T, K>* v,
                                  Taylor<T, K>* q) {
  for (int r = m.part_at[i]; r < m.part_at[i + 1]; ++r) {
    const Factor f = part_factor(m, i, r);
    for (int k = 0; k < K; ++k) extend_coordinates(f, k, v + f.v, q + f.q);
  }
}

/// A pose given by coefficients 0..last as a pose of Taylor numbers.
template <int K>
SE3<Taylor<double, K>> taylor_pose(const SE3<double>* T, int last) {
  using Number = Taylor<double, K>;
  const auto vector = [&](auto entry) {
    Vec3<Number> x;
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
