// SPDX-License-Identifier: BSD-3-Clause
// aba for one state on a processor with 32-byte registers.
//
// As rnea_in_lanes it works with classical accelerations: a body's bias is then (w x I w,
// w x (w x h)) and no linear velocity is needed. Articulated inertias are blocks of columns
// (block_inertia.hpp), and a chain's stays in registers. Otherwise it is Kim's Table 3 as in
// aba.hpp; T, V, Vdot and F are not left in the workspace. A joint that is not revolute is factored
// by the reference's own functions.
#pragma once

#include <jounce/algorithm/aba.hpp>

#include "kernels/lanes/block_inertia.hpp"
#include "kernels/lanes/rnea_in_lanes.hpp"

namespace jounce {
namespace lanes::inline JOUNCE_ISA {

[[gnu::always_inline]] inline double dot(const Force& F, const Column& alpha, const Column& a) {
  const Column s = F.n * alpha + F.f * a;
  return s[0] + s[1] + s[2];
}

/// w and eta of a body, given its parent's angular velocity; stores R.
[[gnu::always_inline]] inline Column velocity_through_revolute(const Column& w_parent,
                                                               const LaneBody& body, double sin,
                                                               double cos, double v,
                                                               ArticulatedBody& y) {
  const Columns3 R = turned_rows(body, sin, cos);
  store(R.x, y.R[0]), store(R.y, y.R[1]), store(R.z, y.R[2]);
  const Turned w_p = turned(w_parent);
  const Column w = times(R, w_parent);
  y.eta[0] = swap_xy(w) * (spread(v) * Column{1, -1, 0, 0});
  y.eta[1] = times(R, turn(half_cross(w_p, cross(w_p, {load(body.p[0]), load(body.p[1])}))));
  return w + spread(v) * Column{0, 0, 1, 0};
}
inline Column velocity_through_any(const Model<double>& m, const State<double>& x,
                                   Workspace<double>& w, int i, const Column& w_parent,
                                   ArticulatedBody& y) {
  move_joint(m, x, i, w);
  const Columns3 R = rows(w.T[i].R.m);
  store(R.x, y.R[0]), store(R.y, y.R[1]), store(R.z, y.R[2]);
  const Twist<double> V_r = joint_twist(m, w, i, x.v);
  const Turned w_r = turned(column(V_r.w)), w_p = turned(w_parent);
  const Column w_i = times(R, w_parent) + w_r.a;
  y.eta[0] = cross(turned(w_i), w_r).a + column(w.Sdot_v[i].w);
  y.eta[1] = times(R, turn(half_cross(w_p, cross(w_p, turned(column(w.T[i].p)))))) +
             cross(turned(w_i + w_i - w_r.a), turned(column(V_r.v))).a + column(w.Sdot_v[i].v);
  return w_i;
}
[[gnu::always_inline]] inline Force bias(const LaneBody& body, const Column& angular,
                                         const Wrench<double>& outside) {
  const Turned w = turned(angular), h{load(body.h[0]), load(body.h[1])};
  const Force F = load(outside);
  return {turn(half_cross(w, turned(times(load(body.I), angular)))) - F.n,
          turn(half_cross(w, cross(w, h))) - F.f};
}

/// Across a joint that is not revolute: factors in the workspace, then what the parent feels of it
/// in H and in what is returned.
inline Force cross_any(const Model<double>& m, const State<double>& x, Workspace<double>& w, int i,
                       const ArticulatedBody& y, BlockInertia& H, const Force& beta) {
  const int first = m.v_at[i], last = m.v_at[i + 1];
  w.IA[i] = numbers(H);
  detail::factor_joint(m, w, i);
  const Force known = times(H, y.eta[0], y.eta[1]);
  Wrench<double> F{vector(beta.n + known.n), vector(beta.f + known.f)};
  for (int k = first; k < last; ++k) w.a[k] = x.tau[k] - jounce::dot(F, w.S[k]);
  solve(w.D + 6 * first, last - first, w.a + first);
  if (m.parent[i] == 0) return beta;
  for (int k = first; k < last; ++k) F += w.U[k] * w.a[k];
  set(H, blocks(detail::behind_joint(m, w, i)));
  return {column(F.m), column(F.f)};
}
/// The acceleration of a joint, given X Vdot_p; returns S a + eta.
inline Motion accelerate_any(const Model<double>& m, Workspace<double>& w, int i,
                             const ArticulatedBody& y, const Motion& carried) {
  const int first = m.v_at[i], n = m.v_at[i + 1] - first;
  const Twist<double> from_parent{vector(carried.alpha), vector(carried.a)};
  double moved[6];
  for (int k = 0; k < n; ++k) moved[k] = jounce::dot(w.U[first + k], from_parent);
  solve(w.D + 6 * first, n, moved);
  for (int k = 0; k < n; ++k) w.a[first + k] -= moved[k];
  const Twist<double> S_a = joint_twist(m, w, i, w.a);
  return {Column{}, y.eta[0] + column(S_a.w), y.eta[1] + column(S_a.v)};
}

/// From the ground up: w, eta and the bias of every body.
inline void sweep_velocities(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                             const LaneBody* body, const LaneRoom& room) {
  Column angular = column(w.V[0].w);
  room.motion[0].w = angular;
  for (int i = 1; i < m.bodies; ++i) {
    if (m.parent[i] != i - 1) angular = room.motion[m.parent[i]].w;
    ArticulatedBody& y = room.joint[i];
    const int angle = body[i].angle;
    if (angle >= 0)
      angular = velocity_through_revolute(angular, body[i], w.sin[angle], w.cos[angle],
                                          x.v[m.v_at[i]], y);
    else angular = velocity_through_any(m, x, w, i, angular, y);
    y.bias = bias(body[i], angular, x.F_ext[i]);
    if (!m.branching[i]) continue;
    room.motion[i].w = angular;
    room.force[i] = Force{};
    set_zero(room.inertia[i]);
  }
}

/// Across a revolute joint: U, D and u, then what the parent feels of it in H and beta.
[[gnu::always_inline]] inline void cross_revolute(double tau, double armature, ArticulatedBody& y,
                                                  BlockInertia& H, Force& beta) {
  y.U = {H.A.z, H.C.z};
  y.inverse_D = 1 / (H.A.z[2] + armature);
  y.u = tau - beta.n[2];
  subtract_outer(H, y.U, y.inverse_D);  // Pi
  const Force known = times(H, y.eta[0], y.eta[1]);
  const Column moved = spread(y.u * y.inverse_D);
  beta.n += known.n + y.U.n * moved;
  beta.f += known.f + y.U.f * moved;
}

/// From the leaves down: articulated inertias and biases.
inline void sweep_inertias(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                           const LaneBody* body, const LaneRoom& room) {
  BlockInertia H;
  set_zero(H);
  Force beta{};
  for (int i = m.bodies - 1; i > 0; --i) {
    ArticulatedBody& y = room.joint[i];
    add(H, body[i]);
    beta = beta + y.bias;
    if (m.branching[i]) {
      add(H, room.inertia[i]);
      beta = beta + room.force[i];
    }
    const int k = m.v_at[i], p = m.parent[i], angle = body[i].angle;
    if (angle >= 0) {
      cross_revolute(x.tau[k], m.armature[k], y, H, beta);
      w.D[6 * k] = y.inverse_D;
    } else {
      set(room.inertia[i], H);  // H itself stays in registers
      beta = cross_any(m, x, w, i, y, room.inertia[i], beta);
      set(H, room.inertia[i]);
    }
    if (p > 0) {
      const double* position = angle >= 0 ? body[i].p[0] : &w.T[i].p.x;
      beta = on_parent(transpose(load(y.R)), turned(column(position)), beta);  // (50)
      carry_to_parent(y.R, position, H);                                       // (49)
      if (p == i - 1) continue;
      add(room.inertia[p], H);
      room.force[p] = room.force[p] + beta;
    }
    set_zero(H);
    beta = Force{};
  }
}

/// From the ground up again: accelerations.
inline void sweep_accelerations(const Model<double>& m, Workspace<double>& w, const LaneBody* body,
                                const LaneRoom& room) {
  Motion at = ground_motion(w);
  room.motion[0] = at;
  for (int i = 1; i < m.bodies; ++i) {
    if (m.parent[i] != i - 1) at = room.motion[m.parent[i]];
    const ArticulatedBody& y = room.joint[i];
    const Columns3 R = load(y.R);
    const Turned p = turned(column(body[i].angle >= 0 ? body[i].p[0] : &w.T[i].p.x));
    at.a = times(R, at.a + turn(half_cross(turned(at.alpha), p)));
    at.alpha = times(R, at.alpha);
    if (body[i].angle >= 0) {
      at.alpha += y.eta[0];
      at.a += y.eta[1];
      double& acc = w.a[m.v_at[i]];
      acc = (y.u - dot(y.U, at.alpha, at.a)) * y.inverse_D;  // (45)
      at.alpha += spread(acc) * Column{0, 0, 1, 0};          // (41)
    } else {
      const Motion more = accelerate_any(m, w, i, y, at);
      at.alpha += more.alpha;
      at.a += more.a;
    }
    if (m.branching[i]) room.motion[i] = at;
  }
}

}  // namespace lanes::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// As aba, but leaves only a and, for a revolute joint, 1 / D.
inline void aba_in_lanes(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                         const LaneBody* body, const LaneRoom& room) {
  move_angles(m, x, w);
  lanes::sweep_velocities(m, x, w, body, room);
  lanes::sweep_inertias(m, x, w, body, room);
  lanes::sweep_accelerations(m, w, body, room);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
