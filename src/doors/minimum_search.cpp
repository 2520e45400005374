// SPDX-License-Identifier: BSD-3-Clause
// Search for a motion that costs least: first, of energy, limited-memory BFGS, which is cheap from
// afar; then Newton's method (minimum_newton.cpp).
//
// H_0 = K (x) Mbar, K_ij = 2 int B_i' B_j' dt and the mean mass matrix on the line, is what energy
// would have for a constant mass matrix. L-BFGS starts from it, and gradients are measured in its
// norm. Near the minimum of an arm with light links it is slow: the mass matrix on the path is not
// that on the line. Sums of squares of forces have the square of M's condition: Newton's method
// alone.
#include <algorithm>
#include <cmath>
#include <jounce/door/check.hpp>

#include "doors/cholesky_factor.hpp"
#include "doors/minimum_motion_impl.hpp"
#include "linear_algebra/vectors.hpp"

namespace jounce {
namespace {

constexpr int descent_iterations = 20;
constexpr size_t remembered_pairs = 20;

double product(const std::vector<double>& x, const std::vector<double>& y) {
  return dense::dot(int(x.size()), x.data(), y.data());
}
void add(double s, const std::vector<double>& x, std::vector<double>& y) {
  dense::add_multiple(int(x.size()), s, x.data(), y.data());
}

}  // namespace

MotionSearch::MotionSearch(MotionProblem& problem, const SplinePath& start) : problem_(problem) {
  const int n = problem.n(), free = problem.free_points(), stay = problem.fixed();
  found_.path = start;
  const double* first = start.control.column(stay);
  x_.assign(first, first + problem.unknowns());
  lower_.assign(x_.size(), -INFINITY);
  upper_.assign(x_.size(), INFINITY);
  const Limits& limits = problem.robot.limits();
  for (size_t k = 0; problem.options.limits && k < x_.size(); ++k) {
    lower_[k] = limits.lower[k % size_t(n)];
    upper_[k] = limits.upper[k % size_t(n)];
  }
  clip(x_);
  if (problem.options.cost != MotionCost::energy) return;
  const char* caller = problem.caller;
  mean_ = cholesky_factor(problem.robot, caller, "the mean mass matrix",
                          problem.mean_mass(start.control));
  dense::Matrix K(free, free);
  for (const auto& node : problem.nodes)
    for (int i = 0; i <= SplineBasis::degree; ++i)
      for (int j = 0; j <= SplineBasis::degree; ++j) {
        const int row = node.basis.first + i - stay, column = node.basis.first + j - stay;
        if (row >= 0 && row < free && column >= 0 && column < free)
          K(row, column) += 2 * node.weight * node.basis.value[1][i] * node.basis.value[1][j];
      }
  stretch_ = cholesky_factor(problem.robot, caller, "the metric of splines", K);
}

dense::Matrix MotionSearch::with(const Numbers& x) const {
  dense::Matrix control = found_.path.control;
  std::copy(x.begin(), x.end(), control.column(problem_.fixed()));
  return control;
}

MotionSearch::Numbers MotionSearch::gradient_of(const dense::Matrix& g) const {
  const double* first = g.column(problem_.fixed());
  return {first, first + problem_.unknowns()};
}

bool MotionSearch::held(size_t k, const Numbers& g) const {
  return (x_[k] <= lower_[k] && g[k] > 0) || (x_[k] >= upper_[k] && g[k] < 0);
}

void MotionSearch::clip(Numbers& x) const {
  for (size_t k = 0; k < x.size(); ++k) x[k] = std::clamp(x[k], lower_[k], upper_[k]);
}

MotionSearch::Numbers MotionSearch::scaled(const Numbers& g) const {
  const int n = problem_.n(), free = problem_.free_points();
  dense::Matrix G(n, free);
  std::copy(g.begin(), g.end(), G.data());
  const dense::Matrix by_mass = dense::solve_cholesky(mean_, G);
  dense::Matrix turned(free, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < free; ++j) turned(j, i) = by_mass(i, j);
  turned = dense::solve_cholesky(stretch_, turned);
  Numbers found(g.size());
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < free; ++j) found[size_t(n * j + i)] = turned(j, i);
  return found;
}

MotionSearch::Numbers MotionSearch::direction(const Numbers& g) const {
  Numbers d = g;
  std::vector<double> weight(pairs_.size());
  for (size_t k = pairs_.size(); k-- > 0;) {
    const auto& [s, y] = pairs_[k];
    weight[k] = product(s, d) / product(s, y);
    add(-weight[k], y, d);
  }
  d = scaled(d);
  for (size_t k = 0; k < pairs_.size(); ++k) {
    const auto& [s, y] = pairs_[k];
    add(weight[k] - product(y, d) / product(s, y), s, d);
  }
  return d;
}

/// Whether there was a step. Near the minimum the cost changes by less than its rounding, while the
/// gradient still falls.
bool MotionSearch::step_down(const Numbers& direction, Numbers& g) {
  double step = 1;
  for (int tries = 0; tries < 30; ++tries, step /= 2) {
    Numbers next = x_;
    add(-step, direction, next);
    clip(next);
    dense::Matrix slope;
    const double value = problem_.cost(with(next), &slope);
    Numbers way = next;
    add(-1, x_, way);
    if (!(value <= found_.value + 1e-4 * product(g, way) + 1e-14 * found_.value)) continue;
    Numbers change = gradient_of(slope);
    add(-1, g, change);
    const double curve = product(way, change);
    if (curve > 1e-12 * std::sqrt(product(way, way) * product(change, change)))
      pairs_.emplace_back(way, change);
    if (pairs_.size() > remembered_pairs) pairs_.erase(pairs_.begin());
    level_ = found_.value - value > 1e-14 * value ? 0 : level_ + 1;
    x_ = std::move(next);
    g = gradient_of(slope);
    found_.value = value;
    return level_ < most_level;
  }
  return false;
}

void MotionSearch::descend() {
  dense::Matrix slope;
  found_.value = problem_.cost(with(x_), &slope);
  Numbers g = gradient_of(slope);
  const int most = std::min(problem_.options.iterations, descent_iterations);
  for (bool goes_on = true;; ++found_.iterations) {
    found_.values.push_back(found_.value);
    Numbers open = g;
    for (size_t k = 0; k < g.size(); ++k)
      if (held(k, g)) open[k] = 0;
    const Numbers steepest = scaled(open);
    if (found_.value == 0) found_.residual = 0;
    else found_.residual = std::sqrt(std::max(0.0, product(open, steepest)) / found_.value);
    found_.converged = found_.value == 0 || found_.residual < problem_.options.tolerance;
    if (found_.converged || !goes_on || found_.iterations >= most) return;
    Numbers way = direction(open);
    if (product(way, open) < 0) pairs_.clear(), way = steepest;
    for (size_t k = 0; k < g.size(); ++k)
      if (held(k, g)) way[k] = 0;
    goes_on = step_down(way, g);
  }
}

MinimumMotionResult MotionSearch::result() {
  found_.path.control = with(x_);
  for (size_t k = 0; k < x_.size(); ++k)
    found_.at_limits += x_[k] <= lower_[k] || x_[k] >= upper_[k];
  return std::move(found_);
}

MinimumMotionResult MotionProblem::find(const SplinePath& start) {
  check_shape(start);
  const double straight = cost(start.control, nullptr);
  require_finite_number(caller, "cost", straight);
  check_ends(start.control);
  require_regular_mass(start);
  MotionSearch search(*this, start);
  if (options.cost == MotionCost::energy) search.descend();
  search.newton();
  MinimumMotionResult found = search.result();
  found.straight = straight;
  if (options.cost == MotionCost::energy) require_regular_mass(found.path);
  return found;
}

}  // namespace jounce
