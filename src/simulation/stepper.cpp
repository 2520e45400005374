// SPDX-License-Identifier: BSD-3-Clause
#include "simulation/stepper.hpp"

#include <algorithm>
#include <cmath>
#include <jounce/integrators/manifold_steps.hpp>

namespace jounce {
namespace {

/// Euler's method with the new velocity.
class SemiImplicit final : public Stepper {
 public:
  explicit SemiImplicit(MotionEquations& f) : Stepper(f, 1), u_(size_t(f.nv())) { fix_steps(); }

  double attempt(const SimulationState& x, double h) override {
    require_start(x, a1_.data());
    for (size_t k = 0; k < u_.size(); ++k) {
      v1_[k] = x.v[k] + h * a1_[k];
      u_[k] = h * v1_[k];
    }
    move_along(f_.factors(), x.q.data(), u_.data(), q1_.data());
    return 0;
  }
  void inside(const SimulationState& x, double h, double theta, double* q, double* v) override {
    for (size_t k = 0; k < u_.size(); ++k) {
      v[k] = x.v[k] + theta * (v1_[k] - x.v[k]);
      u_[k] = theta * h * v1_[k];
    }
    move_along(f_.factors(), x.q.data(), u_.data(), q);
  }
  double first_step(const SimulationState&) override { return 0; }
  double next_step(const SimulationState&, double h, double) const override { return h; }

 private:
  std::vector<double> u_;
};

}  // namespace

void Stepper::accept(SimulationState& x, double h) {
  x.t += h;
  std::copy(q1_.begin(), q1_.end(), x.q.begin());
  std::copy(v1_.begin(), v1_.end(), x.v.begin());
  x.has_a = has_a1_;
  if (has_a1_) std::copy(a1_.begin(), a1_.end(), x.a.begin());
}

double Stepper::in_tolerances(const double* u, const double* w, const double* v) const {
  const auto prescribed = f_.prescribed();
  double worst = 0;
  for (int k = 0; k < f_.nv(); ++k) {
    if (prescribed[size_t(k)]) continue;
    const double error = std::max(std::abs(u[k]), std::abs(w[k]) / (1 + std::abs(v[k])));
    if (!(error <= worst)) worst = error;  // NaN stays
  }
  return worst / tol_;
}

void Stepper::require_start(const SimulationState& x, double* a) {
  if (x.has_a) {
    std::copy(x.a.begin(), x.a.end(), a);
    return;
  }
  std::copy(x.q.begin(), x.q.end(), q1_.begin());
  std::copy(x.v.begin(), x.v.end(), v1_.begin());
  f_.acceleration(x.t, q1_.data(), v1_.data(), a);
}

std::unique_ptr<Stepper> make_semi_implicit(MotionEquations& f) {
  return std::make_unique<SemiImplicit>(f);
}

}  // namespace jounce
