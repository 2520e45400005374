// SPDX-License-Identifier: BSD-3-Clause
// Intervals contain exact results (113-bit arithmetic is the judge), and stay narrow.
#include "stewart/interval.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "support/quad.hpp"
#include "support/random.hpp"

namespace jounce::stewart_detail {
namespace {

using test::Quad;

/// Ends from subnormal to huge, of both signs, sometimes zero.
double any_number(test::Random& random) {
  const double size = random.log_uniform(1e-300, 1e140);
  return random.uniform() < 0.05 ? 0 : random.sign() * size;
}

Interval any_interval(test::Random& random) {
  const double a = any_number(random), b = random.uniform() < 0.5 ? a : any_number(random);
  return {std::min(a, b), std::max(a, b)};
}

bool holds(const Interval& x, Quad exact) { return Quad(x.lower) <= exact && exact <= x.upper; }

TEST(Interval, HoldsSumsDifferencesAndProductsOfItsEnds) {
  test::Random random(1);
  for (int k = 0; k < 100000; ++k) {
    const Interval a = any_interval(random), b = any_interval(random);
    const Interval sum = a + b, difference = a - b, product = a * b;
    for (const Quad x : {Quad(a.lower), Quad(a.upper)})
      for (const Quad y : {Quad(b.lower), Quad(b.upper)}) {
        ASSERT_TRUE(holds(sum, x + y)) << k;
        ASSERT_TRUE(holds(difference, x - y)) << k;
        ASSERT_TRUE(holds(product, x * y)) << k;
      }
    ASSERT_TRUE(holds(-a, -Quad(a.lower))) << k;
  }
}

TEST(Interval, HoldsTheNeighboursOfARoundedResult) {
  for (const double x : {1.0, 1.5, 0x1.fffffffffffffp0, -1.0, 0x1p-1074, 0x1p-1022, -0x1p-1030}) {
    EXPECT_LE(below(x), std::nextafter(x, -1e300)) << x;
    EXPECT_GE(above(x), std::nextafter(x, 1e300)) << x;
  }
  EXPECT_LT(below(0), 0);
  EXPECT_GT(above(0), 0);
}

TEST(Interval, WidensByThreeUnitsAtMost) {
  test::Random random(2);
  for (int k = 0; k < 1000; ++k) {
    const double a = random.uniform(0.5, 2), b = random.uniform(0.5, 2);
    for (const Interval& x : {Interval(a) + b, Interval(a) * b})
      EXPECT_LE(x.upper - x.lower, 6 * test::ulp_at(x.lower));  // up to 3 on either side
  }
}

TEST(Interval, ProvesNothingWithNaN) {
  const Interval bad(std::numeric_limits<double>::quiet_NaN()), one(0, 1);
  EXPECT_FALSE(one.encloses(bad * one));
  EXPECT_FALSE(one.encloses(one * bad));
  EXPECT_FALSE(one.encloses(bad + one));
  EXPECT_FALSE((bad - one).encloses(one));
  const Interval infinite(-1e300, 1e300), zero(0);
  EXPECT_FALSE(one.encloses(infinite * infinite * zero));
}

}  // namespace
}  // namespace jounce::stewart_detail
