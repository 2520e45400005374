// SPDX-License-Identifier: BSD-3-Clause
// Forward kinematics of a tree: poses, twists and accelerations of all bodies, in O(n).
//
// [Kim] 2012, equations (37), (41); [Park] 1995, (23)-(25) (with Ad of the inverse: misprinted).
// Body 0 is the ground. Its twist and acceleration may be given: a robot on a moving base.
#pragma once

#include <jounce/algorithm/origins.hpp>

namespace jounce::inline JOUNCE_ISA {

/// The pose of every body in its parent and in the ground, and its positions from anchor and
/// centre.
template <class P, class Real>
constexpr void forward_poses(const Model<P>& m, const State<Real>& x, Workspace<Real>& w) {
  move_angles(m, x, w);
  for (int i = 1; i < m.bodies; ++i) move_joint(m, x, i, w);
  place_bodies(m, w);
}

/// The body twist of every body, after forward_poses. V[0] is the ground's, set by the caller.
template <class P, class Real>
constexpr void forward_twists(const Model<P>& m, const State<Real>& x, Workspace<Real>& w) {
  for (int i = 1; i < m.bodies; ++i)
    w.V[i] = Ad_inv(w.T[i], w.V[m.parent[i]]) + joint_twist(m, w, i, x.v);  // (37)
}

/// The derivative of every body twist, after forward_twists. Vdot[0] is set by the caller.
template <class P, class Real>
constexpr void forward_accelerations(const Model<P>& m, const State<Real>& x, Workspace<Real>& w) {
  for (int i = 1; i < m.bodies; ++i) {
    const Twist<Real> Sv = joint_twist(m, w, i, x.v);
    w.Vdot[i] = Ad_inv(w.T[i], w.Vdot[m.parent[i]]) + ad(w.V[i], Sv) + w.Sdot_v[i] +
                joint_twist(m, w, i, x.a);  // (41)
  }
}

}  // namespace jounce::inline JOUNCE_ISA
