// SPDX-License-Identifier: BSD-3-Clause
// How measured times grow: polynomials and powers through points.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <utility>
#include <vector>

namespace jounce::bench {

using Points = std::vector<std::pair<double, double>>;

/// The largest relative distance of a point from the least-squares polynomial of this degree, each
/// point weighted by 1 / y: what is left of ones without the columns x^k / y, made orthogonal.
inline double misfit(const Points& points, int degree) {
  const auto n = static_cast<Eigen::Index>(points.size());
  std::vector<Eigen::VectorXd> axes;
  const auto without_axes = [&](Eigen::VectorXd x) {
    for (int pass = 0; pass < 2; ++pass)  // the second takes what rounding left
      for (const Eigen::VectorXd& axis : axes) x -= axis.dot(x) * axis;
    return x;
  };
  for (int power = 0; power <= degree; ++power) {
    Eigen::VectorXd column(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto& [x, y] = points[static_cast<size_t>(i)];
      column[i] = std::pow(x, power) / y;
    }
    axes.push_back(without_axes(column.normalized()).normalized());
  }
  return without_axes(Eigen::VectorXd::Ones(n)).cwiseAbs().maxCoeff();
}

/// The exponent of the power law through the last point and an earlier one.
inline double exponent(const Points& points, size_t from) {
  const auto &low = points[from], &high = points.back();
  return std::log(high.second / low.second) / std::log(high.first / low.first);
}

}  // namespace jounce::bench
