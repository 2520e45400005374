// SPDX-License-Identifier: BSD-3-Clause
// The derivative of forward and hybrid dynamics with respect to any one number p, in O(n).
//
// [Kim] 2012, Tables 6 and 7, with index i everywhere and Ad of the inverse in dVdot. Where Kim
// differentiates Psi and multiplies out, here the equations are differentiated that Psi solves. A
// joint with the force F behind it moves by a where S^T F + armature a = tau and
// F = B + IA (known + S a), so that with D = S^T IA S + armature
//   D da = dtau - darmature a - dS^T F - S^T y        dF = y + U da        U = IA S
//   y = dB + dIA (known + S a) + IA (dknown + dS a)
// Both passes use it: on the way down known = eta, and F is beta; on the way up known has the
// parent's acceleration too. With W = U D^-1 and Pi = IA - W U^T
//   dPi = dIA - sum_k (Y_k W_k^T + W_k Y_k^T)
//   Y_k = dIA S_k + Pi dS_k - sum_l W_l (S_k . dIA S_l) / 2 - W_k darmature_k / 2
// Lines that only Table 7 has are marked; with nothing prescribed this is Table 6.
#pragma once

#include <jounce/algorithm/hybrid.hpp>
#include <jounce/algorithm/sensitivity.hpp>
#include <jounce/group/inertia_change.hpp>

namespace jounce {

/// Room for the derivatives of all that aba and hybrid compute.
template <class Real>
struct ArticulatedSensitivityRoom {
  Twist<Real>*V = nullptr, *eta = nullptr, *Vdot = nullptr;  ///< [bodies]
  Wrench<Real>* F = nullptr;               ///< [bodies] of B on the way down, of F on the way up
  ArticulatedInertia<Real>* IA = nullptr;  ///< [bodies]
};

namespace detail::inline JOUNCE_ISA {

template <class Real>
constexpr bool inertia_changes(const Change<Real>& d, int i) {
  return i < d.last &&
         (d.h != nullptr || d.S != nullptr || d.G != nullptr || d.armature != nullptr);
}

/// The change of the force behind joint i, and in da that of the free coordinates' motion; a and
/// da are those of the joint.
template <class P, class Real>
constexpr Wrench<Real> force_change(const Model<P>& m, const Workspace<Real>& w,
                                    const Change<Real>& d, const bool* prescribed, int i,
                                    const Real* dtau, const Real* a, const Wrench<Real>& F,
                                    const Wrench<Real>& y, Real* da) {
  const int first = m.v_at[i], n = m.v_at[i + 1] - first;
  for (int k = 0; k < n; ++k) {
    da[k] = dtau[first + k] - dot(y, w.S[first + k]);
    if (d.at(d.S, i) != nullptr) da[k] = da[k] - dot(F, d.S[first + k]);
    if (d.at(d.armature, i) != nullptr) da[k] = da[k] - d.armature[first + k] * a[k];
    if (prescribed != nullptr && prescribed[first + k]) da[k] = Real(0);  // Table 7
  }
  solve(w.D + 6 * first, n, da);
  Wrench<Real> dF = y;
  for (int k = 0; k < n; ++k) dF += w.U[first + k] * da[k];
  return dF;
}

/// dPi of joint i; Pi is behind_joint.
template <class P, class Real>
constexpr ArticulatedInertia<Real> behind_joint_change(const Model<P>& m, const Workspace<Real>& w,
                                                       const Change<Real>& d, int i,
                                                       const ArticulatedInertia<Real>& Pi,
                                                       const ArticulatedInertia<Real>& dIA) {
  const int first = m.v_at[i], n = m.v_at[i + 1] - first;
  Wrench<Real> W[6], Z[6];
  for (int k = 0; k < n; ++k) {
    Real e[6] = {Real(0), Real(0), Real(0), Real(0), Real(0), Real(0)};
    e[k] = Real(1);
    solve(w.D + 6 * first, n, e);
    W[k] = w.U[first] * e[0];
    for (int l = 1; l < n; ++l) W[k] += w.U[first + l] * e[l];
    Z[k] = dIA * w.S[first + k];
  }
  const Plain<Real> half(0.5);
  ArticulatedInertia<Real> dPi = dIA;
  for (int k = 0; k < n; ++k) {
    Wrench<Real> Y = Z[k];
    for (int l = 0; l < n; ++l) Y -= W[l] * (dot(Z[l], w.S[first + k]) * half);
    if (d.at(d.S, i) != nullptr) Y += Pi * d.S[first + k];
    if (d.at(d.armature, i) != nullptr) Y -= W[k] * (d.armature[first + k] * half);
    dPi = minus_both_products(dPi, Y, W[k]);
  }
  return dPi;
}

/// Accelerations of the joint's free coordinates; zero where prescribed.
template <class Real>
constexpr void free_part(const bool* prescribed, int first, int n, const Real* a, Real* free) {
  for (int k = 0; k < n; ++k)
    free[k] = prescribed != nullptr && prescribed[first + k] ? Real(0) : a[k];
}

/// dS a over the free coordinates of joint i.
template <class P, class Real>
constexpr Twist<Real> screw_change(const Model<P>& m, const Change<Real>& d, int i, const Real* a) {
  Twist<Real> sum{};
  for (int k = m.v_at[i]; d.at(d.S, i) != nullptr && k < m.v_at[i + 1]; ++k)
    sum += d.S[k] * a[k - m.v_at[i]];
  return sum;
}

/// The way down at joint i: what dB and dIA of its parent gain.
template <class P, class Real>
constexpr void change_parent(const Model<P>& m, const Workspace<Real>& w, const Change<Real>& d,
                             const bool* prescribed, int i, const Real* dtau,
                             ArticulatedSensitivityRoom<Real>& room) {
  const int p = m.parent[i], first = m.v_at[i], n = m.v_at[i + 1] - first;
  const Twist<Real> from_parent = Ad_inv(w.T[i], w.Vdot[p]);
  Real a[6], moved[6], da[6];
  free_part(prescribed, first, n, w.a + first, a);
  for (int k = 0; k < n; ++k) moved[k] = dot(w.U[first + k], from_parent);
  solve(w.D + 6 * first, n, moved);
  Twist<Real> A = w.eta[i];  // with the parent at rest
  for (int k = 0; k < n; ++k) {
    a[k] = a[k] + moved[k];
    A += w.S[first + k] * a[k];
  }
  const Wrench<Real> beta = w.F[i] - w.IA[i] * (w.Vdot[i] - A);
  Wrench<Real> y = room.F[i] + w.IA[i] * (room.eta[i] + screw_change(m, d, i, a));
  const bool changes = inertia_changes(d, i);
  if (changes) y += room.IA[i] * A;
  Wrench<Real> dbeta = force_change(m, w, d, prescribed, i, dtau, a, beta, y, da);
  if (d.at(d.h, i) != nullptr) dbeta -= dual_ad(d.h[i], beta);
  room.F[p] += dual_Ad_inv(w.T[i], dbeta);
  if (!changes) return;
  const ArticulatedInertia<Real> Pi = behind_joint(m, w, i);
  ArticulatedInertia<Real> dPi = behind_joint_change(m, w, d, i, Pi, room.IA[i]);
  if (d.at(d.h, i) != nullptr) dPi += moved_along(Pi, -d.h[i]);
  room.IA[p] += push_forward(w.T[i], dPi);
}

/// The way up at joint i: da, dVdot, dF, and dtau where prescribed.
template <class P, class Real>
constexpr void change_motion(const Model<P>& m, const State<Real>& x, const Workspace<Real>& w,
                             const Change<Real>& d, const bool* prescribed, int i,
                             ArticulatedSensitivityRoom<Real>& room, Real* dtau, Real* da) {
  const int p = m.parent[i], first = m.v_at[i], last = m.v_at[i + 1];
  Real a[6];
  free_part(prescribed, first, last - first, w.a + first, a);
  room.Vdot[i] =
      carried_change(w, d, i, w.Vdot[p], room.Vdot[p]) + room.eta[i] + screw_change(m, d, i, a);
  Wrench<Real> y = room.F[i] + w.IA[i] * room.Vdot[i];
  if (inertia_changes(d, i)) y += room.IA[i] * w.Vdot[i];
  room.F[i] = force_change(m, w, d, prescribed, i, dtau, a, w.F[i], y, da + first);
  for (int k = first; k < last; ++k) {
    room.Vdot[i] += w.S[k] * da[k];
    if (prescribed == nullptr || !prescribed[k]) continue;
    da[k] = d.at(d.a, i) != nullptr ? d.a[k] : Real(0);                     // Table 7
    dtau[k] = dot(room.F[i], w.S[k]) + m.armature[k] * da[k];               // Table 7
    if (d.at(d.S, i) != nullptr) dtau[k] += dot(w.F[i], d.S[k]);            // Table 7
    if (d.at(d.armature, i) != nullptr) dtau[k] += d.armature[k] * x.a[k];  // Table 7
  }
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// da/dp of the free and dtau/dp of the prescribed coordinates, after aba or hybrid at the same
/// state in w. dtau is of length nv, read where coordinates are free, and written elsewhere; d.a is
/// read where prescribed. `prescribed` is null for forward dynamics.
template <class P, class Real>
constexpr void articulated_sensitivity(const Model<P>& m, const State<Real>& x,
                                       const Workspace<Real>& w, const bool* prescribed,
                                       const Change<Real>& d,
                                       ArticulatedSensitivityRoom<Real>& room, Real* dtau,
                                       Real* da) noexcept {
  room.V[0] = d.V_0;
  room.Vdot[0] = d.Vdot_0;
  for (int i = 1; i < m.bodies; ++i) {
    const bool moves = i >= d.first;
    room.V[i] = room.eta[i] = {};
    if (moves) {
      room.V[i] = detail::carried_change(w, d, i, w.V[m.parent[i]], room.V[m.parent[i]]) +
                  detail::joint_change(m, d, i, w.S, x.v, d.S, d.v);
      room.eta[i] = detail::eta_change(m, x, w, d, i, room.V[i]);
    }
    for (int k = m.v_at[i]; prescribed != nullptr && k < m.v_at[i + 1]; ++k) {  // Table 7
      if (prescribed[k] && d.at(d.S, i) != nullptr) room.eta[i] += d.S[k] * x.a[k];
      if (prescribed[k] && d.at(d.a, i) != nullptr) room.eta[i] += w.S[k] * d.a[k];
    }
    room.F[i] = moves                ? detail::bias_change(m, w, d, i, room.V[i])
                : d.F_ext != nullptr ? -d.F_ext[i]
                                     : Wrench<Real>{};
    room.IA[i] = {};
    if (d.at(d.G, i) != nullptr) room.IA[i] = ArticulatedInertia<Real>(d.G[i]);
  }
  for (int i = m.bodies - 1; i > 0; --i)
    if (m.parent[i] > 0) detail::change_parent(m, w, d, prescribed, i, dtau, room);
  for (int i = 1; i < m.bodies; ++i)
    detail::change_motion(m, x, w, d, prescribed, i, room, dtau, da);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
