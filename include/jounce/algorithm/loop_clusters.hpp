// SPDX-License-Identifier: BSD-3-Clause
// Constrained motion of robots with many small loops, in time that grows with their number alone.
//
// Bodies that local loops, of frames that do not roll, tie together form a cluster, which hangs on
// one body; a body without loops is a cluster of its own. To the body that carries it, a cluster is
// one more articulated body: with M, A and F = H J of its coordinates and H of all its bodies,
//   [ M  A^T  F^T | f ]
//   [ A   0    0  | g ]
//   [ F   0    H  | -K ]
// elimination of the first two lines (cluster_lines.hpp) leaves the inertia that the carrier feels,
// and the force; of rows that belong to no cluster, those of contacts, it leaves what they do to
// the carrier, and their part of the equations for their own multipliers (Chignoli et al. 2023
// embed the constraints of a cluster likewise; with A as it stands no chart of independent
// coordinates is needed). Outwards the same lines give a and lambda. All is seen in the axes of the
// carrier, from the origin of the cluster's first body: inertias are sums then, and digits are kept
// where that body is far from what carries it.
#pragma once

#include <jounce/algorithm/cluster_rows.hpp>

namespace jounce {

namespace detail::inline JOUNCE_ISA {

/// What the joints of a cluster feel.
template <class Kind>
struct ClusterForces {
  typename Kind::CompositeInertia G[most_cluster_velocities], all_G{};
  typename Kind::BlockInertia H[most_cluster_velocities], all_H{};  ///< of other clusters
  typename Kind::Force K[most_cluster_velocities], all_K{};
  bool felt = false;  ///< whether there are others

  /// Each body's own, and of what hangs on it, which is zero from now on.
  void load(const Recursion<Kind>& r, const LoopCluster& c) {
    for (int b = 0; b < c.bodies; ++b) {
      const int i = c.body[b];
      const typename Kind::Pose& U = r.room.pose[i];
      G[b] = push_forward(U, r.body[i].inertia());
      if (c.carries[b]) {
        typename Kind::BlockInertia& hanging = r.room.branch[i].articulated;
        H[b] = carried(axes(U), U.p, hanging);
        K[b] = on_parent(axes(U), U.p, r.room.force[i]);
        hanging = {}, r.room.force[i] = {};
      } else if (c.felt[b]) {
        H[b] = {}, K[b] = {};
      }
    }
  }
  /// To what carries body b.
  void pass(const LoopCluster& c, int b) {
    const int to = c.inner[b];
    auto& to_G = to < 0 ? all_G : G[to];
    to_G = to_G + G[b];
    if (!c.felt[b]) return;
    felt = true;
    (to < 0 ? all_H : H[to]) += H[b];
    auto& to_K = to < 0 ? all_K : K[to];
    to_K = to_K + K[b];
  }
};

/// The lines of a cluster whose coordinates need the forces f.
template <class Kind>
void write_cluster(const Recursion<Kind>& r, const LoopCluster& c, const double* f) {
  const ClusterLines& to = c.lines;
  const int right = to.lines;
  const bool carried_on = to.outer > to.inside;
  clear_lines(to);
  ClusterForces<Kind> feel;
  feel.load(r, c);
  for (int b = c.bodies - 1; b >= 0; --b) {
    for (int k = c.first[b], t = r.m.v_at[c.body[b]]; k < c.first[b + 1]; ++k, ++t) {
      const auto J = r.room.screw[t];
      auto F = feel.G[b] * J;
      double force = f[t];
      if (c.felt[b]) F = F + feel.H[b] * J, force -= dot(feel.K[b], J);
      double* line = to.line(k);
      if (carried_on) put(F, line + to.inside);  // and one number behind
      line[right] = force;
      for (int at = b; at >= 0; at = c.inner[at])
        for (int j = c.first[at]; j < c.first[at + 1] && j <= k; ++j)
          to.line(j)[k] = dot(F, r.room.screw[r.m.v_at[c.body[at]] + j - c.first[at]]);
      line[k] += r.m.armature[t];
    }
    feel.pass(c, b);
  }
  for (int i = 0; i < c.rows.independent; ++i) {
    const double* row = c.A + c.n * c.rows.chosen[i];
    for (int k = 0; k < c.n; ++k) to.line(k)[c.n + i] = row[k];
    to.line(c.n + i)[right] = -c.rate[c.rows.chosen[i]];
  }
  if (!carried_on) return;
  auto H = blocks(feel.all_G);
  if (feel.felt) H += feel.all_H;
  put(H, to.width, to.line(to.inside) + to.inside);
  double force[8] = {};
  if (feel.felt) put(feel.all_K, force);
  for (int i = 0; i < 6; ++i) to.line(to.inside + i)[right] = -force[i];
}

/// Row j that is carried on, in the lines of a cluster.
template <class Kind>
void write_carried_row(const Recursion<Kind>& r, const LoopCluster& c, const CarriedRows& rows,
                       int j) {
  const ClusterLines& to = c.lines;
  typename Kind::Force K[most_cluster_velocities], all{};
  for (int b = 0; b < c.bodies; ++b) {
    const int i = c.body[b];
    K[b] = {};
    if (!c.carries[b]) continue;
    double* hanging = rows.hanging(i, j);
    typename Kind::Force F;
    get(hanging, F);
    K[b] = on_parent(axes(r.room.pose[i]), r.room.pose[i].p, F);
    for (int k = 0; k < 6; ++k) hanging[k] = 0;
  }
  for (int b = c.bodies - 1; b >= 0; --b) {
    for (int k = c.first[b], t = r.m.v_at[c.body[b]]; k < c.first[b + 1]; ++k, ++t) {
      to.line(k)[to.outer + j] = rows.C[rows.width * t + j];
      if (c.felt[b]) to.line(k)[to.outer + j] += dot(K[b], r.room.screw[t]);
    }
    if (!c.felt[b]) continue;
    auto& inner = c.inner[b] < 0 ? all : K[c.inner[b]];
    inner = inner + K[b];
  }
  if (to.outer == to.inside) return;
  double numbers[8];
  put(all, numbers);
  for (int i = 0; i < 6; ++i) to.line(to.inside + i)[to.outer + j] = numbers[i];
}
/// x_k = 0 in place of the line of every coordinate that is held, which is kept.
inline void hold(const Model<double>& m, const LoopCluster& c, const bool* held) {
  const ClusterLines& to = c.lines;
  const auto each = [&](auto f) {
    for (int b = 0; b < c.bodies; ++b)
      for (int k = c.first[b], t = m.v_at[c.body[b]]; k < c.first[b + 1]; ++k, ++t)
        if (held[t]) f(k);
  };
  each([&](int k) {
    double* kept = to.kept + to.width * k;
    for (int j = 0; j < k; ++j) kept[j] = to.line(j)[k];
    for (int j = k; j < to.width; ++j) kept[j] = to.line(k)[j];
  });
  each([&](int k) {
    for (int j = 0; j < k; ++j) to.line(j)[k] = 0;
    for (int j = 0; j < to.width; ++j) to.line(k)[j] = 0;
    to.line(k)[k] = 1;
  });
}

/// What is left of the rows that are carried on: on the carrier, and in S and mu.
template <class Kind>
void pass_carried_rows(const Recursion<Kind>& r, const LoopCluster& c, const CarriedRows& rows) {
  const ClusterLines& from = c.lines;
  for (int j = 0; j < rows.count; ++j) {
    const double* line = from.line(from.outer + j);
    for (int i = j; i < rows.count; ++i) rows.S[rows.width * j + i] -= line[from.outer + i];
    rows.mu[j] += line[from.lines];
    if (from.outer == from.inside) continue;
    double numbers[8] = {}, *hanging = rows.hanging(c.carrier, j);
    for (int i = 0; i < 6; ++i) numbers[i] = from.line(from.inside + i)[from.outer + j];
    typename Kind::Force K;
    get(numbers, K);
    put(moved_from(Kind::vector(r.w.T[c.body[0]].p), K), numbers);
    for (int i = 0; i < 6; ++i) hanging[i] += numbers[i];
  }
}
/// What is left of the lines, on the carrier.
template <class Kind>
void pass_cluster(const Recursion<Kind>& r, const LoopCluster& c) {
  const ClusterLines& from = c.lines;
  if (from.outer == from.inside) return;
  const auto d = Kind::vector(r.w.T[c.body[0]].p);
  double force[8] = {};
  for (int i = 0; i < 6; ++i) force[i] = -from.line(from.inside + i)[from.lines];
  typename Kind::BlockInertia H;
  typename Kind::Force K;
  get(from.width, from.line(from.inside) + from.inside, H);
  get(force, K);
  r.room.branch[c.carrier].articulated += moved_from(d, H);
  r.room.force[c.carrier] = r.room.force[c.carrier] + moved_from(d, K);
}

/// What the lines of coordinates that are held lack, where all that they hold is known.
inline void write_lacking(const Model<double>& m, const LoopCluster& c, const ClusterCall& call,
                          const double* V, const double* mu, const double* y) {
  const ClusterLines& from = c.lines;
  for (int b = 0; b < c.bodies; ++b)
    for (int k = c.first[b], t = m.v_at[c.body[b]]; k < c.first[b + 1]; ++k, ++t) {
      if (!call.held[t]) continue;
      const double* line = from.kept + from.width * k;
      double sum = -line[from.lines];
      for (int p = 0; p < from.inside; ++p) sum += line[p] * y[p];
      for (int i = from.inside; i < from.outer; ++i) sum += line[i] * V[i - from.inside];
      for (int j = from.outer; j < from.lines; ++j) sum -= line[j] * mu[j - from.outer];
      call.lacking[t] = sum;
    }
}
/// x and nu of a cluster, and the motions of those of its bodies that carry others.
template <class Kind>
void move_cluster(const Recursion<Kind>& r, const LoopCluster& c, const double* mu,
                  const ClusterCall& call, double* nu) {
  const auto d = Kind::vector(r.w.T[c.body[0]].p);
  const typename Kind::Screw& on = r.room.branch[c.carrier].acceleration;
  const typename Kind::Screw V{on.w, on.v + cross(on.w, d)};
  double y[widest_cluster], numbers[8];
  put(V, numbers);
  solve_inside(c.lines, numbers, mu, y);
  if (call.held != nullptr) write_lacking(r.m, c, call, numbers, mu, y);
  typename Kind::Screw moved[most_cluster_velocities];
  for (int b = 0; b < c.bodies; ++b) {
    const int i = c.body[b];
    for (int k = c.first[b], t = r.m.v_at[i]; k < c.first[b + 1]; ++k, ++t) call.f[t] = y[k];
    if (!c.felt[b]) continue;
    moved[b] = c.inner[b] < 0 ? V : moved[c.inner[b]];
    for (int k = c.first[b], t = r.m.v_at[i]; k < c.first[b + 1]; ++k, ++t)
      moved[b] = moved[b] + r.room.screw[t] * y[k];
    if (c.carries[b]) r.room.branch[i].acceleration = Ad_inv(r.room.pose[i], moved[b]);
  }
  for (int i = 0; i < c.rows.independent; ++i) nu[i] = -y[c.n + i];
  for (int i = 0; i < c.m; ++i)
    for (int k = 0; k < c.n; ++k) c.rate[i] += c.A[c.n * i + k] * y[k];
}

/// The multipliers of the rows that all clusters have carried on; their pivots are judged too.
inline void solve_carried_rows(const CarriedRows& rows, ClusterPivots& found) {
  if (rows.count == 0) return;
  const PivotRange<double> pivots = symmetric_factor(rows.count, rows.width, rows.S);
  const double share =
      pivots.largest > 0 && pivots.smallest > 0 ? pivots.smallest / pivots.largest : 0;
  found.margin = share < found.margin ? share : found.margin;
  symmetric_solve(rows.count, rows.width, rows.S, rows.mu);
}

/// Inwards, cluster by cluster.
template <class Kind, class Walked>
void eliminate_clusters(const Recursion<Kind>& r, const Loops<double>& loops,
                        const LoopClusters& all, const ClusterCall& call, Walked walked,
                        ClusterPivots& found) {
  const CarriedRows& carried = all.carried;
  for (int j = 0; j < carried.count; ++j) {
    for (int i = 0; i < carried.width; ++i) carried.S[carried.width * j + i] = 0;
    carried.mu[j] = -carried.rate[j];
  }
  for (int k = all.count - 1; k >= 0; --k) {
    const LoopCluster& c = all.cluster[k];
    write_cluster_rows(r.m, loops, c, r.x, r.w, call, all.column, walked);
    place_cluster(r, c);
    write_cluster(r, c, call.f);
    for (int j = 0; j < carried.count; ++j) write_carried_row(r, c, carried, j);
    if (call.held != nullptr) hold(r.m, c, call.held);
    eliminate(c.lines, found);
    pass_cluster(r, c);
    if (carried.count > 0) pass_carried_rows(r, c, carried);
  }
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// x and the shortest lambda of the equations, for all loops in clusters and rows that all carry
/// on. `walked` is loop_motion, or does as it. Overwrites T and S.
template <class Kind, class Walked>
[[gnu::flatten]] ClusterPivots solve_clusters(const Recursion<Kind>& r, const Loops<double>& loops,
                                              const LoopClusters& all, const ClusterCall& call,
                                              Walked walked) {
  ClusterPivots found;
  if (call.which != ClusterEquations::accelerations) move_angles(r.m, r.x, r.w);
  for (int i = 1; i < r.m.bodies; ++i) {
    move_joint(r.m, r.x, i, r.w);
    r.room.force[i] = {};
  }
  detail::eliminate_clusters(r, loops, all, call, walked, found);
  detail::solve_carried_rows(all.carried, found);
  r.room.branch[0].acceleration = {};
  for (int k = 0; k < all.count; ++k) {
    const LoopCluster& c = all.cluster[k];
    double nu[most_cluster_lines];
    detail::move_cluster(r, c, all.carried.mu, call, nu);
    if (c.m == 0) continue;
    const double defect = shortest_multipliers(c.rows, c.n, c.A, padded_constraints(c.m), all.gram,
                                               all.ties, nu, c.lambda);
    found.defect = defect > found.defect ? defect : found.defect;
    for (int l = 0, at = 0; l < c.loops; ++l) {
      const Loop<double>& loop = loops.loop[c.loop[l]];
      for (int i = loop.row; i < loop.row + rows(loop.kind); ++i, ++at)
        call.lambda[i] = c.lambda[at], call.rate[i] = c.rate[at];
    }
  }
  for (int j = 0; j < all.carried.count; ++j)
    for (int t = 0; t < r.m.nv; ++t)
      all.carried.rate[j] += all.carried.C[all.carried.width * t + j] * call.f[t];
  found.margin = sqrt(found.margin);
  return found;
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
