// SPDX-License-Identifier: BSD-3-Clause
// Joints whose coordinates are not flat: planar, spherical and free ones, alone or as parts, move
// on SE(2), SO(3), SE(3). All others move by q + dv.
//
// The difference of two configurations is the shortest motion from one to the other: a constant
// body twist dv with T(q0) exp(dv) = T(q1) whose angle is at most pi.
#pragma once

#include <jounce/group/se3.hpp>
#include <jounce/model/description.hpp>
#include <numbers>

namespace jounce::inline JOUNCE_ISA {

constexpr bool is_flat(JointKind kind) {
  return kind != JointKind::planar && kind != JointKind::spherical && kind != JointKind::free;
}

/// Where the quaternion of an elementary kind starts among its coordinates; -1 for none.
constexpr int quaternion_offset(JointKind kind) {
  return kind == JointKind::spherical ? 0 : kind == JointKind::free ? 3 : -1;
}

/// How many velocities a planar, spherical or free part has.
constexpr int manifold_nv(JointKind kind) { return kind == JointKind::free ? 6 : 3; }

/// The pose of a planar, spherical or free part at q.
template <class Real, class Number>
SE3<Real> manifold_pose(JointKind kind, const Number* q) {
  if (kind == JointKind::planar)
    return {exp(Vec3<Real>{Real(0), Real(0), Real(q[2])}), {Real(q[0]), Real(q[1]), Real(0)}};
  const Number* r = kind == JointKind::free ? q + 3 : q;
  const SO3<Real> R = to_rotation(Quaternion<Real>{Real(r[0]), Real(r[1]), Real(r[2]), Real(r[3])});
  if (kind == JointKind::free) return {R, {Real(q[0]), Real(q[1]), Real(q[2])}};
  return {R, {Real(0), Real(0), Real(0)}};
}

/// The body twist of a planar, spherical or free part that moves with v.
template <class Real>
constexpr Twist<Real> manifold_twist(JointKind kind, const Real* v) {
  const Real o(0);
  if (kind == JointKind::planar) return {{o, o, v[0]}, {v[1], v[2], o}};
  if (kind == JointKind::spherical) return {{v[0], v[1], v[2]}, {o, o, o}};
  return {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
}
/// The way back: v of a twist that such a part can have.
template <class Real>
constexpr void manifold_velocity(JointKind kind, const Vec3<Real>& w, const Vec3<Real>& linear,
                                 Real* v) {
  if (kind == JointKind::planar) {
    v[0] = w.z, v[1] = linear.x, v[2] = linear.y;
    return;
  }
  v[0] = w.x, v[1] = w.y, v[2] = w.z;
  if (kind == JointKind::free) v[3] = linear.x, v[4] = linear.y, v[5] = linear.z;
}

/// An angle modulo full turns, in [-pi, pi]; one that lies there stays as it is.
template <class Real>
Real principal_angle(const Real& angle) {
  const Real half_turn = Real(Plain<Real>(std::numbers::pi));
  const SinCos<Real> t = sincos(angle);
  return select(abs(angle) <= half_turn, angle, atan2(t.sin, t.cos));
}

/// The difference dv of two configurations of a planar, spherical or free part.
template <class Constant, class Real>
void manifold_difference(JointKind kind, const Constant* q0, const Real* q1, Real* dv) {
  Vec3<Real> w{}, p{};
  if (kind == JointKind::planar) {
    const SinCos<Real> t = sincos(Real(q0[2]));
    const Real x = q1[0] - Real(q0[0]), y = q1[1] - Real(q0[1]);
    w.z = principal_angle(Real(q1[2] - Real(q0[2])));
    p = {t.cos * x + t.sin * y, t.cos * y - t.sin * x, Real(0)};
  } else {
    const int at = kind == JointKind::free ? 3 : 0;
    const Quaternion<Real> a{Real(q0[at]), Real(q0[at + 1]), Real(q0[at + 2]), Real(q0[at + 3])};
    w = log(inverse(a) * Quaternion<Real>{q1[at], q1[at + 1], q1[at + 2], q1[at + 3]});
    if (kind == JointKind::free)
      p = inverse_times(to_rotation(a),
                        Vec3<Real>{q1[0] - Real(q0[0]), q1[1] - Real(q0[1]), q1[2] - Real(q0[2])});
  }
  manifold_velocity(kind, w, dexp_space_inv(w, p), dv);
}

}  // namespace jounce::inline JOUNCE_ISA
