// SPDX-License-Identifier: BSD-3-Clause
// Memory for the partial derivatives.
#pragma once

#include <algorithm>
#include <jounce/algorithm/derivative_products.hpp>
#include <jounce/algorithm/derivative_room.hpp>
#include <jounce/algorithm/ltdl.hpp>
#include <jounce/algorithm/rnea_derivatives.hpp>
#include <jounce/model/robot.hpp>
#include <set>

#include "kernels/lanes/derivative_lanes.hpp"
#include "kernels/lanes/forward_derivatives.hpp"

namespace jounce {

struct DerivativeWork {
  DerivativeWork(const Robot& robot, const MassPattern& pattern)
      : screws(4 * size_t(robot.model().nv)),
        dS(6 * size_t(robot.model().nv)),
        motions(2 * size_t(robot.bodies())),
        inertias(2 * size_t(robot.bodies())),
        wrenches(2 * size_t(robot.bodies())),
        fall(size_t(robot.bodies())),
        outside(size_t(robot.bodies())),
        path(3 * size_t(robot.bodies())),
        carried(3 * size_t(robot.bodies())),
        tree_vector(4 * size_t(robot.model().nv)),
        product(4 * size_t(robot.nv())),
        screw(size_t(robot.model().nv)),
        coordinate(size_t(robot.model().nv) + 3),
        composite(size_t(robot.bodies())),
        block(size_t(robot.bodies())),
        force(size_t(robot.bodies())),
        motion(2 * size_t(robot.bodies())),
        cut(size_t(robot.bodies())),
        component(15 * ((size_t(robot.model().nv) + 7) / 4 * 4)),
        dq(size_t(robot.model().nv) * size_t(robot.model().nv) + 3),
        dv(dq.size()),
        da(dq.size()),
        folded_dq(robot.has_mimic() ? size_t(robot.nv()) * size_t(robot.nv()) : 0),
        folded_dv(folded_dq.size()),
        folded_da(folded_dq.size()),
        a_dq(size_t(robot.nv()) * size_t(robot.nv())),
        a_dv(a_dq.size()),
        given(a_dq.size()),
        given_X(a_dq.size()),
        masked_X(a_dq.size()),
        masked_Y(a_dq.size()),
        padded_mass(size_t(pattern.n) * size_t(pattern.stride)),
        a(size_t(robot.nv())),
        solved(a) {
    const size_t nv = size_t(robot.model().nv), bodies = size_t(robot.bodies());
    room = derivative_room(int(nv), int(bodies), screws.data(), dS.data(), motions.data(),
                           inertias.data(), wrenches.data(), fall.data());
    in_lanes = {.screw = screw.data(),
                .coordinate = coordinate.data(),
                .G = composite.data(),
                .B = block.data(),
                .F = force.data(),
                .V = motion.data(),
                .cut = cut.data(),
                .rows = component.data(),
                .stride = (int(nv) + 7) / 4 * 4};
    sums = product_room(int(bodies), path.data(), carried.data());
    add_ranges(robot.model());
    in_lanes.ranges = {range_at.data(), range_middle.data(), range.data(), range_anchor.data()};
    add_related(pattern);
  }

  void add_related(const MassPattern& s) {
    related_at.push_back(0);
    all_at.push_back(0);
    for (int k = 0; k < s.n; k += RelatedCoordinates::group) {
      std::set<int> rows;
      for (int j = k; j < std::min(k + RelatedCoordinates::group, s.n); ++j) {
        rows.insert(s.column + s.at[j], s.column + s.at[j + 1]);
        rows.insert(j);
        rows.insert(s.below + s.below_at[j], s.below + s.below_at[j + 1]);
      }
      related.insert(related.end(), rows.begin(), rows.end());
      related_at.push_back(int(related.size()));
      for (int j = 0; j < s.n; ++j) all.push_back(j);
      all_at.push_back(int(all.size()));
    }
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
      custom = custom || is_custom(m, i);
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

  /// Derivatives in the tree's coordinates.
  InverseDerivatives<double> tree() { return {dq.data(), dv.data(), da.data()}; }
  /// Derivatives in the robot's coordinates: folded where there are mimic joints.
  InverseDerivatives<double> robots() {
    if (folded_dq.empty()) return tree();
    return {folded_dq.data(), folded_dv.data(), folded_da.data()};
  }

  std::vector<Twist<double>> screws, dS, motions;
  std::vector<Inertia<double>> inertias;
  std::vector<Wrench<double>> wrenches;
  std::vector<Vec3<double>> fall;
  std::vector<WorldWrench<double>> outside;
  DerivativeRoom<double> room;
  std::vector<Twist<double>> path;
  std::vector<Wrench<double>> carried;
  ProductRoom<double> sums;
  std::vector<double> tree_vector, product;  ///< [4 tree nv], [4 nv]
  std::vector<lanes::Screw> screw;
  std::vector<lanes::CoordinateLanes> coordinate;
  std::vector<lanes::CompositeInertia> composite;
  std::vector<lanes::MomentumBlock> block;
  std::vector<lanes::Force> force;
  std::vector<lanes::Screw> motion;
  std::vector<lanes::Cut> cut;
  std::vector<double> component;
  std::vector<int> range_at, range_middle, range_anchor;
  std::vector<RowRange> range;
  DerivativeLanes in_lanes;
  bool custom = false;  ///< whether there are custom joints
  std::vector<double> dq, dv,
      da;  ///< [tree nv squared + 3] zero where no coordinate carries the other
  std::vector<double> folded_dq, folded_dv, folded_da;  ///< [nv squared]
  std::vector<double> a_dq, a_dv, given;                ///< [nv squared]
  std::vector<double> given_X, masked_X, masked_Y;      ///< [nv squared]
  std::vector<double> padded_mass;                      ///< [nv stride]
  std::vector<double> a, solved;                        ///< [nv]
  std::vector<int> related_at, related;
  std::vector<int> all_at, all;  ///< every coordinate for every group of columns
};

}  // namespace jounce
