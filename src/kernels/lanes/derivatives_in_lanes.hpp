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
#include <jounce/scalar/pack.hpp>

#include "kernels/lanes/brackets.hpp"
#include "kernels/lanes/outside_in_lanes.hpp"

namespace jounce {
namespace lanes::inline JOUNCE_ISA {

[[gnu::always_inline]] inline MomentumBlock operator+(const MomentumBlock& a,
                                                      const MomentumBlock& b) {
  return {a.K + b.K, a.p + b.p};
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
/// Twists and accelerations of all bodies, outwards, and what they make of coordinates.
template <Origins origins>
void sweep_motions(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                   const LaneBody* body, const DerivativeLanes& room) {
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
    room.V[2 * i] = V, room.V[2 * i + 1] = A;
  }
}

/// A number of four bodies in a register: what is asked of every body alone takes no shuffles then
/// but to get there and back.
using Four = Pack<double, 4>;
[[gnu::always_inline]] inline Four numbers(const Column& a) {
  Four x;
  __builtin_memcpy(&x.r, &a.r, sizeof(a.r));
  return x;
}
[[gnu::always_inline]] inline Column column(const Four& x) {
  Column a;
  __builtin_memcpy(&a.r, &x.r, sizeof(a.r));
  return a;
}
/// Vectors of four bodies side by side; column(i) is that of body i.
template <class GetColumn>
[[gnu::always_inline]] inline Vec3<Four> side_by_side(const FourBodies& four, GetColumn column) {
  const auto& [a, b, c, d] = four.body;
  const Columns3 r = rows_of(column(a), column(b), column(c), column(d));
  return {numbers(r.x), numbers(r.y), numbers(r.z)};
}
/// put(i, x) for each body i and its vector x.
template <class Put>
[[gnu::always_inline]] inline void one_by_one(const FourBodies& four, const Vec3<Four>& a,
                                              Put put) {
  const Column x = column(a.x), y = column(a.y), z = column(a.z);
  const Column lo = shuffled<0, 4, 2, 6>(x, y), hi = shuffled<1, 5, 3, 7>(x, y);
  const Column odd = shuffled<1, 0, 3, 2>(z, z);
  put(four.body[0], shuffled<0, 1, 4, 5>(lo, z));
  put(four.body[1], shuffled<0, 1, 4, 5>(hi, odd));
  put(four.body[2], shuffled<2, 3, 6, 7>(lo, z));
  put(four.body[3], shuffled<2, 3, 6, 7>(hi, odd));
}
[[gnu::always_inline]] inline Inertia<Four> load(const FourInertias& G) {
  const auto x = [](const double(&numbers)[4]) { return Four::load(numbers); };
  return {x(G.mass),
          {x(G.h[0]), x(G.h[1]), x(G.h[2])},
          {x(G.I[0]), x(G.I[1]), x(G.I[2]), x(G.I[3]), x(G.I[4]), x(G.I[5])}};
}
/// Inertias of bodies seen from where their poses are.
[[gnu::always_inline]] inline Inertia<Four> place(const FourBodies& four, const Inertia<Four>& own,
                                                  const Pose* pose, CompositeInertia* to) {
  const Vec3<Four> x = side_by_side(four, [&](int i) { return pose[i].x; });
  const Vec3<Four> y = side_by_side(four, [&](int i) { return pose[i].y; });
  const Vec3<Four> z = side_by_side(four, [&](int i) { return pose[i].z; });
  const Vec3<Four> p = side_by_side(four, [&](int i) { return pose[i].p; });
  const SE3<Four> U{{{{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}}}, p};
  const Inertia<Four> G = push_forward(U, own);
  one_by_one(four, {G.I.xx, G.I.xy, G.I.xz}, [&](int i, const Column& c) { to[i].I.x = c; });
  one_by_one(four, {G.I.xy, G.I.yy, G.I.yz}, [&](int i, const Column& c) { to[i].I.y = c; });
  one_by_one(four, {G.I.xz, G.I.yz, G.I.zz}, [&](int i, const Column& c) { to[i].I.z = c; });
  one_by_one(four, G.h, [&](int i, const Column& c) { to[i].h = c; });
  return G;
}
/// Those that stand there already.
[[gnu::always_inline]] inline Inertia<Four> placed(const FourBodies& four, const Inertia<Four>& own,
                                                   const CompositeInertia* G) {
  const Vec3<Four> x = side_by_side(four, [&](int i) { return G[i].I.x; });
  const Vec3<Four> y = side_by_side(four, [&](int i) { return G[i].I.y; });
  const Vec3<Four> z = side_by_side(four, [&](int i) { return G[i].I.z; });
  const Vec3<Four> h = side_by_side(four, [&](int i) { return G[i].h; });
  return {own.mass, h, {x.x, x.y, y.y, x.z, y.z, z.z}};
}
/// K of bodies with the twist V: with their second moments Sigma and N = v h^T + [w] Sigma, the sum
/// of velocity times place over all mass, Idot - [P_m] = 2 (tr N) 1 - 2 N, and tr N = h.v.
[[gnu::always_inline]] inline Mat3<Four> turning(const Inertia<Four>& G, const Twist<Four>& V) {
  const auto& [xx, xy, yy, xz, yz, zz] = G.I;
  const Vec3<Four> v = V.v + V.v, w = V.w + V.w;
  const Four half_trace = 0.5 * (xx + yy + zz), d = dot(G.h, v);
  const auto x = cross(w, Vec3<Four>{xx - half_trace, xy, xz}) - v * G.h.x;
  const auto y = cross(w, Vec3<Four>{xy, yy - half_trace, yz}) - v * G.h.y;
  const auto z = cross(w, Vec3<Four>{xz, yz, zz - half_trace}) - v * G.h.z;
  return {{{d + x.x, y.x, z.x}, {x.y, d + y.y, z.y}, {x.z, y.z, d + z.z}}};
}
/// Inertias of four bodies, K and p, and the forces G A - ad*_V G V of their motion, whose second
/// part is that of w x (velocity) over all mass: K x / 2 is the moment of x x (velocity).
[[gnu::flatten]] inline void find_forces(const FourBodies& four, const Pose* pose,
                                         const FourInertias& inertia, const DerivativeLanes& room) {
  const Inertia<Four> own = load(inertia),
                      G = room.placed ? placed(four, own, room.G) : place(four, own, pose, room.G);
  const auto motion = [&](int k) __attribute__((always_inline)) {
    return Twist<Four>{side_by_side(four, [&](int i) { return room.V[2 * i + k].w; }),
                       side_by_side(four, [&](int i) { return room.V[2 * i + k].v; })};
  };
  const Twist<Four> V = motion(0), A = motion(1);
  const Mat3<Four> K = turning(G, V), columns = transpose(K);
  const Vec3<Four> p = V.v * G.mass - cross(G.h, V.w);
  one_by_one(four, columns.row[0], [&](int i, const Column& c) { room.B[i].K.x = c; });
  one_by_one(four, columns.row[1], [&](int i, const Column& c) { room.B[i].K.y = c; });
  one_by_one(four, columns.row[2], [&](int i, const Column& c) { room.B[i].K.z = c; });
  one_by_one(four, p, [&](int i, const Column& c) { room.B[i].p = c; });
  const Wrench<Four> F = G * A;
  one_by_one(four, F.m + K * (V.w * Four(0.5)), [&](int i, const Column& c) { room.F[i].m = c; });
  one_by_one(four, F.f + cross(V.w, p), [&](int i, const Column& c) { room.F[i].f = c; });
  if (room.placed) return;
  for (int k = 0; k < 4; ++k) room.G[four.body[k]].mass = spread(inertia.mass[k]);
}
/// The same of all bodies, what acts on them in their frames taken off.
[[gnu::noinline]] inline void sweep_forces(const Model<double>& m, const State<double>& x,
                                           const Pose* pose, const DerivativeLanes& room) {
  for (int first = 1; first < m.bodies; first += 4)
    find_forces(FourBodies(first, m.bodies), pose, room.inertia[first / 4], room);
  for (int i = 1; i < m.bodies; ++i) room.F[i] = less_outside(room.F[i], pose[i], x.F_ext[i]);
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

/// The force of the motion along coordinate k, from what it carries.
template <Origins origins>
[[gnu::always_inline]] inline double force_along(const DerivativeLanes& room, int k, int anchor,
                                                 const Force& F, bool stands) {
  const CoordinateLanes& c = room.coordinate[k];
  Column sum_of = F.m * c.S.w + F.f * c.S.v;
  if (origins == Origins::anchors) sum_of += c.GS.f * room.cut[anchor].all_falls;
  if (stands) sum_of -= room.standing[k].force;
  return sum(sum_of);
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
      if (room.tau != nullptr) room.tau[k] = force_along<origins>(room, k, m.anchor[i], F, stands);
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
