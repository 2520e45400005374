// SPDX-License-Identifier: BSD-3-Clause
// Residuals, the objective and its gradients, charts.  [Xie] (17)-(20)
#include <gtest/gtest.h>

#include <jounce/error.hpp>
#include <jounce/group/lie_derivative.hpp>
#include <jounce/stewart/pose_chart.hpp>
#include <jounce/stewart/xie_tables.hpp>
#include <limits>

#include "stewart/platforms.hpp"
#include "support/message.hpp"
#include "support/near.hpp"

namespace jounce::test {
namespace {

/// phi written out on its own, for any kind of number.
template <class Real>
Real phi(const Stewart& s, const SixNumbers& L, const SE3<Real>& T) {
  Real sum(0);
  for (size_t i = 0; i < 6; ++i) {
    const Vec3<Real> leg = T * s.platform()[i] - s.base()[i];
    const Real r = leg.x * leg.x + leg.y * leg.y + leg.z * leg.z - L[i] * L[i];
    sum += r * r * 0.5;
  }
  return sum;
}

TEST(StewartObjective, ResidualAndObjective) {
  const XieExperiment x = xie_experiment();
  const SixNumbers r = x.platform.residual(x.starts[0], x.lengths);
  const SixNumbers L = x.platform.lengths(x.starts[0]);
  for (size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(r[i], L[i] * L[i] - x.lengths[i] * x.lengths[i], 1e-11 * L[i] * L[i]);
  EXPECT_NEAR(x.platform.objective(x.starts[0], x.lengths), phi(x.platform, x.lengths, x.starts[0]),
              1e-9);
  EXPECT_LT(x.platform.objective(x.true_pose, x.lengths), 1e-20);
}

/// J^T r of (24), (23) against derivatives of phi along screws by dual numbers.
TEST(StewartObjective, GradientsByDualNumbers) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Random random(seed);
    const Stewart s = random_platform(random);
    const SE3<double> T = random_pose(random);
    const SixNumbers L = s.lengths(random_pose(random));
    const auto f = [&](const auto& U) { return phi(s, L, U); };
    const auto body = lie_gradient(f, T, Side::right), space = lie_gradient(f, T, Side::left);
    const auto here = to_matrix(s.objective_gradient_body(T, L));
    const auto there = to_matrix(s.objective_gradient_space(T, L));
    for (int k = 0; k < 6; ++k) {
      const double scale = 1e-12 * (1 + std::abs(body(0, k)) + s.objective(T, L));
      EXPECT_NEAR(here(k, 0), body(0, k), scale) << seed;
      EXPECT_NEAR(there(k, 0), -space(0, k), 10 * scale) << seed;  // (14) has exp(-tX)
    }
  }
}

std::vector<PoseChart> charts_at(const SE3<double>& at) {
  return {PoseChart(StewartChart::se3, at, Increment::body),
          PoseChart(StewartChart::se3, at, Increment::space), PoseChart(StewartChart::quaternion),
          PoseChart(StewartChart::euler)};
}

TEST(PoseChart, CoordinatesAndPosesUndoEachOther) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Random random(seed);
    const SE3<double> at = random_pose(random), T = random_pose(random);
    for (const PoseChart& chart : charts_at(at)) {
      const std::vector<double> x = chart.coordinates(T);
      EXPECT_EQ(x.size(), size_t(chart.unknowns()));
      expect_near(chart.pose(x), T, 1e-12, seed);
    }
  }
}

/// Away from the middle of the chart too: residuals there, and their differences.
TEST(PoseChart, JacobianAndGradientByDifferences) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    const Stewart s = random_platform(random);
    const SE3<double> at = random_pose(random);
    const SixNumbers L = s.lengths(random_pose(random));
    for (const PoseChart& chart : charts_at(at)) {
      std::vector<double> x = chart.coordinates(at * exp(random.twist() * 0.5));
      if (x.size() == 7) x[4] += 0.2;  // not of length one
      const ChartValue value = chart.evaluate(s, L, x);
      const SixNumbers r = s.residual(value.pose, L);
      for (size_t i = 0; i < 6; ++i) EXPECT_NEAR(value.residual[i], r[i], 1e-12) << seed;
      expect_near(value.pose, chart.pose(x), 1e-14, seed);
      const size_t n = x.size();
      const double h = 1e-5;
      for (size_t j = 0; j < n; ++j) {
        std::vector<double> ahead = x, behind = x;
        ahead[j] += h, behind[j] -= h;
        const ChartValue a = chart.evaluate(s, L, ahead), b = chart.evaluate(s, L, behind);
        for (size_t i = 0; i < n; ++i)
          EXPECT_NEAR(value.jacobian[n * i + j], (a.residual[i] - b.residual[i]) / (2 * h), 1e-7);
        EXPECT_NEAR(value.gradient[j], (a.objective - b.objective) / (2 * h),
                    1e-6 * (1 + value.objective));
      }
    }
  }
}

TEST(PoseChart, RefusesWhatIsNoPoint) {
  const XieExperiment x = xie_experiment();
  const PoseChart flat(StewartChart::euler), sphere(StewartChart::quaternion);
  EXPECT_EQ(message([&] { flat.pose(std::vector<double>(7)); }),
            "stewart PoseChart: there are 7 unknowns, needs 6");
  EXPECT_EQ(message([&] { sphere.pose(std::vector<double>(7)); }),
            "stewart PoseChart: the quaternion is zero, needs a direction");
  EXPECT_EQ(message([&] {
              flat.pose(std::vector<double>{0, 0, 0, 0, 0, std::nan("")});
            }),
            "stewart PoseChart: the unknowns are not finite");
  EXPECT_EQ(message([&] {
              flat.evaluate(x.platform, {1, 1, 1, 1, 1, -1}, std::vector<double>(6));
            }),
            "stewart PoseChart: length 6 is -1, it must be positive and below 1e100");
  EXPECT_EQ(message([&] {
              x.platform.residual(x.true_pose, {0, 1, 1, 1, 1, 1});
            }),
            "stewart residual: length 1 is 0, it must be positive and below 1e100");
}

}  // namespace
}  // namespace jounce::test
