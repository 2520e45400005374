// SPDX-License-Identifier: BSD-3-Clause
// Tour, chapter "Kinds of number": packs, series and dual numbers against what they must equal.
#include <jounce/cpu.hpp>
#include <jounce/scalar/dual.hpp>
#include <jounce/scalar/pack.hpp>
#include <jounce/scalar/taylor.hpp>
#include <string>

#include "apps/jounce/tour/chapters.hpp"
#include "report/plot.hpp"

namespace jounce::app {
namespace {

/// |computed - exact| in units of the last place of exact.
double ulp_error(double computed, long double exact) {
  const double magnitude = std::abs(static_cast<double>(exact));
  const double ulp = std::nextafter(magnitude, 1e308) - magnitude;
  return static_cast<double>(std::abs(static_cast<long double>(computed) - exact)) / ulp;
}

/// The largest error of the packs' sine and cosine per decade of the argument.
report::Series sincos_errors() {
  report::Series worst{.name = "worst of 8000 per decade", .mark = report::Mark::line_scatter};
  double x[8], s[8], c[8];
  for (int decade = -8; decade < 6; ++decade) {
    double error = 0;
    for (int k = 0; k < 1000; ++k) {
      for (int lane = 0; lane < 8; ++lane)
        x[lane] = std::pow(10.0, decade + (k * 8 + lane + 0.5) / 8000.0);
      const auto y = sincos(Pack<double, 8>::load(x));
      y.sin.store(s);
      y.cos.store(c);
      for (int lane = 0; lane < 8; ++lane) {
        error = std::max(error, ulp_error(s[lane], std::sin(static_cast<long double>(x[lane]))));
        error = std::max(error, ulp_error(c[lane], std::cos(static_cast<long double>(x[lane]))));
      }
    }
    worst.x.push_back(std::pow(10.0, decade + 0.5));
    worst.y.push_back(error);
  }
  return worst;
}

/// Relative error of the 12th derivative of exp(sin t) at t = 0.3, by series, against 20 digits.
double series_error() {
  using Series12 = Taylor<double, 12>;
  const Series12 y = exp(sin(Series12::line(0.3, 1.0)));
  double derivative = y.c[12];
  for (int k = 2; k <= 12; ++k) derivative *= k;
  const double exact = [] {  // the same by Bell's recurrence in long double
    long double f[13] = {std::exp(std::sin(0.3L))}, g[13];
    for (int k = 0; k <= 12; ++k)
      g[k] = k % 4 == 0   ? std::sin(0.3L)
             : k % 4 == 1 ? std::cos(0.3L)
             : k % 4 == 2 ? -std::sin(0.3L)
                          : -std::cos(0.3L);
    for (int n = 1; n <= 12; ++n) {
      long double binomial = 1;
      for (int k = 0; k < n; ++k) {
        f[n] += binomial * g[k + 1] * f[n - 1 - k];
        binomial = binomial * (n - 1 - k) / (k + 1);
      }
    }
    return static_cast<double>(f[12]);
  }();
  return std::abs(derivative - exact) / std::abs(exact);
}

/// Error of d2/dx dy of x^2 sin(y)/(1 + x y) by nested dual numbers against the closed form.
double dual_error() {
  using D = Dual<Dual<double, 1>, 1>;
  const double x = 0.7, y = 0.4;
  const D u(Dual<double, 1>::variable(x, 0)), w = D::variable(Dual<double, 1>(y), 0);
  const double mixed = (u * u * sin(w) / (1.0 + u * w)).d[0].d[0];
  const double n = 1 + x * y, s = std::sin(y), c = std::cos(y);
  const double exact = 2 * x * c / n - x * x * y * c / (n * n) - 3 * x * x * s / (n * n) +
                       2 * x * x * x * y * s / (n * n * n);
  return std::abs(mixed - exact);
}

}  // namespace

report::Chapter tour_numbers() {
  const report::Series errors = sincos_errors();
  double worst = 0;
  for (const double e : errors.y) worst = std::max(worst, e);
  const report::Plot plot{
      .title = "Error of the packs' sine and cosine",
      .x = {.label = "argument", .unit = "rad", .log = true},
      .y = {.label = "error", .unit = "ulp", .range = report::Range{0, 2}},
      .series = {errors},
  };
  return {
      .title = "Kinds of number",
      .id = "numbers",
      .blocks = {
          report::Paragraph{"Every algorithm is one template that runs on double, float, packs "
                            "of lanes, power series in time and dual numbers. This processor "
                            "uses the " +
                            std::string(name(best_isa())) + " kernels."},
          report::Checks{
              {report::at_most("sine and cosine of packs, ulp", worst, 2.0),
               report::at_most("12th derivative by series, relative", series_error(), 1e-13),
               report::at_most("mixed second derivative by dual numbers", dual_error(), 1e-15)}},
          report::Figure{report::both_widths(plot), "Largest error against long double."}}};
}

}  // namespace jounce::app
