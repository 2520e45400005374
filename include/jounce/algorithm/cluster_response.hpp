// SPDX-License-Identifier: BSD-3-Clause
// What is kept of the clusters of a robot (loop_clusters.hpp) to solve its equations for many
// right-hand sides: M x - B^T nu = f, B x = g, with rows B that belong to one cluster each.
//
// A cluster answers f, g and the motion V of its carrier, seen from its first body's origin, by
//   (x, -nu) = K (f, g) - P V,   K the inverse of [ M B^T; B 0 ],  P = K [ F; 0 ]^T,
// its carrier feels P^T (f, g), and a carrier that belongs to a cluster itself moves by C (V', x'),
// V' and x' being those of its cluster. M and F are articulated: what hangs on bodies is in them.
#pragma once

#include <jounce/algorithm/loop_clusters.hpp>

namespace jounce {

struct ClusterResponse {
  int n = 0, rows = 0;                              ///< coordinates, rows of B
  int on = -1;                                      ///< cluster of its carrier, -1: the ground
  const int* coordinate = nullptr;                  ///< [n] of the tree
  int* row = nullptr;                               ///< [rows] which of all that the caller has
  double* B = nullptr;                              ///< [rows][n]
  double *K = nullptr, *P = nullptr, *C = nullptr;  ///< [inside][inside], [inside][6], [6][6 + n']
  double* held = nullptr;  ///< [n][inside + 6] lines of coordinates that are held, of [ M B^T F^T ]

  [[gnu::always_inline]] int inside() const { return n + rows; }
};
struct ClusterResponses {
  ClusterResponse* of = nullptr;  ///< [count] one for each cluster
  int count = 0;
  const bool* held = nullptr;      ///< [nv] where x is zero; null: nowhere
  double* lines = nullptr;         ///< room for those of any cluster
  const double* zeros = nullptr;   ///< [nv]
  const int* ascending = nullptr;  ///< [most_cluster_lines] 0, 1, 2, ...

  [[gnu::always_inline]] bool holds(const ClusterResponse& c, int k) const {
    return held != nullptr && held[c.coordinate[k]];
  }
};

inline namespace JOUNCE_ISA {

/// Lines of a cluster with its rows B, and a right-hand side for each of them.
inline ClusterLines response_lines(int n, int rows, bool carried, double* room) {
  ClusterLines to;
  to.n = n, to.inside = n + rows;
  to.outer = to.lines = to.inside + (carried ? 6 : 0);
  to.width = padded_constraints(to.lines + 1 + to.inside);
  to.Z = room, to.inverse = to.line(to.lines);
  to.kept = to.line(to.lines + (to.inside + to.width - 1) / to.width);
  return to;
}

/// Numbers that they take.
inline int response_room(int n, int rows, bool carried) {
  const ClusterLines most = response_lines(n, rows, carried, nullptr);
  return most.width * (most.lines + (most.inside + most.width - 1) / most.width + n);
}

}  // namespace JOUNCE_ISA

namespace detail::inline JOUNCE_ISA {

inline void write_units(const ClusterLines& to) {
  for (int p = 0; p < to.inside; ++p) to.line(p)[to.lines + 1 + p] = 1;
}
inline void keep_response(const ClusterLines& from, const ClusterResponses& all,
                          ClusterResponse& to) {
  const int inside = from.inside;
  for (int p = 0; p < inside; ++p) {
    const double *line = from.line(p), *unit = line + from.lines + 1;
    for (int j = 0; j < inside; ++j) to.K[inside * p + j] = unit[j] * from.inverse[p];
    if (to.on < 0) continue;
    for (int i = 0; i < 6; ++i) to.P[6 * p + i] = line[inside + i] * from.inverse[p];
  }
  for (int k = 0; k < to.n; ++k) {
    if (!all.holds(to, k)) continue;
    const double* line = from.kept + from.width * k;
    double* kept = to.held + (inside + 6) * k;
    for (int j = 0; j < inside; ++j) kept[j] = line[j];
    for (int i = 0; i < 6; ++i) kept[inside + i] = to.on < 0 ? 0 : line[inside + i];
  }
}

/// How the carrier of a cluster moves, at the cluster's own origin.
template <class Kind>
void write_carrier(const Recursion<Kind>& r, const LoopCluster& c, const LoopCluster& on,
                   double* C) {
  const int width = 6 + on.n;
  const auto d = Kind::vector(r.w.T[c.body[0]].p);
  const auto write = [&](const typename Kind::Screw& V, int column) {
    const typename Kind::Screw W = Ad_inv(r.room.pose[c.carrier], V);
    double numbers[8];
    put(typename Kind::Screw{W.w, W.v + cross(W.w, d)}, numbers);
    for (int i = 0; i < 6; ++i) C[width * i + column] = numbers[i];
  };
  for (int i = 0; i < 6 * width; ++i) C[i] = 0;
  const Vec3<double> unit[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int i = 0; i < 3; ++i) {
    write({Kind::vector(unit[i]), Kind::vector({0, 0, 0})}, i);
    write({Kind::vector({0, 0, 0}), Kind::vector(unit[i])}, 3 + i);
  }
  int b = 0;
  while (on.body[b] != c.carrier) ++b;
  for (; b >= 0; b = on.inner[b])
    for (int k = on.first[b], t = r.m.v_at[on.body[b]]; k < on.first[b + 1]; ++k, ++t)
      write(r.room.screw[t], 6 + k);
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// The responses of all clusters, whose rows B are in `to`. Overwrites T and S.
template <class Kind>
[[gnu::flatten]] ClusterPivots factor_clusters(const Recursion<Kind>& r, const LoopClusters& all,
                                               const ClusterResponses& to) {
  ClusterPivots found;
  move_angles(r.m, r.x, r.w);
  for (int i = 1; i < r.m.bodies; ++i) {
    move_joint(r.m, r.x, i, r.w);
    r.room.force[i] = {};
  }
  for (int k = all.count - 1; k >= 0; --k) {
    ClusterResponse& own = to.of[k];
    LoopCluster c = all.cluster[k];
    c.lines = response_lines(c.n, own.rows, own.on >= 0, to.lines);
    c.rows = {to.ascending, nullptr, own.rows, 0};
    c.A = own.B;
    double still[most_cluster_lines] = {};
    c.rate = still;
    detail::place_cluster(r, c);
    detail::write_cluster(r, c, to.zeros);
    detail::write_units(c.lines);
    if (to.held != nullptr) detail::hold(r.m, c, to.held);
    detail::eliminate(c.lines, found);
    detail::keep_response(c.lines, to, own);
    detail::pass_cluster(r, c);
  }
  for (int k = 0; k < all.count; ++k)
    if (const ClusterResponse& own = to.of[k]; own.on >= 0)
      detail::write_carrier(r, all.cluster[k], all.cluster[own.on], own.C);
  found.margin = sqrt(found.margin);
  return found;
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
