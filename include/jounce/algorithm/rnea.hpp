// SPDX-License-Identifier: BSD-3-Clause
// Inverse dynamics: the recursive Newton-Euler algorithm on SE(3), for trees and joints of any
// kind.
//
// [Kim] 2012, Table 2; [Park] 1995, (23)-(27) (where (24)-(26) print Ad of the pose for Ad of its
// inverse). Gravity enters as the ground's acceleration, Vdot_0 = (0, -g).
#pragma once

#include <jounce/algorithm/kinematics.hpp>

namespace jounce::inline JOUNCE_ISA {

/// (0, -g), what the ground's acceleration is for a robot that feels gravity.
template <class Real, class P>
constexpr Twist<Real> minus_gravity(const Model<P>& m) {
  return {{Real(0), Real(0), Real(0)}, detail::as<Real>(-m.gravity)};
}

/// tau = M(q) a + c(q, v) + g(q) - sum_i J_i^T F_ext,i, in O(n).
///
/// V[0] and Vdot[0] are the ground's, set by the caller (with minus_gravity). Leaves T, V, Vdot and
/// F of every body in w; F[0] is the wrench that holds the ground.
template <class P, class Real>
constexpr void rnea(const Model<P>& m, const State<Real>& x, Workspace<Real>& w) noexcept {
  move_angles(m, x, w);
  w.F[0] = {};
  for (int i = 1; i < m.bodies; ++i) {
    const int p = m.parent[i];
    move_joint(m, x, i, w);  // (23)
    const Twist<Real> Sv = joint_twist(m, w, i, x.v);
    w.V[i] = Ad_inv(w.T[i], w.V[p]) + Sv;  // (24)
    w.Vdot[i] = Ad_inv(w.T[i], w.Vdot[p]) + ad(w.V[i], Sv) + w.Sdot_v[i] +
                joint_twist(m, w, i, x.a);                        // (25)
    w.F[i] = net_wrench(m.G[i], w.V[i], w.Vdot[i]) - x.F_ext[i];  // (26), itself
  }
  for (int i = m.bodies - 1; i > 0; --i) {
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k)
      w.tau[k] = dot(w.F[i], w.S[k]) + m.armature[k] * x.a[k];  // (27)
    w.F[m.parent[i]] += dual_Ad_inv(w.T[i], w.F[i]);            // (26), its children
  }
}

}  // namespace jounce::inline JOUNCE_ISA
