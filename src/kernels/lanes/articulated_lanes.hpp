// SPDX-License-Identifier: BSD-3-Clause
// Articulated inertias of a tree as six columns of lanes each.
//
// Behind a revolute or prismatic joint, the parent feels N = X^T (IA - U U^T / D) X with
// X = Ad_{T^-1}. X^T acts on the columns of the downdated inertia; because the result is symmetric,
// acting on the rows of what comes out gives N: X^T (X^T IA')^T. The three columns that make X^T at
// the joint's position follow from those of its placement by the sine and cosine alone.
#pragma once

#include <jounce/algorithm/hybrid_series.hpp>

#include "kernels/lanes/series_lanes.hpp"

namespace jounce::twist_lanes::inline JOUNCE_ISA {

/// Lane of component k of a twist.
constexpr int lane_of(int k) { return k < 3 ? k : k + 1; }

/// The columns ([p] R, R) of Ad*_{T^-1} at the joint's position.
[[gnu::always_inline]] inline void dual_columns(bool turns, const SeriesLanes& t, int i,
                                                LaneRow (&D)[3]) {
  const Lanes x = load(placement_dual(t, i)[0]), y = load(placement_dual(t, i)[1]);
  const double c = t.cos[0][t.slot[i]], s = t.sin[0][t.slot[i]];
  store(turns ? x * c + y * s : x + of_halves<1, 2>(y) * c, D[0]);
  store(turns ? y * c - x * s : y - of_halves<1, 2>(x) * c, D[1]);
  D[2] = placement_dual(t, i)[2];
}

/// The columns of a rigid inertia: those of v follow from those of w and the mass.
[[gnu::always_inline]] inline void rigid_columns(const LaneRow* of_w, double mass, LaneRow* IA) {
  constexpr LaneRow unit[3] = {
      {{0, 0, 0, 0, 1, 0, 0, 0}}, {{0, 0, 0, 0, 0, 1, 0, 0}}, {{0, 0, 0, 0, 0, 0, 1, 0}}};
  for (int k = 0; k < 3; ++k) {
    IA[k] = of_w[k];
    store(load(unit[k]) * mass - of_halves<1, 2>(load(of_w[k])), IA[3 + k]);
  }
}

inline ArticulatedInertia<double> articulated(const LaneRow* c) {
  const auto at = [&](int row, int column) { return c[column].x[lane_of(row)]; };
  return {{at(0, 0), at(1, 0), at(1, 1), at(2, 0), at(2, 1), at(2, 2)},
          {{{at(0, 3), at(0, 4), at(0, 5)},
            {at(1, 3), at(1, 4), at(1, 5)},
            {at(2, 3), at(2, 4), at(2, 5)}}},
          {at(3, 3), at(4, 3), at(4, 4), at(5, 3), at(5, 4), at(5, 5)}};
}

/// Adds an inertia in numbers to columns of lanes.
inline void add(const ArticulatedInertia<double>& N, LaneRow* columns) {
  for (int k = 0; k < 6; ++k) {
    double unit[6] = {};
    unit[k] = 1;
    const Twist<double> e{{unit[0], unit[1], unit[2]}, {unit[3], unit[4], unit[5]}};
    put(wrench(columns[k]) + N * e, columns[k]);
  }
}

/// IA of the parent += X^T (IA - U U^T inverse_D) X, U the column of the joint's axis. A prescribed
/// joint is no freedom: inverse_D = 0.
[[gnu::always_inline]] inline void hand_on(bool turns, double inverse_D, int i,
                                           const SeriesLanes& t, LaneRow* parent) {
  LaneRow D[3], left[6];
  dual_columns(turns, t, i, D);
  const LaneRow* IA = t.IA + 6 * i;
  const LaneRow& axis = IA[turns ? 2 : 5];
  for (int k = 0; k < 6; ++k) {
    LaneRow column;
    store(load(IA[k]) - load(axis) * (axis.x[lane_of(k)] * inverse_D), column);
    store(dual_Ad_inv_times(D, column), left[k]);
  }
  for (int k = 0; k < 6; ++k) {
    const int row = lane_of(k);
    Lanes m = load(D[0]) * left[0].x[row], f = load(D[0]) * left[3].x[row];
    for (int l = 1; l < 3; ++l) {
      m += load(D[l]) * left[l].x[row];
      f += load(D[l]) * left[3 + l].x[row];
    }
    store(load(parent[k]) + f + of_halves<1, 2>(m), parent[k]);
  }
}

/// IA of all bodies as columns, and the factors of D; after start_tables.
inline void factor_inertias(const Model<double>& m, const bool* prescribed,
                            SeriesWorkspace<double>& w, SeriesLanes& t) {
  Workspace<double>& now = *w.now;
  for (int i = 1; i < m.bodies; ++i) rigid_columns(inertia(t, i), m.G[i].mass, t.IA + 6 * i);
  for (int n = m.bodies - 1; n > 0; --n) {
    const int i = t.by_depth[n], p = m.parent[i], j = m.v_at[i];
    if (t.slot[i] < 0) {
      now.IA[i] = articulated(t.IA + 6 * i);
      detail::factor_coordinates(m, prescribed, i, now);
      if (p > 0) add(push_forward(now.T[i], detail::across_joint(m, i, now)), t.IA + 6 * p);
      continue;
    }
    const bool turns = is_revolute(m, i);
    const double D = t.IA[6 * i + (turns ? 2 : 5)].x[turns ? 2 : 6] + m.armature[j];
    now.D[6 * j] = prescribed[j] ? 1 : 1 / D;
    if (p > 0) hand_on(turns, prescribed[j] ? 0 : now.D[6 * j], i, t, t.IA + 6 * p);
  }
}

}  // namespace jounce::twist_lanes::inline JOUNCE_ISA
