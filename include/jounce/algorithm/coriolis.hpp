// SPDX-License-Identifier: BSD-3-Clause
// The Coriolis matrix C(q, v) and the rate of the mass matrix, in O(n d) for a tree of depth d.
//
// [Ploen] (24)-(28), Propositions 1 and 2; [Ali] Lemma 1. With the Jacobian J_i of every body,
//   M = sum J_i^T G_i J_i      C = sum J_i^T (G_i Jdot_i + Cb_i J_i)
// and a choice of Cb (skew_block.hpp). In axes at rest a column of J_i is the same for all bodies
// that coordinate k carries: the screw S_k, with the rate Psi_k = ad_V S_k + Sdot_k. So the sums
// run over subtrees once:
//   C_jk = S_j . (G Psi_k + B S_k)                j on the way from k to the ground
//   C_kj = (G S_k) . Psi_j + (B^T S_k) . S_j
//   B = Gdot / 2 + K,  K the skew part of Cb - G ad_V;  plain: B = Gdot
//   Mdot = C + C^T,  plain: minus S_j . Gdot S_k
// G, Gdot = -(G ad_V + ad*_V G) and K are those of the subtree on k. The axes are the ground's,
// with origins next to the bodies (origins.hpp): far from the ground's nothing is lost. A
// factorisation that the papers state for joints with constant S holds for any joint, because Jdot
// has Sdot in it.
#pragma once

#include <jounce/algorithm/jacobian.hpp>
#include <jounce/algorithm/skew_block.hpp>

namespace jounce {

/// Room for coriolis and centroidal, and what they leave there, in ground axes: about each body's
/// anchor, and about the model's centre.
template <class Real>
struct SubtreeRoom {
  Twist<Real>* S = nullptr;       ///< [nv] screws
  Twist<Real>* Psi = nullptr;     ///< [nv] their rates
  Twist<Real>* V = nullptr;       ///< [bodies] twists, the ground's is zero
  Inertia<Real>* G = nullptr;     ///< [bodies] of the body, then of all it carries
  Inertia<Real>* Gdot = nullptr;  ///< [bodies]
  SkewBlock<Real>* K = nullptr;   ///< [bodies]
};

inline namespace JOUNCE_ISA {

/// Screws, their rates, inertias and inertia rates of all bodies, after forward_poses.
template <Origins origins, class P, class Real>
constexpr void load_bodies(const Model<P>& m, const State<Real>& x, const Workspace<Real>& w,
                           SubtreeRoom<Real>& room) {
  room.V[0] = {};
  for (int i = 1; i < m.bodies; ++i) {
    const SE3<Real> T{w.pose[i].R, position<origins>(m, w, i)};
    Twist<Real> V = room.V[m.parent[i]];
    if (origins == Origins::anchors && m.is_anchor(i)) V = moved_to(w.near[i], V);
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k) {
      room.S[k] = detail::screw_from(m, w, i, k, T.p);
      V += room.S[k] * x.v[k];
    }
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k) {
      room.Psi[k] = ad(V, room.S[k]);
      if (!m.constant_screws(i)) room.Psi[k] += Ad(T, w.Sdot[k]);
    }
    room.V[i] = V;
    room.G[i] = push_forward(T, m.G[i]);
    room.Gdot[i] = inertia_rate(room.G[i], V);
  }
}

}  // namespace JOUNCE_ISA

/// The forces by which coordinate k meets the screws S_j of those below it, and their rates Psi_j.
template <class Real>
struct CoriolisForces {
  Wrench<Real> column;         ///< C_jk = column . S_j
  Wrench<Real> momentum, row;  ///< C_kj = momentum . Psi_j + row . S_j
  Wrench<Real> rate;           ///< Gdot S_k
};

namespace detail::inline JOUNCE_ISA {

template <class Real>
constexpr CoriolisForces<Real> coriolis_forces(Factorization f, const SubtreeRoom<Real>& room,
                                               int i, int k) {
  const Wrench<Real> rate = room.Gdot[i] * room.S[k], odd = room.K[i] * room.S[k];
  const Wrench<Real> even = f == Factorization::plain ? rate : rate * Plain<Real>(0.5);
  return {room.G[i] * room.Psi[k] + even + odd, room.G[i] * room.S[k], even - odd, rate};
}
/// The entries of C and Mdot that coordinate k of joint i shares with those below it.
template <Origins origins, class P, class Real>
constexpr void coriolis_column(const Model<P>& m, const Workspace<Real>& w, Factorization f,
                               const SubtreeRoom<Real>& room, int i, int k, CoriolisForces<Real> at,
                               Real* C, Real* Mdot) {
  const bool plain = f == Factorization::plain;
  for (int b = i; b > 0; b = m.parent[b]) {
    for (int j = m.v_at[b]; j < (b == i ? k + 1 : m.v_at[b + 1]); ++j) {
      const Real C_jk = dot(at.column, room.S[j]);
      const Real C_kj = dot(at.momentum, room.Psi[j]) + dot(at.row, room.S[j]);
      const Real sum = plain ? C_jk + C_kj - dot(at.rate, room.S[j]) : C_jk + C_kj;
      C[m.nv * k + j] = C_jk;
      C[m.nv * j + k] = C_kj;
      Mdot[m.nv * k + j] = Mdot[m.nv * j + k] = sum;
    }
    if (origins == Origins::anchors && m.is_cut(b))
      for (Wrench<Real>* F : {&at.rate, &at.column, &at.momentum, &at.row})
        *F = moved_from(w.near[b], *F);
  }
}
/// write(i, k, forces) of all coordinates, the last one first, after forward_poses; S and Psi are
/// in the room by then.
template <Origins origins, class P, class Real, class Write>
constexpr void coriolis_columns(const Model<P>& m, const State<Real>& x, const Workspace<Real>& w,
                                Factorization f, SubtreeRoom<Real>& room, Write write) {
  load_bodies<origins>(m, x, w, room);
  for (int i = 1; i < m.bodies; ++i) {
    const auto& I = m.G[i].I;
    room.K[i] = skew_part(f, room.G[i], room.V[i], P(0.5) * (I.xx + I.yy + I.zz));
  }
  for (int i = m.bodies - 1; i > 0; --i) {
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k) write(i, k, coriolis_forces(f, room, i, k));
    const int p = m.parent[i];
    if (p == 0) continue;
    if (origins == Origins::anchors && m.is_cut(i)) {
      room.G[i] = moved_from(w.near[i], room.G[i]);
      room.Gdot[i] = moved_from(w.near[i], room.Gdot[i]);
      room.K[i] = moved_from(w.near[i], room.K[i]);
    }
    room.G[p] = room.G[p] + room.G[i];
    room.Gdot[p] = room.Gdot[p] + room.Gdot[i];
    room.K[p] += room.K[i];
  }
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// C(q, v) and Mdot (nv x nv, column by column), after forward_poses. Entries of coordinates of
/// which neither carries the other are zero and not written. A model with one anchor needs no other
/// origin than the centre's.
template <Origins origins = Origins::anchors, class P, class Real>
constexpr void coriolis(const Model<P>& m, const State<Real>& x, const Workspace<Real>& w,
                        Factorization f, SubtreeRoom<Real>& room, Real* C, Real* Mdot) noexcept {
  detail::coriolis_columns<origins>(
      m, x, w, f, room, [&](int i, int k, const CoriolisForces<Real>& at) {
        detail::coriolis_column<origins>(m, w, f, room, i, k, at, C, Mdot);
      });
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
