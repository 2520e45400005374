// SPDX-License-Identifier: BSD-3-Clause
// Twists and accelerations of all bodies in one sweep, fast: for any kind of vector.
//
// The reference (kinematics.hpp) sweeps once for twists and once for accelerations and treats every
// joint as a screw of six numbers. Here both go together, a chain's motion stays in local variables
// and a revolute joint is one number about z:
//   w = R^T w_p + z v,                      v = R^T (v_p + w_p x p)
//   wdot = R^T wdot_p + w x z v + z a,      vdot = R^T (vdot_p + wdot_p x p) + v x z v
// Only branching points are read back. The results are those of the reference, to rounding.
#pragma once

#include <jounce/algorithm/joint_steps.hpp>

namespace jounce {
namespace detail::inline JOUNCE_ISA {

/// A body's twist and its derivative, in its own frame.
template <class Screw>
struct BodyMotion {
  Screw V, Vdot;
};

template <bool accelerated, class Kind>
constexpr BodyMotion<typename Kind::Screw> read_motion(const Workspace<typename Kind::Real>& w,
                                                       int i) {
  const auto screw = [](const auto& X) {
    return typename Kind::Screw{Kind::vector(X.w), Kind::vector(X.v)};
  };
  if constexpr (accelerated) return {screw(w.V[i]), screw(w.Vdot[i])};
  else return {screw(w.V[i]), {}};
}

/// X of the parent, in the axes and at the origin of a body whose pose there is (R, p).
template <class Matrix, class Position, class Screw>
constexpr Screw carried_out(const Matrix& Rt, const Position& p, const Screw& X) {
  return {Rt * X.w, Rt * (X.v + cross(X.w, p))};
}

/// The motion of body i, whose parent moves as `at`, after forward_poses.
template <bool accelerated, class Kind>
constexpr BodyMotion<typename Kind::Screw> next_motion(const Recursion<Kind>& r, int i,
                                                       const BodyMotion<typename Kind::Screw>& at) {
  using Screw = typename Kind::Screw;
  const auto& body = r.body[i];
  BodyMotion<Screw> next{};
  if (body.angle < 0) {
    const auto Rt = Kind::transposed(r.w.T[i].R.m);
    const typename Kind::Vector p = Kind::vector(r.w.T[i].p);
    const auto Sv = joint_twist(r.m, r.w, i, r.x.v);
    const Screw own{Kind::vector(Sv.w), Kind::vector(Sv.v)};
    next.V = carried_out(Rt, p, at.V) + own;  // (37)
    if constexpr (!accelerated) return next;
    const auto A = r.w.Sdot_v[i] + joint_twist(r.m, r.w, i, r.x.a);
    next.Vdot = carried_out(Rt, p, at.Vdot) +
                Screw{cross(next.V.w, own.w) + Kind::vector(A.w),
                      cross_sum(next.V.w, own.v, next.V.v, own.w) + Kind::vector(A.v)};  // (41)
    return next;
  }
  const int k = r.m.v_at[i];
  const auto& speed = r.x.v[k];
  const auto Rt = body.inverse_rotation(r.w.sin[body.angle], r.w.cos[body.angle]);
  next.V = carried_out(Rt, body.position(), at.V);
  next.V.w = plus_z(next.V.w, speed);
  if constexpr (!accelerated) return next;
  next.Vdot = carried_out(Rt, body.position(), at.Vdot);
  next.Vdot.w = plus_z(plus_cross_z(next.Vdot.w, next.V.w, speed), r.x.a[k]);
  next.Vdot.v = plus_cross_z(next.Vdot.v, next.V.v, speed);
  return next;
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// As forward_twists and, where `accelerated`, forward_accelerations, after forward_poses. V[0] and
/// Vdot[0] are set by the caller.
template <bool accelerated, class Kind>
[[gnu::flatten]] constexpr void forward_motion(const Recursion<Kind>& r) noexcept {
  auto at = detail::read_motion<accelerated, Kind>(r.w, 0);
  for (int i = 1; i < r.m.bodies; ++i) {
    if (r.m.parent[i] != i - 1) at = detail::read_motion<accelerated, Kind>(r.w, r.m.parent[i]);
    at = detail::next_motion<accelerated>(r, i, at);
    Kind::write(at.V, &r.w.V[i].w.x);
    if constexpr (accelerated) Kind::write(at.Vdot, &r.w.Vdot[i].w.x);
  }
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
