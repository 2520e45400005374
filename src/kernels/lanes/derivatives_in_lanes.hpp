// SPDX-License-Identifier: BSD-3-Clause
// rnea_derivatives for one state on a processor with 32-byte registers.
//
// The equations are those of the reference (rnea_derivatives.hpp), seen in the axes of each tree's
// first body, with three things gained. The matrix B of a subtree has two blocks only:
//   B = [K 0; -2 [p] 0],  K = Idot - [P_m],  p = P_f (linear momentum)
// because the first moment changes by the linear momentum. A three-vector is a register (lanes.hpp)
// while bodies are swept. And entries of a column are found many rows at a time: screws S and rows
// G S, B^T S are turned into arrays by component, over which the rows of a column are a few ranges.
// Wrenches that stand in ground axes are not among the forces (outside_in_lanes.hpp). Custom joints
// are left to the reference.
#pragma once

#include <jounce/algorithm/mass_matrix.hpp>
#include <jounce/algorithm/rnea_derivatives.hpp>

#include "kernels/lanes/brackets.hpp"
#include "kernels/lanes/outside_in_lanes.hpp"

namespace jounce {
namespace lanes::inline JOUNCE_ISA {

[[gnu::always_inline]] inline MomentumBlock operator+(const MomentumBlock& a,
                                                      const MomentumBlock& b) {
  return {a.K + b.K, a.p + b.p};
}
/// K of a body with the twist V: with its second moments Sigma and N = v h^T + [w] Sigma, the sum
/// of velocity times place over all mass, Idot - [P_m] = 2 (tr N) 1 - 2 N, and tr N = h.v.
[[gnu::always_inline]] inline Columns3 turning(const CompositeInertia& G, const Screw& V) {
  const Column x(1, 0, 0, 0), y(0, 1, 0, 0), z(0, 0, 1, 0);
  const Column half_trace =
      spread(0.5) * spread_sum(shuffled<0, 1, 6, 7>(shuffled<0, 5, 2, 3>(G.I.x, G.I.y), G.I.z));
  const Column w = -(V.w + V.w), v = V.v + V.v, d = spread_sum(G.h * v);
  return {d * x - v * spread<0>(G.h) + cross(w, half_trace * x - G.I.x),
          d * y - v * spread<1>(G.h) + cross(w, half_trace * y - G.I.y),
          d * z - v * spread<2>(G.h) + cross(w, half_trace * z - G.I.z)};
}
/// -ad*_V G V, the force of w x (velocity) over all mass: K x / 2 is the moment of x x (velocity).
[[gnu::always_inline]] inline Force turning_force(const MomentumBlock& B, const Column& w) {
  return {B.K * (spread(0.5) * w), cross(w, B.p)};
}

/// A twist given in the ground, in the frame with the pose T.
inline Screw seen_from(const SE3<double>& T, const Twist<double>& V) {
  const Twist<double> X = Ad_inv(T, V);
  return {column(X.w), column(X.v)};
}
/// F less a wrench in the body's frame, which is most often none.
[[gnu::always_inline]] inline Force less_outside(const Force& F, const Pose& U,
                                                 const Wrench<double>& outside) {
  const Force G = load(outside);
  typedef long Bits __attribute__((vector_size(32)));
  const Bits any = Bits(G.m.r) | Bits(G.f.r);
  if ((any[0] | any[1] | any[2]) == 0) return F;
  return F - moved(U, G);
}

/// What is kept of the only coordinate of a part: there y = 2 u, and Sdot = u.
// NOLINTNEXTLINE(performance-unnecessary-value-param): in registers, what c is written to or not
[[gnu::always_inline]] inline void load_alone(const Screw S, double v, double a, CoordinateLanes& c,
                                              Screw& V, Screw& A) {
  const Screw u = ad(V, S);
  c.S = S, c.y = u + u, c.u = u.w, c.u_linear = u.v;
  c.w.w = cross_sum(A.w, S.w, V.w, u.w);
  c.w.v = turn(half_cross(A.w.r, S.v.r) + half_cross(A.v.r, S.w.r) + half_cross(V.w.r, u.v.r) +
               half_cross(V.v.r, u.w.r));
  A = A + (u * v + S * a);
  V = V + S * v;
}
/// S, u, w and y of joint i; V and A go from before it to after it.
[[gnu::always_inline]] inline void load_joint(const Model<double>& m, const State<double>& x, int i,
                                              const Screw* J, CoordinateLanes* coordinate, Screw& V,
                                              Screw& A) {
  for (int r = m.part_at[i]; r < m.part_at[i + 1]; ++r) {
    const int first = m.part[r].v, last = first + elementary_nv(m.part[r].kind);
    if (last == first + 1) {
      load_alone(J[first], x.v[first], x.a[first], coordinate[first], V, A);
      continue;
    }
    Screw Sv{}, Sa{};
    for (int k = first; k < last; ++k) {
      Sv = Sv + J[k] * x.v[k];
      Sa = Sa + J[k] * x.a[k];
    }
    const Screw both = V + V + Sv;
    for (int k = first; k < last; ++k) {
      CoordinateLanes& c = coordinate[k];
      const Screw u = ad(V, J[k]), w = ad(A, J[k]) + ad(V, u), y = ad(both, J[k]);
      c.S = J[k], c.w = w, c.y = y;
      c.u = u.w, c.u_linear = u.v;
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
  const double trace = 2 * (dot(G.h, cut.drift) + dot(cut.d, p));
  const Columns3 K = minus_outer(minus_outer(B.K, cut.drift + cut.drift, G.h), p + p, cut.d);
  return {plus_diagonal(K, trace), p};
}

/// Poses and screws as the mass matrix has them.
template <Origins origins>
void sweep_screws(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                  const LaneBody* body, Pose* pose, const DerivativeLanes& room) {
  const Room<InRegisters> screws{.screw = room.screw, .pose = pose, .cut = room.cut};
  detail::sweep_screws<origins>(Recursion<InRegisters>{m, body, x, w, screws});
}
/// Motions and forces of all bodies, outwards.
template <Origins origins>
void sweep_motions(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                   const LaneBody* body, const Pose* pose, const DerivativeLanes& room) {
  Screw V{}, A{};
  for (int i = 1; i < m.bodies; ++i) {
    const int p = m.parent[i];
    if (p == 0) {
      if (body[i].angle >= 0) move_joint(m, x, i, w);
      V = seen_from(w.T[i], w.V[0]);
      A = seen_from(w.T[i], w.Vdot[0]);
    } else if (p != i - 1) {
      V = room.V[2 * p], A = room.V[2 * p + 1];
    }
    if (origins == Origins::anchors && m.is_anchor(i)) move_to_anchor(m, i, room.cut, V, A);
    load_joint(m, x, i, room.screw, room.coordinate, V, A);
    if (m.branching[i]) room.V[2 * i] = V, room.V[2 * i + 1] = A;
    if (!room.placed) room.G[i] = push_forward(pose[i], body[i].inertia());
    const CompositeInertia G = room.G[i];
    const MomentumBlock B{turning(G, V), G.mass * V.v - cross(G.h, V.w)};
    room.B[i] = B;
    room.F[i] = less_outside(G * A + turning_force(B, V.w), pose[i], x.F_ext[i]);
  }
}

/// The columns of coordinate c, and its row, with the sums over what it carries.
[[gnu::always_inline]] inline void finish(const CompositeInertia& G, const MomentumBlock& B,
                                          const Columns3& K_transposed, const Force& F,
                                          CoordinateLanes& c) {
  const Column p2 = B.p + B.p;
  const Force Gw = G * c.w, Gy = G * c.y;
  const Force turned_F = dual_ad(c.S, F);
  c.dq_above.m = Gw.m + B.K * c.u - turned_F.m;
  c.dq_above.f = Gw.f - cross(p2, c.u) - turned_F.f;
  c.dv.m = Gy.m + B.K * c.S.w;
  c.dv.f = Gy.f - cross(p2, c.S.w);
  c.GS = G * c.S;
  c.BtS = K_transposed * c.S.w + cross(p2, c.S.v);
}

/// The same for someone at rest.
[[gnu::always_inline]] inline void add_fall(const Column& fall, CoordinateLanes& c) {
  c.w.v += cross(fall, c.S.w);
  c.dq_above.m += cross(c.GS.f, fall);
}

/// Sums over subtrees, inwards; also(k, G, B) with those of what coordinate k carries. stands:
/// whether there are wrenches in ground axes.
template <Origins origins, class Also>
[[gnu::always_inline]] inline void sweep_sums(const Model<double>& m, const DerivativeLanes& room,
                                              bool stands, Also also) {
  CompositeInertia G{};
  MomentumBlock B{};
  Force F{};
  for (int i = m.bodies - 1; i > 0; --i) {
    G = G + room.G[i];
    B = B + room.B[i];
    F = F + room.F[i];
    const Columns3 K_transposed = transpose(B.K);
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k) {
      finish(G, B, K_transposed, F, room.coordinate[k]);
      if (origins == Origins::anchors)
        add_fall(room.cut[m.anchor[i]].all_falls, room.coordinate[k]);
      if (stands) room.coordinate[k].dq_above.m -= room.standing[k].turn;
      also(k, G, B);
    }
    const int p = m.parent[i];
    if (origins == Origins::anchors && m.is_cut(i)) {
      B = moved_from(room.cut[i], G, B);
      F = moved_from(room.cut[i].d, F + G * Screw{Column{}, room.cut[i].fall});
      G = moved_from(room.cut[i].d, G);
    }
    if (p == i - 1 && p > 0) continue;
    if (p > 0) {
      room.G[p] = room.G[p] + G;
      room.B[p] = room.B[p] + B;
      room.F[p] = room.F[p] + F;
    }
    G = CompositeInertia{};
    B = MomentumBlock{};
    F = Force{};
  }
}

}  // namespace lanes::inline JOUNCE_ISA
}  // namespace jounce
