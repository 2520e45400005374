// SPDX-License-Identifier: BSD-3-Clause
// Clusters of loops for many right-hand sides beside one another, with what is kept of them
// (algorithm/cluster_response.hpp), and rows of contacts, which belong to no cluster:
//   C x = g with C X = S, X what unit forces along the rows C do:  S mu = g - C x,  x += X mu.
#pragma once

#include <jounce/algorithm/cluster_response.hpp>

#include "kernels/lanes/constrained_columns.hpp"

namespace jounce {

/// Rows of contacts, which follow those of the clusters.
struct ClusterContacts {
  int count = 0, width = 0, first = 0;  ///< the number of the first among all rows
  const double* C = nullptr;            ///< [nv][width] zero where coordinates are held
  const double* X = nullptr;            ///< [count][nv + first] x and nu
  double* S = nullptr;                  ///< [count][width] its factors
};

inline namespace JOUNCE_ISA {

/// Forces along the lines of one cluster, on what carries it: `base` has six rows for each cluster.
template <int registers>
inline void pass_forces(const ClusterResponses& all, int at, const Beside& b, double* base) {
  const ClusterResponse& c = all.of[at];
  if (c.on < 0) return;
  const ClusterResponse& on = all.of[c.on];
  const int width = 6 + on.n;
  double *K = base + 6 * b.stride * at, *K_on = base + 6 * b.stride * c.on;
  for (int i = 0; i < 6; ++i) {
    RowBeside<registers> sum(K + b.stride * i);
    const auto weight = [&](int p) { return c.P[6 * p + i]; };
    sum.add_all(0, c.n, weight, [&](int p) { return b.x_at(c.coordinate[p]); });
    sum.add_all(
        0, c.rows, [&](int p) { return weight(c.n + p); },
        [&](int p) { return b.nu_at(c.row[p]); });
    sum.store(K + b.stride * i);
  }
  const auto pass = [&](int column, double sign, double* to) {
    RowBeside<registers> sum(to);
    sum.add_all(
        0, 6, [&](int i) { return sign * c.C[width * i + column]; },
        [&](int i) { return K + b.stride * i; });
    sum.store(to);
  };
  for (int i = 0; i < 6 && on.on >= 0; ++i) pass(i, 1, K_on + b.stride * i);
  for (int k = 0; k < on.n; ++k) pass(6 + k, -1, b.x_at(on.coordinate[k]));
}
/// The motion of its carrier, in place of the force.
template <int registers>
inline void move_carrier(const ClusterResponses& all, int at, const Beside& b, double* base) {
  const ClusterResponse& c = all.of[at];
  if (c.on < 0) return;
  const ClusterResponse& on = all.of[c.on];
  const int width = 6 + on.n;
  double *V = base + 6 * b.stride * at, *V_on = base + 6 * b.stride * c.on;
  for (int i = 0; i < 6; ++i) {
    RowBeside<registers> sum;
    const double* row = c.C + width * i;
    if (on.on >= 0)
      sum.add_all(
          0, 6, [&](int j) { return row[j]; }, [&](int j) { return V_on + b.stride * j; });
    for (int k = 0; k < on.n; ++k)
      if (!all.holds(on, k)) sum.add(row[6 + k], b.x_at(on.coordinate[k]));
    sum.store(V + b.stride * i);
  }
}
/// x and nu of one cluster; of coordinates that are held, what their lines lack.
template <int registers>
inline void answer(const ClusterResponses& all, int at, const Beside& b, const double* base) {
  const ClusterResponse& c = all.of[at];
  const int inside = c.inside();
  const double* V = base + 6 * b.stride * at;
  alignas(64) double y[most_cluster_lines * 8 * registers];
  const auto line = [&](int p) {
    return p < c.n ? b.x_at(c.coordinate[p]) : b.nu_at(c.row[p - c.n]);
  };
  for (int p = 0; p < inside; ++p) {
    RowBeside<registers> sum;
    sum.add_all(
        0, inside, [&](int j) { return c.K[inside * p + j]; }, line);
    if (c.on >= 0)
      sum.add_all(
          0, 6, [&](int i) { return -c.P[6 * p + i]; }, [&](int i) { return V + b.stride * i; });
    sum.store(y + 8 * registers * p);
  }
  const auto held = [&](int p) { return p < c.n && all.holds(c, p); };
  for (int p = 0; p < inside; ++p) {
    if (held(p)) continue;
    RowBeside<registers> found(y + 8 * registers * p);
    if (p >= c.n) found.scale(-1);
    found.store(line(p));
  }
  for (int k = 0; k < c.n; ++k) {
    if (!held(k)) continue;
    RowBeside<registers> lacking;
    const double* row = c.held + (inside + 6) * k;
    lacking.add(-1, line(k));
    for (int p = 0; p < inside; ++p)
      if (!held(p)) lacking.add(p < c.n ? row[p] : -row[p], line(p));
    for (int i = 0; i < 6 && c.on >= 0; ++i) lacking.add(row[inside + i], V + b.stride * i);
    lacking.store(line(k));
  }
}

/// What contacts that are there beside the loops change.
template <int registers>
inline void add_contacts(const ClusterContacts& rows, int n, const Beside& b) {
  const Beside mu{nullptr, b.nu_at(rows.first), b.stride, 0};
  for (int j = 0; j < rows.count; ++j) {
    RowBeside<registers> sum(mu.nu_at(j));
    sum.add_all(
        0, n, [&](int k) { return -rows.C[rows.width * k + j]; }, [&](int k) { return b.x_at(k); });
    sum.store(mu.nu_at(j));
  }
  ConstrainedFactors<double> factors;
  factors.rows = rows.count, factors.width = rows.width, factors.S = rows.S;
  solve_multipliers<registers>(factors, mu);
  for (int k = 0; k < n + rows.first; ++k) {
    double* to = k < n ? b.x_at(k) : b.nu_at(k - n);
    RowBeside<registers> sum(to);
    sum.add_all(
        0, rows.count, [&](int j) { return rows.X[(n + rows.first) * j + k]; },
        [&](int j) { return mu.nu_at(j); });
    sum.store(to);
  }
}

template <int registers>
inline void solve_clusters_beside(const ClusterResponses& all, const ClusterContacts& contacts,
                                  int n, const Beside& b, double* base) {
  for (int i = 0; i < 6 * all.count; ++i) RowBeside<registers>().store(base + b.stride * i);
  for (int k = all.count - 1; k >= 0; --k) pass_forces<registers>(all, k, b, base);
  for (int k = 0; k < all.count; ++k) {
    move_carrier<registers>(all, k, b, base);
    answer<registers>(all, k, b, base);
  }
  if (contacts.count > 0) add_contacts<registers>(contacts, n, b);
}

/// Of n coordinates; what columns have for multipliers is `width` numbers.
inline void solve_cluster_columns(const ClusterResponses& all, const ClusterContacts& contacts,
                                  int n, int width, const ConstrainedColumns& c, double* base) {
  constexpr int columns = constrained_columns;
  double *x = c.beside, *nu = c.beside + columns * c.stride;
  turn_over(columns, c.stride, c.x, c.stride, x, columns);
  turn_over(columns, width, c.nu, width, nu, columns);
  on_columns(columns, [&]<int registers>(int at) {
    solve_clusters_beside<registers>(all, contacts, n, {x + at, nu + at, columns, n}, base + at);
  });
  turn_over(c.stride, columns, x, columns, c.x, c.stride);
  turn_over(width, columns, nu, columns, c.nu, width);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
