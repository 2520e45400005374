// SPDX-License-Identifier: BSD-3-Clause
// Dynamics of any order in body frames: how motions and wrenches pass a joint.
//
// X V is never expanded as a product of three series: the velocity of the parent at the joint,
// z = v_p - p x w_p, is formed first, and then turned by R^T. Wrenches go the same way back.
#pragma once

#include <jounce/algorithm/series_joint.hpp>

namespace jounce {

namespace detail::inline JOUNCE_ISA {

/// Coefficient k of X_i V_p but for X_i[0] V_p[k], which finish_twist adds.
template <class Real>
constexpr Twist<Real> lagged_twist(int i, int p, int k, SeriesWorkspace<Real>& w) {
  const SE3<Real>* T = w.T[i];
  const Twist<Real>* V = w.V[p];
  Vec3<Real>* z = w.at_joint[i];
  z[k] = {};
  Twist<Real> sum{};
  for (int l = 1; l <= k; ++l) {
    z[k] -= cross(T[l].p, V[k - l].w);
    sum.w += inverse_times(T[l].R, V[k - l].w);
    sum.v += inverse_times(T[l].R, z[k - l]);
  }
  sum.v += inverse_times(T[0].R, z[k]);
  return sum;
}
/// X_i[0] V_p[k], and the velocity at the joint completed.
template <class Real>
constexpr Twist<Real> finish_twist(int i, int p, int k, SeriesWorkspace<Real>& w) {
  w.at_joint[i][k] += w.V[p][k].v - cross(w.T[i][0].p, w.V[p][k].w);
  return Ad_inv(w.T[i][0], w.V[p][k]);
}

/// Coefficient k of X_i^T F_i but for X_i[0]^T F_i[k], which finish_wrench adds.
template <class Real>
constexpr Wrench<Real> lagged_wrench(int i, int k, SeriesWorkspace<Real>& w) {
  const SE3<Real>* T = w.T[i];
  const Wrench<Real>* F = w.F[i];
  Vec3<Real>* f = w.f_in_parent[i];
  f[k] = {};
  Vec3<Real> moment{};
  for (int l = 1; l <= k; ++l) {
    f[k] += T[l].R * F[k - l].f;
    moment += T[l].R * F[k - l].m + cross(T[l].p, f[k - l]);
  }
  return {moment + cross(T[0].p, f[k]), f[k]};
}
template <class Real>
constexpr Wrench<Real> finish_wrench(int i, int k, SeriesWorkspace<Real>& w) {
  w.f_in_parent[i][k] += w.T[i][0].R * w.F[i][k].f;
  return dual_Ad_inv(w.T[i][0], w.F[i][k]);
}

/// -sum_l ad*_{V[l]} G V[k-l] - F_ext[k]: what the motion so far asks of the joint's wrench.
template <class P, class Real>
constexpr Wrench<Real> inertial_bias(const Model<P>& m, int i, int k, SeriesWorkspace<Real>& w) {
  w.momentum[i][k] = m.G[i] * w.V[i][k];
  Wrench<Real> sum = -w.F_ext[i][k];
  for (int l = 0; l <= k; ++l) sum -= dual_ad(w.V[i][l], w.momentum[i][k - l]);
  return sum;
}

/// S[0] v[k] over the coordinates of joint i.
template <class P, class W>
constexpr auto joint_twist_now(const Model<P>& m, const W& w, int i, int k) {
  Twist<typename W::Number> sum{};
  for (int j = m.v_at[i]; j < m.v_at[i + 1]; ++j) sum += w.S[j][0] * w.v[k][j];
  return sum;
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// What inverse_series and hybrid_series ask of a kind of frames; SpatialFrame and HybridFrames
/// have the same words.
struct BodyFrames {
  /// Coefficient k >= 1 of everything that the twists below k fix.
  template <class P, class Real>
  static constexpr void extend(const Model<P>& m, const Real* q, int i, int k,
                               SeriesWorkspace<Real>& w) {
    extend_joint(m, q, i, k, w);
  }
  /// Coefficient k of the twist but for what the parent's and the joint's coefficient k add.
  template <class P, class Real>
  static constexpr Twist<Real> lagged_twist(const Model<P>& m, int i, int k,
                                            SeriesWorkspace<Real>& w) {
    const Twist<Real> carried = detail::lagged_twist(i, m.parent[i], k, w);
    return carried + lagged_joint_twist(m, w, i, k);
  }
  /// What the parent's coefficient k adds to it.
  template <class P, class Real>
  static constexpr Twist<Real> carried(const Model<P>& m, int i, int k, SeriesWorkspace<Real>& w) {
    return detail::finish_twist(i, m.parent[i], k, w);
  }
  template <class P, class Real>
  static constexpr const Inertia<P>& inertia(const Model<P>& m, const SeriesWorkspace<Real>&,
                                             int i) {
    return m.G[i];
  }
  /// Coefficient k of the wrench through the joint but for the inertia times (k + 1) V[k + 1].
  template <class P, class Real>
  static constexpr Wrench<Real> bias(const Model<P>& m, int i, int k, SeriesWorkspace<Real>& w) {
    return detail::inertial_bias(m, i, k, w);
  }
  /// Coefficient k of the force of coordinate j but for its screw times the wrench's coefficient k.
  template <class P, class Real>
  static constexpr Real lagged_force(const Model<P>& m, const SeriesWorkspace<Real>& w, int i,
                                     int j, int k) {
    return jounce::lagged_force(m, w, i, j, k);
  }
  /// Coefficient k of the wrench on the parent but for what coefficient k of the joint's adds.
  template <class Real>
  static constexpr Wrench<Real> lagged_wrench(int i, int k, SeriesWorkspace<Real>& w) {
    return detail::lagged_wrench(i, k, w);
  }
  /// A wrench, or an inertia, on the parent.
  template <class Real>
  static constexpr Wrench<Real> returned(int i, const SeriesWorkspace<Real>& w,
                                         const Wrench<Real>& F) {
    return dual_Ad_inv(w.T[i][0], F);
  }
  template <class Real>
  static constexpr ArticulatedInertia<Real> returned(int i, const SeriesWorkspace<Real>& w,
                                                     const ArticulatedInertia<Real>& IA) {
    return push_forward(w.now->T[i], IA);
  }
  /// The wrench's coefficient k on the parent, once it is known.
  template <class Real>
  static constexpr Wrench<Real> finish_wrench(int i, int k, SeriesWorkspace<Real>& w) {
    return detail::finish_wrench(i, k, w);
  }
};

}  // namespace JOUNCE_ISA

}  // namespace jounce
