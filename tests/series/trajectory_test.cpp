// SPDX-License-Identifier: BSD-3-Clause
// Moves, splines and paths: ends, smoothness, optimality, derivatives against differences.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <jounce/error.hpp>
#include <jounce/trajectory.hpp>

#include "support/near.hpp"
#include "support/quad.hpp"
#include "support/random.hpp"

namespace jounce {
namespace {

std::vector<double> at(const PiecewisePolynomial& x, double t, size_t n) {
  std::vector<double> out(n);
  x.derivatives(t, out);
  return out;
}

TEST(Trajectory, MovesMeetBothEnds) {
  test::Random rng(1);
  for (size_t n = 1; n <= 24; ++n) {
    std::vector<double> from(n), to(n);
    for (double& x : from) x = rng.uniform(-2, 2);
    for (double& x : to) x = rng.uniform(-2, 2);
    const PiecewisePolynomial move = polynomial_move(from, to, 1.7);
    EXPECT_EQ(move.degree(), int(2 * n - 1));
    EXPECT_TRUE(test::near_parts(at(move, 0, n), from, 1e-15, n));
    EXPECT_TRUE(test::near_parts(at(move, 1.7, n), to, 1e-15, n));
  }
  // The quintic from rest to rest is 10 x^3 - 15 x^4 + 6 x^5.
  const PiecewisePolynomial five = quintic(1, 3, 2);
  for (const double x : {0.1, 0.4, 0.9})
    EXPECT_NEAR(five(2 * x), 1 + 2 * x * x * x * (10 - 15 * x + 6 * x * x), 1e-14);
  EXPECT_TRUE(test::near_parts(at(septic(0, 1, 2), 2, 4), {1, 0, 0, 0}, 1e-12, 7));
}

/// From rest to rest, n conditions at each end: x = (integral of s^(n-1) (1-s)^(n-1)) / its whole,
/// by exact sums of binomial coefficients in 113 bits.
TEST(Trajectory, MovesOfAnyOrderFromRestToRest) {
  using test::Quad;
  const auto needed = [](int n, Quad s) {  // x^n sum_k C(n-1+k, k) (1-x)^k
    Quad sum = 0, term = 1, power = 1;
    for (int k = 0; k < n; ++k) {
      sum += term;
      term *= (1 - s) * (n + k) / (k + 1);
      power *= s;
    }
    return power * sum;
  };
  for (const int n : {3, 4, 8, 12, 17, 20, 32}) {
    std::vector<double> from(size_t(n), 0.0), to(size_t(n), 0.0);
    to[0] = 1;
    const PiecewisePolynomial move = polynomial_move(from, to, 1);
    EXPECT_EQ(at(move, 0, size_t(n)), from) << n;
    EXPECT_EQ(at(move, 1, size_t(n)), to) << n;
    for (double s = 0.03125; s < 1; s += 0.03125) {
      const auto x = double(needed(n, s)), rest = double(needed(n, 1 - Quad(s)));
      EXPECT_NEAR(move(s), x, 4e-15 * x) << n << " " << s;  // sums of up to 32 positive terms
      EXPECT_NEAR(1 - move(s), rest, 1e-15 + 4e-15 * rest) << n << " " << s;
      // x' is the bump s^(n-1) (1-s)^(n-1) over its integral, 1 / ((2n-1) C(2n-2, n-1)).
      double bump = 2 * n - 1;
      for (int k = 1; k < n; ++k) bump *= s * (1 - s) * (n - 1 + k) / k;
      const double found = at(move, s, 2)[1];
      EXPECT_NEAR(found, bump, 1e-12 * std::sqrt(double(n))) << n << " " << s;
    }
  }
}

TEST(Trajectory, HalvesOfAMoveAreOnePolynomial) {
  test::Random rng(3);
  for (size_t n = 1; n <= 20; ++n) {
    std::vector<double> from(n), to(n);
    for (double& x : from) x = rng.uniform(-2, 2);
    for (double& x : to) x = rng.uniform(-2, 2);
    const PiecewisePolynomial move = polynomial_move(from, to, 1);
    const double middle = 0.5, below = std::nextafter(middle, 0);
    const auto left = at(move, below, n), right = at(move, middle, n);
    double size = 1;  // derivatives grow as Markov's inequality lets them: some (2n)^2 each
    for (size_t k = 0; k < n; ++k, size *= 4.0 * double(n))
      EXPECT_NEAR(left[k], right[k], 1e-13 * (size + std::abs(left[k]))) << n << " order " << k;
  }
}

TEST(Trajectory, DerivativesAreDerivatives) {
  const std::vector<double> points{0, 1, -0.5, 2}, times{0, 0.7, 1.5, 2.1};
  const PiecewisePolynomial x = minimum_snap(points, times);
  for (double t = 0.05; t < 2.1; t += 0.09) {
    const double h = 1e-4;
    const auto before = at(x, t - h, 6), after = at(x, t + h, 6), now = at(x, t, 7);
    const bool knot = std::abs(t - 0.7) < 2 * h || std::abs(t - 1.5) < 2 * h;
    for (size_t k = 0; k < 6 && !knot; ++k)  // error of a central difference: h^2 x''' / 6
      EXPECT_NEAR((after[k] - before[k]) / (2 * h), now[k + 1],
                  1e-5 * (1 + std::abs(now[k + 1])) + 1e-2 * double(k >= 4));
  }
}

TEST(Trajectory, SplinesPassThroughTheirPointsSmoothly) {
  const std::vector<double> points{0, 1, -0.5, 2, 0}, times{0, 0.5, 1.5, 2.2, 3};
  for (int s = 1; s <= 6; ++s) {
    const PiecewisePolynomial x = minimum_derivative_spline(points, times, s);
    for (size_t k = 0; k < points.size(); ++k) {
      EXPECT_NEAR(x(times[k]), points[k], 1e-9);
      if (k == 0 || k + 1 == points.size()) {
        for (const double rate : [&] {
               std::vector<double> all = at(x, times[k], size_t(s));
               all.erase(all.begin());
               return all;
             }())
          EXPECT_NEAR(rate, 0, 1e-8);
        continue;
      }
      const size_t n = size_t(2 * s - 1);
      const double h = 1e-9;
      const auto before = at(x, times[k] - h, n), after = at(x, times[k] + h, n);
      for (size_t d = 0; d < n; ++d)
        EXPECT_NEAR(before[d], after[d], 1e-5 * (1 + std::abs(before[d]))) << s << " " << d;
    }
  }
}

/// The integral of x''''^2, by Simpson's rule on pieces of degree 7: exact to rounding.
double snap_cost(const std::function<double(double)>& snap, std::span<const double> times) {
  double sum = 0;
  for (size_t k = 0; k + 1 < times.size(); ++k) {
    constexpr int n = 200;
    const double h = (times[k + 1] - times[k]) / n;
    for (int i = 0; i <= n; ++i) {
      const double t = times[k] + (i == 0 ? 1e-9 : i == n ? n * h - 1e-9 : i * h);
      const double weight = (i == 0 || i == n) ? 1 : i % 2 == 1 ? 4 : 2;
      sum += weight * snap(t) * snap(t) * h / 3;
    }
  }
  return sum;
}

/// Any other motion through the same points, with the same ends, costs more: the spline plus a
/// bump that vanishes with three derivatives at the ends and with its value at the points.
TEST(Trajectory, MinimumSnapIsTheMinimum) {
  const std::vector<double> points{0, 1, -0.5}, times{0, 1, 2};
  const PiecewisePolynomial x = minimum_snap(points, times);
  // bump = t^4 (2 - t)^4 (t - 1) in powers of t
  const std::vector<double> bump{0, 0, 0, 0, -16, 48, -56, 32, -9, 1};
  const PiecewisePolynomial y({0, 2}, {bump});
  for (const double t : {0.0, 1.0, 2.0}) EXPECT_NEAR(y(t), 0, 1e-12);
  const double least = snap_cost([&](double t) { return at(x, t, 5)[4]; }, times);
  for (const double size : {-0.1, -0.01, 0.01, 0.1}) {
    const double cost =
        snap_cost([&](double t) { return at(x, t, 5)[4] + size * at(y, t, 5)[4]; }, times);
    EXPECT_GT(cost, least);
    const double alone = snap_cost([&](double t) { return at(y, t, 5)[4]; }, times);
    EXPECT_NEAR(cost - least, size * size * alone, 1e-5 * size * size * alone);  // no linear term
  }
}

TEST(Trajectory, PathsOnPoses) {
  test::Random rng(4);
  const SE3<double> from = rng.pose(), to = rng.pose();
  const PosePath path(from, to, septic(0, 1, 1.5));
  EXPECT_TRUE(test::near(path.pose(0), from, 1e-14));
  EXPECT_TRUE(test::near(path.pose(1.5), to, 1e-13));
  Twist<double> V[3];
  for (const double t : {0.2, 0.7, 1.3}) {
    path.twists(t, V);
    const double h = 1e-5;
    const Twist<double> X = log(inverse_times(path.pose(t - h), path.pose(t + h))) * (0.5 / h);
    EXPECT_TRUE(test::near(X, V[0], 1e-8));
    Twist<double> before[2], after[2];
    path.twists(t - h, before);
    path.twists(t + h, after);
    for (int k = 0; k < 2; ++k)
      EXPECT_TRUE(test::near((after[k] - before[k]) * (0.5 / h), V[k + 1], 1e-8));
  }
}

TEST(Trajectory, RefusesBadInput) {
  const auto message = [](auto call) -> std::string {
    try {
      call();
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  };
  const std::vector<double> two{0, 1}, three{0, 1, 1};
  EXPECT_EQ(message([&] { quintic(0, 1, -2); }),
            "polynomial_move: duration is -2.000000, needs to be positive");
  EXPECT_EQ(message([&] { polynomial_move(two, three, 1); }),
            "polynomial_move: 2 derivatives at the start and 3 at the end, needs as many");
  EXPECT_EQ(message([&] { minimum_snap(two, three); }),
            "minimum_derivative_spline: 2 points and 3 times, needs as many and at least 2");
  EXPECT_EQ(message([&] { minimum_snap(three, three); }),
            "minimum_derivative_spline: times must increase");
  EXPECT_EQ(message([&] { minimum_derivative_spline(two, two, 7); }),
            "minimum_derivative_spline: s is 7, needs 1 to 6");
}

}  // namespace
}  // namespace jounce
