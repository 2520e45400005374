// SPDX-License-Identifier: BSD-3-Clause
// What the loops of a robot tie together (loop_clusters.hpp): rows, poses and screws of a cluster.
#pragma once

#include <jounce/algorithm/cluster_lines.hpp>
#include <jounce/algorithm/joint_steps.hpp>
#include <jounce/equations/loops.hpp>

namespace jounce {

/// The most velocities that a cluster has, lines and numbers in a line.
inline constexpr int most_cluster_velocities = 12, most_cluster_lines = 32, widest_cluster = 40;

struct LoopCluster {
  int carrier = 0;             ///< body that it hangs on
  int bodies = 0;              ///< in order
  const int* body = nullptr;   ///< [bodies]
  const int* inner = nullptr;  ///< [bodies] which of them carries each, -1: the carrier
  const int* first = nullptr;  ///< [bodies + 1] first velocity of each, of the cluster's own
  const unsigned char* carries = nullptr;  ///< [bodies] whether other clusters hang on it
  const unsigned char* felt = nullptr;     ///< [bodies] or on one that it carries
  int loops = 0, n = 0, m = 0;             ///< loops, velocities, rows
  const int* loop = nullptr;               ///< [loops]
  const int* place = nullptr;              ///< [nv of the tree] of a velocity in its cluster
  DependentRows rows;                      ///< of the cluster's own
  ClusterLines lines;
  double* A = nullptr;                        ///< [m][n]
  double *rate = nullptr, *lambda = nullptr;  ///< [m]
};

/// Rows C that no cluster has for itself, those of contacts: C x + rate = 0.
struct CarriedRows {
  int count = 0, width = 0;   ///< whole registers
  const double* C = nullptr;  ///< [nv][width]
  double* K = nullptr;        ///< [bodies][count][8] what hangs on a body adds for each
  double* S = nullptr;        ///< [count][width]
  double* rate = nullptr;     ///< [count] and what is left of it
  double* mu = nullptr;       ///< [width] their multipliers

  double* hanging(int body, int j) const { return K + 8 * (count * body + j); }
};

struct LoopClusters {
  const LoopCluster* cluster = nullptr;
  int count = 0;
  Twist<double>* column = nullptr;          ///< room for the longest way, and one number
  double *gram = nullptr, *ties = nullptr;  ///< room for the largest cluster
  CarriedRows carried;
};

/// M x - A^T lambda = f with A x + A a + Adot v = 0, after inverse dynamics at the same state,
/// which leaves the sines of all angles; or with A x + A v = 0; or with A x + rate = 0, the rate
/// being given.
enum class ClusterEquations : unsigned char { accelerations, velocities, given };

struct ClusterCall {
  ClusterEquations which = ClusterEquations::accelerations;
  double* f = nullptr;                        ///< [nv] becomes x
  double *lambda = nullptr, *rate = nullptr;  ///< [rows] the shortest; what is left of A x + ...
  const bool* held = nullptr;                 ///< [nv] where x is zero; null: nowhere
  double* lacking = nullptr;                  ///< [nv] M x - A^T lambda - f where x is held
};

namespace detail::inline JOUNCE_ISA {

/// A and what A x should undo, of one cluster.
template <class Walked>
void write_cluster_rows(const Model<double>& m, const Loops<double>& loops, const LoopCluster& c,
                        const State<double>& x, const Workspace<double>& w, const ClusterCall& call,
                        Twist<double>* column, Walked walked) {
  for (int i = 0; i < c.m * c.n && c.loops > 1; ++i) c.A[i] = 0;  // one loop has all columns
  double *A = c.A, *rate = c.rate;
  for (int l = 0; l < c.loops; ++l) {
    const Loop<double>& loop = loops.loop[c.loop[l]];
    const int count = rows(loop.kind);
    const TwistComponents fixed = forbidden(loop.kind);
    const LoopMotion<double> motion = walked(m, loop, x, w, column);
    const MovingRow<double> moving = moving_row(loop.kind, motion.E, motion.V);
    const Twist<double>* X = column;
    double y[6];
    for (int b = 0; b < loop.down + loop.up; ++b)
      for (int t = m.v_at[loop.way[b]]; t < m.v_at[loop.way[b] + 1]; ++t) {
        forbidden_part(loop.kind, fixed, moving, *X++, y);
        for (int r = 0; r < 6; ++r)
          if (r < count) A[c.n * r + c.place[t]] = y[r];
      }
    const bool velocities = call.which == ClusterEquations::velocities;
    forbidden_part(loop.kind, fixed, moving, velocities ? motion.V : motion.Vdot, rate);
    if (has_moving_row(loop.kind) && !velocities) rate[count - 1] += dot(moving.rate, motion.V);
    for (int r = 0; r < count && call.which == ClusterEquations::given; ++r)
      rate[r] = call.rate[loop.row + r];
    A += c.n * count;
    rate += count;
  }
}

/// Poses and screws of a cluster.
template <class Kind>
void place_cluster(const Recursion<Kind>& r, const LoopCluster& c) {
  const Vec3<double>& d = r.w.T[c.body[0]].p;
  for (int b = 0; b < c.bodies; ++b) {
    const int i = c.body[b];
    const SE3<double>& T = r.w.T[i];
    const typename Kind::Pose U = c.inner[b] < 0
                                      ? behind(typename Kind::Pose{}, SE3<double>{T.R, T.p - d})
                                      : behind(r.room.pose[c.body[c.inner[b]]], T);
    r.room.pose[i] = U;
    for (int t = r.m.v_at[i]; t < r.m.v_at[i + 1]; ++t) {
      const auto z = z_axis(U);
      if (is_revolute(r.m, i)) r.room.screw[t] = {z, cross(U.p, z)};
      else r.room.screw[t] = Ad(U, r.w.S[t]);
    }
  }
}

}  // namespace detail::inline JOUNCE_ISA

}  // namespace jounce
