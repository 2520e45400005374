// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of functions on SE(3) along left and right fields, [Xie] (10)-(14).
#include <cmath>
#include <jounce/group/lie_derivative.hpp>
#include <jounce/group/matrices.hpp>

#include "support/near.hpp"
#include "support/random.hpp"

namespace jounce::test {
namespace {

constexpr Side sides[] = {Side::right, Side::left};

/// The length of a leg between a and T b, plus a smooth function of the rotation: not symmetric.
struct Leg {
  template <class Real>
  Real operator()(const SE3<Real>& T) const {
    const Vec3<double> a{0.3, -1.2, 2.1}, b{-0.7, 0.4, 0.9};
    const auto leg = T * b - a;
    return norm(leg) + sin(T.R.m.row[0].y) * T.p.z + T.R.m.row[2].x * T.R.m.row[1].z;
  }
};

/// c . T x: linear in the matrix of T, so that all its derivatives are matrix products.
struct Height {
  Vec3<double> c, x;

  template <class Real>
  Real operator()(const SE3<Real>& T) const {
    return dot(T * x, c);
  }
};

Twist<double> unit_screw(int k) {
  double e[6]{};
  e[k] = 1;
  return {{e[0], e[1], e[2]}, {e[3], e[4], e[5]}};
}

/// T exp(tX) or exp(-tX) T, written out once more.
SE3<double> along(Side side, const SE3<double>& T, const Twist<double>& X, double t) {
  return side == Side::right ? T * exp(X * t) : exp(X * -t) * T;
}

/// c . T [X]^k x / k!, or c . (-[X])^k T x / k!.
double height_coefficient(const Height& f, const SE3<double>& T, const Twist<double>& X, Side side,
                          int order) {
  Matrix<double, 4, 1> x{{{f.x.x}, {f.x.y}, {f.x.z}, {1}}};
  if (side == Side::left) x = to_matrix(T) * x;
  double factor = 1;
  for (int k = 1; k <= order; ++k) {
    x = hat(X) * x;
    factor *= (side == Side::right ? 1.0 : -1.0) / k;
  }
  if (side == Side::right) x = to_matrix(T) * x;
  return factor * (f.c.x * x(0, 0) + f.c.y * x(1, 0) + f.c.z * x(2, 0));
}

TEST(LieDerivative, SeriesOfALinearFunctionInClosedForm) {
  constexpr int K = 8;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random rng(seed);
    const SE3<double> T = rng.pose();
    const Twist<double> X = rng.twist();
    const Height f{rng.vec3(), rng.vec3()};
    for (Side side : sides) {
      const Taylor<double, K> series = lie_taylor<K>(f, T, X, side);
      Taylor<double, K> exact;
      for (int k = 0; k <= K; ++k) exact.c[k] = height_coefficient(f, T, X, side, k);
      expect_near(series, exact, 1e-14, seed);
      EXPECT_NEAR(lie_derivative(f, T, X, side), exact.c[1], 1e-14) << "seed " << seed;
    }
  }
}

TEST(LieDerivative, FirstDerivativeAgainstDifferences) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random rng(seed);
    const SE3<double> T = rng.pose();
    const Twist<double> X = rng.twist();
    const double h = 1e-5;
    for (Side side : sides) {  // (11) and (14)
      const double ahead = Leg()(along(side, T, X, h)), behind = Leg()(along(side, T, X, -h));
      EXPECT_NEAR(lie_derivative(Leg(), T, X, side), (ahead - behind) / (2 * h), 1e-9) << seed;
    }
  }
}

/// X f = sum_k x_k E_k f.  (12)
TEST(LieDerivative, GradientIsLinear) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random rng(seed);
    const SE3<double> T = rng.pose();
    const Twist<double> X = rng.twist();
    const Matrix<double, 6, 1> x = to_matrix(X);
    for (Side side : sides) {
      const Matrix<double, 1, 6> g = lie_gradient(Leg(), T, side);
      EXPECT_NEAR((g * x)(0, 0), lie_derivative(Leg(), T, X, side), 1e-14) << seed;
      for (int k = 0; k < 6; ++k)
        EXPECT_NEAR(g(0, k), lie_derivative(Leg(), T, unit_screw(k), side), 1e-14) << seed;
    }
  }
}

/// E_i E_j f = d/ds d/dt f(T exp(s E_i) exp(t E_j)) by crossed central differences.
TEST(LieDerivative, HessianAgainstDifferences) {
  Random rng(3);
  const SE3<double> T = rng.pose();
  const double h = 1e-4;
  for (Side side : sides) {
    const Mat6<double> H = lie_hessian(Leg(), T, side);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) {
        double sum = 0;
        for (int s : {-1, 1})
          for (int t : {-1, 1}) {
            const SE3<double> first = along(side, T, unit_screw(i), s * h);
            sum += s * t * Leg()(along(side, first, unit_screw(j), t * h));
          }
        EXPECT_NEAR(H(i, j), sum / (4 * h * h), 1e-6) << i << j << " side " << int(side);
      }
  }
}

/// E_i E_j f - E_j E_i f = [E_i, E_j] f for the right fields and, thanks to the minus sign in
/// (14), for the left ones too.
TEST(LieDerivative, CommutatorOfSecondDerivativesIsTheBracket) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Random rng(seed);
    const SE3<double> T = rng.pose();
    for (Side side : sides) {
      const Mat6<double> H = lie_hessian(Leg(), T, side);
      double largest_bracket = 0;
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) {
          const Twist<double> bracket = ad(unit_screw(i), unit_screw(j));
          const double slope = lie_derivative(Leg(), T, bracket, side);
          EXPECT_NEAR(H(i, j) - H(j, i), slope, 1e-13) << i << j << " side " << int(side);
          largest_bracket = std::max(largest_bracket, std::abs(slope));
        }
      EXPECT_GT(largest_bracket, 0.1);  // the law is not empty
    }
  }
}

/// What the second-order expansion leaves shrinks with the cube of t.  (13), (14)
TEST(LieDerivative, SecondOrderExpansion) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Random rng(seed);
    const SE3<double> T = rng.pose();
    const Twist<double> X = rng.twist();
    const Matrix<double, 6, 1> x = to_matrix(X);
    for (Side side : sides) {
      const double slope = (lie_gradient(Leg(), T, side) * x)(0, 0);
      const double curvature = (transpose(x) * lie_hessian(Leg(), T, side) * x)(0, 0);
      const auto rest = [&](double t) {
        const double expansion = Leg()(T) + t * slope + 0.5 * t * t * curvature;
        return std::abs(Leg()(along(side, T, X, t)) - expansion);
      };
      const double third = std::abs(lie_taylor<3>(Leg(), T, X, side).c[3]);
      EXPECT_NEAR(rest(1e-3) / 1e-9, third, 0.02 * (third + 1)) << "seed " << seed;
      EXPECT_LT(rest(1e-2), 2e-6 * (third + 1)) << "seed " << seed;
    }
  }
}

/// The polynomial of order five leaves a rest of order six.
TEST(LieDerivative, SeriesToOrderFiveLeavesASixthPower) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Random rng(seed);
    const SE3<double> T = rng.pose();
    const Twist<double> X = rng.twist();
    for (Side side : sides) {
      const auto series = lie_taylor<5>(Leg(), T, X, side);
      for (double t : {-0.02, -0.01, 0.01, 0.02}) {
        double sum = 0;
        for (int k = 5; k >= 0; --k) sum = sum * t + series.c[k];
        const double rest = Leg()(along(side, T, X, t)) - sum;
        EXPECT_LT(std::abs(rest), 50 * std::pow(std::abs(t), 6) + 1e-15) << "seed " << seed;
      }
    }
  }
}

/// Moving along the curve and expanding there gives the derivative of the expansion.
TEST(LieDerivative, SeriesAtAMovedPointIsTheShiftedSeries) {
  Random rng(8);
  const SE3<double> T = rng.pose();
  const Twist<double> X = rng.twist();
  for (Side side : sides) {
    const auto here = lie_taylor<12>(Leg(), T, X, side);
    const auto there = lie_taylor<5>(Leg(), along(side, T, X, 0.02), X, side);
    for (int k = 0; k <= 5; ++k) {
      double sum = 0, binomial = 1;
      for (int j = k; j <= 12; ++j) {
        sum += binomial * here.c[j] * std::pow(0.02, j - k);
        binomial *= (j + 1.0) / (j + 1 - k);
      }
      EXPECT_NEAR(there.c[k], sum, 1e-10) << "order " << k;
    }
  }
}

/// exp(-X) T = T exp(-Ad_{T^-1} X): the left field along X is the right one along -Ad_{T^-1} X.
TEST(LieDerivative, LeftAndRightAreRelatedByAd) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random rng(seed);
    const SE3<double> T = rng.pose();
    const Twist<double> X = rng.twist(), Y = -Ad_inv(T, X);
    const double left = lie_derivative(Leg(), T, X, Side::left);
    EXPECT_NEAR(left, lie_derivative(Leg(), T, Y, Side::right), 1e-13) << seed;
    expect_near(lie_taylor<5>(Leg(), T, X, Side::left), lie_taylor<5>(Leg(), T, Y, Side::right),
                1e-13, seed);
    const Mat6<double> A = map(Ad_inv_matrix(T), [](double x) { return -x; });
    expect_near(lie_gradient(Leg(), T, Side::left), lie_gradient(Leg(), T, Side::right) * A, 1e-13,
                seed);
  }
}

/// The default is the body's own side.
TEST(LieDerivative, DefaultSideIsRight) {
  Random rng(5);
  const SE3<double> T = rng.pose();
  const Twist<double> X = rng.twist();
  EXPECT_EQ(lie_derivative(Leg(), T, X), lie_derivative(Leg(), T, X, Side::right));
  expect_near(lie_gradient(Leg(), T), lie_gradient(Leg(), T, Side::right), 0);
  expect_near(lie_hessian(Leg(), T), lie_hessian(Leg(), T, Side::right), 0);
  expect_near(lie_taylor<2>(Leg(), T, X), lie_taylor<2>(Leg(), T, X, Side::right), 0);
}

TEST(LieDerivative, RunsOnPacks) {
  using P = Pack<double, 4>;
  Random rng(6);
  const SE3<P> T = rng.pose<P>();
  const Twist<P> X = rng.twist<P>();
  const P slope = lie_derivative(Leg(), T, X);
  for (int lane = 0; lane < 4; ++lane) {
    const auto pick = [lane](const P& x) { return x[lane]; };
    EXPECT_NEAR(slope[lane], lie_derivative(Leg(), map(T, pick), map(X, pick)), 1e-14);
  }
}

}  // namespace
}  // namespace jounce::test
