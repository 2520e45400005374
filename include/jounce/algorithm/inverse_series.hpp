// SPDX-License-Identifier: BSD-3-Clause
// Inverse dynamics of any order: tau, tau', tau'', ... from v, a, jerk, ..., in O(n r^2).
//
// [Ali] Algorithms 1 and 2, in body frames and with Taylor coefficients x[k] = x^(k) / k!:
//   V_i[k] = (X_i V_p)[k] + (S_i v_i)[k],   X_i = Ad_{T_i^-1}
//   F_i[k] = (k+1) G_i V_i[k+1] - sum_l ad*_{V_i[l]} G_i V_i[k-l] - F_ext[k] + (X_c^T F_c)[k]
//   tau[k] = (S^T F)[k] + armature a[k]
// Departures: body frames instead of one inertial frame, so that nothing depends on where its
// origin lies, inertias are constant (the paper differentiates them) and S of an elementary joint
// too; gravity is a ground that accelerates by -g, in V_0.
//
// X V is never expanded as a product of three series: the velocity of the parent at the joint,
// z = v_p - p x w_p, is formed first, and then turned by R^T. Wrenches go the same way back.
#pragma once

#include <jounce/algorithm/series_joint.hpp>

namespace jounce {

namespace detail::inline JOUNCE_ISA {

/// Coefficient k of -w x x: the rate of a vector that stands still, in axes that turn with w.
template <class Real>
constexpr Vec3<Real> turning_rate(const Twist<Real>* V, const Vec3<Real>* x, int k) {
  Vec3<Real> rate{};
  for (int l = 0; l <= k; ++l) rate -= cross(V[l].w, x[k - l]);
  return rate;
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// The ground's twist: a motion of its own (order + 2 coefficients, or none), and upwards with -g
/// in place of gravity. Where the ground turns, g turns in its axes: g' = -w x g; the velocity u
/// that it stands for obeys u' = -g - w x u, u = 0 at the instant itself.
template <class P, class Real>
constexpr void start_ground(const Model<P>& m, const Twist<Real>* V_0, int order,
                            SeriesWorkspace<Real>& w) noexcept {
  Twist<Real>* V = w.V[0];
  Vec3<Real>* g = w.at_joint[0];  // rows of the ground that nothing else uses
  Vec3<Real>* u = w.f_in_parent[0];
  g[0] = detail::as<Real>(m.gravity);
  u[0] = {};
  for (int k = 0; k <= order + 1; ++k) V[k] = V_0 == nullptr ? Twist<Real>{} : V_0[k];
  for (int k = 0; k <= order; ++k) {
    Vec3<Real> dg{}, du = -g[k];
    if (V_0 != nullptr) {
      dg = detail::turning_rate(V_0, g, k);
      du += detail::turning_rate(V_0, u, k);
    }
    g[k + 1] = dg * fraction<Real>(1, k + 1);
    u[k + 1] = du * fraction<Real>(1, k + 1);
    V[k + 1].v += u[k + 1];
  }
}

}  // namespace JOUNCE_ISA

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
template <class P, class Real>
constexpr Twist<Real> joint_twist_now(const Model<P>& m, const SeriesWorkspace<Real>& w, int i,
                                      int k) {
  Twist<Real> sum{};
  for (int j = m.v_at[i]; j < m.v_at[i + 1]; ++j) sum += w.S[j][0] * w.v[k][j];
  return sum;
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// Poses and twists of all bodies up to coefficient `last` from v, after start_series and with the
/// ground's twist in V[0].
template <class P, class Real>
constexpr void forward_twist_series(const Model<P>& m, const Real* q, int last,
                                    SeriesWorkspace<Real>& w) noexcept {
  for (int i = 1; i < m.bodies; ++i)
    for (int k = 0; k <= last; ++k) {
      if (k > 0) extend_joint(m, q, i, k, w);
      w.V[i][k] =
          detail::lagged_twist(i, m.parent[i], k, w);  // finish_twist completes what it left
      w.V[i][k] += detail::finish_twist(i, m.parent[i], k, w);
      w.V[i][k] += lagged_joint_twist(m, w, i, k) + detail::joint_twist_now(m, w, i, k);
    }
}

/// Coefficient k of the poses of all bodies in the axes that the ground has at the instant itself,
/// after extend_joint to k. V_0: the ground's body twist; null where it is at rest.
template <class P, class Real>
constexpr void extend_ground_poses(const Model<P>& m, const Twist<Real>* V_0, int k,
                                   SeriesWorkspace<Real>& w) noexcept {
  w.pose[0][k] = {{k == 0 ? Mat3<Real>::identity() : Mat3<Real>{}}, {}};
  if (k > 0 && V_0 != nullptr) detail::extend_pose(V_0, k, w.pose[0]);
  for (int i = 1; i < m.bodies; ++i) {
    const SE3<Real>*before = w.pose[m.parent[i]], *T = w.T[i];
    SE3<Real>& sum = w.pose[i][k];
    sum = {{Mat3<Real>{}}, before[k].p};
    for (int l = 0; l <= k; ++l) {
      sum.R.m = sum.R.m + before[l].R.m * T[k - l].R.m;
      sum.p += before[l].R * T[k - l].p;
    }
  }
}

/// tau[0..order] from the motion of all bodies, after forward_twist_series to order + 1.
template <class P, class Real>
constexpr void inverse_force_series(const Model<P>& m, int order,
                                    SeriesWorkspace<Real>& w) noexcept {
  for (int i = 1; i < m.bodies; ++i)
    for (int k = 0; k <= order; ++k)
      w.F[i][k] =
          detail::inertial_bias(m, i, k, w) + (m.G[i] * w.V[i][k + 1]) * fraction<Real>(k + 1, 1);
  for (int i = m.bodies - 1; i > 0; --i)
    for (int k = 0; k <= order; ++k) {
      for (int j = m.v_at[i]; j < m.v_at[i + 1]; ++j)
        w.tau[k][j] = dot(w.F[i][k], w.S[j][0]) + lagged_force(m, w, i, j, k) +
                      w.v[k + 1][j] * (m.armature[j] * fraction<P>(k + 1, 1));
      if (m.parent[i] == 0) continue;
      w.F[m.parent[i]][k] += detail::lagged_wrench(i, k, w);
      w.F[m.parent[i]][k] += detail::finish_wrench(i, k, w);
    }
}

/// tau[0..order] from v[0..order + 1], after start_series and start_ground.
template <class P, class Real>
constexpr void inverse_series(const Model<P>& m, const Real* q, int order,
                              SeriesWorkspace<Real>& w) noexcept {
  forward_twist_series(m, q, order + 1, w);
  inverse_force_series(m, order, w);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
