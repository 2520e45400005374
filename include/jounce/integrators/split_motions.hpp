// SPDX-License-Identifier: BSD-3-Clause
// Steps of the variational integrator on one factor: displacements and rotations apart.
//
// A step u turns a part from R_0 to R_m = R_0 exp(u_w/2) in its middle and R_0 exp(u_w) at its end,
// and moves its origin by R_m u_v, a straight line: R^3 x SO(3) for a free joint, R^2 x SO(2) for a
// planar one. (The screw exp(u) of SE(3) would bend the path of a body that is thrown.) A momentum
// at a node has its angular part in the part's axes and its linear part in axes that do not turn;
// in the middle both are in the part's axes. Where motions add all of this is the identity.
// Pointers are to a factor's own numbers.
#pragma once

#include <jounce/model/manifold.hpp>

namespace jounce {
namespace detail::inline JOUNCE_ISA {

template <class Real>
SO3<Real> half_turn(const Factor& f, const Real* u) {
  return exp(group_twist(f.kind, u).w * Plain<Real>(0.5));
}
template <class Real>
void keep_momentum(const Factor& f, const Real* from, Real* to) {
  for (int k = 0; k < f.nv; ++k) to[k] = from[k];
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// q after a share of the step u: 1/2 or 1.
template <class Real>
void move_split(const Factor& f, const Real* q, const Real* u, Plain<Real> share, Real* out) {
  Real turn[6];
  Twist<Real> U{};
  for (int k = 0; k < f.nv; ++k) turn[k] = u[k] * share;
  if (motions_add(f)) return integrate(f, q, static_cast<const Real*>(turn), out);
  U = group_twist(f.kind, u);
  coordinates(f.kind, {U.w * share, {}}, turn);
  const SE3<Real> start = group_pose<Real>(f.kind, q);
  const Vec3<Real> way = start.R * (detail::half_turn(f, u) * U.v);
  integrate(f, q, static_cast<const Real*>(turn), out);
  detail::store_position(f.kind, start.p + way * share, out);
}

/// A momentum dL/dv at q as that of a node, and back.
template <class Real>
void to_node(const Factor& f, const Real* q, const Real* momentum, Real* out) {
  if (motions_add(f)) return detail::keep_momentum(f, momentum, out);
  const Twist<Real> p = group_twist(f.kind, momentum);
  coordinates(f.kind, {p.w, group_pose<Real>(f.kind, q).R * p.v}, out);
}
template <class Real>
void from_node(const Factor& f, const Real* q, const Real* node, Real* out) {
  if (motions_add(f)) return detail::keep_momentum(f, node, out);
  const Twist<Real> p = group_twist(f.kind, node);
  coordinates(f.kind, {p.w, inverse_times(group_pose<Real>(f.kind, q).R, p.v)}, out);
}
/// The momentum of the node at q, the step's start, carried to its middle.
template <class Real>
void carry_to_middle(const Factor& f, const Real* q, const Real* u, const Real* node, Real* out) {
  if (motions_add(f)) return detail::keep_momentum(f, node, out);
  const SO3<Real> half = detail::half_turn(f, u), R = group_pose<Real>(f.kind, q).R * half;
  const Twist<Real> p = group_twist(f.kind, node);
  coordinates(f.kind, {inverse_times(half, p.w), inverse_times(R, p.v)}, out);
}
/// And on from the middle to the node at the step's end.
template <class Real>
void carry_to_end(const Factor& f, const Real* q, const Real* u, const Real* middle, Real* out) {
  if (motions_add(f)) return detail::keep_momentum(f, middle, out);
  const SO3<Real> half = detail::half_turn(f, u), R = group_pose<Real>(f.kind, q).R * half;
  const Twist<Real> p = group_twist(f.kind, middle);
  coordinates(f.kind, {inverse_times(half, p.w), R * p.v}, out);
}
/// Twice the momentum that a step u has of P_0 and P_1, those of its ends carried to its middle:
/// dexp_body(u/2)^T P_0 + dexp_space(u/2)^T P_1.
template <class Real>
void sum_of_ends(const Factor& f, const Real* u, const Real* P_0, const Real* P_1, Real* out) {
  if (motions_add(f)) {
    for (int k = 0; k < f.nv; ++k) out[k] = P_0[k] + P_1[k];
    return;
  }
  const Vec3<Real> w = group_twist(f.kind, u).w * Plain<Real>(0.5);
  const Twist<Real> a = group_twist(f.kind, P_0), b = group_twist(f.kind, P_1);
  coordinates(f.kind, {dexp_space(w, a.w) + dexp_body(w, b.w), a.v + b.v}, out);
}
/// dL/dq at a velocity v whose linear part turns with the part, made one at a velocity of the
/// origin that does not: less v x dL/dv.
template <class Real>
void hold_origin_velocity(const Factor& f, const Real* v, const Real* momentum, Real* gradient) {
  if (motions_add(f)) return;
  const Twist<Real> V = group_twist(f.kind, v), p = group_twist(f.kind, momentum);
  const Twist<Real> g = group_twist(f.kind, gradient);
  coordinates(f.kind, {g.w - cross(V.v, p.v), g.v}, gradient);
}

}  // namespace JOUNCE_ISA
}  // namespace jounce
