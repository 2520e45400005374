// SPDX-License-Identifier: BSD-3-Clause
// Constrained motion of robots with many small loops, in time that grows with their number alone.
//
// Bodies that local loops, of frames that do not roll, tie together form a cluster, which hangs on
// one body; a body without loops is a cluster of its own. To the body that carries it, a cluster is
// one more articulated body: with M, A and F = H J of its coordinates and H of all its bodies, seen
// from its first one,
//   [ M  A^T  F^T | f ]
//   [ A   0    0  | g ]
//   [ F   0    H  | -K ]
// elimination of the first two lines leaves the inertia that the carrier feels, and the force
// (Chignoli et al. 2023 embed the constraints of a cluster likewise; with A as it stands no chart
// of independent coordinates is needed). Outwards the same lines give a and lambda.
#pragma once

#include <jounce/algorithm/articulated_solve.hpp>
#include <jounce/algorithm/shortest_multipliers.hpp>
#include <jounce/equations/loops.hpp>

namespace jounce {

/// The widest Z of a cluster.
inline constexpr int widest_cluster = 40;

struct LoopCluster {
  int carrier = 0;              ///< body that it hangs on
  int bodies = 0;               ///< in order
  const int* body = nullptr;    ///< [bodies]
  const int* inner = nullptr;   ///< [bodies] which of them carries each, -1: the carrier
  const int* first = nullptr;   ///< [bodies + 1] first velocity of each, of the cluster's own
  int loops = 0, n = 0, m = 0;  ///< loops, velocities, rows
  const int* loop = nullptr;    ///< [loops]
  const int* place = nullptr;   ///< [nv of the tree] of a velocity in its cluster
  DependentRows rows;           ///< of the cluster's own
  int width = 0;                ///< of Z, whole registers
  double* Z = nullptr;          ///< [n + independent rows + 6][width]
  double* A = nullptr;          ///< [m][n]
  double *rate = nullptr, *lambda = nullptr;  ///< [m]
  Twist<double>* J = nullptr;                 ///< [n]
  SE3<double>* X = nullptr;                   ///< [bodies]
};

struct LoopClusters {
  const LoopCluster* cluster = nullptr;
  int count = 0;
  Twist<double>* column = nullptr;          ///< room for the longest way
  double *gram = nullptr, *ties = nullptr;  ///< room for the largest cluster
};

/// What its pivots say of a solution.
struct ClusterPivots {
  bool regular = true;            ///< none of M was lost
  double margin = 1, defect = 0;  ///< as ConstraintReport
};

namespace detail::inline JOUNCE_ISA {

inline constexpr double lost_pivot = 1e-12;  ///< of what stood there

/// A and A a + Adot v at a = 0 of one cluster.
inline void write_cluster_rows(const Model<double>& m, const Loops<double>& loops,
                               const LoopCluster& c, const State<double>& x,
                               const Workspace<double>& w, Twist<double>* column) {
  for (int i = 0; i < c.m * c.n; ++i) c.A[i] = 0;
  double* A = c.A;
  double* rate = c.rate;
  for (int l = 0; l < c.loops; ++l) {
    const Loop<double>& loop = loops.loop[c.loop[l]];
    const int count = rows(loop);
    const LoopMotion<double> motion = loop_motion(m, loop, x, w, column);
    const MovingRow<double> moving = moving_row(loop.kind, motion.E, motion.V);
    const Twist<double>* X = column;
    double y[6];
    for (int b = 0; b < loop.down + loop.up; ++b)
      for (int t = m.v_at[loop.way[b]]; t < m.v_at[loop.way[b] + 1]; ++t) {
        forbidden_part(loop.kind, moving, *X++, y);
        for (int r = 0; r < count; ++r) A[c.n * r + c.place[t]] += y[r];
      }
    forbidden_part(loop.kind, moving, motion.Vdot, rate);
    if (has_moving_row(loop.kind)) rate[count - 1] += dot(moving.rate, motion.V);
    A += c.n * count;
    rate += count;
  }
}

/// Poses and screws of a cluster, seen from its first body.
inline void write_cluster_screws(const Model<double>& m, const LoopCluster& c,
                                 const Workspace<double>& w) {
  c.X[0] = {};
  for (int b = 0; b < c.bodies; ++b) {
    const int i = c.body[b];
    if (b > 0) {
      const SE3<double>& T = w.T[i];
      c.X[b] = c.inner[b] < 0 ? inverse_times(w.T[c.body[0]], T) : c.X[c.inner[b]] * T;
    }
    for (int k = c.first[b], t = m.v_at[i]; k < c.first[b + 1]; ++k, ++t)
      c.J[k] = b == 0 ? w.S[t] : Ad(c.X[b], w.S[t]);
  }
}

inline void put(const Vec3<double>& x, double* to) { to[0] = x.x, to[1] = x.y, to[2] = x.z; }
/// The upper half of an inertia as six rows, and back.
inline void put(const ArticulatedInertia<double>& H, int width, double* to) {
  const auto row = [&](int i) { return to + width * i; };
  put({H.A.xx, H.A.xy, H.A.xz}, row(0));
  put({0, H.A.yy, H.A.yz}, row(1));
  put({0, 0, H.A.zz}, row(2));
  for (int i = 0; i < 3; ++i) put(H.B.row[i], row(i) + 3);
  put({H.M.xx, H.M.xy, H.M.xz}, row(3) + 3);
  put({0, H.M.yy, H.M.yz}, row(4) + 3);
  put({0, 0, H.M.zz}, row(5) + 3);
}
inline ArticulatedInertia<double> inertia_of(int width, const double* from) {
  const auto at = [&](int i, int j) { return from[width * i + j]; };
  const auto B = [&](int i) { return Vec3<double>{at(i, 3), at(i, 4), at(i, 5)}; };
  return {{at(0, 0), at(0, 1), at(1, 1), at(0, 2), at(1, 2), at(2, 2)},
          {{B(0), B(1), B(2)}},
          {at(3, 3), at(3, 4), at(4, 4), at(3, 5), at(4, 5), at(5, 5)}};
}
inline void put(const Wrench<double>& F, double* to) { put(F.m, to), put(F.f, to + 3); }

/// Z of a cluster whose bodies feel w.IA and w.F, and need the forces f.
inline void write_cluster(const Model<double>& m, const LoopCluster& c, Workspace<double>& w,
                          const double* f) {
  const int inside = c.n + c.rows.independent, right = inside + 6;
  for (int i = 0; i < right * c.width; ++i) c.Z[i] = 0;
  ArticulatedInertia<double> H{};
  Wrench<double> K{};
  for (int b = c.bodies - 1; b >= 0; --b) {  // w.IA, w.F become those of all that a body carries
    const int i = c.body[b];
    if (b > 0) {
      w.IA[i] = push_forward(c.X[b], w.IA[i]);
      w.F[i] = dual_Ad_inv(c.X[b], w.F[i]);
    }
    for (int s = b + 1; s < c.bodies; ++s)
      if (c.inner[s] == b) w.IA[i] += w.IA[c.body[s]], w.F[i] += w.F[c.body[s]];
    if (c.inner[b] < 0) H += w.IA[i], K += w.F[i];
    for (int k = c.first[b], t = m.v_at[i]; k < c.first[b + 1]; ++k, ++t) {
      const Wrench<double> F = w.IA[i] * c.J[k];
      double* row = c.Z + c.width * k;
      put(F, row + inside);
      row[right] = f[t] - dot(w.F[i], c.J[k]);
      for (int at = b; at >= 0; at = c.inner[at])
        for (int j = c.first[at]; j < c.first[at + 1] && j <= k; ++j)
          c.Z[c.width * j + k] = dot(F, c.J[j]);
      row[k] += m.armature[t];
    }
  }
  for (int i = 0; i < c.rows.independent; ++i) {
    const int row = c.rows.chosen[i];
    for (int k = 0; k < c.n; ++k) c.Z[c.width * k + c.n + i] = c.A[c.n * row + k];
    c.Z[c.width * (c.n + i) + right] = -c.rate[row];
  }
  put(H, c.width, c.Z + c.width * inside + inside);
  double force[6];
  put(K, force);
  for (int i = 0; i < 6; ++i) c.Z[c.width * (inside + i) + right] = -force[i];
}

/// Elimination of a cluster's own lines: 1 / D on the diagonal of them.
inline void eliminate(const LoopCluster& c, ClusterPivots& found) {
  const int inside = c.n + c.rows.independent;
  double diagonal[32];
  for (int k = 0; k < c.n; ++k) diagonal[k] = c.Z[(c.width + 1) * k];
  double largest = 0, smallest = 0;
  on_width(c.width, [&]<int registers>() {
    for (int p = 0; p < inside; ++p) {
      double* row = c.Z + c.width * p;
      if (p < c.n) found.regular = found.regular && row[p] > lost_pivot * diagonal[p];
      if (p >= c.n) {
        largest = p == c.n || -row[p] > largest ? -row[p] : largest;
        smallest = p == c.n || -row[p] < smallest ? -row[p] : smallest;
      }
      row[p] = 1 / row[p];
      for (int i = p + 1; i < inside + 6; ++i)
        add_row<registers>(c.width, -row[i] * row[p], row, c.Z + c.width * i);
    }
  });
  if (c.rows.independent == 0) return;
  const double share = largest > 0 && smallest > 0 ? sqrt(smallest / largest) : 0;
  found.margin = share < found.margin ? share : found.margin;
}

/// a and lambda of a cluster whose first body would move by V if its joint did not, and the motions
/// of its bodies, in w.Vdot.
inline void move_cluster(const Model<double>& m, const LoopCluster& c, const Twist<double>& V,
                         Workspace<double>& w, double* a, double* nu) {
  const int inside = c.n + c.rows.independent;
  alignas(64) double y[widest_cluster] = {};
  put(V.w, y + inside), put(V.v, y + inside + 3);
  y[inside + 6] = -1;
  on_width(c.width, [&]<int registers>() {  // whole rows: y before the diagonal is still zero
    for (int p = inside - 1; p >= 0; --p) {
      const double* row = c.Z + c.width * p;
      y[p] = -dot_row<registers>(c.width, row, y) * row[p];
    }
  });
  for (int b = 0; b < c.bodies; ++b) {
    Twist<double> moved = c.inner[b] < 0 ? V : w.V[c.body[c.inner[b]]];
    for (int k = c.first[b], t = m.v_at[c.body[b]]; k < c.first[b + 1]; ++k, ++t) {
      a[t] = y[k];
      moved += c.J[k] * y[k];
    }
    w.V[c.body[b]] = moved;  // seen from the first body
    w.Vdot[c.body[b]] = b == 0 ? moved : Ad_inv(c.X[b], moved);
  }
  for (int i = 0; i < c.rows.independent; ++i) nu[i] = -y[c.n + i];
  for (int i = 0; i < c.m; ++i)
    for (int k = 0; k < c.n; ++k) c.rate[i] += c.A[c.n * i + k] * y[k];
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// a and the shortest lambda with M a - A^T lambda = f and A a + Adot v = 0, for all loops in
/// clusters: f becomes a. Overwrites T, S, IA, F, V and Vdot. lambda, and what is left of
/// A a + Adot v: [rows of all loops].
inline ClusterPivots solve_clusters(const Model<double>& m, const Loops<double>& loops,
                                    const LoopClusters& all, const State<double>& x,
                                    Workspace<double>& w, double* f, double* lambda, double* rate) {
  ClusterPivots found;
  move_angles(m, x, w);
  for (int i = 1; i < m.bodies; ++i) {
    move_joint(m, x, i, w);
    w.IA[i] = ArticulatedInertia<double>(m.G[i]);
    w.F[i] = {};
  }
  for (int k = all.count - 1; k >= 0; --k) {
    const LoopCluster& c = all.cluster[k];
    detail::write_cluster_rows(m, loops, c, x, w, all.column);
    detail::write_cluster_screws(m, c, w);
    detail::write_cluster(m, c, w, f);
    detail::eliminate(c, found);
    if (c.carrier == 0) continue;
    const int inside = c.n + c.rows.independent;
    const double* rest = c.Z + c.width * inside;
    const auto K = [&](int i) { return -rest[c.width * i + inside + 6]; };
    w.IA[c.carrier] += push_forward(w.T[c.body[0]], detail::inertia_of(c.width, rest + inside));
    w.F[c.carrier] +=
        dual_Ad_inv(w.T[c.body[0]], Wrench<double>{{K(0), K(1), K(2)}, {K(3), K(4), K(5)}});
  }
  w.Vdot[0] = {};
  for (int k = 0; k < all.count; ++k) {
    const LoopCluster& c = all.cluster[k];
    double nu[32];
    detail::move_cluster(m, c, Ad_inv(w.T[c.body[0]], w.Vdot[c.carrier]), w, f, nu);
    if (c.m == 0) continue;
    const double defect =
        shortest_multipliers(c.rows, c.n, c.A, c.width, all.gram, all.ties, nu, c.lambda);
    found.defect = defect > found.defect ? defect : found.defect;
    for (int l = 0, at = 0; l < c.loops; ++l) {
      const Loop<double>& loop = loops.loop[c.loop[l]];
      for (int r = 0; r < rows(loop); ++r, ++at) {
        lambda[loop.row + r] = c.lambda[at];
        rate[loop.row + r] = c.rate[at];
      }
    }
  }
  return found;
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
