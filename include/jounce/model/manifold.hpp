// SPDX-License-Identifier: BSD-3-Clause
// How coordinates move, for any kind of number: the second switch over joint kinds, and the last;
// joint.hpp is the first.
//
// Most coordinates are flat: they move by q + dv, and dq/dt = v. Planar, spherical and free joints,
// alone or as parts, move on SE(2), SO(3), SE(3) along body twists, T(q (+) dv) = T(q) exp(dv), and
// circles on SO(2), whose motions add as flat ones do:
//   difference   the dv that leads from q0 to q1, whose angle is at most pi
//   rate         dq/dt: r' = r (w, 0) / 2 of a quaternion r, p' = R v of a position p
//   dexp_inv     du/dt = dexp^-1(u) v where q0 (+) u(t) moves with v
//   group_ad     ad_v w: a deviation w of a motion with v turns by d/dt w = dv - ad_v w
// Pointers are to a factor's own numbers.
#pragma once

#include <jounce/model/joint.hpp>
#include <numbers>

namespace jounce {
inline namespace JOUNCE_ISA {

constexpr bool is_flat(JointKind kind) {
  return kind != JointKind::planar && kind != JointKind::spherical && kind != JointKind::free &&
         kind != JointKind::circle;
}
constexpr bool is_flat(const Factor& f) { return is_flat(f.kind); }
/// Whether motions one after the other add, in any order: dexp is 1 and ad is 0.
constexpr bool motions_add(const Factor& f) { return is_flat(f) || is_circle(f); }

/// Where the quaternion of an elementary kind starts among its coordinates; -1 for none.
constexpr int quaternion_offset(JointKind kind) {
  const UnitCoordinates unit = unit_coordinates(kind);
  return unit.count == 4 ? unit.first : -1;
}
inline double squared_length(const double* r, int count) {
  const double two = r[0] * r[0] + r[1] * r[1];
  return count == 4 ? two + r[2] * r[2] + r[3] * r[3] : two;
}
/// Whether a length is 1, to 1e-6.
inline bool is_unit(const double* r, int count) {
  const double off = squared_length(r, count) - 1;
  return -2e-6 <= off && off <= 2e-6;
}

/// The coordinates x of a twist along the screws of an elementary kind.
template <class Real>
constexpr void coordinates(JointKind kind, const Twist<Real>& V, Real* x) {
  switch (kind) {
    case JointKind::revolute:
    case JointKind::helical:
    case JointKind::circle:
      x[0] = V.w.z;
      return;
    case JointKind::prismatic:
      x[0] = V.v.z;
      return;
    case JointKind::cylindrical:
      x[0] = V.w.z, x[1] = V.v.z;
      return;
    case JointKind::planar:
      x[0] = V.w.z, x[1] = V.v.x, x[2] = V.v.y;
      return;
    case JointKind::translational:
      x[0] = V.v.x, x[1] = V.v.y, x[2] = V.v.z;
      return;
    case JointKind::spherical:
      x[0] = V.w.x, x[1] = V.w.y, x[2] = V.w.z;
      return;
    case JointKind::free:
      x[0] = V.w.x, x[1] = V.w.y, x[2] = V.w.z;
      x[3] = V.v.x, x[4] = V.v.y, x[5] = V.v.z;
      return;
    default:
      return;
  }
}

/// The body twist of a planar, spherical or free part that moves with v.
template <class Real>
constexpr Twist<Real> group_twist(JointKind kind, const Real* v) {
  return elementary_twist(kind, Plain<Real>(0), v);
}

}  // namespace JOUNCE_ISA

namespace detail::inline JOUNCE_ISA {

template <class Real, class Number>
constexpr Quaternion<Real> quaternion_at(const Number* r) {
  return {Real(r[0]), Real(r[1]), Real(r[2]), Real(r[3])};
}
template <class Real>
constexpr void store_quaternion(const Quaternion<Real>& r, Real* to) {
  to[0] = r.x, to[1] = r.y, to[2] = r.z, to[3] = r.w;
}
/// The coordinates that are a position.
template <class Real>
constexpr void store_position(JointKind kind, const Vec3<Real>& p, Real* to) {
  if (kind == JointKind::spherical) return;
  to[0] = p.x, to[1] = p.y;
  if (kind == JointKind::free) to[2] = p.z;
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// The pose of a planar, spherical or free part at q.
template <class Real, class Number>
SE3<Real> group_pose(JointKind kind, const Number* q) {
  if (kind == JointKind::planar)
    return {exp(Vec3<Real>{Real(0), Real(0), Real(q[2])}), {Real(q[0]), Real(q[1]), Real(0)}};
  const SO3<Real> R = to_rotation(detail::quaternion_at<Real>(q + quaternion_offset(kind)));
  if (kind == JointKind::free) return {R, {Real(q[0]), Real(q[1]), Real(q[2])}};
  return {R, {Real(0), Real(0), Real(0)}};
}

/// q (+) dv.
template <class Number, class Real>
void integrate(const Factor& f, const Number* q, const Real* dv, Real* out) {
  if (is_flat(f)) {
    for (int k = 0; k < f.nq; ++k) out[k] = Real(q[k]) + dv[k];
    return;
  }
  if (is_circle(f)) {
    const SinCos<Real> t = sincos(dv[0]);
    const Real c = t.cos * Real(q[0]) - t.sin * Real(q[1]);
    const Real s = t.sin * Real(q[0]) + t.cos * Real(q[1]), length = sqrt(c * c + s * s);
    out[0] = c / length, out[1] = s / length;
    return;
  }
  const Twist<Real> X = group_twist(f.kind, dv);
  const Vec3<Real> p = (group_pose<Real>(f.kind, q) * exp(X)).p;
  const int r = quaternion_offset(f.kind);
  if (r < 0) out[2] = Real(q[2]) + dv[0];
  else
    detail::store_quaternion(normalize(detail::quaternion_at<Real>(q + r) * exp_quaternion(X.w)),
                             out + r);
  detail::store_position(f.kind, p, out);
}

/// An angle modulo full turns, in [-pi, pi]; one that lies there stays as it is.
template <class Real>
Real principal_angle(const Real& angle) {
  const Real half_turn = Real(Plain<Real>(std::numbers::pi));
  const SinCos<Real> t = sincos(angle);
  return select(abs(angle) <= half_turn, angle, atan2(t.sin, t.cos));
}

/// The dv with q0 (+) dv = q1.
template <class Number, class Real>
void difference(const Factor& f, const Number* q0, const Real* q1, Real* dv) {
  if (is_flat(f)) {
    for (int k = 0; k < f.nq; ++k) dv[k] = q1[k] - Real(q0[k]);
    return;
  }
  if (is_circle(f)) {
    const Real c(q0[0]), s(q0[1]);
    dv[0] = atan2(c * q1[1] - s * q1[0], c * q1[0] + s * q1[1]);
    return;
  }
  Vec3<Real> w{}, p{};
  if (f.kind == JointKind::planar) {
    const SinCos<Real> t = sincos(Real(q0[2]));
    const Real x = q1[0] - Real(q0[0]), y = q1[1] - Real(q0[1]);
    w.z = principal_angle(Real(q1[2] - Real(q0[2])));
    p = {t.cos * x + t.sin * y, t.cos * y - t.sin * x, Real(0)};
  } else {
    const int r = quaternion_offset(f.kind);
    const Quaternion<Real> from = detail::quaternion_at<Real>(q0 + r);
    w = log(inverse(from) * detail::quaternion_at<Real>(q1 + r));
    if (f.kind == JointKind::free)
      p = inverse_times(to_rotation(from),
                        Vec3<Real>{q1[0] - Real(q0[0]), q1[1] - Real(q0[1]), q1[2] - Real(q0[2])});
  }
  coordinates(f.kind, {w, dexp_space_inv(w, p)}, dv);
}

/// dq/dt of a motion with v.
template <class Real>
constexpr void rate(const Factor& f, const Real* q, const Real* v, Real* qdot) {
  if (is_flat(f)) {
    for (int k = 0; k < f.nq; ++k) qdot[k] = v[k];
    return;
  }
  if (is_circle(f)) {
    qdot[0] = -(q[1] * v[0]), qdot[1] = q[0] * v[0];
    return;
  }
  const Twist<Real> V = group_twist(f.kind, v);
  if (f.kind == JointKind::planar) {
    const SinCos<Real> t = sincos(q[2]);
    qdot[0] = t.cos * V.v.x - t.sin * V.v.y;
    qdot[1] = t.sin * V.v.x + t.cos * V.v.y;
    qdot[2] = V.w.z;
    return;
  }
  const Plain<Real> half(0.5);
  const int r = quaternion_offset(f.kind);
  const Quaternion<Real> from = detail::quaternion_at<Real>(q + r);
  detail::store_quaternion(
      from * Quaternion<Real>{V.w.x * half, V.w.y * half, V.w.z * half, Real(0)}, qdot + r);
  if (f.kind == JointKind::free) detail::store_position(f.kind, to_rotation(from) * V.v, qdot);
}

/// The coordinates at rest: zeros, and rotations by nothing.
template <class Real>
constexpr void neutral(const Factor& f, Real* q) {
  for (int k = 0; k < f.nq; ++k) q[k] = Real(0);
  const UnitCoordinates unit = unit_coordinates(f.kind);
  if (unit.count > 0) q[unit.first + unit.one] = Real(1);
}

/// dexp^-1(u) v.
template <class Real>
void dexp_inv(const Factor& f, const Real* u, const Real* v, Real* udot) {
  if (motions_add(f)) {
    for (int k = 0; k < f.nv; ++k) udot[k] = v[k];
    return;
  }
  coordinates(f.kind, dexp_body_inv(group_twist(f.kind, u), group_twist(f.kind, v)), udot);
}
/// Its transpose, dexp^-T(u) tau.
template <class Real>
void dual_dexp_inv(const Factor& f, const Real* u, const Real* tau, Real* out) {
  if (motions_add(f)) {
    for (int k = 0; k < f.nv; ++k) out[k] = tau[k];
    return;
  }
  const Twist<Real> F = group_twist(f.kind, tau);
  const auto [m, force] = dual_dexp_body_inv(group_twist(f.kind, u), Wrench<Real>{F.w, F.v});
  coordinates(f.kind, {m, force}, out);
}

/// ad_v w, zero where motions add.
template <class Real>
constexpr void group_ad(const Factor& f, const Real* v, const Real* w, Real* out) {
  if (motions_add(f)) {
    for (int k = 0; k < f.nv; ++k) out[k] = Real(0);
    return;
  }
  coordinates(f.kind, ad(group_twist(f.kind, v), group_twist(f.kind, w)), out);
}

/// The coordinates of the inverse motion: the same about or along a turned axis; a translation
/// changes sign; of a motion M with body twist V, those of M^-1 with -Ad_M V.
template <class Real>
void reverse_motion(const Factor& f, const Real* q, const Real* v, Real* new_q, Real* new_v) {
  if (motions_add(f)) {
    const bool turned = f.kind != JointKind::translational;
    for (int k = 0; k < f.nq; ++k) new_q[k] = turned ? q[k] : -q[k];
    for (int k = 0; k < f.nv; ++k) new_v[k] = turned ? v[k] : -v[k];
    return;
  }
  const SE3<Real> M = group_pose<Real>(f.kind, q);
  coordinates(f.kind, -Ad(M, group_twist(f.kind, v)), new_v);
  const int r = quaternion_offset(f.kind);
  if (r < 0) new_q[2] = -q[2];
  else detail::store_quaternion(inverse(detail::quaternion_at<Real>(q + r)), new_q + r);
  detail::store_position(f.kind, inverse(M).p, new_q);
}

/// g(k, unit) with the unit vector of every velocity k of a factor.
template <class Real, class G>
constexpr void for_each_unit(const Factor& f, G g) {
  Real unit[6] = {Real(0), Real(0), Real(0), Real(0), Real(0), Real(0)};
  for (int k = 0; k < f.nv; ++k) {
    unit[k] = Real(1);
    g(k, static_cast<const Real*>(unit));
    unit[k] = Real(0);
  }
}

}  // namespace JOUNCE_ISA
}  // namespace jounce
