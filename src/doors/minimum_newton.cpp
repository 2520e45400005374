// SPDX-License-Identifier: BSD-3-Clause
// Newton's method for a motion that costs least, with Levenberg's damping and limits.
//
// A step is the minimum of the model with limits: numbers that it would take beyond one stop there,
// and the others are solved for again. How far the minimum is, is measured by the model without
// damping: g . H^-1 g is twice what a step would save, and is compared with the cost itself.
#include <algorithm>
#include <cmath>

#include "doors/minimum_motion_impl.hpp"
#include "linear_algebra/vectors.hpp"

namespace jounce {

std::optional<MotionSearch::Step> MotionSearch::bounded_step(const Model& model,
                                                             double damping) const {
  const size_t size = x_.size();
  Step found{Numbers(size), 0};
  std::vector<size_t> open;
  for (size_t k = 0; k < size; ++k)
    if (!held(k, model.g)) open.push_back(k);
  Numbers g = model.g;  // less what numbers at limits change it by
  for (bool first = true;; first = false) {
    const int count = int(open.size());
    dense::Matrix H(count, count), x(count, 1);
    for (int j = 0; j < count; ++j) {
      const double* column = model.H.column(int(open[size_t(j)]));
      for (int i = j; i < count; ++i) H(i, j) = column[open[size_t(i)]];
      H(j, j) += damping * model.damping[open[size_t(j)]];
      x(j, 0) = g[open[size_t(j)]];
    }
    const auto L = dense::cholesky(H);
    if (!L) return std::nullopt;
    x = dense::solve_cholesky(*L, x);
    std::vector<size_t> inside;
    for (int j = 0; j < count; ++j) {
      const size_t k = open[size_t(j)];
      if (first) found.saves += model.g[k] * x(j, 0);
      const double next = x_[k] - x(j, 0);
      found.way[k] = x_[k] - std::clamp(next, lower_[k], upper_[k]);
      if (next >= lower_[k] && next <= upper_[k]) inside.push_back(k);
      else dense::add_multiple(int(size), -found.way[k], model.H.column(int(k)), g.data());
    }
    if (inside.size() == open.size()) return found;
    open = std::move(inside);
  }
}

bool MotionSearch::at_minimum(const Model& model) {
  std::optional<Step> step = bounded_step(model, 0);
  if (!step) step = bounded_step(model, 1e-12);  // rounding alone may leave no factor
  found_.residual = step ? std::sqrt(std::max(0.0, step->saves) / model.value) : INFINITY;
  return found_.residual < problem_.options.tolerance;
}

/// Whether a step was taken that lowers the cost; damping grows until there is one. Near the
/// minimum the cost changes by less than its rounding, while the gradient still falls.
bool MotionSearch::newton_step(const Model& model, double& damping) {
  const double rounding = 1e-14 * model.value;
  const double least = std::pow(problem_.options.tolerance, 2) * model.value;
  for (int tries = 0; tries < 40; ++tries) {
    const std::optional<Step> step = bounded_step(model, damping);
    if (!step) {
      damping = std::max(1e-3, 4 * damping);
      continue;
    }
    if (step->saves < least && at_minimum(model)) return false;
    Numbers next = x_;
    dense::add_multiple(int(x_.size()), -1, step->way.data(), next.data());
    clip(next);
    const double value = problem_.cost(with(next), nullptr);
    const bool level = step->saves < 1e3 * rounding && value <= model.value + rounding;
    if (value < model.value || level) {
      level_ = value < model.value - rounding ? 0 : level_ + 1;
      x_ = std::move(next);
      found_.value = value;
      damping = damping < 1e-12 ? 0 : damping / 9;
      return true;
    }
    damping = std::max(1e-12, 4 * damping);
  }
  return false;
}

void MotionSearch::newton() {
  double damping = 1e-6;
  for (level_ = 0; !found_.converged; ++found_.iterations) {
    const Model model = problem_.model(with(x_));
    found_.value = model.value;
    found_.values.resize(size_t(found_.iterations) + 1, model.value);  // a descent's last is there
    const bool last = found_.iterations >= problem_.options.iterations || level_ == most_level;
    if (model.value == 0) found_.residual = 0;
    else if (!last && newton_step(model, damping)) continue;
    found_.converged = model.value == 0 || at_minimum(model);
    return;
  }
}

}  // namespace jounce
