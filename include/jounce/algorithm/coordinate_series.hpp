// SPDX-License-Identifier: BSD-3-Clause
// Coordinates along a motion as truncated Taylor series, and how deviations of a motion grow.
//
// dq/dt = v on most joints. A quaternion obeys r' = r (w, 0) / 2, the position of a free joint
// p' = R v, that of a planar joint (x, y)' = R(theta) (v_x, v_y): coefficient k + 1 of q follows
// from the coefficients up to k of q and v. A deviation dq in the tangent space turns with its
// body:
//   d/dt dq = dv - ad_v dq
// where ad_v is that of the part's own group; it is zero but on planar, spherical and free parts.
#pragma once

#include <jounce/algorithm/derivative_room.hpp>
#include <jounce/model/manifold.hpp>

namespace jounce::inline JOUNCE_ISA {

/// dq/dt of a planar, spherical or free part that moves with v.
template <class Real>
constexpr void manifold_rates(JointKind kind, const Real* q, const Real* v, Real* rate) {
  const Plain<Real> half(0.5);
  const Real *r = q, *linear = v;
  if (kind == JointKind::planar) {
    const SinCos<Real> t = sincos(q[2]);
    rate[0] = t.cos * v[1] - t.sin * v[2];
    rate[1] = t.sin * v[1] + t.cos * v[2];
    rate[2] = v[0];
    return;
  }
  if (kind == JointKind::free) {
    r = q + 3, linear = v + 3;
    const Vec3<Real> p = to_rotation(Quaternion<Real>{r[0], r[1], r[2], r[3]}) *
                         Vec3<Real>{linear[0], linear[1], linear[2]};
    rate[0] = p.x, rate[1] = p.y, rate[2] = p.z;
    rate += 3;
  }
  const Quaternion<Real> turn = Quaternion<Real>{r[0], r[1], r[2], r[3]} *
                                Quaternion<Real>{v[0] * half, v[1] * half, v[2] * half, Real(0)};
  rate[0] = turn.x, rate[1] = turn.y, rate[2] = turn.z, rate[3] = turn.w;
}

/// Coefficients 1 to K of the coordinates of joint i, from coefficient 0 and those of v.
template <class P, class T, int K>
constexpr void extend_coordinates(const Model<P>& m, int i, const Taylor<T, K>* v,
                                  Taylor<T, K>* q) {
  for (int r = m.part_at[i]; r < m.part_at[i + 1]; ++r) {
    const Part<P>& part = m.part[r];
    const bool manifold = !is_flat(part.kind);
    const int first = m.kind[i] == JointKind::custom ? m.q_at[i] : part.q;
    const int count =
        m.kind[i] == JointKind::custom ? m.q_at[i + 1] - first : elementary_nq(part.kind);
    const int v_first = m.kind[i] == JointKind::custom ? m.v_at[i] : part.v;
    Taylor<T, K> rate[7];
    for (int k = 0; k < K; ++k) {
      if (manifold) manifold_rates(part.kind, q + first, v + v_first, rate);
      for (int j = 0; j < count; ++j)
        q[first + j].c[k + 1] =
            (manifold ? rate[j].c[k] : v[v_first + j].c[k]) * fraction<T>(1, k + 1);
    }
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

/// ad_v of a part: entry (l, k) at 6 k + l. Its screws are unit vectors: coordinates are products.
template <class P, class Real>
constexpr void part_ad(const Part<P>& part, const Real* v, Real* matrix) {
  const int dof = elementary_nv(part.kind);
  for (int k = 0; k < dof; ++k) {
    const Twist<Real> turned = ad(part_twist(part, v), part_screw<Real>(part, k));
    for (int l = 0; l < dof; ++l) {
      const Twist<Real> axis = part_screw<Real>(part, l);
      matrix[6 * k + l] = dot(axis.w, turned.w) + dot(axis.v, turned.v);
    }
  }
}

}  // namespace jounce::inline JOUNCE_ISA
