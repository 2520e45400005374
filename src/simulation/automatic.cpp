// SPDX-License-Identifier: BSD-3-Clause
// An explicit pair that looks for stiffness: it says so, or rodas4 takes over.
#include <algorithm>

#include "simulation/stepper.hpp"

namespace jounce {
namespace {

constexpr int enough = 15;  ///< more steps that speak for the other method than against it

class Automatic final : public Stepper {
 public:
  Automatic(MotionEquations& f, const ExplicitTable& table, double tol, bool hands_over)
      : Stepper(f, tol),
        explicit_(make_explicit(f, table, tol)),
        rodas_(hands_over ? make_rodas(f, tol) : nullptr) {}

  double attempt(const SimulationState& x, double h) override { return at(x).attempt(x, h); }
  void inside(const SimulationState& x, double h, double theta, double* q, double* v) override {
    at(x).inside(x, h, theta, q, v);
  }
  End end(const SimulationState& x) const override { return at(x).end(x); }
  void accept(SimulationState& x, double h) override {
    const double stiffness = at(x).stiffness(x, h);
    at(x).accept(x, h);
    const bool other = x.stiff ? stiffness < 1 : stiffness > 1;
    x.stiff_steps = std::max(0, x.stiff_steps + (other ? 1 : -1));
    if (x.stiff_steps < enough) return;
    x.stiff = !x.stiff;
    x.stiff_steps = 0;
  }
  void forget() override {
    if (rodas_) rodas_->forget();
  }
  double first_step(const SimulationState& x) override { return at(x).first_step(x); }
  double next_step(const SimulationState& x, double h, double ratio) const override {
    return at(x).next_step(x, h, ratio);
  }

 private:
  Stepper& at(const SimulationState& x) const { return x.stiff && rodas_ ? *rodas_ : *explicit_; }

  std::unique_ptr<Stepper> explicit_, rodas_;
};

}  // namespace

std::unique_ptr<Stepper> make_automatic(MotionEquations& f, double tol) {
  return std::make_unique<Automatic>(f, dop853_table, tol, true);
}
std::unique_ptr<Stepper> make_watched(MotionEquations& f, const ExplicitTable& table, double tol) {
  return std::make_unique<Automatic>(f, table, tol, false);
}

}  // namespace jounce
