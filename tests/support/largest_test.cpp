// SPDX-License-Identifier: BSD-3-Clause
// What is no number, or infinite, makes the comparisons of the tests fail.
#include "support/largest.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <jounce/io.hpp>

#include "support/near.hpp"
#include "support/within.hpp"

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

TEST(Within, LooksAtEveryEntryAndPrintsTheWorst) {
  const Eigen::MatrixXd expected = Eigen::MatrixXd::Constant(2, 3, 1);
  Eigen::MatrixXd x = expected;
  EXPECT_TRUE(within(0, x, expected));
  x(0, 1) = 1.25, x(1, 2) = 1.5;
  EXPECT_TRUE(within(0.5, x, expected));
  const auto verdict = within(0.25, x, expected, 7);
  EXPECT_FALSE(verdict);
  EXPECT_STREQ(verdict.message(),
               "seed 7: entry (1, 2): found 1.5, expected 1, apart 0.5, tolerance 0.25");
  EXPECT_FALSE(within(NAN, x, expected));
  EXPECT_FALSE(within(1, x, expected.leftCols(2)));
  for (const double bad : {double(NAN), double(INFINITY)}) {
    x(0, 1) = bad;
    EXPECT_FALSE(within(1, x, expected));
    EXPECT_FALSE(within(1, x, x));
  }
}

TEST(Near, RefusesWhatIsNotFinite) {
  const Vec3<double> expected{1, 2, 3};
  EXPECT_TRUE(near(expected, expected, 0));
  EXPECT_FALSE(near(Vec3<double>{1, NAN, 3}, expected, 1));
  EXPECT_FALSE(near(Vec3<double>{1, INFINITY, 3}, expected, 1));
  EXPECT_FALSE(near(Vec3<double>{INFINITY, NAN, 3}, expected, 1));
}

TEST(Within, NamesRobotSeedEntryAndJoint) {
  const Robot arm = load("builtin:arm7");
  Eigen::VectorXd found = Eigen::VectorXd::Constant(7, 1), expected = found;
  found[2] = 1.5, found[5] = 1.25;
  EXPECT_TRUE(within(0.5, found, expected, arm, 3));
  EXPECT_EQ(std::string(within(0.125, found, expected, arm, 3).message()),
            "robot \"arm7\", seed 3: entry (2, 0), joint \"joint_3\": found 1.5, expected 1, apart "
            "0.5, tolerance 0.125");
  expected[0] = NAN;
  EXPECT_FALSE(within(1, found, expected, arm, 3));
  EXPECT_EQ(std::string(within(0, found, expected.head(6), arm, 3).message()),
            "robot \"arm7\", seed 3: found 7 x 1, expected 6 x 1");
  const Eigen::MatrixXd M = Eigen::MatrixXd::Identity(7, 7);
  EXPECT_EQ(std::string(within(0, M, Eigen::MatrixXd::Zero(7, 7), arm, 3).message()),
            "robot \"arm7\", seed 3: entry (0, 0), joint \"joint_1\", joint \"joint_1\": found 1, "
            "expected 0, apart 1, tolerance 0");
}

}  // namespace
}  // namespace jounce::test
