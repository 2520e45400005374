// SPDX-License-Identifier: BSD-3-Clause
// Impulses along coordinates.
//
// An impulse 1 along coordinate k changes velocities by M^-1 e_k, of which loops and contacts leave
// the part d_k that suits them (the nearest in the metric of the kinetic energy). Impulses l with
// v + sum_k d_k l_k as wanted solve G l = wanted - v, G_ik = component i of d_k: symmetric, and
// singular where a coordinate cannot move while the others are held.
#include <algorithm>
#include <cmath>

#include "linear_algebra/vectors.hpp"
#include "simulation/motion_equations.hpp"

namespace jounce {
namespace {

/// Of what an impulse does by itself, below which others hold its coordinate.
constexpr double cannot_move = 1e-10;

/// G l = r by elimination, rows that depend on those before them left out.
std::vector<double> solve_leaving_out(dense::Matrix G, std::vector<double> r) {
  const int n = G.rows;
  std::vector<bool> used(size_t(n), false);
  std::vector<double> own(size_t(n), 0);
  for (int k = 0; k < n; ++k) own[size_t(k)] = G(k, k);
  for (int k = 0; k < n; ++k) {
    if (!(G(k, k) > cannot_move * own[size_t(k)])) continue;
    used[size_t(k)] = true;
    for (int i = k + 1; i < n; ++i) {
      const double factor = G(i, k) / G(k, k);
      for (int j = 0; j < n; ++j) G(i, j) -= factor * G(k, j);
      r[size_t(i)] -= factor * r[size_t(k)];
    }
  }
  std::vector<double> l(size_t(n), 0);
  for (int k = n - 1; k >= 0; --k) {
    if (!used[size_t(k)]) continue;
    double sum = r[size_t(k)];
    for (int j = k + 1; j < n; ++j) sum -= G(k, j) * l[size_t(j)];
    l[size_t(k)] = sum / G(k, k);
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
                             std::span<const CoordinateImpulse> given) {
  const std::vector<double> base = suited(t, q, std::vector<double>(v, v + nv()));
  std::vector<CoordinateImpulse> rows(given.begin(), given.end());
  for (;;) {
    const int m = int(rows.size());
    const dense::Matrix D = impulse_directions(t, q, base, rows);
    dense::Matrix G(m, m);
    std::vector<double> missing;
    for (int i = 0; i < m; ++i) {
      const int k = rows[size_t(i)].coordinate;
      missing.push_back(rows[size_t(i)].wanted - base[size_t(k)]);
      for (int j = 0; j < m; ++j) G(i, j) = D(k, j);
    }
    const std::vector<double> l = solve_leaving_out(G, missing);
    const auto wrong = [&](int i) { return -rows[size_t(i)].sign * l[size_t(i)]; };
    int worst = 0;
    for (int i = 1; i < m; ++i)
      if (wrong(i) > wrong(worst)) worst = i;
    if (m > 0 && wrong(worst) > 0) {
      rows.erase(rows.begin() + worst);
      continue;
    }
    std::copy(base.begin(), base.end(), v);
    for (int i = 0; i < m; ++i) dense::add_multiple(nv(), l[size_t(i)], D.column(i), v);
    for (int i = 0; i < m; ++i)  // to the last bit, where it moves at all
      if (l[size_t(i)] != 0) v[rows[size_t(i)].coordinate] = rows[size_t(i)].wanted;
    return;
  }
}

}  // namespace jounce
