// SPDX-License-Identifier: BSD-3-Clause
// Propellers of any number: speeds to wrenches and back, with derivatives.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <jounce/propellers.hpp>

#include "support/dense.hpp"
#include "support/largest.hpp"
#include "support/within.hpp"

namespace jounce {
namespace {

using Eigen::MatrixXd;
using test::largest;

std::vector<Propeller> ring(int n, double tilt) {
  std::vector<Propeller> all;
  for (int k = 0; k < n; ++k) {
    const double angle = 2 * M_PI * k / n, lean = k % 2 == 0 ? tilt : -tilt;
    const double c = std::cos(angle), s = std::sin(angle);
    all.push_back({.position = {0.3 * c, 0.3 * s, 0.02},
                   .axis = {s * std::sin(lean), -c * std::sin(lean), std::cos(lean)},
                   .thrust = 1e-5,
                   .drag = 1.6e-7,
                   .spin = k % 2 == 0 ? 1 : -1});
  }
  return all;
}

/// Speeds with derivatives -> wrench with derivatives -> speeds: of six they come back, of eight
/// the wrench does, by the least squared speeds, of four the wrench that is nearest. Against normal
/// equations; derivatives of the wrench by differences along the speeds.
TEST(Propellers, OfAnyNumber) {
  for (const int n : {4, 6, 8, 11}) {
    const Propellers rotors(ring(n, n == 4 ? 0 : 0.3));
    EXPECT_EQ(rotors.rank(), n == 4 ? 4 : 6);
    MatrixXd speeds(n, 3);
    for (int p = 0; p < n; ++p) speeds.row(p) << 700 + 10 * p, 5 - p, 0.3 * p;
    const MatrixXd wrench = rotors.wrench(speeds);
    const auto at = [&](double t) -> MatrixXd {
      return rotors.wrench(
          Eigen::VectorXd(speeds.col(0) + t * speeds.col(1) + t * t / 2 * speeds.col(2)));
    };
    const double h = 1e-3;
    EXPECT_TRUE(test::within(1e-7, (at(h) - at(-h)) / (2 * h), wrench.col(1)));
    EXPECT_TRUE(test::within(1e-5, (at(h) - 2 * at(0) + at(-h)) / (h * h), wrench.col(2)));
    const MatrixXd back = rotors.speeds(wrench);
    EXPECT_TRUE(test::within(1e-10 * largest(wrench), rotors.wrench(back), wrench));
    if (n <= 6) {
      EXPECT_TRUE(test::within(1e-8 * largest(speeds), back, speeds));
    }
    const MatrixXd A = rotors.allocation() * 1e5;  // least size: in the rows' span, A^T y
    const Eigen::VectorXd u = back.col(0).cwiseAbs2();
    const MatrixXd normal = A * A.transpose();
    if (n > 6) {
      const Eigen::VectorXd y = test::solve(normal, MatrixXd(A * u));
      EXPECT_TRUE(test::within(1e-9 * largest(u), A.transpose() * y, u));
    }
    if (n == 4) {  // a sideways push is dropped, the rest stays
      MatrixXd pushed = wrench;
      pushed.row(3).setConstant(0.7);
      EXPECT_TRUE(test::within(1e-8 * largest(speeds), rotors.nearest_speeds(pushed), speeds));
    }
  }
}

}  // namespace
}  // namespace jounce
