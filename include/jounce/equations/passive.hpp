// SPDX-License-Identifier: BSD-3-Clause
// What damping, friction and springs take, and how it changes: one law each, for any kind of
// number.
//
// Damping takes d v, friction f tanh(v / slip_speed), drag c v |v|. A spring takes the gradient of
// u^T K u / 2 along the velocities, where u = difference(rest, q) moves by du = dexp^-1(u) v:
// dexp^-T(u) K u, which is K u where coordinates are flat. Derivatives are the same text on dual
// numbers, series on Taylor numbers.
#pragma once

#include <jounce/model/manifold.hpp>
#include <jounce/model/system.hpp>

namespace jounce {
inline namespace JOUNCE_ISA {

/// The speed v in slip speeds.
template <class Real>
constexpr Real slip_ratio(const Real& v) {
  return v * Plain<Real>(1 / slip_speed);
}
/// v |v|, that is sign(v) v^2. At v = 0 its second derivative jumps from -2 to 2: numbers that
/// carry derivatives have the mean of both sides there, 0, and so have all higher ones.
template <class Real>
[[gnu::always_inline]] constexpr Real signed_square(const Real& v) {
  const Real square = v * v, zero(0);
  return select(v < zero, -square, select(zero < v, square, zero));
}
/// What resistance of unit size takes at the speed v. This and `resistance` are always inlined: a
/// slope then takes no tanh, which the rows `inverse-derivatives` of robots with friction feel.
template <class Real>
[[gnu::always_inline]] inline Real unit_resistance(Resistance law, const Real& v) {
  switch (law) {
    case Resistance::damping:
      return v;
    case Resistance::friction:
      return tanh(slip_ratio(v));
    case Resistance::drag:
      return signed_square(v);
  }
  return Real(0);
}
/// What all that resists coordinate k takes, from one law on.
template <size_t law = 0, class P, class Real>
[[gnu::always_inline]] inline Real resistance(const Passive<P>& p, int k, const Real& v) {
  Real taken = unit_resistance(resistances[law].law, v) * p.resistance[law][k];
  if constexpr (law + 1 == std::size(resistances)) return taken;
  else return taken + resistance<law + 1>(p, k, v);
}
/// Its derivative by v, and its second.
template <class P, class Real>
Real resistance_slope(const Passive<P>& p, int k, const Real& v) {
  return resistance(p, k, Dual<Real, 1>::variable(v, 0)).d[0];
}
template <class P, class Real>
Real resistance_curve(const Passive<P>& p, int k, const Real& v) {
  using Once = Dual<Real, 1>;
  return resistance(p, k, Dual<Once, 1>::variable(Once::variable(v, 0), 0)).d[0].d[0];
}

/// What a spring takes at the deflection u.
template <class P, class Real>
void spring_force(const Factor& f, const P* stiffness, const Real* u, Real* taken) {
  Real pull[6];
  for (int k = 0; k < f.nv; ++k) pull[k] = u[k] * stiffness[k];
  dual_dexp_inv(f, u, pull, taken);
}

/// Adds what damping, friction and springs take at q and v, the robot's, times sign.
template <class P, class Real>
void add_passive_forces(const System<P>& s, const Real* q, const Real* v, Plain<Real> sign,
                        Real* tau) {
  const Passive<P>& p = s.passive;
  for (int k = 0; k < s.nv; ++k) tau[k] += resistance(p, k, v[k]) * sign;
  for (const Factor& f : springs(p)) {
    Real u[6], force[6];
    difference(f, p.rest + f.q, q + f.q, u);
    spring_force(f, p.stiffness + f.v, u, force);
    for (int k = 0; k < f.nv; ++k) tau[f.v + k] += force[k] * sign;
  }
}
/// The power that damping, friction and drag take at v.
template <class P, class Real>
Real resisted_power(const System<P>& s, const Real* v) {
  Real sum(0);
  for (int k = 0; k < s.nv; ++k) sum += resistance(s.passive, k, v[k]) * v[k];
  return sum;
}
/// u^T K u / 2 of all springs.
template <class P, class Real>
Real spring_energy(const System<P>& s, const Real* q) {
  const Passive<P>& p = s.passive;
  Real sum(0);
  for (const Factor& f : springs(p)) {
    Real u[6];
    difference(f, p.rest + f.q, q + f.q, u);
    for (int k = 0; k < f.nv; ++k) sum += u[k] * u[k] * p.stiffness[f.v + k] * Plain<Real>(0.5);
  }
  return sum;
}
/// What they take.
template <class P, class Real>
void passive_forces(const System<P>& s, const Real* q, const Real* v, Real* taken) {
  for (int k = 0; k < s.nv; ++k) taken[k] = Real(0);
  add_passive_forces(s, q, v, Plain<Real>(1), taken);
}

}  // namespace JOUNCE_ISA

namespace detail::inline JOUNCE_ISA {

/// u along the velocities of its factor: direction k is du = dexp^-1(u) S_k.
template <class Real, int N>
void move_deflection(const Factor& f, const Real* u, Dual<Real, N>* moved) {
  for_each_unit<Real>(f, [&](int k, const Real* unit) {
    Real du[6];
    dexp_inv(f, u, unit, du);
    moved[k].a = u[k];
    for (int l = 0; l < f.nv; ++l) moved[l].d[k] = du[l];
  });
}

/// g(i, k, slope) of one spring, whose factor has at most N velocities.
template <int N, class P, class Real, class G>
void spring_slopes(const Passive<P>& p, const Factor& f, const Real* q, G& g) {
  Real u[N];
  Dual<Real, N> moved[N], force[N];
  difference(f, p.rest + f.q, q + f.q, u);
  move_deflection(f, u, moved);
  spring_force(f, p.stiffness + f.v, moved, force);
  for (int k = 0; k < f.nv; ++k)
    for (int i = 0; i < f.nv; ++i) g(f.v + i, f.v + k, force[i].d[k]);
}
/// g(i, k, l, curve), likewise.
template <int N, class P, class Real, class G>
void spring_curves(const Passive<P>& p, const Factor& f, const Real* q, G& g) {
  Real u[N];
  Dual<Real, N> moved[N];
  Dual<Dual<Real, N>, N> moved_again[N], force[N];
  difference(f, p.rest + f.q, q + f.q, u);
  move_deflection(f, u, moved);
  move_deflection(f, moved, moved_again);
  spring_force(f, p.stiffness + f.v, moved_again, force);
  for (int l = 0; l < f.nv; ++l)
    for (int k = 0; k < f.nv; ++k)
      for (int i = 0; i < f.nv; ++i) g(f.v + i, f.v + k, f.v + l, force[i].d[k].d[l]);
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// g(i, k, slope) for all that springs add to dtau_i/dq_k.
template <class P, class Real, class G>
void for_each_spring_slope(const Passive<P>& p, const Real* q, G g) {
  for (const Factor& f : springs(p)) {
    if (is_flat(f))  // every coordinate for itself
      for (int k = 0; k < f.nv; ++k)
        detail::spring_slopes<1>(p, Factor{f.kind, f.q + k, f.v + k, 1, 1, f.joint}, q, g);
    else if (f.nv <= 3) detail::spring_slopes<3>(p, f, q, g);
    else detail::spring_slopes<6>(p, f, q, g);
  }
}

/// g(i, k, l, curve) for all that springs add to d2 tau_i/(dq_k dq_l), first along k, then l.
template <class P, class Real, class G>
void for_each_spring_curve(const Passive<P>& p, const Real* q, G g) {
  for (const Factor& f : springs(p)) {
    if (is_flat(f)) continue;  // linear
    if (f.nv <= 3) detail::spring_curves<3>(p, f, q, g);
    else detail::spring_curves<6>(p, f, q, g);
  }
}

}  // namespace JOUNCE_ISA
}  // namespace jounce
