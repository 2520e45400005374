// SPDX-License-Identifier: BSD-3-Clause
// The partial derivatives of momentum and its rate, of the centre of mass and of energy, in O(n).
//
// Coordinate k turns all that it carries by S_k (rnea_derivatives.hpp). With G, the momentum P, its
// rate F and B x = Gdot x - ad*_x P summed over what k carries, in ground axes about a fixed point
//   dP = G u_k - ad*_{S_k} P             dF = G w_k + B u_k - ad*_{S_k} F       along q_k
//   dP = G S_k                           dF = G y_k + B S_k                     along v_k
//                                        dF = G S_k                             along a_k
// The com at c moves by dc = (G S_k).f / m along q_k: about it momentum is (P.m - c x P.f, P.f),
// and its rate (F.m - c x F.f, F.f), because P.f = m cdot. The linear parts over m are the velocity
// and the acceleration of the com. Energy: a turn of the whole subtree changes none of it, so
//   d kinetic = P . u_k along q_k, P . S_k along v_k;   d potential = -g . (G S_k).f along q_k
#pragma once

#include <jounce/algorithm/rnea_derivatives.hpp>

namespace jounce {

/// Where the derivatives go: 6 x nv, column by column, angular first.
template <class Real>
struct MomentumPartials {
  Real *momentum_dq = nullptr, *rate_dq = nullptr, *rate_dv = nullptr;
  Real* dv = nullptr;  ///< of momentum along v, of its rate along a, of m c (linear part) along q
};

/// Where the gradients go, nv numbers each; without rotors.
template <class Real>
struct EnergyGradients {
  Real *kinetic_dq = nullptr, *kinetic_dv = nullptr, *potential_dq = nullptr;
};

namespace detail::inline JOUNCE_ISA {

/// Sums over what every body carries, in room; the sum over all bodies is returned.
template <class Real>
struct WholeRobot {
  Inertia<Real> G{};
  Wrench<Real> P{}, F{};
};
template <class P, class Real>
constexpr WholeRobot<Real> sum_subtrees(const Model<P>& m, DerivativeRoom<Real>& room) {
  WholeRobot<Real> all;
  for (int i = m.bodies - 1; i > 0; --i) {
    add_to_parent(m, i, room);
    if (m.parent[i] > 0) continue;
    all.G = all.G + room.G[i];
    all.P += room.P[i];
    all.F += room.F[i];
  }
  return all;
}

template <class Real>
constexpr void write_about_com(const Wrench<Real>& h, const Vec3<Real>& c, Real* column) {
  write_column(Twist<Real>{h.m - cross(c, h.f), h.f}, column);
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// Derivatives of momentum and its rate about the com, after forward_poses. V[0] and Vdot[0] of the
/// workspace are the ground's, without gravity; no wrench acts from outside.
template <class P, class Real>
constexpr void momentum_derivatives(const Model<P>& m, const State<Real>& x,
                                    const Workspace<Real>& w, DerivativeRoom<Real>& room,
                                    const MomentumPartials<Real>& out) noexcept {
  detail::load_derivatives<Origins::centre>(m, x, w, room);
  const detail::WholeRobot<Real> all = detail::sum_subtrees(m, room);
  const Real scale = Real(1) / all.G.mass;
  const Vec3<Real> c = all.G.h * scale;
  for (int i = 1; i < m.bodies; ++i)
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k) {
      const detail::DerivativeColumn<Real> column = detail::column_of(room, i, k);
      const Vec3<Real> dc = column.GS.f * scale;
      Wrench<Real> P_dq = room.G[i] * room.u[k] - dual_ad(room.S[k], room.P[i]);
      Wrench<Real> F_dq = column.dq_above;
      P_dq.m -= cross(dc, all.P.f);
      F_dq.m -= cross(dc, all.F.f);
      detail::write_about_com(P_dq, c, out.momentum_dq + 6 * k);
      detail::write_about_com(F_dq, c, out.rate_dq + 6 * k);
      detail::write_about_com(column.dv, c, out.rate_dv + 6 * k);
      detail::write_about_com(column.GS, c, out.dv + 6 * k);
    }
}

/// Gradients of kinetic and potential energy, under the same conditions.
template <class P, class Real>
constexpr void energy_gradients(const Model<P>& m, const State<Real>& x, const Workspace<Real>& w,
                                DerivativeRoom<Real>& room,
                                const EnergyGradients<Real>& out) noexcept {
  detail::load_derivatives<Origins::centre>(m, x, w, room);
  detail::sum_subtrees(m, room);
  for (int i = 1; i < m.bodies; ++i)
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k) {
      out.kinetic_dq[k] = dot(room.P[i], room.u[k]);
      out.kinetic_dv[k] = dot(room.P[i], room.S[k]);
      out.potential_dq[k] = -dot((room.G[i] * room.S[k]).f, m.gravity);
    }
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
