// SPDX-License-Identifier: BSD-3-Clause
// rnea_derivatives for one state on a processor with 32-byte registers.
//
// The equations are those of the reference (rnea_derivatives.hpp), seen in the axes of each tree's
// first body, with three things gained. The matrix B of a subtree has two blocks only:
//   B = [K 0; -2 [p] 0],  K = Idot - [P_m],  p = P_f (linear momentum)
// because the first moment changes by the linear momentum. A three-vector is a register (lanes.hpp)
// while bodies are swept. And entries of a column are found four rows at a time: screws S and rows
// G S, B^T S are turned into arrays by component, over which the rows of a column are a few ranges.
// Custom joints and wrenches that stand in ground axes are left to the reference.
#pragma once

#include <jounce/algorithm/rnea_derivatives.hpp>

#include "kernels/lanes/crba_in_lanes.hpp"
#include "kernels/lanes/derivative_lanes.hpp"

namespace jounce {
namespace lanes::inline JOUNCE_ISA {

[[gnu::always_inline]] inline Column cross(const Column& a, const Column& b) {
  return turn(half_cross(turned(a), turned(b)));
}
[[gnu::always_inline]] inline Screw operator+(const Screw& a, const Screw& b) {
  return {a.w + b.w, a.v + b.v};
}
[[gnu::always_inline]] inline Screw operator*(const Screw& a, double s) {
  return {a.w * spread(s), a.v * spread(s)};
}
[[gnu::always_inline]] inline Screw ad(const Screw& V, const Screw& W) {
  const Turned w = turned(V.w), v = turned(V.v), a = turned(W.w), b = turned(W.v);
  return {turn(half_cross(w, a)), turn(half_cross(w, b) + half_cross(v, a))};
}
[[gnu::always_inline]] inline Force dual_ad(const Screw& V, const Force& F) {
  const Turned w = turned(V.w), v = turned(V.v), n = turned(F.n), f = turned(F.f);
  return {turn(half_cross(n, w) + half_cross(f, v)), turn(half_cross(f, w))};
}
[[gnu::always_inline]] inline Force operator-(const Force& F, const Force& G) {
  return {F.n - G.n, F.f - G.f};
}
[[gnu::always_inline]] inline double sum(const Column& a) { return a[0] + a[1] + a[2]; }

/// K = Idot - [n] of a body with the twist V and the angular momentum n.
///
/// Idot = A + A^T + 2 (h.v) 1 with A = [w] I - h v^T.
[[gnu::always_inline]] inline Columns3 turning(const CompositeInertia& G, const Screw& V,
                                               const Column& n) {
  const Turned w = turned(V.w);
  const auto turn_column = [&](const Column& x) { return turn(half_cross(w, turned(x))); };
  const Columns3 A =
      minus_outer(Columns3{turn_column(G.I.x), turn_column(G.I.y), turn_column(G.I.z)}, G.h, V.v);
  const Columns3 rate = A + transpose(A);
  const double d = 2 * sum(G.h * V.v), x = n[0], y = n[1], z = n[2];
  return {rate.x + Column{d, -z, y, 0}, rate.y + Column{z, d, -x, 0}, rate.z + Column{-y, x, d, 0}};
}

/// A twist given in the ground, in the frame with the pose T.
inline Screw seen_from(const SE3<double>& T, const Twist<double>& V) {
  const Twist<double> X = Ad_inv(T, V);
  return {column(X.w), column(X.v)};
}
/// A wrench in a body's frame, in that where it has the pose U.
[[gnu::always_inline]] inline Force moved(const Columns& U, const Force& F) {
  const Columns3 R{U.x, U.y, U.z};
  const Column f = times(R, F.f);
  return {times(R, F.n) + cross(U.p, f), f};
}

/// S, u, w and y of joint i; V and A go from before it to after it.
inline void load_joint(const Model<double>& m, const State<double>& x, int i, const Screw* J,
                       CoordinateLanes* coordinate, Screw& V, Screw& A) {
  for (int r = m.part_at[i]; r < m.part_at[i + 1]; ++r) {
    const int first = m.part[r].v, last = first + elementary_nv(m.part[r].kind);
    Screw Sv{}, Sa{};
    for (int k = first; k < last; ++k) {
      Sv = Sv + J[k] * x.v[k];
      Sa = Sa + J[k] * x.a[k];
    }
    const Screw both = V + V + Sv;
    for (int k = first; k < last; ++k) {
      CoordinateLanes& c = coordinate[k];
      const Screw u = ad(V, J[k]), w = ad(A, J[k]) + ad(V, u), y = ad(both, J[k]);
      c.S.w = J[k].w, c.S.v = J[k].v;
      c.u = u.w, c.u_linear = u.v;
      c.w.w = w.w, c.w.v = w.v;
      c.y.w = y.w, c.y.v = y.v;
    }
    A = A + (ad(V, Sv) + Sa);
    V = V + Sv;
  }
}

/// The motion of what carries the anchor i, at the anchor and for someone who drifts along with it
/// and, away from the ground, falls.
inline void move_to_anchor(const Model<double>& m, int i, Cut* all, Screw& V, Screw& A) {
  Cut& cut = all[i];
  const Column drift = V.v + cross(V.w, cut.d);
  const Column fall = A.v + cross(A.w, cut.d) + cross(V.w, drift);
  const bool far = m.parent[i] > 0;
  cut.drift = drift;
  cut.fall = fall;
  cut.all_falls = far ? all[m.anchor[m.parent[i]]].all_falls + fall : Column{};
  V.v = Column{};
  A.v = far ? Column{} : fall;
}
/// B and its sums at the next anchor: K - 2 [h] [drift], p + m drift, then K - 2 [d] [p].
inline MomentumBlock moved_from(const Cut& cut, const CompositeInertia& G, const MomentumBlock& B) {
  const Column p = B.p + G.mass * cut.drift;
  const double trace = 2 * (sum(G.h * cut.drift) + sum(cut.d * p));
  const Columns3 K = minus_outer(minus_outer(B.K, cut.drift + cut.drift, G.h), p + p, cut.d);
  return {
      {K.x + Column{trace, 0, 0, 0}, K.y + Column{0, trace, 0, 0}, K.z + Column{0, 0, trace, 0}},
      p};
}

/// Motions and forces of all bodies, outwards.
template <Origins origins>
void sweep_motions(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                   const LaneBody* body, const WidePose* pose, const DerivativeLanes& room) {
  Screw V{}, A{};
  for (int i = 1; i < m.bodies; ++i) {
    const int p = m.parent[i];
    if (p == 0) {
      if (body[i].angle >= 0) move_joint(m, x, i, w);
      V = seen_from(w.T[i], w.V[0]);
      A = seen_from(w.T[i], w.Vdot[0]);
    } else if (p != i - 1) {
      V = {room.V[2 * p].w, room.V[2 * p].v};
      A = {room.V[2 * p + 1].w, room.V[2 * p + 1].v};
    }
    if (origins == Origins::anchors && m.is_anchor(i)) move_to_anchor(m, i, room.cut, V, A);
    load_joint(m, x, i, room.screw, room.coordinate, V, A);
    if (m.branching[i]) {
      room.V[2 * i].w = V.w, room.V[2 * i].v = V.v;
      room.V[2 * i + 1].w = A.w, room.V[2 * i + 1].v = A.v;
    }
    const CompositeInertia G = seen_from(pose[i], body[i]);
    const Force P = times(G, V);
    const Force F = times(G, A) - dual_ad(V, P) - moved(load(pose[i]), load(x.F_ext[i]));
    set(room.G[i].I, G.I);
    room.G[i].h = G.h, room.G[i].mass = G.mass;
    set(room.B[i].K, turning(G, V, P.n));
    room.B[i].p = P.f;
    room.F[i].n = F.n, room.F[i].f = F.f;
  }
}

/// The columns of coordinate c, and its row, with the sums over what it carries.
[[gnu::always_inline]] inline void finish(const CompositeInertia& G, const MomentumBlock& B,
                                          const Columns3& K_transposed, const Force& F,
                                          CoordinateLanes& c) {
  const Column p2 = B.p + B.p;
  const Force Gw = times(G, c.w), Gy = times(G, c.y), GS = times(G, c.S);
  const Force turned_F = dual_ad(c.S, F);
  c.dq_above.n = Gw.n + times(B.K, c.u) - turned_F.n;
  c.dq_above.f = Gw.f - cross(p2, c.u) - turned_F.f;
  c.dv.n = Gy.n + times(B.K, c.S.w);
  c.dv.f = Gy.f - cross(p2, c.S.w);
  c.GS.n = GS.n, c.GS.f = GS.f;
  c.BtS = times(K_transposed, c.S.w) + cross(p2, c.S.v);
}

/// The same for someone at rest.
[[gnu::always_inline]] inline void add_fall(const Column& fall, CoordinateLanes& c) {
  c.w.v += cross(fall, c.S.w);
  c.dq_above.n += cross(c.GS.f, fall);
}

/// Sums over subtrees, inwards; also(k, G, B) with those of what coordinate k carries.
template <Origins origins, class Also>
[[gnu::always_inline]] inline void sweep_sums(const Model<double>& m, const DerivativeLanes& room,
                                              Also also) {
  CompositeInertia G{};
  MomentumBlock B{};
  Force F{};
  for (int i = m.bodies - 1; i > 0; --i) {
    G = {G.I + room.G[i].I, G.h + room.G[i].h, G.mass + room.G[i].mass};
    B = {B.K + room.B[i].K, B.p + room.B[i].p};
    F = {F.n + room.F[i].n, F.f + room.F[i].f};
    const Columns3 K_transposed = transpose(B.K);
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k) {
      finish(G, B, K_transposed, F, room.coordinate[k]);
      if (origins == Origins::anchors)
        add_fall(room.cut[m.anchor[i]].all_falls, room.coordinate[k]);
      also(k, G, B);
    }
    const int p = m.parent[i];
    if (origins == Origins::anchors && m.is_cut(i)) {
      B = moved_from(room.cut[i], G, B);
      F = moved_from(room.cut[i].d, F + times(G, Screw{Column{}, room.cut[i].fall}));
      G = moved_from(room.cut[i].d, G);
    }
    if (p == i - 1 && p > 0) continue;
    if (p > 0) {
      set(room.G[p].I, room.G[p].I + G.I);
      room.G[p].h += G.h, room.G[p].mass += G.mass;
      set(room.B[p].K, room.B[p].K + B.K);
      room.B[p].p += B.p;
      room.F[p].n += F.n, room.F[p].f += F.f;
    }
    G = CompositeInertia{};
    B = MomentumBlock{};
    F = Force{};
  }
}

}  // namespace lanes::inline JOUNCE_ISA
}  // namespace jounce
