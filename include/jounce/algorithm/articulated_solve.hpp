// SPDX-License-Identifier: BSD-3-Clause
// M^-1 times vectors with the factors of articulated bodies: made once per configuration, then O(n)
// a vector.
//
// [Kim] 2012, 3.2 needs such products for every row of a constraint. It is aba (Table 3) without
// velocity, gravity and outside wrenches, cut in two: what depends on q, and what on the forces.
#pragma once

#include <jounce/algorithm/aba.hpp>

namespace jounce::inline JOUNCE_ISA {

/// T, S, IA, U and the factors D at x.q.
template <class P, class Real>
constexpr void factor_articulated(const Model<P>& m, const State<Real>& x, Workspace<Real>& w) {
  move_angles(m, x, w);
  for (int i = 1; i < m.bodies; ++i) {
    move_joint(m, x, i, w);
    w.IA[i] = ArticulatedInertia<Real>(m.G[i]);
  }
  for (int i = m.bodies - 1; i > 0; --i) {
    detail::factor_joint(m, w, i);
    if (m.parent[i] > 0)
      w.IA[m.parent[i]] += push_forward(w.T[i], detail::behind_joint(m, w, i));  // (49)
  }
}

/// a = M^-1 tau, after factor_articulated. a and tau may be the same. Overwrites F and Vdot.
template <class P, class Real>
constexpr void articulated_solve(const Model<P>& m, const Real* tau, Workspace<Real>& w, Real* a) {
  for (int i = 0; i < m.bodies; ++i) w.F[i] = {};
  w.Vdot[0] = {};
  for (int i = m.bodies - 1; i > 0; --i) {
    const int first = m.v_at[i], last = m.v_at[i + 1];
    for (int k = first; k < last; ++k) a[k] = tau[k] - dot(w.F[i], w.S[k]);
    solve(w.D + 6 * first, last - first, a + first);
    for (int k = first; k < last; ++k) w.F[i] += w.U[k] * a[k];
    w.F[m.parent[i]] += dual_Ad_inv(w.T[i], w.F[i]);  // (50)
  }
  for (int i = 1; i < m.bodies; ++i) {
    const int first = m.v_at[i], n = m.v_at[i + 1] - first;
    w.Vdot[i] = Ad_inv(w.T[i], w.Vdot[m.parent[i]]);
    Real moved[6];
    for (int k = 0; k < n; ++k) moved[k] = dot(w.U[first + k], w.Vdot[i]);
    solve(w.D + 6 * first, n, moved);
    for (int k = 0; k < n; ++k) a[first + k] = a[first + k] - moved[k];  // (45)
    w.Vdot[i] += joint_twist(m, w, i, a);                                // (41)
  }
}

}  // namespace jounce::inline JOUNCE_ISA
