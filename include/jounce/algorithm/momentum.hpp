// SPDX-License-Identifier: BSD-3-Clause
// Momentum of all moving bodies about their centre of mass, its matrix and the matrix's rate.
//
// Orin, Goswami, Lee 2013: h = A(q) v, hdot = A a + Adot v, in ground axes about the com. In axes
// at rest a coordinate with screw S and rate Psi moves its subtree as one body, so a column is
//   G S                 its rate  Gdot S + G Psi            (subtree sums as in coriolis.hpp)
// and the com at c moves the reference point: m - c x f, with the rate  mdot - c x fdot - cdot x f.
#pragma once

#include <jounce/algorithm/coriolis.hpp>

namespace jounce {

template <class Real>
struct Momentum {
  Wrench<Real> about_com;  ///< angular and linear momentum, ground axes
  Vec3<Real> com;
};

inline namespace JOUNCE_ISA {

/// The same about the origin of the ground frame, [Kim] (23).
template <class Real>
constexpr Wrench<Real> about_origin(const Momentum<Real>& h) {
  return {h.about_com.m + cross(h.com, h.about_com.f), h.about_com.f};
}

/// From poses and twists in w.
template <class P, class Real>
constexpr Momentum<Real> momentum(const Model<P>& m, const Workspace<Real>& w) {
  Wrench<Real> h{};
  Vec3<Real> moment{};
  P mass(0);
  for (int i = 1; i < m.bodies; ++i) {
    const SO3<Real>& R = w.pose[i].R;
    const Wrench<Real> of_body = m.G[i] * w.V[i];
    h += moved_from(w.central[i], Wrench<Real>{R * of_body.m, R * of_body.f});
    moment += w.central[i] * m.G[i].mass + R * m.G[i].h;
    mass = mass + m.G[i].mass;
  }
  const Vec3<Real> c = moment * (P(1) / mass);
  return {{h.m - cross(c, h.f), h.f}, w.pose[m.centre].p + c};
}

/// A and, where it is not null, Adot (6 x nv, column by column, angular first), after
/// forward_poses.
template <class P, class Real>
constexpr void centroidal(const Model<P>& m, const State<Real>& x, const Workspace<Real>& w,
                          SubtreeRoom<Real>& room, Real* A, Real* Adot) noexcept {
  load_bodies<Origins::centre>(m, x, w, room);
  room.G[0] = room.Gdot[0] = {};
  for (int i = m.bodies - 1; i > 0; --i) {
    room.G[m.parent[i]] = room.G[m.parent[i]] + room.G[i];
    room.Gdot[m.parent[i]] = room.Gdot[m.parent[i]] + room.Gdot[i];
  }
  const Real scale = Real(1) / room.G[0].mass;
  const Vec3<Real> c = room.G[0].h * scale, cdot = room.Gdot[0].h * scale;
  for (int i = 1; i < m.bodies; ++i)
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k) {
      const Wrench<Real> h = room.G[i] * room.S[k];
      detail::write_column(Twist<Real>{h.m - cross(c, h.f), h.f}, A + 6 * k);
      if (Adot == nullptr) continue;
      const Wrench<Real> hdot = room.Gdot[i] * room.S[k] + room.G[i] * room.Psi[k];
      detail::write_column(Twist<Real>{hdot.m - cross(c, hdot.f) - cross(cdot, h.f), hdot.f},
                           Adot + 6 * k);
    }
}

}  // namespace JOUNCE_ISA

/// Rates of kinetic and of potential energy, without rotors, from poses, twists and accelerations
/// (without gravity) in w: <G V, Vdot> and -g . (momentum), body by body.
template <class Real>
struct EnergyRate {
  Real kinetic{}, potential{};
};

inline namespace JOUNCE_ISA {

template <class P, class Real>
constexpr EnergyRate<Real> energy_rate(const Model<P>& m, const Workspace<Real>& w) {
  EnergyRate<Real> sum{Real(0), Real(0)};
  for (int i = 1; i < m.bodies; ++i) {
    const Wrench<Real> h = m.G[i] * w.V[i];
    sum.kinetic += dot(h, w.Vdot[i]);
    sum.potential -= dot(w.pose[i].R * h.f, m.gravity);
  }
  return sum;
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
