// SPDX-License-Identifier: BSD-3-Clause
// Confidence intervals: known values, and how often they hold what they promise.
#include <gtest/gtest.h>

#include <cmath>
#include <jounce/stewart/estimate.hpp>

#include "support/message.hpp"
#include "support/random.hpp"

namespace jounce::test {
namespace {

TEST(Estimate, SharesOfWilson) {
  const Estimate none = share_of(0, 10), half = share_of(5, 10), all = share_of(10, 10);
  EXPECT_NEAR(none.low, 0, 1e-15);
  EXPECT_NEAR(none.high, 0.27753, 1e-5);  // z^2 / (n + z^2)
  EXPECT_NEAR(half.low, 0.23659, 1e-5);
  EXPECT_NEAR(half.high, 0.76341, 1e-5);
  EXPECT_NEAR(all.low, 1 - none.high, 1e-15);
  EXPECT_EQ(share_of(0, 0).high, 1);
}

TEST(Estimate, Means) {
  const double x[] = {1, 2, 3, 4};
  const Estimate e = mean_of(x);
  EXPECT_DOUBLE_EQ(e.value, 2.5);
  EXPECT_NEAR(e.high - e.value, 1.959964 * std::sqrt(5.0 / 3 / 4), 1e-6);
  EXPECT_TRUE(e.above_zero());
  EXPECT_EQ(mean_of({}).count, 0);
  EXPECT_FALSE(mean_of({}).below_zero());
}

/// 95 % of intervals hold the truth: shares, means and slopes of data made by known laws.
TEST(Estimate, IntervalsHoldWhatTheyPromise) {
  int share = 0, mean = 0, slope = 0;
  constexpr int rounds = 600, n = 100;
  for (int round = 0; round < rounds; ++round) {
    Random random(static_cast<std::uint64_t>(round) + 1);
    int right = 0;
    std::vector<double> y, a, b, noisy;
    for (int k = 0; k < n; ++k) {
      right += random.uniform(0, 1) < 0.3 ? 1 : 0;
      y.push_back(5 + random.normal());
      a.push_back(random.uniform(-1, 1));
      b.push_back(0.7 * a.back() + random.uniform(-1, 1));  // not independent of a
      noisy.push_back(2 * a.back() + random.normal() * (1 + std::abs(a.back())));
    }
    const Estimate s = share_of(right, n), m = mean_of(y);
    share += s.low <= 0.3 && 0.3 <= s.high ? 1 : 0;
    mean += m.low <= 5 && 5 <= m.high ? 1 : 0;
    const Estimate zero = slopes_of({a, b}, noisy)[1];  // b has no effect of its own
    slope += zero.low <= 0 && 0 <= zero.high ? 1 : 0;
  }
  for (const int held : {share, mean, slope}) {
    EXPECT_GT(held, 0.91 * rounds);  // White's intervals are a little short for 100 values
    EXPECT_LT(held, 0.98 * rounds);
  }
}

TEST(Estimate, SlopesOfAnExactLaw) {
  Random random(1);
  std::vector<double> a, b, twice, constant, y;
  for (int k = 0; k < 50; ++k) {
    a.push_back(random.uniform(-1, 1));
    b.push_back(random.uniform(0, 3));
    twice.push_back(2 * b.back());
    constant.push_back(4);
    y.push_back(2 * a.back() - 3 * b.back() + 7);
  }
  const auto deviation = [](const std::vector<double>& x) {
    double mean = 0, sum = 0;
    for (const double value : x) mean += value / double(x.size());
    for (const double value : x) sum += (value - mean) * (value - mean);
    return std::sqrt(sum / double(x.size() - 1));
  };
  const auto slopes = slopes_of({a, b}, y);
  // z has variance (n - 1) / n by division by n, so a slope is right to n / (n - 1).
  EXPECT_NEAR(slopes[0].value, 2 * deviation(a), 1e-10);
  EXPECT_NEAR(slopes[1].value, -3 * deviation(b), 1e-10);
  EXPECT_NEAR(slopes[1].high - slopes[1].low, 0, 1e-10);
  EXPECT_EQ(slopes_of({a, constant, b}, y)[1].value, 0);
  EXPECT_EQ(slopes_of({b, twice}, y)[1].value, 0);
  EXPECT_NEAR(correlation_of(b, twice), 1, 1e-12);
  EXPECT_EQ(correlation_of(b, constant), 0);
  EXPECT_EQ(message([&] {
              slopes_of({a, std::vector<double>{1}}, y);
            }),
            "slopes_of: columns of unequal length");
}

}  // namespace
}  // namespace jounce::test
