// SPDX-License-Identifier: BSD-3-Clause
// Taylor's method: the motion as polynomials of time, from the dynamics of higher order.
//
// One series a step gives v to degree K and q to K + 1. A step is as long as its last two terms
// stay below the tolerance (two, because one may vanish by symmetry). The series does not see a law
// that changes within the step, such as friction near standstill, but the next series begins with
// the acceleration at its end: where that is not the slope of the polynomial there, the step is
// repeated at half its length. The order K = ln(1/tol) costs least where a series costs nearly K.
#include <algorithm>
#include <cmath>
#include <jounce/integrators/coordinate_polynomials.hpp>

#include "linear_algebra/vectors.hpp"
#include "simulation/stepper.hpp"

namespace jounce {
namespace {

constexpr double guard = 300;  ///< tolerances by which slopes may differ

/// The motion about a state.
struct Expansion {
  Expansion(const MotionEquations& f, int order)
      : t(NAN),
        start_q(size_t(f.nq())),
        start_v(size_t(f.nv())),
        v(start_v.size() * size_t(order + 1)),
        q(start_q.size() * size_t(order + 2)) {}

  double t;
  std::vector<double> start_q, start_v;
  std::vector<double> v, q;  ///< coefficients, column by column
};

class TaylorStepper final : public Stepper {
 public:
  TaylorStepper(MotionEquations& f, int order, double tol)
      : Stepper(f, tol),
        K_(order),
        here_(f, order),
        next_(f, order),
        scratch_(size_t(polynomial_scratch * (order + 2))) {}

  double attempt(const SimulationState& x, double h) override {
    expand(x.t, x.q.data(), x.v.data(), here_);
    inside(x, h, 1, q1_.data(), v1_.data());
    if (fixed_) return 0;
    expand(x.t + h, q1_.data(), v1_.data(), next_);
    const int n = f_.nv();
    double worst = 0;
    for (int j = 0; j < n; ++j) {
      double slope = 0;
      for (int k = K_; k >= 1; --k) slope = slope * h + k * here_.v[size_t(n * k + j)];
      const double off = std::abs(next_.v[size_t(n + j)] - slope) / (1 + std::abs(v1_[size_t(j)]));
      if (!(off <= worst)) worst = off;
    }
    return h * worst / (guard * tol_);
  }
  void inside(const SimulationState&, double h, double theta, double* q, double* v) override {
    const double s = theta * h;
    evaluate(here_.q, f_.nq(), K_ + 1, s, q);
    evaluate(here_.v, f_.nv(), K_, s, v);
    f_.robot().normalize({q, size_t(f_.nq())});
  }
  void accept(SimulationState& x, double h) override {
    Stepper::accept(x, h);
    if (!fixed_) std::swap(here_, next_);
  }

  void forget() override { here_.t = next_.t = NAN; }
  std::string why_not() const override { return f_.why_no_series(); }

  double first_step(const SimulationState& x) override {
    expand(x.t, x.q.data(), x.v.data(), here_);
    return reach(here_);
  }
  double next_step(const SimulationState&, double h, double ratio) const override {
    return ratio <= 1 ? reach(next_) : h / 2;
  }

 private:
  /// The series at a state, which may be known.
  void expand(double t, const double* q, const double* v, Expansion& to) {
    const int n = f_.nv();
    if (to.t == t && std::equal(to.start_q.begin(), to.start_q.end(), q) &&
        std::equal(to.start_v.begin(), to.start_v.end(), v))
      return;
    to.t = NAN;
    f_.series(t, q, v, K_, to.v.data());
    double factorial = 1;
    for (int k = 2; k <= K_; ++k) {
      factorial *= k;
      dense::scale(n, 1 / factorial, to.v.data() + n * k);
    }
    std::copy_n(q, f_.nq(), to.q.data());
    for (const Factor& part : f_.factors())
      extend_polynomials(part, K_, {to.v.data() + part.v, n}, {to.q.data() + part.q, f_.nq()},
                         scratch_.data());
    std::copy_n(q, f_.nq(), to.start_q.data());
    std::copy_n(v, n, to.start_v.data());
    to.t = t;
  }
  static void evaluate(const std::vector<double>& terms, int n, int degree, double s, double* out) {
    std::copy_n(terms.data() + n * degree, n, out);
    for (int k = degree - 1; k >= 0; --k)
      for (int j = 0; j < n; ++j) out[j] = out[j] * s + terms[size_t(n * k + j)];
  }
  /// How far the last two terms stay below the tolerance.
  double reach(const Expansion& e) const {
    const int n = f_.nv();
    double h = std::numeric_limits<double>::infinity();
    for (int k = K_ - 1; k <= K_; ++k) {
      double largest = 0;
      for (int j = 0; j < n; ++j)
        largest =
            std::max(largest, std::abs(e.v[size_t(n * k + j)]) / (1 + std::abs(e.v[size_t(j)])));
      if (largest > 0) h = std::min(h, std::pow(tol_ / largest, 1.0 / k));
    }
    return h;
  }

  int K_;
  Expansion here_, next_;
  std::vector<double> scratch_;
};

}  // namespace

std::unique_ptr<Stepper> make_taylor(MotionEquations& f, int order, double tol) {
  return std::make_unique<TaylorStepper>(f, order, tol);
}

}  // namespace jounce
