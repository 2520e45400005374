// SPDX-License-Identifier: BSD-3-Clause
// Tests of the ticks of plots: 1-2-5, enclosing the data, with exact labels.
#include "report/axes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

namespace jounce::report {
namespace {

// The mantissa 1, 2 or 5 of a step, or what it is instead.
double mantissa(double step) {
  const double value = step / std::pow(10, std::floor(std::log10(step) + 1e-9));
  return std::round(value * 1e6) / 1e6;
}

TEST(Ticks, AreMultiplesOfOneTwoOrFiveAndEncloseTheData) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> exponent(-12, 12);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int trial = 0; trial < 2000; ++trial) {
    const double a = unit(random) * std::pow(10, exponent(random));
    const double b = a + std::abs(a) * std::pow(10, exponent(random) / 4);
    const Scale scale = make_scale({}, Range{a, b}, 6);
    ASSERT_GE(scale.ticks.size(), 3U) << a << " " << b;
    ASSERT_LE(scale.ticks.size(), 12U) << a << " " << b;
    const double step = scale.ticks[1].value - scale.ticks[0].value;
    const double m = mantissa(step);
    EXPECT_TRUE(m == 1 || m == 2 || m == 5) << a << " " << b << " step " << step;
    EXPECT_LE(scale.ticks.front().value, a + 1e-6 * step);
    EXPECT_GE(scale.ticks.back().value, b - 1e-6 * step);
    EXPECT_GT(scale.ticks[1].value, a);
    EXPECT_LT(scale.ticks[scale.ticks.size() - 2].value, b);
    EXPECT_NEAR(std::remainder(scale.ticks[1].value, step) / step, 0, 1e-6);
  }
}

TEST(Ticks, HaveExactDecimalLabels) {
  const auto labels = [](const Axis& axis, const Range& data) {
    std::string all;
    for (const Tick& tick : make_scale(axis, data, 5).ticks) all += tick.label + " ";
    return all;
  };
  EXPECT_EQ(labels({}, {0, 1}), "0.0 0.2 0.4 0.6 0.8 1.0 ");
  EXPECT_EQ(labels({}, {-0.3, 0.3}), "−0.3 −0.2 −0.1 0.0 0.1 0.2 0.3 ");
  EXPECT_EQ(labels({}, {0, 10.000000000000002}), "0 2 4 6 8 10 ");
  EXPECT_EQ(labels({}, {0, 4e-7}), "0 100 200 300 400 ");
  EXPECT_EQ(labels({.log = true}, {3, 40}), "2 5 10 20 50 ");
  EXPECT_EQ(labels({.log = true}, {1e-4, 1e0}), "10⁻⁴ 10⁻³ 10⁻² 10⁻¹ 10⁰ ");
  EXPECT_EQ(labels({.range = Range{0.5, 2.5}}, {0, 9}), "0.5 1.0 1.5 2.0 2.5 ");
  EXPECT_EQ(labels({.log = true, .range = Range{1.1, 1.3}}, {}), "1.10 1.15 1.20 1.25 1.30 ");
}

TEST(Ticks, LogRangesEncloseTheDataAtAnySpan) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> exponent(-30, 30);
  for (int trial = 0; trial < 2000; ++trial) {
    const double a = std::pow(10, exponent(random));
    const double b = a * std::pow(10, std::abs(exponent(random)) / (1 + trial % 9));
    const Scale scale = make_scale({.log = true}, Range{a, b}, 6);
    EXPECT_LE(scale.range.min, a * (1 + 1e-8));
    EXPECT_GE(scale.range.max, b * (1 - 1e-8));
    ASSERT_GE(scale.ticks.size(), 2U) << a << " " << b;
    ASSERT_LE(scale.ticks.size(), 12U) << a << " " << b;
    for (const Tick& tick : scale.ticks) {
      const double m = mantissa(tick.value);
      EXPECT_TRUE(m == 1 || m == 2 || m == 5) << tick.label;
    }
  }
}

}  // namespace
}  // namespace jounce::report
