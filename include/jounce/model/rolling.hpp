// SPDX-License-Identifier: BSD-3-Clause
// A thin disc that rolls on a plane: the velocity of the point where it touches is zero.
//
// The plane is z = 0 of frame 1, the disc's axis z of frame 2, in its centre. With n = R^T e_z the
// normal seen from frame 2, the lowest point of the disc is c = -radius (n_x, n_y, 0) / s,
// s = |(n_x, n_y)|, and moves in frame 1 along its axis e_i with r_i . (v + w x c), r_i = R^T e_i:
// two rows that the friction holds, and one that the normal force holds. Only the last one follows
// from a configuration: the centre is at the height radius s. A disc that lies flat, s = 0, touches
// everywhere.
#pragma once

#include <jounce/group/se3.hpp>

namespace jounce {

/// The rows along x, y and z of frame 1, and their rates.
template <class Real>
struct RollingRows {
  Wrench<Real> N[3]{}, rate[3]{};
};

inline namespace JOUNCE_ISA {

template <class P, class Real>
RollingRows<Real> rolling_rows(const P& radius, const SE3<Real>& E, const Twist<Real>& V) {
  const Vec3<Real>(&r)[3] = E.R.m.row;
  const Vec3<Real> n = r[2], ndot = cross(n, V.w);
  const Vec3<Real> down{n.x, n.y, Real(0)}, down_rate{ndot.x, ndot.y, Real(0)};
  const Real s = sqrt(dot(down, down)), scale = Real(-radius) / s;
  const Vec3<Real> c = down * scale;
  const Vec3<Real> c_rate =
      down_rate * scale - down * (scale * dot(down, down_rate) / dot(down, down));
  RollingRows<Real> rows;
  for (int i = 0; i < 3; ++i) {
    const Vec3<Real> turn = cross(r[i], V.w);
    rows.N[i] = {cross(c, r[i]), r[i]};
    rows.rate[i] = {cross(c_rate, r[i]) + cross(c, turn), turn};
  }
  return rows;
}

/// How those rates change along a displacement xi of frame 2, and dV of its twist: c turns in the
/// disc's plane by the angle of (n_x, n_y), whose rate is (n_z n.w - w_z) / s^2.
template <class P, class Real>
void rolling_rate_change(const P& radius, const SE3<Real>& E, const Twist<Real>& V,
                         const Twist<Real>& xi, const Twist<Real>& dV, Wrench<Real> (&change)[3]) {
  const Vec3<Real>(&r)[3] = E.R.m.row;
  const Vec3<Real> n = r[2], n_xi = cross(n, xi.w);
  const Real square = n.x * n.x + n.y * n.y, scale = Real(-radius) / sqrt(square);
  const Vec3<Real> c{n.x * scale, n.y * scale, Real(0)}, turned{-c.y, c.x, Real(0)};
  const auto rate = [&](const Vec3<Real>& w) { return (n.z * dot(n, w) - w.z) / square; };
  const Real by_V = rate(V.w), by_xi = rate(xi.w), both = n.z * n_xi.z * by_V;
  const Real bend = (n_xi.z * dot(n, V.w) + n.z * dot(n_xi, V.w) + both + both) / square;
  const Vec3<Real> c_bend = turned * (bend + rate(dV.w)) - c * (by_V * by_xi);
  for (int i = 0; i < 3; ++i) {
    const Vec3<Real> moved = cross(r[i], xi.w);
    const Vec3<Real> f = cross(moved, V.w) + cross(r[i], dV.w);
    change[i] = {cross(c_bend, r[i]) + cross(turned * by_V, moved) +
                     cross(turned * by_xi, cross(r[i], V.w)) + cross(c, f),
                 f};
  }
}

template <class P, class Real>
void rolling_residual(const P& radius, const SE3<Real>& E, Real* y) {
  const Vec3<Real>& n = E.R.m.row[2];
  y[0] = y[1] = Real(0);
  y[2] = E.p.z - sqrt(n.x * n.x + n.y * n.y) * radius;
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
