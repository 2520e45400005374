// SPDX-License-Identifier: BSD-3-Clause
// What friction and springs take, and how it changes: one law each, for any kind of number.
//
// Friction of unit size is tanh(v / slip_speed). A spring takes the gradient of u^T K u / 2 along
// the velocities, where u = difference(rest, q): K u where coordinates are flat. On a planar,
// spherical or free joint u moves by du = dexp^-1(u) v, so the gradient is dexp^-T(u) K u. Its
// derivatives are the same text on dual numbers that move so.
#pragma once

#include <jounce/model/manifold.hpp>
#include <jounce/model/system.hpp>
#include <span>

namespace jounce::inline JOUNCE_ISA {

template <class Real>
Real coulomb(const Real& v) {
  return tanh(v * Plain<Real>(1 / slip_speed));
}
/// The derivative of coulomb by v, and its second.
template <class Real>
Real coulomb_slope(const Real& v) {
  return sech_squared(v * Plain<Real>(1 / slip_speed)) * Plain<Real>(1 / slip_speed);
}
template <class Real>
Real coulomb_curve(const Real& v) {
  return coulomb(v) * coulomb_slope(v) * Plain<Real>(-2 / slip_speed);
}

/// dexp^-T(u) K u: what a spring on a planar, spherical or free part takes.
template <class P, class Real>
void manifold_spring(JointKind kind, const P* stiffness, const Real* u, Real* taken) {
  Real pull[6];
  for (int k = 0; k < manifold_nv(kind); ++k) pull[k] = u[k] * stiffness[k];
  const Twist<Real> F = manifold_twist(kind, pull);
  const Wrench<Real> gradient = dual_dexp_body_inv(manifold_twist(kind, u), Wrench<Real>{F.w, F.v});
  manifold_velocity(kind, gradient.m, gradient.f, taken);
}

/// u along the velocities of its part: direction k is du = dexp^-1(u) S_k.
template <class Real>
void move_deflection(JointKind kind, const Real* u, Dual<Real, 6>* moved) {
  const Twist<Real> X = manifold_twist(kind, u);
  const int n = manifold_nv(kind);
  for (int k = 0; k < n; ++k) {
    Real unit[6] = {Real(0), Real(0), Real(0), Real(0), Real(0), Real(0)}, du[6];
    unit[k] = Real(1);
    const Twist<Real> rate = dexp_body_inv(X, manifold_twist(kind, unit));
    manifold_velocity(kind, rate.w, rate.v, du);
    moved[k].a = u[k];
    for (int l = 0; l < n; ++l) moved[l].d[k] = du[l];
  }
}

template <class P>
std::span<const Factor> springs(const Passive<P>& passive) {
  return {passive.spring, static_cast<size_t>(passive.springs)};
}

/// Adds what all springs take at q, the robot's coordinates.
template <class P, class Real>
void add_spring_forces(const Passive<P>& passive, const Real* q, Real* taken) {
  for (const Factor& spring : springs(passive)) {
    const P* rest = passive.rest + spring.q;
    const P* stiffness = passive.stiffness + spring.v;
    if (is_flat(spring.kind)) {
      for (int k = 0; k < spring.nv; ++k)
        taken[spring.v + k] += (q[spring.q + k] - Real(rest[k])) * stiffness[k];
      continue;
    }
    Real u[6], force[6];
    manifold_difference(spring.kind, rest, q + spring.q, u);
    manifold_spring(spring.kind, stiffness, u, force);
    for (int k = 0; k < spring.nv; ++k) taken[spring.v + k] += force[k];
  }
}

/// f(row, column, slope) for all that springs add to dtau/dq.
template <class P, class Real, class F>
void for_each_spring_slope(const Passive<P>& passive, const Real* q, F f) {
  for (const Factor& spring : springs(passive)) {
    const P* stiffness = passive.stiffness + spring.v;
    if (is_flat(spring.kind)) {
      for (int k = 0; k < spring.nv; ++k) f(spring.v + k, spring.v + k, Real(stiffness[k]));
      continue;
    }
    Real u[6];
    Dual<Real, 6> moved[6], force[6];
    manifold_difference(spring.kind, passive.rest + spring.q, q + spring.q, u);
    move_deflection(spring.kind, u, moved);
    manifold_spring(spring.kind, stiffness, moved, force);
    for (int k = 0; k < spring.nv; ++k)
      for (int l = 0; l < spring.nv; ++l) f(spring.v + l, spring.v + k, force[l].d[k]);
  }
}

/// f(i, k, l, curve) for all that springs add to d2 tau_i/(dq_k dq_l), first along k, then l.
template <class P, class Real, class F>
void for_each_spring_curve(const Passive<P>& passive, const Real* q, F f) {
  for (const Factor& spring : springs(passive)) {
    if (is_flat(spring.kind)) continue;
    Real u[6];
    Dual<Real, 6> moved[6];
    Dual<Dual<Real, 6>, 6> moved_again[6], force[6];
    manifold_difference(spring.kind, passive.rest + spring.q, q + spring.q, u);
    move_deflection(spring.kind, u, moved);
    move_deflection(spring.kind, moved, moved_again);
    manifold_spring(spring.kind, passive.stiffness + spring.v, moved_again, force);
    for (int l = 0; l < spring.nv; ++l)
      for (int k = 0; k < spring.nv; ++k)
        for (int i = 0; i < spring.nv; ++i)
          f(spring.v + i, spring.v + k, spring.v + l, force[i].d[k].d[l]);
  }
}

}  // namespace jounce::inline JOUNCE_ISA
