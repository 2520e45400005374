// SPDX-License-Identifier: BSD-3-Clause
// Wrenches from outside with their derivatives, brought into the frames of the bodies they act on.
//
// [Ali] (67)-(70) the other way round. A wrench W in ground axes is R^T W in the body's, where R is
// the body's rotation as a series: a convolution. At the ground's origin, the moment is first
// brought to the body's, m - p x f. Where the ground moves, its axes at the instant itself are
// meant.
#include <algorithm>
#include <jounce/algorithm/inverse_series.hpp>

#include "dynamics/external_wrench.hpp"
#include "dynamics/series_impl.hpp"

namespace jounce {
namespace {

/// Coefficient k of a wrench given by derivatives; zero where there are none.
Wrench<double> coefficient(std::span<const Wrench<double>> derivatives, int k) {
  if (size_t(k) >= derivatives.size()) return {};
  return derivatives[size_t(k)] * detail::inverse_factorial(k);
}

/// Coefficient k of W in ground axes at the ground's origin, seen in the body; scratch holds the
/// moment about the body's origin.
Wrench<double> from_space(const SE3<double>* pose, std::span<const Wrench<double>> derivatives,
                          int k, Wrench<double>* scratch) {
  for (int j = 0; j <= k; ++j) {
    scratch[j] = coefficient(derivatives, j);
    for (int l = 0; l <= j; ++l)
      scratch[j].m -= cross(pose[l].p, coefficient(derivatives, j - l).f);
  }
  Wrench<double> F{};
  for (int l = 0; l <= k; ++l)
    F += Wrench<double>{inverse_times(pose[l].R, scratch[k - l].m),
                        inverse_times(pose[l].R, scratch[k - l].f)};
  return F;
}

/// Coefficient k of W in ground axes at the frame's origin, seen in the body.
Wrench<double> from_hybrid(const SE3<double>* pose, const SE3<double>& offset,
                           std::span<const Wrench<double>> derivatives, int k) {
  Wrench<double> F{};  // at the frame's origin, in the body's axes
  for (int l = 0; l <= k; ++l) {
    const Wrench<double> W = coefficient(derivatives, k - l);
    F += Wrench<double>{inverse_times(pose[l].R, W.m), inverse_times(pose[l].R, W.f)};
  }
  return {F.m + cross(offset.p, F.f), F.f};
}

}  // namespace

bool SeriesImpl::in_lanes(std::span<const ExternalWrenchSeries> external) const {
  return kernel.inverse_in_lanes != nullptr && !any_in_ground_axes(external);
}

void SeriesImpl::add_external(const Robot& robot, std::span<const ExternalWrenchSeries> external,
                              int first, int last) {
  SeriesWorkspace<double>& w = storage.view();
  const bool ground_axes = any_in_ground_axes(external);
  for (int k = first; k <= last; ++k) {
    if (ground_axes) extend_ground_poses(robot.model(), ground(), k, w);
    for (const ExternalWrenchSeries& one : external) {
      const FrameInfo& frame = robot.frame_info(one.frame);
      const SE3<double>* pose = w.pose[frame.body];
      Wrench<double>& F = w.F_ext[frame.body][k];
      if (one.in == Representation::body)
        F += dual_Ad_inv(frame.offset, coefficient(one.derivatives, k));
      else if (one.in == Representation::space)
        F += from_space(pose, one.derivatives, k, reduced.data());
      else F += from_hybrid(pose, frame.offset, one.derivatives, k);
    }
  }
}

void SeriesImpl::clear_external(const Robot& robot) {
  if (external_zero) return;
  const Rows<Wrench<double>>& F = storage.view().F_ext;
  std::fill(F[0], F[robot.bodies()], Wrench<double>{});
  external_zero = true;
}

}  // namespace jounce
