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
// and the force (Chignoli et al. 2023 embed the constraints of a cluster likewise; with A as it
// stands no chart of independent coordinates is needed). Outwards the same lines give a and lambda.
// All is seen in the axes of the carrier, from the origin of the cluster's first body: inertias are
// sums then, and digits are kept where that body is far from what carries it.
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
  const bool carried_on = to.lines > to.inside;
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

/// What is left of the lines, on the carrier.
template <class Kind>
void pass_cluster(const Recursion<Kind>& r, const LoopCluster& c) {
  const ClusterLines& from = c.lines;
  if (from.lines == from.inside) return;
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

/// x and nu of a cluster, and the motions of those of its bodies that carry others.
template <class Kind>
void move_cluster(const Recursion<Kind>& r, const LoopCluster& c, double* x, double* nu) {
  const auto d = Kind::vector(r.w.T[c.body[0]].p);
  const typename Kind::Screw& on = r.room.branch[c.carrier].acceleration;
  const typename Kind::Screw V{on.w, on.v + cross(on.w, d)};
  double y[widest_cluster], numbers[8];
  put(V, numbers);
  solve_inside(c.lines, numbers, y);
  typename Kind::Screw moved[most_cluster_velocities];
  for (int b = 0; b < c.bodies; ++b) {
    const int i = c.body[b];
    for (int k = c.first[b], t = r.m.v_at[i]; k < c.first[b + 1]; ++k, ++t) x[t] = y[k];
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

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// x and the shortest lambda of the equations, for all loops in clusters: f becomes x. `walked` is
/// loop_motion, or does as it. Overwrites T and S. lambda, and what is left of the second equation:
/// [rows of all loops].
template <class Kind, class Walked>
[[gnu::flatten]] ClusterPivots solve_clusters(const Recursion<Kind>& r, const Loops<double>& loops,
                                              const LoopClusters& all, ClusterEquations which,
                                              double* f, double* lambda, double* rate,
                                              Walked walked) {
  ClusterPivots found;
  if (which == ClusterEquations::velocities) move_angles(r.m, r.x, r.w);
  for (int i = 1; i < r.m.bodies; ++i) {
    move_joint(r.m, r.x, i, r.w);
    r.room.force[i] = {};
  }
  for (int k = all.count - 1; k >= 0; --k) {
    const LoopCluster& c = all.cluster[k];
    detail::write_cluster_rows(r.m, loops, c, r.x, r.w, which, all.column, walked);
    detail::place_cluster(r, c);
    detail::write_cluster(r, c, f);
    detail::eliminate(c.lines, found);
    detail::pass_cluster(r, c);
  }
  r.room.branch[0].acceleration = {};
  for (int k = 0; k < all.count; ++k) {
    const LoopCluster& c = all.cluster[k];
    double nu[most_cluster_lines];
    detail::move_cluster(r, c, f, nu);
    if (c.m == 0) continue;
    const double defect = shortest_multipliers(c.rows, c.n, c.A, padded_constraints(c.m), all.gram,
                                               all.ties, nu, c.lambda);
    found.defect = defect > found.defect ? defect : found.defect;
    for (int l = 0, at = 0; l < c.loops; ++l) {
      const Loop<double>& loop = loops.loop[c.loop[l]];
      for (int i = loop.row; i < loop.row + rows(loop.kind); ++i, ++at)
        lambda[i] = c.lambda[at], rate[i] = c.rate[at];
    }
  }
  found.margin = sqrt(found.margin);
  return found;
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
