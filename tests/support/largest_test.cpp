// SPDX-License-Identifier: BSD-3-Clause
// What is no number, or infinite, makes the comparisons of the tests fail.
#include "support/largest.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/near.hpp"

namespace jounce::test {
namespace {

TEST(Largest, OfNumbersAndNoNumber) {
  EXPECT_EQ(worse(1.0, 2.0), 2);
  EXPECT_EQ(worse(2.0, 1.0), 2);
  EXPECT_TRUE(std::isnan(worse(1.0, double(NAN))));
  EXPECT_TRUE(std::isnan(worse(double(NAN), 1.0)));
  EXPECT_EQ(largest(Eigen::MatrixXd(0, 3)), 0);
  for (int k = 0; k < 35; ++k) {
    Eigen::MatrixXd x = Eigen::MatrixXd::Constant(5, 7, -1);
    x(k) = -3;
    EXPECT_EQ(largest(x), 3);
    x(k) = NAN;
    EXPECT_TRUE(std::isnan(largest(x))) << k;
  }
}

TEST(Near, RefusesWhatIsNotFinite) {
  const Vec3<double> expected{1, 2, 3};
  EXPECT_TRUE(near(expected, expected, 0));
  EXPECT_FALSE(near(Vec3<double>{1, NAN, 3}, expected, 1));
  EXPECT_FALSE(near(Vec3<double>{1, INFINITY, 3}, expected, 1));
  EXPECT_FALSE(near(Vec3<double>{INFINITY, NAN, 3}, expected, 1));
}

}  // namespace
}  // namespace jounce::test
