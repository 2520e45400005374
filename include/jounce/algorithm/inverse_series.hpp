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
// The sweeps are those of any kind of frames, which the workspace names: in body frames
// (BodyFrames) unless it says otherwise.
#pragma once

#include <jounce/algorithm/body_frames.hpp>

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

inline namespace JOUNCE_ISA {

/// Poses and twists of all bodies up to coefficient `last` from v, after start_series and with the
/// ground's twist in V[0].
template <class P, class Real, class W>
constexpr void forward_twist_series(const Model<P>& m, const Real* q, int last, W& w) noexcept {
  using Frames = typename W::Frames;
  for (int i = 1; i < m.bodies; ++i)
    for (int k = 0; k <= last; ++k) {
      if (k > 0) Frames::extend(m, q, i, k, w);
      w.V[i][k] = Frames::lagged_twist(m, i, k, w);  // carried completes what it left
      w.V[i][k] += Frames::carried(m, i, k, w);
      w.V[i][k] += detail::joint_twist_now(m, w, i, k);
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
template <class P, class W>
constexpr void inverse_force_series(const Model<P>& m, int order, W& w) noexcept {
  using Frames = typename W::Frames;
  using Real = typename W::Number;
  for (int i = 1; i < m.bodies; ++i)
    for (int k = 0; k <= order; ++k)
      w.F[i][k] = Frames::bias(m, i, k, w) +
                  (Frames::inertia(m, w, i) * w.V[i][k + 1]) * fraction<Real>(k + 1, 1);
  for (int i = m.bodies - 1; i > 0; --i)
    for (int k = 0; k <= order; ++k) {
      for (int j = m.v_at[i]; j < m.v_at[i + 1]; ++j)
        w.tau[k][j] = dot(w.F[i][k], w.S[j][0]) + Frames::lagged_force(m, w, i, j, k) +
                      w.v[k + 1][j] * (m.armature[j] * fraction<P>(k + 1, 1));
      if (m.parent[i] == 0) continue;
      w.F[m.parent[i]][k] += Frames::lagged_wrench(i, k, w);
      w.F[m.parent[i]][k] += Frames::finish_wrench(i, k, w);
    }
}

/// tau[0..order] from v[0..order + 1], after start_series and start_ground.
template <class P, class Real, class W>
constexpr void inverse_series(const Model<P>& m, const Real* q, int order, W& w) noexcept {
  forward_twist_series(m, q, order + 1, w);
  inverse_force_series(m, order, w);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
