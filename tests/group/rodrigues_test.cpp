// SPDX-License-Identifier: BSD-3-Clause
// The exponential as [Xie] writes it: (A2) against the power series, (9) against (A2).
#include <gtest/gtest.h>

#include <jounce/paper/rodrigues.hpp>

#include "support/near.hpp"
#include "support/random.hpp"

namespace jounce::test {
namespace {

/// 1 + S + S^2 / 2 + ...
Mat4<double> power_series(const Mat4<double>& S) {
  Mat4<double> sum, term;
  for (int i = 0; i < 4; ++i) sum(i, i) = term(i, i) = 1;
  for (int k = 1; k < 60; ++k) {
    term = term * S;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) sum(i, j) += term(i, j) /= k;
  }
  return sum;
}

TEST(Rodrigues, IsThePowerSeries) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    const Twist<double> s = random.twist() * random.log_uniform(1e-9, 3);
    expect_near(exp_rodrigues(s), power_series(hat(s)), 1e-13 * (1 + norm(s.v)), seed);
    expect_near(exp_rodrigues(s), to_matrix(exp(s)), 1e-14 * (1 + norm(s.v)), seed);
  }
  expect_near(exp_rodrigues(Twist<double>{}), power_series(Mat4<double>{}), 0);
}

TEST(Rodrigues, BasisScrews) {
  for (int k = 0; k < 6; ++k)
    for (const double x : {-2.0, 1e-8, 0.7, 3.0}) {
      const Twist<double> screw = vee(screw_basis<double>(k)) * x;
      expect_near(exp_basis(k, x), power_series(hat(screw)), 1e-13);
      expect_near(exp_basis(k, x), exp_rodrigues(screw), 1e-15);
    }
  // As printed (9) has the rotation about z for E_1.
  EXPECT_NEAR(exp_basis(0, 0.5)(2, 1), std::sin(0.5), 1e-15);
  EXPECT_NEAR(exp_basis(2, 0.5)(1, 0), std::sin(0.5), 1e-15);
}

}  // namespace
}  // namespace jounce::test
