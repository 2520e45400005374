// SPDX-License-Identifier: BSD-3-Clause
// Poses, twists and Jacobians of a frame as power series, after forward_twist_series and
// extend_ground_poses.
//
// A frame has the pose T = (R, p) = pose_body * offset. The screw of a coordinate, seen in ground
// axes, is a = R_i w, b = R_i v + p_i x a (at the ground's origin); [Ali] keeps its derivatives by
// S' = ad_V S, here they are convolutions of coefficients already at hand:
//   space: (a, b)        hybrid: (a, b - p x a)        body: R^T of the hybrid one
#pragma once

#include <jounce/algorithm/inverse_series.hpp>
#include <jounce/algorithm/jacobian.hpp>

namespace jounce {

/// Coefficients of a frame's pose, of twists and of columns of Jacobians.
template <class Real>
struct FrameSeries {
  SE3<Real> T[highest_order + 2];
  Twist<Real> V[highest_order + 2];
};

namespace detail::inline JOUNCE_ISA {

/// Coefficient k of R^T x.
template <class Real>
constexpr Vec3<Real> turn_back(const SE3<Real>* T, const Vec3<Real>* x, int k) {
  Vec3<Real> sum{};
  for (int l = 0; l <= k; ++l) sum += inverse_times(T[l].R, x[k - l]);
  return sum;
}
template <class Real>
constexpr Vec3<Real> turn(const SE3<Real>* T, const Vec3<Real>* x, int k) {
  Vec3<Real> sum{};
  for (int l = 0; l <= k; ++l) sum += T[l].R * x[k - l];
  return sum;
}
/// Coefficient k of p x y.
template <class Real>
constexpr Vec3<Real> lever(const SE3<Real>* T, const Vec3<Real>* y, int k) {
  Vec3<Real> sum{};
  for (int l = 0; l <= k; ++l) sum += cross(T[l].p, y[k - l]);
  return sum;
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// The pose of a frame fixed to a body, coefficients 0..last.
template <class Real>
constexpr void frame_pose_series(const SE3<Real>* body, const SE3<double>& offset, int last,
                                 SE3<Real>* T) {
  for (int k = 0; k <= last; ++k)
    T[k] = {{body[k].R.m * offset.R.m}, body[k].R * offset.p + body[k].p};
}

/// Twists X of a body with pose `from`, given in its own frame (screw series or body twists), seen
/// by a frame with pose T: coefficients 0..last in the representation asked for.
template <class Real>
constexpr void carry_series(const SE3<Real>* from, const Twist<Real>* X, const SE3<Real>* T,
                            Representation in, int last, Twist<Real>* out) {
  constexpr int size = highest_order + 2;
  Vec3<Real> w[size], v[size], a[size], b[size];
  for (int k = 0; k <= last; ++k) {
    w[k] = X[k].w;
    v[k] = X[k].v;
    a[k] = detail::turn(from, w, k);
    b[k] = detail::turn(from, v, k) + detail::lever(from, a, k);
    if (in != Representation::space) b[k] -= detail::lever(T, a, k);
    out[k] = {a[k], b[k]};
    if (in == Representation::body)
      out[k] = {detail::turn_back(T, a, k), detail::turn_back(T, b, k)};
  }
}

/// Coefficient k of the Jacobian (6 x nv, column by column) of a frame with pose series T on a
/// body.
template <class P, class Real>
constexpr void jacobian_coefficient(const Model<P>& m, const SeriesWorkspace<Real>& w, int body,
                                    const SE3<Real>* T, Representation in, int k, Real* J) {
  for (int n = 0; n < 6 * m.nv; ++n) J[n] = Real(0);
  Twist<Real> S[highest_order + 2], column[highest_order + 2];
  for (int i = body; i > 0; i = m.parent[i])
    for (int j = m.v_at[i]; j < m.v_at[i + 1]; ++j) {
      for (int l = 0; l <= k; ++l) S[l] = l > 0 && m.constant_screws(i) ? Twist<Real>{} : w.S[j][l];
      carry_series(w.pose[i], S, T, in, k, column);
      detail::write_column(column[k], J + 6 * j);
    }
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
