// SPDX-License-Identifier: BSD-3-Clause
// Wrenches from outside with their derivatives, brought into the frames of the bodies they act on:
// [Ali] (67)-(70) the other way round, by running equations/outside.hpp on Taylor numbers. Where
// the ground moves, its axes at the instant itself are meant.
#include <algorithm>
#include <jounce/algorithm/coordinate_series.hpp>
#include <jounce/algorithm/inverse_series.hpp>
#include <jounce/equations/outside.hpp>

#include "series/series_memory.hpp"
#include "series/taylor_arguments.hpp"

namespace jounce {
namespace {

template <int K>
void add_coefficients(const System<double>& s, const OutsideWrenchSeries& one, int first, int last,
                      SeriesWorkspace<double>& w) {
  const auto& [body, offset] = s.frame[static_cast<int>(one.frame)];
  const SE3<Taylor<double, K>> T = one.in == Representation::body
                                       ? SE3<Taylor<double, K>>{}
                                       : taylor_pose<K>(w.pose[body], last);
  const auto [m, f] = seen_in_body(wrench_series<K>(one.derivatives, last), one.in, offset, T);
  for (int k = first; k <= last; ++k)
    w.F_ext[body][k] +=
        Wrench<double>{{m.x.c[k], m.y.c[k], m.z.c[k]}, {f.x.c[k], f.y.c[k], f.z.c[k]}};
}

}  // namespace

bool SeriesMemory::in_lanes(std::span<const OutsideWrenchSeries> wrenches) const {
  return kernel.inverse_in_lanes != nullptr && !any_in_ground_axes(wrenches);
}

void SeriesMemory::add_outside(std::span<const OutsideWrenchSeries> wrenches, int first, int last) {
  SeriesWorkspace<double>& w = storage.view();
  has_outside = has_outside || !wrenches.empty();
  if (any_in_ground_axes(wrenches))
    for (int k = first; k <= last; ++k) extend_ground_poses(robot.model(), ground(), k, w);
  for (const OutsideWrenchSeries& one : wrenches)
    if (last <= short_order) add_coefficients<short_order>(robot.system(), one, first, last, w);
    else add_coefficients<highest_order>(robot.system(), one, first, last, w);
}

void SeriesMemory::clear_outside() {
  if (!has_outside) return;
  has_outside = false;
  const Rows<Wrench<double>>& F = storage.view().F_ext;
  std::fill(F[0], F[robot.bodies()], Wrench<double>{});
}

}  // namespace jounce
