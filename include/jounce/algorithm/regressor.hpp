// SPDX-License-Identifier: BSD-3-Clause
// Regressors: forces, energy and momentum are linear in the inertial parameters of the links.
//
// The wrench of a body is linear in its inertia G (Atkeson, An, Hollerbach 1986), so a column is
// that wrench for an inertia with one parameter 1 and the others 0, carried to the ground:
//   tau = Y(q, v, a) pi,   pi = (m, h_x, h_y, h_z, I_xx, I_xy, I_yy, I_xz, I_yz, I_zz) per link,
// about the origin of the link's own frame. With a reference motion the same columns give
//   M a_r + C(q, v) v_r + g = Y(q, v, v_r, a_r) pi                       [Ploen], [Slotine, Li]
#pragma once

#include <jounce/algorithm/reference_rnea.hpp>

namespace jounce {

/// A link that keeps its own parameters: where it sits on which body.
struct LinkSeat {
  int body = 0;
  SE3<double> offset;
};

inline namespace JOUNCE_ISA {

/// Parameter c alone, in the frame of the body that carries the link.
template <class Real>
constexpr Inertia<Real> unit_inertia(const LinkSeat& link, int c) {
  double pi[10] = {};
  pi[c] = 1;
  const Inertia<double> G = push_forward(link.offset, inertia_from_parameters(pi));
  return {Real(G.mass),
          detail::as<Real>(G.h),
          {Real(G.I.xx), Real(G.I.xy), Real(G.I.yy), Real(G.I.xz), Real(G.I.yz), Real(G.I.zz)}};
}

/// The ten columns of one link (nv rows each), after reference_motion. Rows of coordinates that do
/// not carry the link are zero and not written.
template <class P, class Real>
constexpr void force_columns(const Model<P>& m, const Workspace<Real>& w, const Twist<Real>* V_r,
                             Factorization f, const LinkSeat& link, Real* Y) {
  const int i = link.body;
  for (int c = 0; c < 10; ++c, Y += m.nv) {
    const Inertia<Real> G = unit_inertia<Real>(link, c);
    Wrench<Real> F = G * w.Vdot[i] + coriolis_wrench(f, G, w.V[i], V_r[i]);
    for (int b = i; b > 0; F = dual_Ad_inv(w.T[b], F), b = m.parent[b])
      for (int k = m.v_at[b]; k < m.v_at[b + 1]; ++k) Y[k] = dot(F, w.S[k]);
  }
}

/// Ten columns (kinetic, potential) of one link, from poses and twists.
template <class P, class Real>
constexpr void energy_columns(const Model<P>& m, const Workspace<Real>& w, const LinkSeat& link,
                              Real* Y) {
  const SE3<Real>& T = w.pose[link.body];
  for (int c = 0; c < 10; ++c, Y += 2) {
    const Inertia<Real> G = unit_inertia<Real>(link, c);
    Y[0] = kinetic_energy(G, w.V[link.body]);
    Y[1] = -dot(T.p * G.mass + T.R * G.h, m.gravity);
  }
}

/// Ten columns of momentum in the ground frame about its origin (angular, linear) of one link.
template <class Real>
constexpr void momentum_columns(const Workspace<Real>& w, const LinkSeat& link, Real* Y) {
  for (int c = 0; c < 10; ++c, Y += 6) {
    const Wrench<Real> h =
        dual_Ad_inv(w.pose[link.body], unit_inertia<Real>(link, c) * w.V[link.body]);
    Y[0] = h.m.x, Y[1] = h.m.y, Y[2] = h.m.z;
    Y[3] = h.f.x, Y[4] = h.f.y, Y[5] = h.f.z;
  }
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
