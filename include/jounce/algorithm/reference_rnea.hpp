// SPDX-License-Identifier: BSD-3-Clause
// M(q) a_r + C(q, v) v_r + g(q) in O(n), with a C for which Mdot - 2 C is skew-symmetric.
//
// [Ploen] Proposition 1 in the recursion (13)-(18). The paper has one velocity; here there are two,
// the robot's v and the reference v_r that adaptive and passivity-based control (Slotine, Li 1987)
// feed in. The bias wrench -ad*_V G V of a body becomes Cb(V) V_r (skew_block.hpp), and the term of
// the moving frames couples both:
//   V_r,i  = X V_r,p + S v_r                                 X = Ad_{T_i^-1}
//   A_r,i  = X A_r,p - ad_{S v} X V_r,p + Sdot v_r + S a_r
//   F_i    = G A_r,i + Cb(V_i) V_r,i + sum over children     tau = S^T F
// The text prints "C_i as given in Proposition 2"; Proposition 1 is meant.
#pragma once

#include <jounce/algorithm/rnea.hpp>
#include <jounce/algorithm/skew_block.hpp>

namespace jounce::inline JOUNCE_ISA {

/// V, V_r and A_r (in w.Vdot) of every body. x.a is a_r; V[0], V_r[0] and Vdot[0] are the ground's.
template <class P, class Real>
constexpr void reference_motion(const Model<P>& m, const State<Real>& x, const Real* v_r,
                                Twist<Real>* V_r, Workspace<Real>& w) noexcept {
  move_angles(m, x, w);
  for (int i = 1; i < m.bodies; ++i) {
    const int p = m.parent[i];
    move_joint(m, x, i, w);
    const Twist<Real> Sv = joint_twist(m, w, i, x.v), from_parent = Ad_inv(w.T[i], V_r[p]);
    w.V[i] = Ad_inv(w.T[i], w.V[p]) + Sv;
    V_r[i] = from_parent + joint_twist(m, w, i, v_r);
    w.Vdot[i] = Ad_inv(w.T[i], w.Vdot[p]) + ad(from_parent, Sv) + joint_twist(m, w, i, x.a);
    if (m.constant_screws(i)) continue;
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k) w.Vdot[i] += w.Sdot[k] * v_r[k];
  }
}

/// w.tau = M a_r + C(q, v) v_r + g; V_r is room for one twist per body.
template <class P, class Real>
constexpr void reference_rnea(const Model<P>& m, const State<Real>& x, const Real* v_r,
                              Factorization f, Twist<Real>* V_r, Workspace<Real>& w) noexcept {
  reference_motion(m, x, v_r, V_r, w);
  w.F[0] = {};
  for (int i = 1; i < m.bodies; ++i)
    w.F[i] = m.G[i] * w.Vdot[i] + coriolis_wrench(f, m.G[i], w.V[i], V_r[i]);
  for (int i = m.bodies - 1; i > 0; --i) {
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k)
      w.tau[k] = dot(w.F[i], w.S[k]) + m.armature[k] * x.a[k];
    w.F[m.parent[i]] += dual_Ad_inv(w.T[i], w.F[i]);
  }
}

}  // namespace jounce::inline JOUNCE_ISA
