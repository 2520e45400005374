// SPDX-License-Identifier: BSD-3-Clause
// Forward dynamics: the articulated-body algorithm on SE(3), for trees and joints of any kind.
//
// [Kim] 2012, Table 3 with its corrections: the inertia and the bias of a child are carried to the
// parent by Ad*_{T^-1} and Ad_{T^-1}. Kim's Psi = (S^T IA S)^-1 is never formed: D = S^T IA S plus
// the armature is factored. F holds Kim's bias B on the way down and the joint's wrench on the way
// up.
#pragma once

#include <jounce/algorithm/rnea.hpp>
#include <jounce/algorithm/small_cholesky.hpp>

namespace jounce {
namespace detail::inline JOUNCE_ISA {

/// U = IA S and the factors of D = S^T U + armature, for the coordinates of joint i.
template <class P, class Real>
constexpr void factor_joint(const Model<P>& m, Workspace<Real>& w, int i) {
  const int first = m.v_at[i], n = m.v_at[i + 1] - first;
  for (int k = 0; k < n; ++k) {
    w.U[first + k] = w.IA[i] * w.S[first + k];
    for (int j = 0; j <= k; ++j) w.D[6 * (first + k) + j] = dot(w.U[first + k], w.S[first + j]);
    w.D[6 * (first + k) + k] += Real(m.armature[first + k]);
  }
  factor(w.D + 6 * first, n);
}

/// IA - U D^-1 U^T: what a parent feels of a body behind a joint that is free to move. With
/// D = L diag(d) L^T and R = L^-1 U^T the product is a sum of squares, R_k R_k^T / d_k.
template <class P, class Real>
constexpr ArticulatedInertia<Real> behind_joint(const Model<P>& m, const Workspace<Real>& w,
                                                int i) {
  const int first = m.v_at[i], n = m.v_at[i + 1] - first;
  ArticulatedInertia<Real> Pi = w.IA[i];
  Wrench<Real> R[6];
  for (int k = 0; k < n; ++k) {
    const Real* row = w.D + 6 * (first + k);
    R[k] = w.U[first + k];
    for (int j = 0; j < k; ++j) R[k] -= R[j] * row[j];
    Pi = minus_outer(Pi, R[k], row[k]);
  }
  return Pi;
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// a = M^-1 (tau - c - g + sum_i J_i^T F_ext,i), in O(n).
///
/// V[0] and Vdot[0] are the ground's, set by the caller. Leaves T, V, Vdot, IA and F of every body.
template <class P, class Real>
constexpr void aba(const Model<P>& m, const State<Real>& x, Workspace<Real>& w) noexcept {
  move_angles(m, x, w);
  for (int i = 1; i < m.bodies; ++i) {
    move_joint(m, x, i, w);
    const Twist<Real> Sv = joint_twist(m, w, i, x.v);
    w.V[i] = Ad_inv(w.T[i], w.V[m.parent[i]]) + Sv;
    w.eta[i] = ad(w.V[i], Sv) + w.Sdot_v[i];
    w.IA[i] = ArticulatedInertia<Real>(m.G[i]);
    w.F[i] = bias_wrench(m.G[i], w.V[i]) - x.F_ext[i];
  }
  for (int i = m.bodies - 1; i > 0; --i) {
    const int first = m.v_at[i], last = m.v_at[i + 1];
    detail::factor_joint(m, w, i);
    Wrench<Real> beta = w.F[i] + w.IA[i] * w.eta[i];
    for (int k = first; k < last; ++k) w.a[k] = x.tau[k] - dot(beta, w.S[k]);
    solve(w.D + 6 * first, last - first, w.a + first);  // Psi {tau - S^T (IA eta + B)}
    for (int k = first; k < last; ++k) beta += w.U[k] * w.a[k];
    if (m.parent[i] == 0) continue;
    w.IA[m.parent[i]] += push_forward(w.T[i], detail::behind_joint(m, w, i));  // (49)
    w.F[m.parent[i]] += dual_Ad_inv(w.T[i], beta);                             // (50)
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
  }
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
