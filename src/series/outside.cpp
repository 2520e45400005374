// SPDX-License-Identifier: BSD-3-Clause
// Wrenches from outside with their derivatives, brought into the frames of the bodies they act on:
// [Ali] (67)-(70) the other way round. Where the ground moves, its axes at the instant itself are
// meant. The pose of a body that such a wrench acts on follows from its twist, T' = T [V], and from
// where it is: no other body is asked.
#include <algorithm>
#include <jounce/algorithm/inverse_series.hpp>

#include "series/series_memory.hpp"

namespace jounce {

/// At the instant itself, after the start of the twists, from the nearest body that has it.
SE3<double> SeriesMemory::pose_now(int body, bool in_lanes) const {
  const Model<double>& m = robot.model();
  const SeriesWorkspace<double>& w = storage.view();
  if (in_lanes) return kernel.body_pose_in_lanes(m, body, placed.data(), w, lanes.view());
  SE3<double> T;
  for (int i = body; i > 0; i = m.parent[i]) {
    if (placed[size_t(i)] > 0) return w.pose[i][0] * T;
    T = w.T[i][0] * T;
  }
  return T;
}

/// Coefficients to last of the body's pose, after those that are known. V falls with gravity and
/// the body does not: p lacks g t^2 / 2.
void SeriesMemory::extend_pose_of(int body, const Vec3<double>& gravity, int last, bool in_lanes) {
  SeriesWorkspace<double>& w = storage.view();
  Twist<double>* V = w.V[body];
  SE3<double>* T = w.pose[body];
  int& k = placed[size_t(body)];
  if (k == 0) T[k++] = pose_now(body, in_lanes);
  for (; k <= last; ++k) {
    if (in_lanes) V[k - 1] = twist_lanes::twist(lanes.view().V[body][k - 1]);
    detail::extend_pose(V, k, T);
    if (k == 2) T[k].p += gravity * 0.5;
  }
}

/// Coefficient k in the body's frame.
Wrench<double> SeriesMemory::outside_in_body(const OutsideWrenchSeries& one, int k) const {
  const auto& [body, offset] = robot.system().frame[static_cast<int>(one.frame)];
  const int given = static_cast<int>(one.derivatives.size());
  const auto F = [&](int l) {
    return one.derivatives[static_cast<size_t>(l)] * detail::inverse_factorial(l);
  };
  if (one.in == Representation::body)
    return k < given ? dual_Ad_inv(offset, F(k)) : Wrench<double>{};
  const SE3<double>* T = storage.view().pose[body];
  Wrench<double> sum{};
  for (int l = 0; l <= k && l < given; ++l) {
    const auto [m, f] = F(l);
    sum.f += inverse_times(T[k - l].R, f);
    sum.m += inverse_times(T[k - l].R, m);
    if (one.in == Representation::hybrid) continue;
    for (int j = 0; j <= k - l; ++j) sum.m -= inverse_times(T[j].R, cross(T[k - l - j].p, f));
  }
  if (one.in == Representation::hybrid) sum.m += cross(offset.p, sum.f);
  return sum;
}

void SeriesMemory::add_outside(std::span<const OutsideWrenchSeries> wrenches,
                               const Vec3<double>& gravity, int first, int last, bool in_lanes) {
  has_outside = has_outside || !wrenches.empty();
  if (first == 0 && !wrenches.empty()) std::fill(placed.begin(), placed.end(), 0);
  for (const OutsideWrenchSeries& one : wrenches) {
    const int body = robot.system().frame[static_cast<int>(one.frame)].body;
    if (one.in != Representation::body) extend_pose_of(body, gravity, last, in_lanes);
    for (int k = first; k <= last; ++k) storage.view().F_ext[body][k] += outside_in_body(one, k);
  }
}

void SeriesMemory::take_outside(std::span<const OutsideWrenchSeries> wrenches,
                                const Vec3<double>& gravity, int last) {
  if (!wrenches.empty()) std::fill(placed.begin(), placed.end(), 0);
  for (const OutsideWrenchSeries& one : wrenches) {
    const int body = robot.system().frame[static_cast<int>(one.frame)].body;
    if (one.in != Representation::body) extend_pose_of(body, gravity, last, true);
    LaneRow* F = lanes.view().F[body];
    for (int k = 0; k <= last; ++k)
      twist_lanes::put(twist_lanes::wrench(F[k]) - outside_in_body(one, k), F[k]);
  }
}

void SeriesMemory::clear_outside() {
  if (!has_outside) return;
  has_outside = false;
  const Rows<Wrench<double>>& F = storage.view().F_ext;
  std::fill(F[0], F[robot.bodies()], Wrench<double>{});
}

}  // namespace jounce
