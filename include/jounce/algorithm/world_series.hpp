// SPDX-License-Identifier: BSD-3-Clause
// Dynamics of any order in the ground's axes: what the spatial form and hybrid frames share.
//
// [Ali] writes twists, screws and inertias in one inertial frame (spatial_frame.hpp); his outlook
// asks for hybrid frames, the ground's axes at each body's own origin (hybrid_frames.hpp). In both
// inertias and screws move. The sweeps are those of inverse_series.hpp and hybrid_series.hpp, on
// Taylor coefficients x[k] = x^(k) / k!: the paper's B(k,l) x^(l) y^(k-l) is x[l] y[k-l].
//
// With own_base the velocity of a free base is its twist in the form's frame, the paper's V_1, and
// its force the wrench there, the paper's W_1; otherwise both are in the body's frame. Every kind
// of joint but custom ones; the ground is at rest.
#pragma once

#include <jounce/algorithm/hybrid_series.hpp>
#include <jounce/algorithm/world_workspace.hpp>

namespace jounce {

inline namespace JOUNCE_ISA {

/// Whether a world form takes this tree.
template <class P>
constexpr bool has_custom_joint(const Model<P>& m) {
  for (int i = 1; i < m.bodies; ++i)
    if (is_custom(m, i)) return true;
  return false;
}

/// Coefficient 0 of all bodies, from the poses of the joints and the screws S[0].
template <class P, class Real, class Frames>
constexpr void start_world_bodies(const Model<P>& m, WorldWorkspace<Real, Frames>& w) noexcept {
  Workspace<Real>& joints = *w.joints;
  for (int k = 0; k <= w.order + 1; ++k) w.V[0][k] = Frames::template ground<Real>(m, k);
  for (int i = 1; i < m.bodies; ++i) {
    w.pose[i][0] = joints.pose[i];
    w.r[i][0] = joints.pose[m.parent[i]].R * joints.T[i].p;
    w.G[i] = Frames::placed(joints.pose[i], m.G[i]);
    w.h[i][0] = w.G[i].h;
    w.I[i][0] = w.G[i].I;
    w.turned_h[i][0] = w.turned_r[i][0] = {};
    for (int j = m.v_at[i]; j < m.v_at[i + 1]; ++j) {
      if (w.own_base && is_free_base(m, i)) w.S[j][0] = joints.S[j];  // 1
      w.now->S[j] = w.S[j][0];
    }
  }
}

/// Coefficient 0 of screws and inertias, from the coordinates q.       Algorithm 1, positions
template <class P, class Real, class Frames>
constexpr void start_world_series(const Model<P>& m, const Real* q,
                                  WorldWorkspace<Real, Frames>& w) noexcept {
  Workspace<Real>& joints = *w.joints;
  const State<Real> x{q, w.v[0]};
  move_angles(m, x, joints);
  joints.pose[0] = {};
  for (int i = 1; i < m.bodies; ++i) {
    move_joint(m, x, i, joints);
    joints.pose[i] = joints.pose[m.parent[i]] * joints.T[i];
    for (int j = m.v_at[i]; j < m.v_at[i + 1]; ++j)
      w.S[j][0] = Frames::screw(joints.pose[i], joints.S[j]);
  }
  start_world_bodies(m, w);
}

}  // namespace JOUNCE_ISA

namespace detail::inline JOUNCE_ISA {

/// [w] I + ([w] I)^T: how a second moment turns.
template <class Real>
constexpr Sym3<Real> turning(const Vec3<Real>& w, const Sym3<Real>& I) {
  const Vec3<Real> a = cross(w, Vec3<Real>{I.xx, I.xy, I.xz}),
                   b = cross(w, Vec3<Real>{I.xy, I.yy, I.yz}),
                   c = cross(w, Vec3<Real>{I.xz, I.yz, I.zz});
  return {a.x + a.x, a.y + b.x, b.y + b.y, a.z + c.x, b.z + c.y, c.z + c.z};
}

/// Coefficient k - 1 of S v over the parts behind each part of joint i.
template <class P, class W>
constexpr void extend_behind(const Model<P>& m, int i, int k, W& w) {
  for (int part = m.part_at[i + 1] - 1; part >= m.part_at[i]; --part) {
    auto& sum = w.behind[part][k - 1];
    sum = {};
    if (part + 1 == m.part_at[i + 1]) continue;
    sum = w.behind[part + 1][k - 1];
    const Factor f = part_factor(m, i, part + 1);
    for (int j = f.v; j < f.v + f.nv; ++j)
      for (int l = 0; l < k; ++l) sum += w.S[j][l] * w.v[k - 1 - l][j];
  }
}

/// Coefficient k of the screws of joint i: k S[k] = sum_{l<k} rate(V[l], behind[l], S[k-1-l]), the
/// rate of a screw that is fixed in the body, V, less what the parts behind it do.
template <class P, class W, class Rate>
constexpr void extend_world_screws(const Model<P>& m, int i, int k, W& w, Rate rate) {
  using Real = typename W::Number;
  const bool constant = m.constant_screws(i), own = w.own_base && is_free_base(m, i);
  if (!constant) extend_behind(m, i, k, w);
  for (int part = m.part_at[i]; part < m.part_at[i + 1]; ++part) {
    const Factor f = part_factor(m, i, part);
    for (int j = f.v; j < f.v + f.nv; ++j) {
      Twist<Real>* S = w.S[j];
      Twist<Real> sum{};
      for (int l = 0; l < k && !own; ++l)
        sum += constant ? rate(w.V[i][l], S[k - 1 - l])
                        : rate(w.V[i][l], w.behind[part][l], S[k - 1 - l]);
      S[k] = sum * fraction<Real>(1, k);
    }
  }
}

/// Coefficient k of h with h' = w x h + carried, and of w x h but for w[k] x h[0].
template <class Real>
constexpr void extend_turning(const Twist<Real>* V, const Vec3<Real>& carried, int k, Vec3<Real>* h,
                              Vec3<Real>* turned) {
  h[k] = (turned[k - 1] + cross(V[k - 1].w, h[0]) + carried) * fraction<Real>(1, k);
  turned[k] = cross(V[k - 1].w, h[1]);
  for (int l = 2; l <= k; ++l) turned[k] += cross(V[k - l].w, h[l]);
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// Coefficient k of the pose of body i, from its twists below k: R' = [w] R, and p.
template <class P, class W>
constexpr void extend_world_pose(const Model<P>& m, int i, int k, W& w) noexcept {
  using Real = typename W::Number;
  if (k == 0) return;
  Mat3<Real> R{};
  for (int l = 0; l < k; ++l) {
    const Vec3<Real>& turn = w.V[i][l].w;
    const Mat3<Real>& before = w.pose[i][k - 1 - l].R.m;
    R.row[0] += before.row[2] * turn.y - before.row[1] * turn.z;
    R.row[1] += before.row[0] * turn.z - before.row[2] * turn.x;
    R.row[2] += before.row[1] * turn.x - before.row[0] * turn.y;
  }
  w.pose[i][k].R.m = R * fraction<Real>(1, k);
  w.pose[i][k].p = W::Frames::position(m, i, k, w);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
