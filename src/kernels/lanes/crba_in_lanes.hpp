// SPDX-License-Identifier: BSD-3-Clause
// crba for one state on a processor with 32-byte registers.
//
// The reference (crba.hpp) carries a wrench from joint to joint: a change of frame for every pair
// of a joint and its ancestor. Here everything is seen in the axes of a tree's first body:
// composite inertias are then sums, and an entry of M is one scalar product. Bodies that can be far
// apart have origins of their own (origins.hpp), the others share one.
#pragma once

#include "kernels/lanes/block_inertia.hpp"
#include "kernels/lanes/poses_in_lanes.hpp"

namespace jounce {
namespace lanes::inline JOUNCE_ISA {

/// The pose of a body behind a revolute joint: that of its parent, the placement, the turn.
[[gnu::always_inline]] inline Columns pose_through_revolute(const Columns& U, const LaneBody& body,
                                                            double sin, double cos) {
  const auto column = [&](int k) {
    return U.x * spread(body.row[0][k]) + U.y * spread(body.row[1][k]) +
           U.z * spread(body.row[2][k]);
  };
  const Column x = column(0), y = column(1), c = spread(cos), s = spread(sin);
  return {
      x * c + y * s, y * c - x * s, column(2),
      U.x * spread(body.p[0][0]) + U.y * spread(body.p[0][1]) + (U.z * spread(body.p[0][2]) + U.p)};
}

/// R M R^T of a symmetric M, R by columns in memory.
[[gnu::always_inline]] inline Columns3 congruence(const double (&R)[4][4], const Columns3& M) {
  const auto times_transposed = [&](const Columns3& N) {
    const auto column = [&](int j) {
      return N.x * spread(R[0][j]) + N.y * spread(R[1][j]) + N.z * spread(R[2][j]);
    };
    return Columns3{column(0), column(1), column(2)};
  };
  return times_transposed(transpose(times_transposed(M)));
}

/// I - [d][y] - [y][d].
[[gnu::always_inline]] inline Columns3 minus_hat_products(const Columns3& I, const Column& d,
                                                          const Column& y) {
  const Column dy = d * y;
  const double trace = 2 * (dy[0] + dy[1] + dy[2]);
  const Columns3 M = minus_outer(minus_outer(I, d, y), y, d);
  return {M.x + Column{trace, 0, 0, 0}, M.y + Column{0, trace, 0, 0}, M.z + Column{0, 0, trace, 0}};
}
/// A body's inertia in the frame where its own has the pose U.
[[gnu::always_inline]] inline CompositeInertia seen_from(const WidePose& U, const LaneBody& body) {
  const Columns T = load(U);
  const double mass = body.mass;
  const Column h = times(Columns3{T.x, T.y, T.z}, load(body.h[0]));
  const Columns3 I = congruence(U.column, load(body.I));
  return {minus_hat_products(I, T.p, h + T.p * spread(0.5 * mass)), h + T.p * spread(mass),
          spread(mass)};
}
[[gnu::always_inline]] inline CompositeInertia operator+(const CompositeInertia& a,
                                                         const CompositeInertia& b) {
  return {a.I + b.I, a.h + b.h, a.mass + b.mass};
}
[[gnu::always_inline]] inline Force times(const CompositeInertia& G, const Screw& J) {
  const Turned h = turned(G.h);
  return {times(G.I, J.w) + turn(half_cross(h, turned(J.v))),
          G.mass * J.v - turn(half_cross(h, turned(J.w)))};
}
[[gnu::always_inline]] inline double dot(const Force& F, const Screw& J) {
  const Column s = F.n * J.w + F.f * J.v;
  return s[0] + s[1] + s[2];
}

/// What is taken about the point d, taken about the origin.
[[gnu::always_inline]] inline Force moved_from(const Column& d, const Force& F) {
  return {F.n + turn(half_cross(turned(d), turned(F.f))), F.f};
}
[[gnu::always_inline]] inline CompositeInertia moved_from(const Column& d,
                                                          const CompositeInertia& G) {
  const Column mass_d = d * G.mass;
  return {minus_hat_products(G.I, d, G.h + spread(0.5) * mass_d), G.h + mass_d, G.mass};
}

/// Poses and screws in the axes of each tree's first body, from the bodies' anchors or, where only
/// it serves, from its own.
template <Origins origins>
void sweep_screws(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                  const LaneBody* body, WidePose* pose, Screw* J, Cut* cut) {
  Columns U{};
  for (int i = 1; i < m.bodies; ++i) {
    const int p = m.parent[i], k = m.v_at[i], angle = body[i].angle;
    if (angle < 0) move_joint(m, x, i, w);
    if (p != i - 1) U = load(pose[p]);
    if (p == 0) U = {Column{1, 0, 0, 0}, Column{0, 1, 0, 0}, Column{0, 0, 1, 0}, Column{}};
    else if (angle >= 0) U = pose_through_revolute(U, body[i], w.sin[angle], w.cos[angle]);
    else U = times(U, w.T[i]);
    if (origins == Origins::anchors && m.is_anchor(i)) cut[i].d = U.p, U.p = Column{};
    store(U, pose[i]);
    if (angle >= 0) {
      J[k] = {U.z, turn(half_cross(turned(U.p), turned(U.z)))};
      continue;
    }
    for (int j = k; j < m.v_at[i + 1]; ++j) {
      const Column turned_w = times(Columns3{U.x, U.y, U.z}, column(w.S[j].w));
      J[j] = {turned_w, times(Columns3{U.x, U.y, U.z}, column(w.S[j].v)) +
                            turn(half_cross(turned(U.p), turned(turned_w)))};
    }
  }
}

template <Origins origins>
void crba(const Model<double>& m, const State<double>& x, Workspace<double>& w,
          const LaneBody* body, const LaneRoom& room, WidePose* pose, double* M) {
  move_angles(m, x, w);
  sweep_screws<origins>(m, x, w, body, pose, room.screw, room.cut);
  for (int i = 1; i < m.bodies; ++i)
    if (m.branching[i]) room.composite[i] = CompositeInertia{};
  CompositeInertia G{};
  for (int i = m.bodies - 1; i > 0; --i) {
    G = G + seen_from(pose[i], body[i]);
    if (m.branching[i]) G = G + room.composite[i];
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k) {
      Force F = times(G, room.screw[k]);
      for (int b = i; b > 0; b = m.parent[b]) {
        for (int j = m.v_at[b]; j < m.v_at[b + 1]; ++j)
          M[m.nv * k + j] = M[m.nv * j + k] = lanes::dot(F, room.screw[j]);
        if (origins == Origins::anchors && m.is_cut(b)) F = moved_from(room.cut[b].d, F);
      }
      M[m.nv * k + k] += m.armature[k];
    }
    const int p = m.parent[i];
    if (origins == Origins::anchors && m.is_cut(i)) G = moved_from(room.cut[i].d, G);
    if (p == i - 1 && p > 0) continue;
    if (p > 0) room.composite[p] = room.composite[p] + G;
    G = CompositeInertia{};
  }
}

}  // namespace lanes::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// As crba, from the state itself. Entries of M that are zero for every q are not written.
inline void crba_in_lanes(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                          const LaneBody* body, const LaneRoom& room, WidePose* pose, double* M) {
  if (m.anchors > 1) lanes::crba<Origins::anchors>(m, x, w, body, room, pose, M);
  else lanes::crba<Origins::centre>(m, x, w, body, room, pose, M);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
