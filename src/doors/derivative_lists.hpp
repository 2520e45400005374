// SPDX-License-Identifier: BSD-3-Clause
// Memory for the partial derivatives of a tree in lanes, and lists of what depends on what.
#pragma once

#include <algorithm>
#include <jounce/algorithm/derivative_room.hpp>
#include <jounce/algorithm/ltdl.hpp>
#include <jounce/model/robot.hpp>
#include <set>

#include "kernels/kernels.hpp"
#include "kernels/lanes/derivative_lanes.hpp"
#include "kernels/lanes/forward_derivatives.hpp"

namespace jounce {

/// Owns what a DerivativeLanes points to.
class DerivativeLanesStorage {
 public:
  explicit DerivativeLanesStorage(const System<double>& s) : DerivativeLanesStorage(s, s.tree) {}
  DerivativeLanesStorage(const System<double>& s, const Model<double>& m)
      : screw(size_t(m.nv)),
        coordinate(size_t(m.nv) + 3),
        inertia(four_by_four(m)),
        composite(size_t(m.bodies)),
        block(size_t(m.bodies)),
        force(size_t(m.bodies)),
        motion(2 * size_t(m.bodies)),
        cut(size_t(m.bodies)),
        standing(coordinate.size()),
        path(composite.size()),
        carried(composite.size()),
        ground_body(composite.size()),
        component(21 * size_t(row_stride(m.nv))) {
    add_ranges(m);
    for (int i = 1; i < m.bodies; ++i)
      ground_body[size_t(i)] = m.parent[i] > 0 ? ground_body[size_t(m.parent[i])] : i;
    view_ = {.screw = screw.data(),
             .coordinate = coordinate.data(),
             .inertia = inertia.data(),
             .G = composite.data(),
             .B = block.data(),
             .F = force.data(),
             .V = motion.data(),
             .cut = cut.data(),
             .standing = standing.data(),
             .path = path.data(),
             .carried = carried.data(),
             .ground_body = ground_body.data(),
             .frame = s.frame,
             .rows = component.data(),
             .stride = row_stride(m.nv),
             .ranges = {range_at.data(), range_middle.data(), range.data(), range_anchor.data()}};
  }
  DerivativeLanesStorage(const DerivativeLanesStorage&) = delete;
  DerivativeLanesStorage& operator=(const DerivativeLanesStorage&) = delete;

  const DerivativeLanes& view() const { return view_; }

 private:
  /// An odd number of lines: rows that follow one another at a power of two displace one another in
  /// the processor's memory.
  static int row_stride(int nv) {
    return nv + 3 <= DerivativeLanes::short_stride ? DerivativeLanes::short_stride
                                                   : 8 * ((nv + 10) / 8 | 1);
  }
  static std::vector<lanes::FourInertias> four_by_four(const Model<double>& m) {
    std::vector<lanes::FourInertias> fours(size_t(m.bodies) / 4 + 1);
    for (int first = 1; first < m.bodies; first += 4) {
      lanes::FourInertias& to = fours[size_t(first) / 4];
      const lanes::FourBodies four(first, m.bodies);
      for (int k = 0; k < 4; ++k) {
        const auto& [mass, h, I] = m.G[four.body[k]];
        const double first_moment[] = {h.x, h.y, h.z};
        const double second[] = {I.xx, I.xy, I.yy, I.xz, I.yz, I.zz};
        to.mass[k] = mass;
        for (int j = 0; j < 3; ++j) to.h[j][k] = first_moment[j];
        for (int j = 0; j < 6; ++j) to.I[j][k] = second[j];
      }
    }
    return fours;
  }
  /// Adds the rows [begin, end) to the column's ranges, in one with those before where they meet.
  void add_range(size_t start, int begin, int end, int anchor) {
    if (begin == end) return;
    const bool more = range.size() > start && range.back().end == begin;
    if (more && range.back().anchor == anchor) range.back().end = end;
    else range.push_back({begin, end, anchor});
  }
  void add_ranges(const Model<double>& m) {
    range_at.push_back(0);
    for (int i = 1; i < m.bodies; ++i) {
      for (int r = m.part_at[i]; r < m.part_at[i + 1]; ++r) {
        const detail::PartRange part = detail::part_range(m, i, m.part[r]);
        for (int k = part.first; k < part.last; ++k) add_ranges(m, i, part.first);
      }
    }
  }
  void add_ranges(const Model<double>& m, int i, int first) {
    std::vector<bool> carries(size_t(m.bodies)), hangs_on(size_t(m.bodies));
    for (int b = m.parent[i]; b > 0; b = m.parent[b]) carries[size_t(b)] = true;
    const size_t start = range.size();
    for (int b = 1; b < i; ++b)
      if (carries[size_t(b)]) add_range(start, m.v_at[b], m.v_at[b + 1], m.anchor[b]);
    add_range(start, m.v_at[i], first, m.anchor[i]);
    range_middle.push_back(int(range.size()));
    add_range(range.size(), first, m.v_at[i + 1], m.anchor[i]);
    for (int b = i + 1; b < m.bodies; ++b) {
      hangs_on[size_t(b)] = m.parent[b] == i || hangs_on[size_t(m.parent[b])];
      if (hangs_on[size_t(b)])
        add_range(size_t(range_middle.back()), m.v_at[b], m.v_at[b + 1], m.anchor[b]);
    }
    range_at.push_back(int(range.size()));
    range_anchor.push_back(m.anchor[i]);
  }

  std::vector<lanes::Screw> screw;
  std::vector<lanes::CoordinateLanes> coordinate;
  std::vector<lanes::FourInertias> inertia;
  std::vector<lanes::CompositeInertia> composite;
  std::vector<lanes::MomentumBlock> block;
  std::vector<lanes::Force> force;
  std::vector<lanes::Screw> motion;
  std::vector<lanes::Cut> cut;
  std::vector<lanes::StandingLanes> standing;
  std::vector<lanes::PathSums> path;
  std::vector<lanes::CarriedSums> carried;
  std::vector<int> ground_body;
  std::vector<double> component;
  std::vector<int> range_at, range_middle, range_anchor;
  std::vector<RowRange> range;
  DerivativeLanes view_;
};

/// Which rows are not zero in groups of columns: of coordinates that carry one another, and all.
class RelatedLists {
 public:
  /// With `dense`, forces depend on coordinates beyond those that carry one another.
  RelatedLists(const MassPattern& s, bool dense) {
    at_.push_back(0);
    all_at_.push_back(0);
    for (int k = 0; k < s.n; k += group_) {
      std::set<int> rows;
      for (int j = k; j < std::min(k + group_, s.n); ++j) {
        rows.insert(s.column + s.at[j], s.column + s.at[j + 1]);
        rows.insert(j);
        rows.insert(s.below + s.below_at[j], s.below + s.below_at[j + 1]);
      }
      for (int j = 0; dense && j < s.n; ++j) rows.insert(j);
      related_.insert(related_.end(), rows.begin(), rows.end());
      at_.push_back(int(related_.size()));
      for (int j = 0; j < s.n; ++j) all_.push_back(j);
      all_at_.push_back(int(all_.size()));
    }
    n_ = s.n;
    same_at_.resize(at_.size());
    same_.resize(all_.size());
  }
  RelatedCoordinates related() const { return {n_, group_, at_.data(), related_.data()}; }
  RelatedCoordinates all() const { return {n_, group_, all_at_.data(), all_.data()}; }
  /// For every column the rows of the group of k, until the next call.
  RelatedCoordinates same(int k) {
    const int group = k / group_, count = at_[size_t(group) + 1] - at_[size_t(group)];
    for (size_t g = 0; g + 1 < at_.size(); ++g) {
      same_at_[g] = int(g) * count;
      std::copy_n(related_.begin() + at_[size_t(group)], count, same_.begin() + same_at_[g]);
    }
    same_at_.back() = int(at_.size() - 1) * count;
    return {n_, group_, same_at_.data(), same_.data()};
  }
  /// Whether rows pay: most of the matrix is zero.
  bool mostly_zero() const { return 4 * related_.size() <= all_.size(); }

 private:
  int n_ = 0, group_ = kernels().columns_together;
  std::vector<int> at_, related_, all_at_, all_, same_at_, same_;
};

}  // namespace jounce
