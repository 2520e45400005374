// SPDX-License-Identifier: BSD-3-Clause
// Explicit Runge-Kutta methods: error control, dense output, and whether the motion is stiff.
//
// Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I: step control (II.4), DOP853's
// error from two estimates (II.10); stiffness by the quotient of the last two stages, both at the
// end of the step (IV.2 of the second volume).
#include <algorithm>
#include <cmath>
#include <jounce/integrators/explicit_rk.hpp>

#include "linear_algebra/vectors.hpp"
#include "simulation/stepper.hpp"

namespace jounce {
namespace {

/// The equations with their factors in runs.
struct StageEquations {
  MotionEquations& f;
  std::vector<Factor> runs = in_runs(f.factors());

  int nq() const { return f.nq(); }
  int nv() const { return f.nv(); }
  std::span<const Factor> factors() const { return runs; }
  void acceleration(double t, double* q, double* v, double* a) { f.acceleration(t, q, v, a); }
};

class ExplicitStepper final : public Stepper {
 public:
  ExplicitStepper(MotionEquations& f, const ExplicitTable& table, double tol)
      : Stepper(f, tol),
        table_(table),
        stages_{f},
        q_(size_t(f_.nq())),
        u_(size_t(f_.nv())),
        v_(u_),
        du_(u_.size() * size_t(table.stages + table.dense_stages)),
        dv_(du_),
        u1_(u_),
        dense_u_(u_.size() * size_t(3 + table.dense_rows)),
        dense_v_(dense_u_) {
    if (table.error == nullptr) fix_steps();
  }

  double attempt(const SimulationState& x, double h) override {
    if (x.has_a) std::copy(x.a.begin(), x.a.end(), dv_.begin());
    explicit_step(table_, stages_, x.t, h, x.q.data(), x.v.data(), x.has_a, room());
    q_.swap(q1_), u_.swap(u1_), v_.swap(v1_);
    has_a1_ = table_.last_at_end;
    if (has_a1_) std::copy_n(stage(dv_, table_.stages - 1), f_.nv(), a1_.begin());
    dense_ready_ = false;
    return table_.error == nullptr ? 0 : error(x, h);
  }

  void inside(const SimulationState& x, double h, double theta, double* q, double* v) override {
    if (!dense_ready_) prepare_dense(x, h);
    const int n = f_.nv();
    for (int k = 0; k < n; ++k) {
      u_[size_t(k)] = nested(dense_u_.data() + k, theta);
      v[k] = x.v[size_t(k)] + nested(dense_v_.data() + k, theta);
    }
    move_along(f_.factors(), x.q.data(), u_.data(), q);
  }

  double first_step(const SimulationState&) override {
    return 0.1 * std::pow(tol_, 1.0 / table_.order);
  }
  double next_step(const SimulationState& x, double h, double ratio) const override {
    const double power = 1.0 / table_.order, error = std::max(ratio, 1e-10);
    if (!(ratio <= 1))
      return h * (std::isfinite(ratio) ? std::max(0.2, 0.9 * std::pow(error, -power)) : 0.1);
    const double factor = 0.9 * std::pow(error, -0.7 * power) * std::pow(x.last_ratio, 0.4 * power);
    return h * std::clamp(factor, 0.2, 5.0);
  }

  double stiffness(const SimulationState& x, double h) override {
    if (table_.stiff == 0) return 0;
    const int n = f_.nv(), last = table_.stages - 1;
    combine_stages(n, table_.row(last - 1), last - 1, h, x.v.data(), room());
    double change = 0, apart = 0;
    for (int k = 0; k < n; ++k) {
      const double da = stage(dv_, last)[k] - stage(dv_, last - 1)[k];
      const double dv = v1_[size_t(k)] - v_[size_t(k)];
      change += da * da, apart += dv * dv;
    }
    return apart > 0 ? h * std::sqrt(change / apart) / table_.stiff : 0;
  }

 private:
  StageRoom<double> room() { return {q_.data(), u_.data(), v_.data(), du_.data(), dv_.data()}; }
  double* stage(std::vector<double>& rates, int i) { return rates.data() + f_.nv() * i; }

  double error(const SimulationState& x, double h) {
    const double found = weighted(table_.error, h, x);
    if (table_.error_low == nullptr) return found;
    const double low = weighted(table_.error_low, h, x);
    return low > 0 || found > 0 ? found * found / std::sqrt(found * found + 0.01 * low * low) : 0;
  }
  double weighted(const double* weights, double h, const SimulationState& x) {
    const int n = f_.nv();
    std::fill(u_.begin(), u_.end(), 0);
    std::fill(v_.begin(), v_.end(), 0);
    for (int i = 0; i < table_.stages; ++i) {
      dense::add_multiple(n, h * weights[i], stage(du_, i), u_.data());
      dense::add_multiple(n, h * weights[i], stage(dv_, i), v_.data());
    }
    return in_tolerances(u_.data(), v_.data(), x.v.data());
  }

  /// D, F_1, F_2, ... (tables.hpp), n numbers each.
  void prepare_dense(const SimulationState& x, double h) {
    const int n = f_.nv();
    for (int i = 0; i < table_.dense_stages; ++i)
      evaluate_stage(table_, table_.stages + i, stages_, x.t, h, x.q.data(), x.v.data(), room());
    if (!has_a1_) {
      std::copy(q1_.begin(), q1_.end(), q_.begin());
      std::copy(v1_.begin(), v1_.end(), v_.begin());
      f_.acceleration(x.t + h, q_.data(), v_.data(), a1_.data());
      has_a1_ = true;
    }
    tangent_rate(f_.factors(), u1_.data(), v1_.data(), v_.data());
    for (int k = 0; k < n; ++k) {
      const auto j = size_t(k);
      hermite(u1_[j], h * x.v[j], h * v_[j], dense_u_.data() + k);
      hermite(v1_[j] - x.v[j], h * dv_[j], h * a1_[j], dense_v_.data() + k);
    }
    const int all = table_.stages + table_.dense_stages;
    for (int row = 0; row < table_.dense_rows; ++row) {
      double *u = dense_u_.data() + n * (3 + row), *v = dense_v_.data() + n * (3 + row);
      std::fill_n(u, n, 0.0);
      std::fill_n(v, n, 0.0);
      for (int i = 0; i < all; ++i) {
        dense::add_multiple(n, h * table_.dense[all * row + i], stage(du_, i), u);
        dense::add_multiple(n, h * table_.dense[all * row + i], stage(dv_, i), v);
      }
    }
    dense_ready_ = true;
  }
  void hermite(double change, double first, double last, double* to) const {
    to[0] = change, to[f_.nv()] = first - change, to[2 * f_.nv()] = 2 * change - first - last;
  }
  double nested(const double* from, double theta) const {
    double sum = 0;
    for (int row = 2 + table_.dense_rows; row >= 0; --row)
      sum = (sum + from[f_.nv() * row]) * (row % 2 == 0 ? theta : 1 - theta);
    return sum;
  }

  const ExplicitTable& table_;
  StageEquations stages_;
  std::vector<double> q_, u_, v_, du_, dv_;  ///< of stages
  std::vector<double> u1_;                   ///< the step along the tangent
  std::vector<double> dense_u_, dense_v_;    ///< [3 + rows][nv]
  bool dense_ready_ = false;
};

}  // namespace

std::unique_ptr<Stepper> make_explicit(MotionEquations& f, const ExplicitTable& table, double tol) {
  return std::make_unique<ExplicitStepper>(f, table, tol);
}

}  // namespace jounce
