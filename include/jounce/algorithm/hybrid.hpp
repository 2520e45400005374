// SPDX-License-Identifier: BSD-3-Clause
// Hybrid dynamics: any mix of prescribed accelerations and given forces, in O(n).
//
// [Kim] 2012, (51)-(53) and Table 4 with their corrections, for a choice per coordinate, not per
// joint. The text is aba's; what differs is marked: a prescribed coordinate is no freedom, its
// acceleration joins what is known (eta), and its force is read off the joint's wrench at the end.
// (51) is the equation of a body with what it carries, F = IA Vdot + B; (52) what a body adds to
// its parent, the sums over u (prescribed) and v (free) in one line; (53) Vdot of a body.
#pragma once

#include <jounce/algorithm/aba.hpp>

namespace jounce {
namespace detail::inline JOUNCE_ISA {

/// As factor_joint, for the coordinates that are not prescribed: a prescribed one gets U = 0, D
/// = 1.
template <class P, class Real>
constexpr void factor_free_part(const Model<P>& m, const bool* prescribed, Workspace<Real>& w,
                                int i) {
  const int first = m.v_at[i], n = m.v_at[i + 1] - first;
  for (int k = 0; k < n; ++k) {
    const bool fixed = prescribed[first + k];
    w.U[first + k] = fixed ? Wrench<Real>{} : w.IA[i] * w.S[first + k];
    for (int j = 0; j < k; ++j)
      w.D[6 * (first + k) + j] =
          prescribed[first + j] ? Real(0) : dot(w.U[first + k], w.S[first + j]);
    w.D[6 * (first + k) + k] =
        fixed ? Real(1) : dot(w.U[first + k], w.S[first + k]) + Real(m.armature[first + k]);
  }
  factor(w.D + 6 * first, n);
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// From a of the prescribed coordinates and tau of the others to w.a and w.tau of all.
template <class P, class Real>
constexpr void hybrid(const Model<P>& m, const State<Real>& x, const bool* prescribed,
                      Workspace<Real>& w) noexcept {
  move_angles(m, x, w);
  for (int i = 1; i < m.bodies; ++i) {
    move_joint(m, x, i, w);
    const Twist<Real> Sv = joint_twist(m, w, i, x.v);
    w.V[i] = Ad_inv(w.T[i], w.V[m.parent[i]]) + Sv;
    w.eta[i] = ad(w.V[i], Sv) + w.Sdot_v[i];
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k)
      if (prescribed[k]) w.eta[i] += w.S[k] * x.a[k];  // differs
    w.IA[i] = ArticulatedInertia<Real>(m.G[i]);
    w.F[i] = bias_wrench(m.G[i], w.V[i]) - x.F_ext[i];
  }
  for (int i = m.bodies - 1; i > 0; --i) {
    const int first = m.v_at[i], last = m.v_at[i + 1];
    detail::factor_free_part(m, prescribed, w, i);  // differs
    Wrench<Real> beta = w.F[i] + w.IA[i] * w.eta[i];
    for (int k = first; k < last; ++k)
      w.a[k] = prescribed[k] ? Real(0) : x.tau[k] - dot(beta, w.S[k]);  // differs
    solve(w.D + 6 * first, last - first, w.a + first);
    for (int k = first; k < last; ++k) beta += w.U[k] * w.a[k];
    if (m.parent[i] == 0) continue;
    w.IA[m.parent[i]] += push_forward(w.T[i], detail::behind_joint(m, w, i));  // (52)
    w.F[m.parent[i]] += dual_Ad_inv(w.T[i], beta);                             // (52)
  }
  for (int i = 1; i < m.bodies; ++i) {
    const int first = m.v_at[i], n = m.v_at[i + 1] - first;
    const Twist<Real> from_parent = Ad_inv(w.T[i], w.Vdot[m.parent[i]]);
    Real moved[6];
    for (int k = 0; k < n; ++k) moved[k] = dot(w.U[first + k], from_parent);
    solve(w.D + 6 * first, n, moved);
    for (int k = 0; k < n; ++k) w.a[first + k] = w.a[first + k] - moved[k];  // (45)
    w.Vdot[i] = from_parent + w.eta[i] + joint_twist(m, w, i, w.a);          // (41)
    w.F[i] += w.IA[i] * w.Vdot[i];                                           // (43)
    for (int k = first; k < first + n; ++k) {                                // differs
      if (prescribed[k]) w.a[k] = x.a[k];
      w.tau[k] = prescribed[k] ? dot(w.F[i], w.S[k]) + m.armature[k] * x.a[k] : x.tau[k];
    }
  }
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
