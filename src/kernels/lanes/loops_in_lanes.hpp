// SPDX-License-Identifier: BSD-3-Clause
// loop_motion on a processor with 32-byte registers: the same walk, on columns.
#pragma once

#include <jounce/equations/loops.hpp>

#include "kernels/lanes/in_registers.hpp"

namespace jounce {
namespace lanes::inline JOUNCE_ISA {

/// U T^-1.
[[gnu::always_inline]] inline Pose times_inverse(const Pose& U, const SE3<double>& T) {
  const auto& [a, b, c] = T.R.m.row;
  const Column x = turned_by(U, a), y = turned_by(U, b), z = turned_by(U, c);
  return {x, y, z, U.p - (x * spread(T.p.x) + y * spread(T.p.y) + z * spread(T.p.z))};
}
[[gnu::always_inline]] inline Screw operator-(const Screw& a, const Screw& b) {
  return {a.w - b.w, a.v - b.v};
}
[[gnu::always_inline]] inline Screw ad(const Screw& a, const Screw& b) {
  return {cross(a.w, b.w), cross_sum(a.w, b.v, a.v, b.w)};
}
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
