// SPDX-License-Identifier: BSD-3-Clause
// The memory behind SeriesLanes.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "kernels/lanes/series_lanes.hpp"

namespace jounce {

class SeriesLanesStorage {
 public:
  SeriesLanesStorage(const Model<double>& m, int order)
      : by_depth_(size(m.bodies, 1)),
        slot_(size(m.bodies, 1), -1),
        constants_(size(m.bodies, 9 + 6)),
        rows_(size(m.bodies, 4 * (order + 2) + 1) + size(1, order + 2)),
        turned_(size(4, order + 2)),
        pose_(size(1, order + 2)) {
    sort_by_depth(m);
    int slots = m.angles;
    for (int i = 1; i < m.bodies; ++i) {
      const Part<double>& part = m.part[m.part_at[i]];
      int& slot = slot_[size(i, 1)];
      if (is_revolute(m, i)) slot = part.angle;
      if (is_prismatic(m, i)) slot = slots++;
      write_constants(m, i, part.placement);
    }
    const int n = order + 2, width = (slots + 7) / 8 * 8;
    slot_v_.resize(size(width, 1));
    for (int i = 1; i < m.bodies; ++i)
      if (const int slot = slot_[size(i, 1)]; slot >= 0) slot_v_[size(slot, 1)] = m.v_at[i];
    tables_.resize(size(2 * n, width));
    view(m.bodies, n, width);
  }
  SeriesLanesStorage(const SeriesLanesStorage&) = delete;
  SeriesLanesStorage& operator=(const SeriesLanesStorage&) = delete;

  SeriesLanes& view() { return view_; }
  const SeriesLanes& view() const { return view_; }

 private:
  static size_t size(int a, int b) { return static_cast<size_t>(a) * static_cast<size_t>(b); }

  void sort_by_depth(const Model<double>& m) {
    std::vector<int> depth(by_depth_.size());
    for (int i = 1; i < m.bodies; ++i)
      depth[size(i, 1)] = depth[size(m.parent[i], 1)] + 1;  // parents come first
    std::iota(by_depth_.begin(), by_depth_.end(), 0);
    std::stable_sort(by_depth_.begin(), by_depth_.end(),
                     [&](int a, int b) { return depth[size(a, 1)] < depth[size(b, 1)]; });
  }
  /// The columns that make Ad_{H^-1}, its transpose and G (twist_lanes.hpp).
  void write_constants(const Model<double>& m, int i, const SE3<double>& H) {
    for (int k = 0; k < 3; ++k) {
      const Vec3<double> unit{k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
      LaneRow* row = &constants_[size(9 * i + k, 1)];
      twist_lanes::put(Ad_inv(H, Twist<double>{unit, {}}), row[0]);
      twist_lanes::put(dual_Ad_inv(H, Wrench<double>{{}, unit}), row[3]);
      twist_lanes::put(m.G[i] * Twist<double>{unit, {}}, row[6]);
    }
  }
  void view(int bodies, int n, int width) {
    view_.width = width;
    view_.by_depth = by_depth_.data();
    view_.slot = slot_.data();
    view_.slot_v = slot_v_.data();
    view_.constants = constants_.data();
    view_.IA = constants_.data() + 9 * bodies;
    view_.cos = {tables_.data(), width};
    view_.sin = {view_.cos[n], width};
    view_.V = {rows_.data(), n};
    view_.P = {view_.V[bodies], n};
    view_.F = {view_.P[bodies], n};
    view_.U = {view_.F[bodies], n};
    view_.eta = view_.U[bodies];
    view_.rate = view_.eta + bodies;
    view_.turned = turned_.data();
    view_.pose = pose_.data();
  }

  std::vector<int> by_depth_, slot_, slot_v_;
  std::vector<LaneRow> constants_, rows_;
  std::vector<lanes::Turned> turned_;
  std::vector<lanes::Pose> pose_;
  std::vector<double> tables_;
  SeriesLanes view_;
};

}  // namespace jounce
