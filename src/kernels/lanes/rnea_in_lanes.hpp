// SPDX-License-Identifier: BSD-3-Clause
// rnea for one state on a processor with 32-byte registers.
//
// Against the reference (rnea.hpp) it trades three things. Accelerations are classical, that of
// the body's origin as a point: a_i = R^T (a_p + K_p p), K = [alpha] + [w][w], and no linear
// velocity is carried. A three-vector is a register (lanes.hpp). A chain's motion and wrench stay
// in registers; only branching points are read back. T, V, Vdot and F are not left in the
// workspace. About twice as fast.
//
// A joint other than revolute moves its body by (w_r, v_r) relative to its parent, with
// S a + Sdot v = (alpha_r, a_r): then
//   w = R^T w_p + w_r,  alpha = R^T alpha_p + w x w_r + alpha_r,
//   a = R^T (a_p + K_p p) + (2 w - w_r) x v_r + a_r.
#pragma once

#include "kernels/lanes/lane_bodies.hpp"

namespace jounce {
namespace lanes::inline JOUNCE_ISA {

/// R of a revolute joint, by rows: what turns parent axes into body axes.
[[gnu::always_inline]] inline Columns3 turned_rows(const LaneBody& body, double sin, double cos) {
  const Column c{cos, cos, 1, 0}, s = spread(sin);
  return {load(body.row[0]) * c + load(body.turned_row[0]) * s,
          load(body.row[1]) * c + load(body.turned_row[1]) * s,
          load(body.row[2]) * c + load(body.turned_row[2]) * s};
}
/// And by columns: what turns body axes into parent axes.
[[gnu::always_inline]] inline Columns3 turned_columns(const LaneBody& body, double sin,
                                                      double cos) {
  const Column c = spread(cos), s = spread(sin), x = load(body.column[0]), y = load(body.column[1]);
  return {x * c + y * s, y * c - x * s, load(body.column[2])};
}
/// K r = alpha x r + w x (w x r), before the last turn.
[[gnu::always_inline]] inline Column half_K_times(const Turned& w, const Turned& alpha,
                                                  const Turned& r) {
  return half_cross(alpha, r) + half_cross(w, cross(w, r));
}
/// The motion of a parent, at point p, in axes with the rows R^T.
[[gnu::always_inline]] inline Motion carried(const Motion& parent, const Columns3& R,
                                             const Turned& p) {
  const Column K_p = turn(half_K_times(turned(parent.w), turned(parent.alpha), p));
  return {times(R, parent.w), times(R, parent.alpha), times(R, parent.a + K_p)};
}
/// What a body's motion takes.
[[gnu::always_inline]] inline Force force(const LaneBody& body, const Motion& x) {
  const Turned h{load(body.h[0]), load(body.h[1])}, w = turned(x.w), a = turned(x.a);
  const Columns3 I = load(body.I);
  const Column K_h = half_K_times(w, turned(x.alpha), h);
  return {times(I, x.alpha) + turn(half_cross(h, a) + half_cross(w, turned(times(I, x.w)))),
          x.a * spread(body.mass) + turn(K_h)};
}

[[gnu::always_inline]] inline Motion through_revolute(const Motion& parent, const LaneBody& body,
                                                      const Columns3& R, double v, double acc) {
  Motion x = carried(parent, R, {load(body.p[0]), load(body.p[1])});
  const Column z{0, 0, 1, 0}, w_cross_z{1, -1, 0, 0};
  x.alpha += swap_xy(x.w) * (spread(v) * w_cross_z) + spread(acc) * z;
  x.w += spread(v) * z;
  return x;
}
inline Motion through_any(const Model<double>& m, const State<double>& x,
                          const Workspace<double>& w, int i, const Motion& parent) {
  const Twist<double> V_r = joint_twist(m, w, i, x.v);
  const Twist<double> A_r = joint_twist(m, w, i, x.a) + w.Sdot_v[i];
  Motion y = carried(parent, rows(w.T[i].R.m), turned(column(w.T[i].p)));
  const Turned w_r = turned(column(V_r.w)), v_r = turned(column(V_r.v));
  y.w += w_r.a;
  y.alpha += cross(turned(y.w), w_r).a + column(A_r.w);
  y.a += cross(turned(y.w + y.w - w_r.a), v_r).a + column(A_r.v);
  return y;
}

inline Motion ground_motion(const Workspace<double>& w) {
  return {column(w.V[0].w), column(w.Vdot[0].w),
          column(w.Vdot[0].v + jounce::cross(w.V[0].w, w.V[0].v))};
}

/// A wrench on a body, on its parent.
[[gnu::always_inline]] inline Force on_parent(const Columns3& R, const Turned& p, const Force& F) {
  const Column f = times(R, F.f);
  return {times(R, F.n) + cross(p, turned(f)).a, f};
}

}  // namespace lanes::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// As rnea, but leaves only tau.
inline void rnea_in_lanes(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                          const LaneBody* body, const LaneRoom& room) {
  using namespace lanes;
  Motion* const motion = room.motion;
  Force* const force = room.force;
  move_angles(m, x, w);
  for (int i = 1; i < m.bodies; ++i)
    if (body[i].angle < 0) move_joint(m, x, i, w);
  Motion at = ground_motion(w);
  motion[0] = at;
  force[0] = Force{};
  for (int i = 1; i < m.bodies; ++i) {
    if (m.parent[i] != i - 1) at = motion[m.parent[i]];
    const int k = m.v_at[i], angle = body[i].angle;
    if (angle >= 0)
      at = through_revolute(at, body[i], turned_rows(body[i], w.sin[angle], w.cos[angle]), x.v[k],
                            x.a[k]);
    else at = through_any(m, x, w, i, at);
    if (m.branching[i]) motion[i] = at;
    force[i] = lanes::force(body[i], at);
    const Force outside = load(x.F_ext[i]);
    force[i] = {force[i].n - outside.n, force[i].f - outside.f};
  }
  Force F{};
  for (int i = m.bodies - 1; i > 0; --i) {
    F = F + force[i];
    const int k = m.v_at[i], angle = body[i].angle;
    if (angle >= 0) {
      w.tau[k] = F.n[2] + m.armature[k] * x.a[k];
      F = on_parent(turned_columns(body[i], w.sin[angle], w.cos[angle]),
                    {load(body[i].p[0]), load(body[i].p[1])}, F);
    } else {
      for (int j = k; j < m.v_at[i + 1]; ++j)
        w.tau[j] = dot(Wrench<double>{vector(F.n), vector(F.f)}, w.S[j]) + m.armature[j] * x.a[j];
      F = on_parent(columns(w.T[i].R.m), turned(column(w.T[i].p)), F);
    }
    if (m.parent[i] == i - 1) continue;
    force[m.parent[i]] = force[m.parent[i]] + F;
    F = Force{};
  }
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
