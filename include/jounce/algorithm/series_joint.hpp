// SPDX-License-Identifier: BSD-3-Clause
// The motion of a joint of any kind as a power series in time, coefficient by coefficient.
//
// Whatever the joint, its pose obeys T' = T [V_J] with V_J = S v, so coefficient k of T follows
// from the coefficients below k of T and V_J: no sine, no quaternion, no case. Where S moves, the
// column of a part is carried along by the parts behind it, whose twist is W = sum S_j v_j over
// them:
//   k T[k] = sum_{l<k} T[k-1-l] [V_J[l]]         k S[k] = -sum_{l<k} ad_{W[l]} S[k-1-l]
// A custom joint supplies Sdot itself, evaluated on a series. [Ali] has revolute and prismatic
// joints, in spatial frames; body frames and the other kinds are ours.
#pragma once

#include <jounce/algorithm/series_workspace.hpp>

namespace jounce {

inline namespace JOUNCE_ISA {

/// The poses and screws at the instant itself: coefficient 0, from the coordinates q.
template <class P, class Real>
constexpr void start_series(const Model<P>& m, const Real* q, SeriesWorkspace<Real>& w) noexcept {
  Workspace<Real>& now = *w.now;
  const State<Real> x{q, w.v[0]};
  move_angles(m, x, now);
  for (int i = 1; i < m.bodies; ++i) {
    move_joint(m, x, i, now);
    w.T[i][0] = now.T[i];
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k) w.S[k][0] = now.S[k];
  }
}

}  // namespace JOUNCE_ISA

namespace detail::inline JOUNCE_ISA {

/// Coefficient k of the pose of joint i, from the twist of its first part, V_J.
template <class Real>
constexpr void extend_pose(const Twist<Real>* V_J, int k, SE3<Real>* T) {
  Mat3<Real> R{};
  Vec3<Real> p{};
  for (int l = 0; l < k; ++l) {
    const SE3<Real>& before = T[k - 1 - l];
    for (int row = 0; row < 3; ++row) R.row[row] += cross(before.R.m.row[row], V_J[l].w);
    p += before.R * V_J[l].v;
  }
  const Plain<Real> scale = fraction<Real>(1, k);
  T[k] = {{R * scale}, p * scale};
}

/// Coefficient k of the columns of a joint with several parts. The last part's are constant.
template <class P, class Real>
constexpr void extend_screws(const Model<P>& m, int i, int k, SeriesWorkspace<Real>& w) {
  for (int part = m.part_at[i]; part < m.part_at[i + 1]; ++part)
    for (int j = 0; j < elementary_nv(m.part[part].kind); ++j) {
      Twist<Real>* S = w.S[m.part[part].v + j];
      S[k] = {};
      if (part + 1 == m.part_at[i + 1]) continue;
      for (int l = 0; l < k; ++l) S[k] -= ad(w.tail[part + 1][l], S[k - 1 - l]);
      S[k] = S[k] * fraction<Real>(1, k);
    }
}

/// Coefficient k of the columns of a custom joint: that of Sdot below it, divided by k.
template <class Series, class P, class Real>
void extend_custom(const Model<P>& m, const Real* q, int i, int k, SeriesRoom<Series>& room,
                   SeriesWorkspace<Real>& w) {
  Series q_series[6], v_series[6];
  const int first = m.v_at[i], dof = m.v_at[i + 1] - first;
  for (int j = 0; j < dof; ++j) {
    q_series[j] = room.number(q[m.q_at[i] + j]);
    v_series[j] = room.number(Real(0));
    for (int l = 0; l < k; ++l) {
      v_series[j].c[l] = w.v[l][first + j];
      if (l + 1 < k) q_series[j].c[l + 1] = w.v[l][first + j] * fraction<Real>(1, l + 1);
    }
  }
  move_custom(*m.custom[i], q_series, v_series, [&](const CustomMotion<Series>& motion) {
    const auto at = [&](const Series& x) { return coefficient(x, k - 1) * fraction<Real>(1, k); };
    for (int j = 0; j < dof; ++j) {
      const Twist<Series> rate = motion.Sdot(j);
      w.S[first + j][k] = {{at(rate.w.x), at(rate.w.y), at(rate.w.z)},
                           {at(rate.v.x), at(rate.v.y), at(rate.v.z)}};
    }
  });
}

template <int K, class P, class Real>
void extend_custom(const Model<P>& m, const Real* q, int i, int k, SeriesWorkspace<Real>& w) {
  SeriesRoom<Taylor<Real, K>> room(K);
  extend_custom(m, q, i, k, room, w);
}

}  // namespace detail::inline JOUNCE_ISA

namespace detail {

/// The same for any k, on power series; compiled once.
void extend_custom_to_any_order(const Model<double>& m, const double* q, int i, int k,
                                SeriesWorkspace<double>& w);

}  // namespace detail

namespace detail::inline JOUNCE_ISA {

/// Coefficient k of S v, part by part from the last: the row of the first is V_J.
template <class P, class Real>
constexpr void extend_tails(const Model<P>& m, int i, int k, SeriesWorkspace<Real>& w) {
  const int first_part = m.part_at[i], last_part = m.part_at[i + 1] - 1;
  for (int part = last_part; part >= first_part; --part) {
    const Factor f = part_factor(m, i, part);
    Twist<Real>& sum = w.tail[part][k];
    sum = part == last_part ? Twist<Real>{} : w.tail[part + 1][k];
    for (int j = f.v; j < f.v + f.nv; ++j)
      for (int l = 0; l <= k; ++l) sum += w.S[j][l] * w.v[k - l][j];
  }
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// Coefficient k >= 1 of T and S of joint i, from the coefficients below k of v; and coefficient
/// k - 1 of S v. q are the coordinates at the instant itself.
template <class P, class Real>
constexpr void extend_joint(const Model<P>& m, const Real* q, int i, int k,
                            SeriesWorkspace<Real>& w) noexcept {
  Twist<Real>* V_J = w.tail[m.part_at[i]];
  if (m.constant_screws(i)) {
    const Part<P>& part = m.part[m.part_at[i]];
    Real v[6];
    for (int j = 0; j < elementary_nv(part.kind); ++j) v[j] = w.v[k - 1][part.v + j];
    V_J[k - 1] = part_twist(part, v);
  } else {
    detail::extend_tails(m, i, k - 1, w);
    if (!is_custom(m, i)) detail::extend_screws(m, i, k, w);
    else if (k <= 5) detail::extend_custom<4>(m, q, i, k, w);
    else if constexpr (std::is_same_v<Real, double>)
      detail::extend_custom_to_any_order(m, q, i, k, w);
    else detail::extend_custom<highest_order>(m, q, i, k, w);
  }
  detail::extend_pose(V_J, k, w.T[i]);
}

/// sum_{l >= 1} S[l] v[k - l] over the coordinates of joint i: what moving screws add.
template <class P, class Real>
constexpr Twist<Real> lagged_joint_twist(const Model<P>& m, const SeriesWorkspace<Real>& w, int i,
                                         int k) {
  Twist<Real> sum{};
  if (m.constant_screws(i)) return sum;
  for (int j = m.v_at[i]; j < m.v_at[i + 1]; ++j)
    for (int l = 1; l <= k; ++l) sum += w.S[j][l] * w.v[k - l][j];
  return sum;
}

/// sum_{l >= 1} S[l] . F[k - l] for coordinate j of joint i.
template <class P, class Real>
constexpr Real lagged_force(const Model<P>& m, const SeriesWorkspace<Real>& w, int i, int j,
                            int k) {
  Real sum(0);
  if (m.constant_screws(i)) return sum;
  for (int l = 1; l <= k; ++l) sum = sum + dot(w.F[i][k - l], w.S[j][l]);
  return sum;
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
