// SPDX-License-Identifier: BSD-3-Clause
// Forward and hybrid dynamics of any order: a, jerk, ... where forces are given, forces where the
// motion is, in O(n r^2) with the articulated inertia formed and factored once.
//
// [Ali] Algorithms 3 and 4, Lemma 2, in body frames: coefficient k of the wrench through a joint is
// F_i[k] = IA_i A_i + B_i with A_i = (k+1) V_i[k+1] and the same IA_i for every k. So each order
// solves the equations of ordinary forward dynamics, with what the orders below have fixed as bias:
//   eta_i = (k+1) sum_{l>=1} (X_i[l] V_p[k+1-l] + S_i[l] v_i[k+1-l])       (+ S_i a of prescribed)
//   B_i   = -sum_l ad*_{V_i[l]} G_i V_i[k-l] - F_ext[k]
//           + sum_children { X_c^T (B_c + IA_c eta_c + U_c e_c) + sum_{l>=1} X_c^T[l] F_c[k-l] }
//   D_i e_i = tau_i[k] - sum_{l>=1} S_i[l] . F_i[k-l] - S_i . (B_i + IA_i eta_i)
//   a_i   = e_i - D_i^-1 U_i^T X_i A_p,   A_i = X_i A_p + eta_i + S_i a_i
// A coordinate is prescribed or not, each by itself: a base whose wrench or whose motion is given
// is a free joint without or with prescribed coordinates.
#pragma once

#include <jounce/algorithm/inverse_series.hpp>
#include <jounce/algorithm/small_cholesky.hpp>

namespace jounce {
namespace detail::inline JOUNCE_ISA {

/// U = IA S and the factors of D = S^T U + armature; a prescribed coordinate gets U = 0, D = 1.
template <class P, class Real>
constexpr void factor_coordinates(const Model<P>& m, const bool* prescribed, int i,
                                  Workspace<Real>& w) {
  const int first = m.v_at[i], n = m.v_at[i + 1] - first;
  for (int k = 0; k < n; ++k) {
    const bool given = prescribed[first + k];
    Real* row = w.D + 6 * (first + k);
    w.U[first + k] = given ? Wrench<Real>{} : w.IA[i] * w.S[first + k];
    for (int j = 0; j < k; ++j)
      row[j] = prescribed[first + j] ? Real(0) : dot(w.U[first + k], w.S[first + j]);
    row[k] = given ? Real(1) : dot(w.U[first + k], w.S[first + k]) + Real(m.armature[first + k]);
  }
  factor(w.D + 6 * first, n);
}

/// IA - U D^-1 U^T, with R = L^-1 U^T a sum of squares R_k R_k^T / d_k.
template <class P, class Real>
constexpr ArticulatedInertia<Real> across_joint(const Model<P>& m, int i,
                                                const Workspace<Real>& w) {
  const int first = m.v_at[i], n = m.v_at[i + 1] - first;
  ArticulatedInertia<Real> rest = w.IA[i];
  Wrench<Real> R[6];
  for (int k = 0; k < n; ++k) {
    const Real* row = w.D + 6 * (first + k);
    R[k] = w.U[first + k];
    for (int j = 0; j < k; ++j) R[k] -= R[j] * row[j];
    rest = minus_outer(rest, R[k], row[k]);
  }
  return rest;
}

/// What is known of every body's acceleration and of its wrench before a[k] is.
template <class P, class Real, class W>
constexpr void known_part(const Model<P>& m, const Real* q, const bool* prescribed, int k, W& w) {
  using Frames = typename W::Frames;
  for (int i = 1; i < m.bodies; ++i) {
    Frames::extend(m, q, i, k + 1, w);
    Twist<Real> eta = Frames::lagged_twist(m, i, k + 1, w);
    for (int j = m.v_at[i]; j < m.v_at[i + 1]; ++j)
      if (prescribed[j]) eta += w.S[j][0] * w.v[k + 1][j];
    w.eta[i] = eta * fraction<Real>(k + 1, 1);
    w.F[i][k] = Frames::bias(m, i, k, w);
  }
}

/// From the leaves: articulated inertias (k = 0), biases, and e in the place of a.
template <class P, class W>
constexpr void gather(const Model<P>& m, const bool* prescribed, int k, W& w) {
  using Frames = typename W::Frames;
  using Real = typename W::Number;
  Workspace<Real>& now = *w.now;
  for (int i = m.bodies - 1; i > 0; --i) {
    const int first = m.v_at[i], last = m.v_at[i + 1], p = m.parent[i];
    if (k == 0) factor_coordinates(m, prescribed, i, now);
    Wrench<Real> beta = w.F[i][k] + now.IA[i] * w.eta[i];
    for (int j = first; j < last; ++j)
      now.a[j] = prescribed[j]
                     ? Real(0)
                     : w.tau[k][j] - Frames::lagged_force(m, w, i, j, k) - dot(beta, w.S[j][0]);
    solve(now.D + 6 * first, last - first, now.a + first);
    for (int j = first; j < last; ++j) beta += now.U[j] * now.a[j];
    if (p == 0) continue;
    if (k == 0) now.IA[p] += Frames::returned(i, w, across_joint(m, i, now));
    w.F[p][k] += Frames::lagged_wrench(i, k, w) + Frames::returned(i, w, beta);
  }
}

/// From the ground: accelerations, wrenches, and the forces of prescribed coordinates.
template <class P, class W>
constexpr void spread(const Model<P>& m, const bool* prescribed, int k, W& w) {
  using Frames = typename W::Frames;
  using Real = typename W::Number;
  Workspace<Real>& now = *w.now;
  const Plain<Real> up = fraction<Real>(k + 1, 1), down = fraction<Real>(1, k + 1);
  for (int i = 1; i < m.bodies; ++i) {
    const int first = m.v_at[i], n = m.v_at[i + 1] - first;
    const Twist<Real> from_parent = Frames::carried(m, i, k + 1, w) * up;
    Twist<Real> A = from_parent + w.eta[i];
    Real moved[6];
    for (int j = 0; j < n; ++j) moved[j] = dot(now.U[first + j], from_parent);
    solve(now.D + 6 * first, n, moved);
    for (int j = first; j < first + n; ++j) {
      if (prescribed[j]) continue;
      const Real a = now.a[j] - moved[j - first];
      A += w.S[j][0] * a;
      w.v[k + 1][j] = a * down;
    }
    w.V[i][k + 1] = A * down;
    w.F[i][k] += now.IA[i] * A;
    if (m.parent[i] > 0) Frames::finish_wrench(i, k, w);
    for (int j = first; j < first + n; ++j)
      if (prescribed[j])
        w.tau[k][j] = dot(w.F[i][k], w.S[j][0]) + Frames::lagged_force(m, w, i, j, k) +
                      w.v[k + 1][j] * (m.armature[j] * up);
  }
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// Twists at the instant itself and the bodies' own inertias, after start_series and start_ground.
template <class P, class Real, class W>
constexpr void start_hybrid_series(const Model<P>& m, const Real* q, W& w) noexcept {
  forward_twist_series(m, q, 0, w);
  for (int i = 1; i < m.bodies; ++i)
    w.now->IA[i] = ArticulatedInertia<Real>(W::Frames::inertia(m, w, i));
}

/// One order: v[k + 1] where forces tau[k] are given, tau[k] where v[k + 1] is prescribed. Orders
/// are taken one after the other from k = 0.
template <class P, class Real, class W>
constexpr void hybrid_series_step(const Model<P>& m, const Real* q, const bool* prescribed, int k,
                                  W& w) noexcept {
  detail::known_part(m, q, prescribed, k, w);
  detail::gather(m, prescribed, k, w);
  detail::spread(m, prescribed, k, w);
}

/// All orders 0..order. With nothing prescribed these are forward dynamics, with all inverse.
template <class P, class Real, class W>
constexpr void hybrid_series(const Model<P>& m, const Real* q, const bool* prescribed, int order,
                             W& w) noexcept {
  start_hybrid_series(m, q, w);
  for (int k = 0; k <= order; ++k) hybrid_series_step(m, q, prescribed, k, w);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
