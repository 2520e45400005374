// SPDX-License-Identifier: BSD-3-Clause
// Gauss-Newton and Levenberg-Marquardt on the charts of SE(3).  [Xie] Algorithms A1, A2
#include <jounce/stewart/methods.hpp>

#include "linear_algebra/elimination.hpp"
#include "stewart/charts.hpp"
#include "stewart/line_search.hpp"
#include "stewart/stewart_checks.hpp"

namespace jounce {
namespace {

using namespace stewart_detail;

template <int N>
double norm_of(const double (&x)[N]) {
  double sum = 0;
  for (const double part : x) sum += part * part;
  return std::sqrt(sum);
}

template <class Chart>
double residual_norm(const Chart& chart, const typename Chart::State& state) {
  double r[Chart::n];
  chart.residual(state, r);
  return norm_of(r);
}

/// What both methods hold: the state, its residuals and their Jacobian.
template <class Chart>
struct Iterate {
  static constexpr int n = Chart::n;
  const Chart& chart;
  const StewartMethodOptions& options;
  std::vector<StewartIteration>* trace;
  typename Chart::State state;
  double r[n], g[n];
  Matrix<double, n, n> J;
  double g_floor = 0;
  StewartMethodResult result;

  Iterate(const Chart& chart_, const SE3<double>& start, const StewartMethodOptions& options_,
          std::vector<StewartIteration>* trace_)
      : chart(chart_), options(options_), trace(trace_), state(chart.start(start)) {
    linearise();
  }

  void linearise() {
    chart.linearise(state, r, J);
    double largest = 0, scale = 0;
    for (const double L : chart.L) scale = std::max(scale, L * L);
    for (int j = 0; j < n; ++j) {
      g[j] = 0;
      for (int i = 0; i < n; ++i) {
        g[j] += J(i, j) * r[i];
        largest = std::max(largest, std::abs(J(i, j)));
      }
    }
    g_floor = options.gradient_tolerance * largest * scale;
  }
  bool stationary() {
    double most = 0;
    for (const double part : g) most = std::max(most, std::abs(part));
    return most <= g_floor && stop(StewartStop::gradient);
  }
  bool stop(StewartStop why) {
    result.stop = why;
    return true;
  }
  void record(double factor, const double (&step)[n], bool accepted) {
    if (trace != nullptr)
      trace->push_back({chart.pose(state), norm_of(r), factor, chart.size(step), accepted});
  }
};

/// How far to go along a step.
template <class Chart>
StepFactor falling_factor(const Iterate<Chart>& at, const double (&step)[Chart::n]) {
  const double before = norm_of(at.r);
  const auto norm_at = [&](double factor) {
    double part[Chart::n];
    for (int k = 0; k < Chart::n; ++k) part[k] = factor * step[k];
    return residual_norm(at.chart, at.chart.moved(at.state, part));
  };
  const auto falls = [&](double alpha) {
    const double half = norm_at(alpha / 2);
    return half <= before && norm_at(alpha) <= half;  // (27)
  };
  const StewartMethodOptions& o = at.options;
  return step_factor(o.line_search, o.step_factor, o.least_factor, falls);
}

template <class Chart>
StewartMethodResult gauss_newton(Iterate<Chart> at) {
  constexpr int n = Chart::n;
  bool found = at.stationary();
  while (!found && at.result.iterations < at.options.max_iterations) {
    ++at.result.iterations;
    double step[n], minus_r[n];
    for (int k = 0; k < n; ++k) minus_r[k] = -at.r[k];
    dense::Elimination<n>(at.J).solve(minus_r, step);  // (26)
    if (!(at.chart.size(step) > at.options.step_tolerance)) {
      found = at.stop(StewartStop::small_step);
      continue;
    }
    const auto [alpha, endless] = falling_factor(at, step);
    if (endless || alpha <= at.options.least_factor) {
      at.record(alpha, step, false);
      found = at.stop(endless ? StewartStop::endless_search : StewartStop::no_descent);
      continue;
    }
    at.record(alpha, step, true);
    for (double& part : step) part *= alpha;
    at.state = at.chart.moved(at.state, step);  // (28)
    at.linearise();
    found = at.stationary();
  }
  at.result.pose = at.chart.pose(at.state);
  return at.result;
}

/// A = J^T J, and what mu is multiplied by in each row of A + mu D.
template <class Chart>
struct Damped {
  static constexpr int n = Chart::n;
  Matrix<double, n, n> A;
  double D[n];
  double largest = 0;  ///< of A_kk / D_k

  explicit Damped(const Iterate<Chart>& at) : A(transpose(at.J) * at.J) {
    const StewartScaling scaling = at.options.scaling;
    double most = 0;
    for (int k = 0; k < n; ++k) most = std::max(most, A(k, k));
    for (int k = 0; k < n; ++k) {
      const double unit = scaling == StewartScaling::none ? 1 : at.chart.unit(k);
      D[k] = scaling == StewartScaling::diagonal ? std::max(A(k, k), 1e-30 * most) : unit * unit;
      largest = std::max(largest, A(k, k) / D[k]);
    }
  }
  /// (A + mu D) s = -g
  void solve(double mu, const double (&g)[n], double (&step)[n]) const {
    Matrix<double, n, n> damped = A;
    double minus_g[n];
    for (int k = 0; k < n; ++k) damped(k, k) += mu * D[k], minus_g[k] = -g[k];
    dense::Elimination<n>(damped).solve(minus_g, step);
  }
  /// L(0) - L(s) = s.(mu D s - g) / 2
  double predicted(double mu, const double (&g)[n], const double (&step)[n]) const {
    double sum = 0;
    for (int k = 0; k < n; ++k) sum += 0.5 * step[k] * (mu * D[k] * step[k] - g[k]);
    return sum;
  }
};

template <class Chart>
StewartMethodResult levenberg_marquardt(Iterate<Chart> at) {
  constexpr int n = Chart::n;
  Damped<Chart> system(at);
  double mu = at.options.damping * system.largest, nu = 2;
  bool found = at.stationary();
  while (!found && at.result.iterations < at.options.max_iterations) {
    ++at.result.iterations;
    double step[n];
    system.solve(mu, at.g, step);
    if (!(at.chart.size(step) > at.options.step_tolerance)) {
      found = at.stop(StewartStop::small_step);
      continue;
    }
    const auto next = at.chart.moved(at.state, step);
    const double old_norm = norm_of(at.r), new_norm = residual_norm(at.chart, next);
    const double rho =
        0.5 * (old_norm * old_norm - new_norm * new_norm) / system.predicted(mu, at.g, step);
    at.record(mu, step, rho > 0);
    if (rho > 0) {
      at.state = next;
      at.linearise();
      system = Damped<Chart>(at);
      found = at.stationary();
      const double d = 2 * rho - 1;
      mu *= std::max(1.0 / 3, 1 - d * d * d);
      nu = 2;
    } else {
      mu *= nu;
      nu *= 2;
    }
  }
  at.result.pose = at.chart.pose(at.state);
  return at.result;
}

void check(const SixNumbers& lengths, const StewartMethodOptions& o) {
  check_lengths("solve_pose", lengths);
  if (!(o.step_factor > 0 && o.step_factor <= 1))
    refuse("solve_pose", "step_factor is " + short_text(o.step_factor) + ", needs (0, 1]");
  if (!(o.damping > 0) || std::isinf(o.damping))
    refuse("solve_pose", "damping is " + short_text(o.damping) + ", needs a positive number");
  if (o.max_iterations < 0) refuse("solve_pose", "max_iterations must not be negative");
  for (const double tolerance :
       {o.gradient_tolerance, o.step_tolerance, o.least_factor, o.length_tolerance})
    if (!(tolerance > 0)) refuse("solve_pose", "tolerances must be positive");
}

/// The sum of squares of squared lengths must not overflow.
void check_size(const Stewart& platform, const SixNumbers& lengths, const SE3<double>& start) {
  double largest = norm(start.p);
  for (size_t i = 0; i < 6; ++i)
    largest =
        std::max({largest, lengths[i], norm(platform.base()[i]), norm(platform.platform()[i])});
  if (largest > 1e60) refuse("solve_pose", "lengths and coordinates must be below 1e60");
}

template <class Chart>
StewartMethodResult run(const Chart& chart, const SE3<double>& start,
                        const StewartMethodOptions& options, std::vector<StewartIteration>* trace) {
  Iterate<Chart> at(chart, start, options, trace);
  return options.method == StewartMethod::gauss_newton ? gauss_newton(std::move(at))
                                                       : levenberg_marquardt(std::move(at));
}

}  // namespace

StewartMethodResult solve_pose(const Stewart& platform, const SixNumbers& lengths,
                               const SE3<double>& start, const StewartMethodOptions& options,
                               std::vector<StewartIteration>* trace) {
  check(lengths, options);
  check_pose("solve_pose", start);
  check_size(platform, lengths, start);
  StewartMethodResult result;
  const bool scaled = options.scaling != StewartScaling::none;
  const double weight = scaled ? platform.size() * platform.size() : 1;
  if (options.chart == StewartChart::se3)
    result = run(Se3Chart{platform, lengths, options.increment}, start, options, trace);
  else if (options.chart == StewartChart::quaternion)
    result = run(FlatChart<QuaternionMap>{platform, lengths, weight}, start, options, trace);
  else result = run(FlatChart<EulerMap>{platform, lengths}, start, options, trace);
  const double longest = *std::max_element(lengths.begin(), lengths.end());
  for (size_t i = 0; i < 6; ++i)
    result.length_error = std::max(
        result.length_error,
        std::abs(norm(result.pose * platform.platform()[i] - platform.base()[i]) - lengths[i]));
  result.converged = result.length_error <= options.length_tolerance * longest;
  return result;
}

}  // namespace jounce
