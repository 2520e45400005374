// SPDX-License-Identifier: BSD-3-Clause
// Speed of the group layer, with flops counted by running the same template on Counting.
#include <jounce/group/inertia.hpp>
#include <jounce/scalar/counting.hpp>

#include "benchmarks/bench.hpp"
#include "benchmarks/pack_kernels.hpp"

namespace jounce::bench {
namespace {

/// One set of arguments for all operations, in any kind of number.
template <class Real>
struct Arguments {
  Twist<Real> X{{Real(0.3), Real(-0.8), Real(0.5)}, {Real(1.0), Real(0.2), Real(-0.7)}};
  Twist<Real> V{{Real(-0.1), Real(0.4), Real(0.9)}, {Real(0.6), Real(-1.1), Real(0.3)}};
  Wrench<Real> F{{Real(2), Real(-1), Real(0.5)}, {Real(3), Real(1), Real(-4)}};
  SE3<Real> T = exp(X);
  Inertia<Real> G{Real(2),
                  {Real(0.1), Real(0.2), Real(-0.3)},
                  {Real(1.0), Real(0.1), Real(1.2), Real(0.05), Real(0.02), Real(0.9)}};
  ArticulatedInertia<Real> IA{G};
};

/// Times f on double and counts its flops; f takes Arguments<Real> and returns its result.
template <class F>
Row group_row(const char* algorithm, F f) {
  Arguments<double> a;
  const double ns = nanoseconds([&] {
    keep(a);
    auto result = f(a);
    keep(result);
  });
  Arguments<Counting> counted;
  const FlopCount flops = count_flops([&] { (void)f(counted); });
  return with_peak({.robot = "", .algorithm = algorithm, .ns = ns, .flops = double(flops.total())});
}

Row exp_in_lanes() {
  constexpr int states = 64;
  double x[6 * states], y[12 * states];
  for (int k = 0; k < 6 * states; ++k) x[k] = 0.01 * k - 1.5;
  const double ns = nanoseconds([&] {
    pack_kernels().exp_double(states, x, y);
    keep(y);
  });
  Arguments<Counting> a;
  const FlopCount flops = count_flops([&] { (void)exp(a.X); });
  return with_peak({.robot = "",
                    .algorithm = "exp-se3",
                    .mode = "batch64",
                    .lanes = 8,
                    .ns = ns / states,
                    .flops = double(flops.total())});
}

}  // namespace

std::vector<Row> groups() {
  return {group_row("exp-se3", [](const auto& a) { return exp(a.X); }),
          exp_in_lanes(),
          group_row("log-se3", [](const auto& a) { return log(a.T); }),
          group_row("pose-product", [](const auto& a) { return a.T * a.T; }),
          group_row("Ad", [](const auto& a) { return Ad(a.T, a.V); }),
          group_row("dual_Ad", [](const auto& a) { return dual_Ad(a.T, a.F); }),
          group_row("ad", [](const auto& a) { return ad(a.X, a.V); }),
          group_row("dexp_body-se3", [](const auto& a) { return dexp_body(a.X, a.V); }),
          group_row("dexp_body_inv-se3", [](const auto& a) { return dexp_body_inv(a.X, a.V); }),
          group_row("inertia-times-twist", [](const auto& a) { return a.G * a.V; }),
          group_row("push_forward-10", [](const auto& a) { return push_forward(a.T, a.G); }),
          group_row("push_forward-21", [](const auto& a) { return push_forward(a.T, a.IA); }),
          group_row("solve-21", [](const auto& a) { return solve(a.IA, a.F); })};
}

}  // namespace jounce::bench
