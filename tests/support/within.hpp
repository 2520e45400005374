// SPDX-License-Identifier: BSD-3-Clause
// Comparison of vectors and matrices. A failure prints the seed, the worst entry and both numbers;
// of a robot also its name and the entry's joints.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <jounce/model/robot.hpp>

#include "support/largest.hpp"

namespace jounce::test {

/// |found - expected| <= tolerance for every entry; what is no number is never within.
testing::AssertionResult within(double tolerance, const Eigen::MatrixXd& found,
                                const Eigen::MatrixXd& expected, std::uint64_t seed = 0);
testing::AssertionResult within(double tolerance, const Eigen::MatrixXd& found,
                                const Eigen::MatrixXd& expected, const Robot& robot,
                                std::uint64_t seed);

/// Of a case: a robot, and the random numbers that made it.
template <class Case>
requires requires(const Case& c) { c.robot, c.rng.seed(); }
testing::AssertionResult within(double tolerance, const Eigen::MatrixXd& found,
                                const Eigen::MatrixXd& expected, const Case& c) {
  return within(tolerance, found, expected, c.robot, c.rng.seed());
}

}  // namespace jounce::test
