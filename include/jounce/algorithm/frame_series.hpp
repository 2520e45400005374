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
#include <vector>

namespace jounce {

/// Room for coefficients of a frame's pose and of what it sees, all rows of one length.
template <class Real>
struct FrameSeries {
  SE3<Real>* T = nullptr;
  Twist<Real>* S = nullptr;              ///< of a screw, in its body's frame
  Vec3<Real>*a = nullptr, *b = nullptr;  ///< of what the frame sees, in ground axes
};

/// Owns what a FrameSeries points to, for coefficients 0..last.
template <class Real>
class FrameSeriesStorage {
 public:
  explicit FrameSeriesStorage(int last)
      : poses_(size_t(last + 1)), twists_(poses_.size()), vectors_(2 * poses_.size()) {
    view_ = {.T = poses_.data(),
             .S = twists_.data(),
             .a = vectors_.data(),
             .b = vectors_.data() + poses_.size()};
  }
  FrameSeriesStorage(const FrameSeriesStorage&) = delete;
  FrameSeriesStorage& operator=(const FrameSeriesStorage&) = delete;

  const FrameSeries<Real>& view() const { return view_; }

 private:
  std::vector<SE3<Real>> poses_;
  std::vector<Twist<Real>> twists_;
  std::vector<Vec3<Real>> vectors_;
  FrameSeries<Real> view_;
};

namespace detail::inline JOUNCE_ISA {

/// Coefficient k of R^T x.
template <class Real>
constexpr Vec3<Real> turn_back(const SE3<Real>* T, const Vec3<Real>* x, int k) {
  Vec3<Real> sum{};
  for (int l = 0; l <= k; ++l) sum += inverse_times(T[l].R, x[k - l]);
  return sum;
}
/// Coefficient k of (R w, R v).
template <class Real>
constexpr Twist<Real> turn(const SE3<Real>* T, const Twist<Real>* X, int k) {
  Twist<Real> sum{};
  for (int l = 0; l <= k; ++l) sum += Twist<Real>{T[l].R * X[k - l].w, T[l].R * X[k - l].v};
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

/// Coefficient k of twists X of a body with pose `from`, given in its own frame (screw series or
/// body twists), seen by a frame with pose f.T in the representation asked for.
template <class Real>
constexpr Twist<Real> carried_coefficient(const SE3<Real>* from, const Twist<Real>* X,
                                          Representation in, int k, const FrameSeries<Real>& f) {
  for (int l = 0; l <= k; ++l) {
    const Twist<Real> turned = detail::turn(from, X, l);
    f.a[l] = turned.w;
    f.b[l] = turned.v + detail::lever(from, f.a, l);
    if (in != Representation::space) f.b[l] -= detail::lever(f.T, f.a, l);
  }
  if (in != Representation::body) return {f.a[k], f.b[k]};
  return {detail::turn_back(f.T, f.a, k), detail::turn_back(f.T, f.b, k)};
}

/// Coefficient k of the Jacobian (6 x nv, column by column) of a frame with pose series f.T on a
/// body.
template <class P, class Real>
constexpr void jacobian_coefficient(const Model<P>& m, const SeriesWorkspace<Real>& w, int body,
                                    Representation in, int k, const FrameSeries<Real>& f, Real* J) {
  for (int n = 0; n < 6 * m.nv; ++n) J[n] = Real(0);
  for (int i = body; i > 0; i = m.parent[i])
    for (int j = m.v_at[i]; j < m.v_at[i + 1]; ++j) {
      for (int l = 0; l <= k; ++l)
        f.S[l] = l > 0 && m.constant_screws(i) ? Twist<Real>{} : w.S[j][l];
      detail::write_column(carried_coefficient(w.pose[i], f.S, in, k, f), J + 6 * j);
    }
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
