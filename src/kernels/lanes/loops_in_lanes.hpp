// SPDX-License-Identifier: BSD-3-Clause
// Loops on a processor with 32-byte registers: loop_motion, the same walk on columns, and vectors
// for clusters.
#pragma once

#include <jounce/algorithm/loop_clusters.hpp>

#include "kernels/lanes/brackets.hpp"
#include "kernels/lanes/in_registers.hpp"

namespace jounce {
namespace lanes::inline JOUNCE_ISA {

/// The screw of velocity k, of body i, which has the pose U.
[[gnu::always_inline]] inline Screw joint_screw(const Model<double>& m, const Workspace<double>& w,
                                                int i, int k, const Pose& U) {
  if (is_revolute(m, i)) return {U.z, cross(U.p, U.z)};
  return Ad(U, w.S[k]);
}
/// What follows it in memory is overwritten by one number.
[[gnu::always_inline]] inline void store(const Screw& S, Twist<double>& X) {
  store(S.w, &X.w.x);
  store(S.v, &X.v.x);
}

/// What the way of a loop has gathered when the walk reaches a body.
struct Gathered {
  Screw V{}, Vdot{};

  [[gnu::always_inline]] Twist<double>* pass(const Model<double>& m, const State<double>& x,
                                             const Workspace<double>& w, int i, const Pose& Y,
                                             double sign, Twist<double>* column) {
    Screw c{}, e{};
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k, ++column) {
      const Screw S = joint_screw(m, w, i, k, Y) * sign;
      store(S, *column);
      c = c + S * x.v[k];
      e = e + S * x.a[k];
    }
    if (!m.constant_screws(i)) e = e + Ad(Y, w.Sdot_v[i]) * sign;
    Vdot = Vdot + (e - ad(V, c));
    V = V + c;
    return column;
  }
};

// What clusters of loops need (algorithm/cluster_lines.hpp). A vector is stored with one number
// behind it, which is written next or has room.
[[gnu::always_inline]] inline Columns3 axes(const Pose& U) { return {U.x, U.y, U.z}; }
[[gnu::always_inline]] inline Pose behind(const Pose& U, const SE3<double>& T) { return U * T; }
[[gnu::always_inline]] inline Screw Ad_inv(const Pose& U, const Screw& V) {
  const Columns3 Rt = transpose(axes(U));
  return {Rt * V.w, Rt * (V.v + cross(V.w, U.p))};
}
[[gnu::always_inline]] inline Force operator*(const BlockInertia& H, const Screw& S) {
  return {H.A * S.w + H.B * S.v, H.C * S.w + H.M * S.v};
}
[[gnu::always_inline]] inline BlockInertia blocks(const CompositeInertia& G) {
  const Column zero{0, 0, 0, 0};
  const Columns3 hat = times_hat(plus_diagonal({zero, zero, zero}, 1), G.h);
  return {G.I, hat, Columns3{zero, zero, zero} - hat, plus_diagonal({zero, zero, zero}, G.mass[0])};
}
[[gnu::always_inline]] inline BlockInertia moved_from(const Column& d, const BlockInertia& H) {
  const Columns3 A = transpose(H.A - times_hat(H.B, d)), B = transpose(H.C - times_hat(H.M, d));
  return {A - times_hat(B, d), B, transpose(B), H.M};
}
[[gnu::always_inline]] inline void put(const Force& F, double* to) {
  store(F.m, to), store(F.f, to + 3);
}
[[gnu::always_inline]] inline void put(const Screw& V, double* to) {
  store(V.w, to), store(V.v, to + 3);
}
[[gnu::always_inline]] inline void put(const BlockInertia& H, int width, double* to) {
  const Column* const upper[] = {&H.A.x, &H.A.y, &H.A.z, &H.B.x, &H.B.y, &H.B.z};
  const Column* const lower[] = {&H.C.x, &H.C.y, &H.C.z, &H.M.x, &H.M.y, &H.M.z};
  for (int i = 0; i < 6; ++i) put(Force{*upper[i], *lower[i]}, to + width * i);
}
[[gnu::always_inline]] inline void get(const double* from, Force& F) {
  F = {load(from), load(from + 3)};
}
[[gnu::always_inline]] inline void get(int width, const double* from, BlockInertia& H) {
  const auto columns = [&](int i, int j) {
    return Columns3{load(from + width * i + j), load(from + width * (i + 1) + j),
                    load(from + width * (i + 2) + j)};
  };
  H = {columns(0, 0), columns(3, 0), columns(0, 3), columns(3, 3)};
}

}  // namespace lanes::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// As loop_motion; `column` has room for one more number.
[[gnu::flatten]] inline LoopMotion<double> loop_motion_in_lanes(const Model<double>& m,
                                                                const Loop<double>& loop,
                                                                const State<double>& x,
                                                                const Workspace<double>& w,
                                                                Twist<double>* column) {
  lanes::Gathered sum;
  lanes::Pose Y = lanes::times_inverse({}, loop.seat_2);
  for (int k = 0; k < loop.down; ++k) {
    const int i = loop.way[k];
    column = sum.pass(m, x, w, i, Y, 1, column);
    Y = lanes::times_inverse(Y, w.T[i]);
  }
  for (int k = loop.down; k < loop.down + loop.up; ++k) {
    const int i = loop.way[k];
    Y = Y * w.T[i];
    column = sum.pass(m, x, w, i, Y, -1, column);
  }
  SE3<double> frame_1;
  lanes::store(Y * loop.seat_1, frame_1);
  return {inverse(frame_1), lanes::InRegisters::numbers(sum.V),
          lanes::InRegisters::numbers(sum.Vdot)};
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
