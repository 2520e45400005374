// SPDX-License-Identifier: BSD-3-Clause
// The partial derivatives of inverse dynamics, d tau/d(q, v, a), in O(n d) for a tree of depth d.
//
// [Kim] 2012, Table 5, for all coordinates at once. Seen from axes at rest, coordinate k turns all
// that it carries by its screw S_k, and what else changes is the same for every body it carries:
//   dV = ad_{S_k} V + u_k         dA = ad_{S_k} A + w_k + ad_{u_k} V          along q_k
//   dV = S_k                      dA = y_k + ad_{S_k} V                       along v_k
//   u_k = ad_{V-} S_k,  y_k = ad_{V- + V+} S_k,  w_k = ad_{A-} S_k + ad_{V-} u_k
// with V-, A- before and V+ after the joint. With B x = Gdot x - ad*_x P (P the momentum) the force
// of a subtree changes by
//   dF = G w_k + B u_k - ad*_{S_k} F                       dF = G y_k + B S_k
// and G, Gdot, P, F are sums over subtrees, made once. For a coordinate l further out the screw
// turns with k, and the last term along q_k cancels. A part of a composite joint is a joint that
// carries no mass of its own. A custom joint adds what its S(q) and Sdot(q, v) change by.
// Wrenches that do not turn with their body add - E S_k
// (WorldWrench).
//
// Axes at rest have their origins next to the bodies (origins.hpp), and are at rest for someone who
// drifts and falls along with that body's anchor: what all bodies share would lose digits. Drifting
// changes no force. For someone who falls with the acceleration c, w_k lacks (0, c x S_k.w), F
// lacks G (0, c), and so dF lacks the moment (G S_k).f x c and no force.
#pragma once

#include <jounce/algorithm/derivative_room.hpp>
#include <jounce/algorithm/jacobian.hpp>
#include <jounce/algorithm/skew_block.hpp>

namespace jounce {

/// Where the matrices go: nv x nv, column by column. Entries of coordinates of which neither
/// carries the other are zero and not written.
template <class Real>
struct InversePartials {
  Real *dq = nullptr, *dv = nullptr, *da = nullptr;
};

namespace detail::inline JOUNCE_ISA {

/// Adds what the moving screws of a custom joint contribute to u, w, y; V is the twist after it.
template <class P, class Real>
void add_custom(const Model<P>& m, const State<Real>& x, const Workspace<Real>& w, int i,
                const SE3<Real>& T, const Twist<Real>& before, const Twist<Real>& V,
                DerivativeRoom<Real>& room) {
  const int first = m.v_at[i];
  const auto add = [&](const CustomPartials<Real>& partial) {
    for (int k = 0; k < partial.dof; ++k) {
      Twist<Real> dSv{}, dA{};
      for (int l = 0; l < partial.dof; ++l) {
        const Twist<Real> dS = partial.S(l, k);
        room.dS[6 * (first + k) + l] = Ad(T, dS);
        dSv += dS * x.v[first + l];
        dA += partial.Sdot(l, k) * x.v[first + l] + dS * x.a[first + l];
      }
      const Twist<Real> D = Ad(T, dSv);
      room.u[first + k] += D;
      room.y[first + k] += Ad(T, w.Sdot[first + k]) + D;
      room.w[first + k] += ad(before, D) + ad(V, D) + Ad(T, dA);
    }
  };
  differentiate_custom(*m.custom[i], x.q + m.q_at[i], x.v + first, add);
}

/// Whether body i is seen by someone who falls: not next to the ground.
template <Origins origins, class P>
constexpr bool falls(const Model<P>& m, int i) {
  return origins == Origins::anchors && m.parent[m.anchor[i]] > 0;
}
/// How the anchor b moves as a point of what carries it, before its own joint, seen from the anchor
/// of that: velocity and acceleration.
template <class Real>
struct AnchorMotion {
  Vec3<Real> drift, fall;
};
template <class P, class Real>
constexpr AnchorMotion<Real> anchor_motion(const Model<P>& m, const Workspace<Real>& w,
                                           const DerivativeRoom<Real>& room, int b) {
  const Twist<Real>&V = room.V[m.parent[b]], &A = room.A[m.parent[b]];
  const Vec3<Real> drift = moved_to(w.near[b], V).v;
  return {drift, moved_to(w.near[b], A).v + cross(V.w, drift)};
}

/// S, u, w, y of joint i and the motion of its body, part by part; T is its pose from the origin.
template <Origins origins, class P, class Real>
constexpr void load_joint(const Model<P>& m, const State<Real>& x, const Workspace<Real>& w, int i,
                          const SE3<Real>& T, DerivativeRoom<Real>& room) {
  Twist<Real> V = room.V[m.parent[i]], A = room.A[m.parent[i]];
  if (origins == Origins::anchors && m.is_anchor(i)) {
    const Vec3<Real> fall = anchor_motion(m, w, room, i).fall;
    const bool far = m.parent[i] > 0;
    room.fall[i] = far ? room.fall[m.anchor[m.parent[i]]] + fall : Vec3<Real>{};
    V.v = {}, A.v = far ? Vec3<Real>{} : fall;
  }
  for (int r = m.part_at[i]; r < m.part_at[i + 1]; ++r) {
    const PartRange k_in = part_range(m, i, m.part[r]);
    Twist<Real> Sv{}, Sa{};
    for (int k = k_in.first; k < k_in.last; ++k) {
      room.S[k] = screw_from(m, w, i, k, T.p);
      Sv += room.S[k] * x.v[k];
      Sa += room.S[k] * x.a[k];
    }
    for (int k = k_in.first; k < k_in.last; ++k) {
      room.u[k] = ad(V, room.S[k]);
      room.y[k] = ad(V + V + Sv, room.S[k]);
      room.w[k] = ad(A, room.S[k]) + ad(V, room.u[k]);
    }
    if (is_custom(m, i)) {
      add_custom(m, x, w, i, T, V, V + Sv, room);
      Sa += Ad(T, w.Sdot_v[i]);
    }
    A += ad(V, Sv) + Sa;
    V += Sv;
  }
  room.V[i] = V;
  room.A[i] = A;
}

/// What the columns of a coordinate need, and its rows.
template <class Real>
struct DerivativeColumn {
  Wrench<Real> dq, dq_above, dv;  ///< change of the subtree's force
  Wrench<Real> GS, BtS, EtS;      ///< of the coordinate as a row
};

template <class Real>
constexpr DerivativeColumn<Real> column_of(const DerivativeRoom<Real>& room, int i, int k) {
  const Inertia<Real>&G = room.G[i], &Gdot = room.Gdot[i];
  const Wrench<Real>& P = room.P[i];
  const Twist<Real>& S = room.S[k];
  const Wrench<Real> rate = Gdot * S, turn = dual_ad(S, P);
  DerivativeColumn<Real> c;
  c.dq = G * room.w[k] + Gdot * room.u[k] - dual_ad(room.u[k], P);
  if (room.outside != nullptr) c.dq -= room.outside[i] * S;
  c.dq_above = c.dq - dual_ad(S, room.F[i]);
  c.dv = G * room.y[k] + rate - turn;
  c.GS = G * S;
  c.BtS = rate + turn;
  c.EtS = room.outside != nullptr ? transpose_times(room.outside[i], S) : Wrench<Real>{};
  return c;
}

/// The force of body i and what it carries, and a column, for someone at rest.
template <Origins origins, class P, class Real>
constexpr Wrench<Real> force(const Model<P>& m, const DerivativeRoom<Real>& room, int i) {
  if (!falls<origins>(m, i)) return room.F[i];
  return room.F[i] + room.G[i] * Twist<Real>{{}, room.fall[m.anchor[i]]};
}
template <class Real>
constexpr void add_fall(const Vec3<Real>& fall, const Inertia<Real>& G, const Twist<Real>& S,
                        DerivativeColumn<Real>& c) {
  c.dq += G * Twist<Real>{{}, cross(fall, S.w)};
  c.dq_above.m += cross(c.GS.f, fall);
}
/// A column at the next anchor. No force depends on the drift; B does: B^T S by 2 drift x (G S).f.
template <class Real>
constexpr void move_from_anchor(const Vec3<Real>& d, const Vec3<Real>& drift,
                                DerivativeColumn<Real>& c) {
  c.BtS.m += cross(drift, c.GS.f) * Plain<Real>(2);
  for (Wrench<Real>* F : {&c.dq_above, &c.dv, &c.GS, &c.BtS, &c.EtS}) *F = moved_from(d, *F);
}

/// The entries that coordinate k of body i shares with its own part and with all that carry it.
template <Origins origins, class P, class Real>
constexpr void derivative_column(const Model<P>& m, const Workspace<Real>& w,
                                 const DerivativeRoom<Real>& room, int i, const PartRange& part,
                                 int k, const InversePartials<Real>& out) {
  DerivativeColumn<Real> c = column_of(room, i, k);
  if (falls<origins>(m, i)) add_fall(room.fall[m.anchor[i]], room.G[i], room.S[k], c);
  const int n = m.nv;
  for (int l = part.first; l < part.last; ++l) {
    out.dq[n * k + l] = dot(c.dq, room.S[l]);
    out.dv[n * k + l] = dot(c.dv, room.S[l]);
    out.da[n * k + l] = out.da[n * l + k] = dot(c.GS, room.S[l]);
    if (is_custom(m, i))
      out.dq[n * k + l] += dot(force<origins>(m, room, i), room.dS[6 * k + l - part.first]);
  }
  out.da[n * k + k] += Real(m.armature[k]);
  for (int b = i; b > 0; b = m.parent[b]) {
    for (int l = m.v_at[b]; l < (b == i ? part.first : m.v_at[b + 1]); ++l) {
      out.dq[n * k + l] = dot(c.dq_above, room.S[l]);
      out.dv[n * k + l] = dot(c.dv, room.S[l]);
      out.dq[n * l + k] = dot(c.GS, room.w[l]) + dot(c.BtS, room.u[l]) - dot(c.EtS, room.S[l]);
      out.dv[n * l + k] = dot(c.GS, room.y[l]) + dot(c.BtS, room.S[l]);
      out.da[n * k + l] = out.da[n * l + k] = dot(c.GS, room.S[l]);
      if (falls<origins>(m, b))
        out.dq[n * l + k] += dot(c.GS.f, cross(room.fall[m.anchor[b]], room.S[l].w));
    }
    if (origins == Origins::anchors && m.is_cut(b))
      move_from_anchor(w.near[b], anchor_motion(m, w, room, b).drift, c);
  }
}

/// The ground's motion at the centre, or where the first body's anchor is.
template <Origins origins, class P, class Real>
constexpr void load_ground(const Model<P>& m, const Workspace<Real>& w,
                           DerivativeRoom<Real>& room) {
  const int first = m.bodies > 1 ? 1 : 0;
  const Vec3<Real>& p = w.pose[origins == Origins::centre ? m.centre : first].p;
  room.V[0] = moved_to(p, w.V[0]);
  room.A[0] = moved_to(p, w.Vdot[0]);
}

/// Motions and forces of all bodies, and S, u, w, y of all coordinates, after forward_poses.
template <Origins origins, class P, class Real>
constexpr void load_derivatives(const Model<P>& m, const State<Real>& x, const Workspace<Real>& w,
                                DerivativeRoom<Real>& room) {
  load_ground<origins>(m, w, room);
  for (int i = 1; i < m.bodies; ++i) {
    const SE3<Real> T{w.pose[i].R, position<origins>(m, w, i)};
    load_joint<origins>(m, x, w, i, T, room);
    room.G[i] = push_forward(T, m.G[i]);
    room.Gdot[i] = inertia_rate(room.G[i], room.V[i]);
    room.P[i] = room.G[i] * room.V[i];
    room.F[i] = room.G[i] * room.A[i] - dual_ad(room.V[i], room.P[i]) - dual_Ad_inv(T, x.F_ext[i]);
    if (origins == Origins::anchors && room.outside != nullptr)
      room.outside[i] = moved_from(-w.central[m.anchor[i]], room.outside[i]);
  }
}
/// Sums of body i and what it carries, at its parent's anchor.
template <class Real>
constexpr void move_from_anchor(const Vec3<Real>& d, const AnchorMotion<Real>& anchor, int i,
                                DerivativeRoom<Real>& room) {
  const Twist<Real> along{{}, anchor.drift}, down{{}, anchor.fall};
  room.Gdot[i] = room.Gdot[i] + inertia_rate(room.G[i], along);
  room.P[i] += room.G[i] * along;
  room.F[i] += room.G[i] * down;
  room.G[i] = moved_from(d, room.G[i]);
  room.Gdot[i] = moved_from(d, room.Gdot[i]);
  room.P[i] = moved_from(d, room.P[i]);
  room.F[i] = moved_from(d, room.F[i]);
  if (room.outside != nullptr) room.outside[i] = moved_from(d, room.outside[i]);
}
/// Adds body i and what it carries to its parent.
template <class P, class Real>
constexpr void add_to_parent(const Model<P>& m, int i, DerivativeRoom<Real>& room) {
  const int p = m.parent[i];
  if (p == 0) return;
  room.G[p] = room.G[p] + room.G[i];
  room.Gdot[p] = room.Gdot[p] + room.Gdot[i];
  room.P[p] += room.P[i];
  room.F[p] += room.F[i];
  if (room.outside != nullptr) room.outside[p] = room.outside[p] + room.outside[i];
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// d tau/dq (along integrate(q, dv)), d tau/dv and d tau/da = M, after forward_poses.
///
/// V[0] and Vdot[0] of the workspace are the ground's, as in rnea. A model with one anchor needs no
/// other origin than the centre's.
template <Origins origins = Origins::anchors, class P, class Real>
constexpr void rnea_derivatives(const Model<P>& m, const State<Real>& x, const Workspace<Real>& w,
                                DerivativeRoom<Real>& room,
                                const InversePartials<Real>& out) noexcept {
  detail::load_derivatives<origins>(m, x, w, room);
  for (int i = m.bodies - 1; i > 0; --i) {
    for (int r = m.part_at[i + 1] - 1; r >= m.part_at[i]; --r) {
      const detail::PartRange part = detail::part_range(m, i, m.part[r]);
      for (int k = part.first; k < part.last; ++k)
        detail::derivative_column<origins>(m, w, room, i, part, k, out);
    }
    if (origins == Origins::anchors && m.is_cut(i))
      detail::move_from_anchor(w.near[i], detail::anchor_motion(m, w, room, i), i, room);
    detail::add_to_parent(m, i, room);
  }
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
