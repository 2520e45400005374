// SPDX-License-Identifier: BSD-3-Clause
// Impulses along coordinates.
//
// An impulse 1 along coordinate k changes velocities by M^-1 e_k, of which loops and contacts leave
// the part d_k that suits them (the nearest in the metric of the kinetic energy). After impulses l
// velocities are v + sum_k d_k l_k, and those of the coordinates are as wanted where G l = wanted -
// v, G_ik = component i of d_k: symmetric, and singular where a coordinate cannot move while the
// others are held. A stop gives an impulse of its sign, or its coordinate moves away from it: what
// makes l^T G l / 2 - l^T (wanted - v) least among impulses of the right signs, found by the active
// sets of Lawson and Hanson (1974, chapter 23).
#include <algorithm>
#include <cmath>

#include "linear_algebra/vectors.hpp"
#include "simulation/motion_equations.hpp"

namespace jounce {
namespace {

/// Of what an impulse does by itself: what is added where others hold its coordinate.
constexpr double yielding = 1e-13;
constexpr double slow = 1e-12;  ///< of the velocities: that of rounding

/// G l = r for the impulses in `used`, others zero.
std::vector<double> solve_used(const dense::Matrix& all, const std::vector<int>& used,
                               const std::vector<double>& r) {
  const int n = int(used.size());
  dense::Matrix G(n, n);
  std::vector<double> x;
  for (int i = 0; i < n; ++i) {
    x.push_back(r[size_t(used[size_t(i)])]);
    for (int j = 0; j < n; ++j) G(i, j) = all(used[size_t(i)], used[size_t(j)]);
    G(i, i) += yielding * G(i, i) + 1e-300;
  }
  for (int k = 0; k < n; ++k)
    for (int i = k + 1; i < n; ++i) {
      const double factor = G(i, k) / G(k, k);
      for (int j = k; j < n; ++j) G(i, j) -= factor * G(k, j);
      x[size_t(i)] -= factor * x[size_t(k)];
    }
  std::vector<double> l(r.size(), 0);
  for (int k = n - 1; k >= 0; --k) {
    double sum = x[size_t(k)];
    for (int j = k + 1; j < n; ++j) sum -= G(k, j) * l[size_t(used[size_t(j)])];
    l[size_t(used[size_t(k)])] = sum / G(k, k);
  }
  return l;
}

/// Moves l to where the impulses in `used` want to be, or until the first has none of its sign.
void move_to_solution(const dense::Matrix& G, const std::vector<double>& missing,
                      std::span<const int> signs, std::vector<int>& used, std::vector<double>& l) {
  for (;;) {
    const std::vector<double> next = solve_used(G, used, missing);
    double way = 1;
    int first = -1;
    for (const int i : used) {
      const auto k = size_t(i);
      if (signs[k] == 0 || signs[k] * next[k] > 0) continue;
      const double part = l[k] / (l[k] - next[k]);
      if (first < 0 || part < way) way = part, first = i;
    }
    if (first < 0) {
      l = next;
      return;
    }
    for (const int i : used) l[size_t(i)] += way * (next[size_t(i)] - l[size_t(i)]);
    l[size_t(first)] = 0;
    std::erase(used, first);
  }
}

std::vector<double> signed_impulses(const dense::Matrix& G, const std::vector<double>& missing,
                                    std::span<const int> signs) {
  const int m = G.rows;
  std::vector<double> l(missing.size(), 0);
  std::vector<int> used;
  double scale = 0;
  for (int i = 0; i < m; ++i) {
    scale = std::max(scale, std::abs(missing[size_t(i)]));
    if (signs[size_t(i)] == 0) used.push_back(i);
  }
  for (int round = 0; round < 3 * m + 3; ++round) {
    move_to_solution(G, missing, signs, used, l);
    int worst = -1;
    double most = slow * scale;
    for (int i = 0; i < m; ++i) {
      if (std::find(used.begin(), used.end(), i) != used.end()) continue;
      double lacks = missing[size_t(i)];
      for (int j = 0; j < m; ++j) lacks -= G(i, j) * l[size_t(j)];
      if (signs[size_t(i)] * lacks > most) most = signs[size_t(i)] * lacks, worst = i;
    }
    if (worst < 0) break;
    used.push_back(worst);
  }
  return l;
}

}  // namespace

std::vector<MotionEquations::CoordinateImpulse> MotionEquations::kept(const double* v,
                                                                      bool may_leave) const {
  std::vector<CoordinateImpulse> rows;
  for (int k = 0; k < nv(); ++k) {
    const int mode = modes_.empty() ? 0 : modes_[size_t(k)];
    if (mode != 0) rows.push_back({k, 0, may_leave ? -mode : 0});
    else if (prescribed_[size_t(k)]) rows.push_back({k, v[k], 0});
  }
  return rows;
}

std::vector<double> MotionEquations::suited(double t, const double* q, std::vector<double> v) {
  if (constrained()) loops().project(at(q), v, contacts_, into(v), t);
  return v;
}
dense::Matrix MotionEquations::impulse_directions(double t, const double* q,
                                                  const std::vector<double>& base,
                                                  std::span<const CoordinateImpulse> rows) {
  if (!masses_) masses_.emplace(robot_);
  masses_->at(at(q));
  dense::Matrix D(nv(), int(rows.size()));
  for (int j = 0; j < D.columns; ++j) {
    std::vector<double> d(base.size(), 0);
    d[size_t(rows[size_t(j)].coordinate)] = 1;
    masses_->solve(d, into(d));
    for (size_t k = 0; k < d.size(); ++k) d[k] += base[k];
    d = suited(t, q, std::move(d));  // of a difference: loops may move by themselves
    for (size_t k = 0; k < d.size(); ++k) D(int(k), j) = d[k] - base[k];
  }
  return D;
}
void MotionEquations::strike(double t, const double* q, double* v,
                             std::span<const CoordinateImpulse> rows) {
  const std::vector<double> base = suited(t, q, std::vector<double>(v, v + nv()));
  const int m = int(rows.size());
  const dense::Matrix D = impulse_directions(t, q, base, rows);
  dense::Matrix G(m, m);
  std::vector<double> missing;
  std::vector<int> signs;
  for (const CoordinateImpulse& row : rows) {
    const int i = int(missing.size());
    missing.push_back(row.wanted - base[size_t(row.coordinate)]);
    signs.push_back(row.sign);
    for (int j = 0; j < m; ++j) G(i, j) = D(row.coordinate, j);
  }
  const std::vector<double> l = signed_impulses(G, missing, signs);
  std::copy(base.begin(), base.end(), v);
  for (int i = 0; i < m; ++i) dense::add_multiple(nv(), l[size_t(i)], D.column(i), v);
  for (int i = 0; i < m; ++i) {  // to the last bit, where it moves at all
    double& speed = v[rows[size_t(i)].coordinate];
    const double wanted = rows[size_t(i)].wanted;
    if (l[size_t(i)] != 0 && std::abs(speed - wanted) < 1e-9 * (1 + std::abs(wanted)))
      speed = wanted;
  }
}

}  // namespace jounce
