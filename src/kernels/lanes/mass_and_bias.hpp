// SPDX-License-Identifier: BSD-3-Clause
// The mass matrix and the forces of a motion without accelerations in one sweep.
//
// mass_matrix sees all bodies from one place, where twists and forces are sums as inertias are:
//   V_i = V_p + S v,   A_i = A_p + [V_i, S v] + Sdot v,   F_i = G_i A_i - ad*_{V_i} G_i V_i.
// Poses, screws and inertias are found once instead of twice. Where bodies have origins of their
// own (origins.hpp) the two are found one after the other.
#pragma once

#include "kernels/lanes/derivatives_in_lanes.hpp"

namespace jounce {
namespace lanes::inline JOUNCE_ISA {

using InLanes = Recursion<InRegisters>;

/// V and A of the ground, seen from the first body i of a tree.
inline void start_tree(const InLanes& r, int i, Screw& V, Screw& A) {
  if (r.body[i].angle >= 0) move_joint(r.m, r.x, i, r.w);
  V = seen_from(r.w.T[i], r.w.V[0]);
  A = seen_from(r.w.T[i], r.w.Vdot[0]);
}
/// Outwards: inertias and forces of all bodies, what acts from outside taken off.
[[gnu::always_inline]] inline void sweep_bodies(const InLanes& r, CompositeInertia* kept) {
  Screw V{}, A{};
  for (int i = 1; i < r.m.bodies; ++i) {
    const int p = r.m.parent[i];
    if (p == 0) {
      start_tree(r, i, V, A);
    } else if (p != i - 1) {
      const Branch<InRegisters>& branch = r.room.branch[p];
      V = {branch.motion.w, branch.motion.a}, A = branch.acceleration;
    }
    Screw Sv{};
    for (int k = r.m.v_at[i]; k < r.m.v_at[i + 1]; ++k) Sv = Sv + r.room.screw[k] * r.x.v[k];
    A = A + ad(V, Sv);
    if (!r.m.constant_screws(i)) A = A + Ad(r.room.pose[i], r.w.Sdot_v[i]);
    V = V + Sv;
    if (r.m.branching[i]) {  // the twist in place of a point's motion
      r.room.branch[i].motion = {V.w, Column{}, V.v};
      r.room.branch[i].acceleration = A;
    }
    const CompositeInertia G = push_forward(r.room.pose[i], r.body[i].inertia());
    r.room.branch[i].composite = G;
    if (kept != nullptr) kept[i] = G;
    r.room.force[i] = G * A - dual_ad(V, G * V);
  }
}

/// Takes the wrenches from outside off the forces, in the axes of the first body.
[[gnu::noinline]] inline void subtract_outside(const InLanes& r) {
  for (const OutsideWrench<double>& one : outside(r.x)) {
    const FrameSeat<double>& seat = r.frame[int(one.frame)];
    Force& F = r.room.force[seat.body];
    F = F - outside_force(r.m, r.w, r.room.pose, nullptr, seat, one);
  }
}

/// `kept`: as KernelRoom.
[[gnu::flatten]] inline void mass_and_bias(const InLanes& r, CompositeInertia* kept, double* M) {
  move_angles(r.m, r.x, r.w);
  detail::sweep_screws<Origins::centre>(r);
  sweep_bodies(r, kept);
  if (r.x.outsides > 0) subtract_outside(r);
  CompositeInertia G{};
  Force F{};
  for (int i = r.m.bodies - 1; i > 0; --i) {
    const int p = r.m.parent[i];
    G = G + r.room.branch[i].composite;
    F = F + r.room.force[i];
    r.room.branch[i].composite = {};
    for (int k = r.m.v_at[i]; k < r.m.v_at[i + 1]; ++k) {
      detail::write_column<Origins::centre>(r, i, k, G * r.room.screw[k], M);
      r.w.tau[k] = dot(F, r.room.screw[k]);
    }
    if (p == i - 1 && p > 0) continue;
    if (p > 0) {
      r.room.branch[p].composite = r.room.branch[p].composite + G;
      r.room.force[p] = r.room.force[p] + F;
    }
    G = {};
    F = {};
  }
}

}  // namespace lanes::inline JOUNCE_ISA
}  // namespace jounce
