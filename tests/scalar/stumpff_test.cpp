// SPDX-License-Identifier: BSD-3-Clause
// Stumpff functions and the half-angle ratio, with derivatives, against series in 113 bits.
#include <algorithm>
#include <jounce/scalar/stumpff.hpp>
#include <utility>

#include "support/near.hpp"
#include "support/quad.hpp"
#include "support/random.hpp"
#include "support/worse.hpp"

namespace jounce::test {
namespace {

double inverse_factorial(int n) { return 1 / std::tgamma(n + 1.0); }

/// The size of c_k near z: 1/k! at zero, 1/((k-2)! z) far away, and the envelope of cos and sinc.
double envelope(int k, double z) {
  if (k == 0) return 1;
  if (k == 1) return 1 / (1 + std::sqrt(z));
  return inverse_factorial(k) / (1 + z / (k * (k - 1.0)));
}

/// The largest error of c_first .. c_last on [low, high], in rounding units of the envelope.
template <int M, class T>
double worst_error(int first, int last, double low, double high) {
  Random rng(M);
  double worst = 0;
  for (int n = 0; n < 400; ++n) {
    const T z = T(n == 0 ? low : n == 1 ? high : rng.uniform(low, high));
    const auto f = stumpff<M>(z);
    for (int k = first; k <= last; ++k) {
      const double error = double(quad_abs(Quad(f.c[k]) - quad_stumpff(k, z)));
      worst = worse(worst, error / envelope(k, z) / double(std::numeric_limits<T>::epsilon()));
    }
  }
  return worst;
}

/// Runs f.operator()<M>() for M = 4 .. 20.
template <class F>
void for_every_length(F f) {
  [&]<int... M>(std::integer_sequence<int, M...>) { (f.template operator()<M + 4>(), ...); }
  (std::make_integer_sequence<int, 17>());
}

TEST(Stumpff, OneAtZero) {
  const auto f = stumpff<20>(0.0);
  for (int k = 0; k < 20; ++k) EXPECT_NEAR(f.c[k] / inverse_factorial(k), 1, 1e-15) << k;
  EXPECT_EQ(f.c[0], 1);
  EXPECT_EQ(f.c[1], 1);
  EXPECT_EQ(f.c[2], 0.5);
}

TEST(Stumpff, CloseToZeroEveryOrder) {
  for_every_length([]<int M>() {
    const double ulp = worst_error<M, double>(0, M - 1, 0, 1);
    testing::Test::RecordProperty("max_ulp_" + std::to_string(M), std::to_string(ulp));
    EXPECT_LE(ulp, 2) << M;
  });
}

/// Sine and cosine see the rounding of the root: half an ulp times the angle, at most 20.
TEST(Stumpff, TrigonometricOrdersUpToAngleTwenty) {
  for_every_length([]<int M>() {
    EXPECT_LE((worst_error<M, double>(0, 2, 0, 16)), 5) << M;
    EXPECT_LE((worst_error<M, double>(0, 2, 16, 100)), 7) << M;
    EXPECT_LE((worst_error<M, double>(0, 2, 100, 400)), 12) << M;
  });
}

/// c_3, c_4, ... are as accurate when many functions are asked for as when few are.
TEST(Stumpff, LowOrdersKeepTheirAccuracyWhenManyAreAsked) {
  for_every_length([]<int M>() {
    const double ulp = worst_error<M, double>(3, M / 2, 0, 400);
    testing::Test::RecordProperty("max_ulp_" + std::to_string(M), std::to_string(ulp));
    EXPECT_LE(ulp, 6) << M;
  });
}

TEST(Stumpff, HighOrders) {
  for_every_length(
      []<int M>() { EXPECT_LE((worst_error<M, double>(M / 2 + 1, M - 1, 0, 400)), 64) << M; });
}

/// Next to the switch from series to trigonometry the series needs all its terms.
TEST(Stumpff, HighestOrdersOnBothSidesOfTheSwitch) {
  for_every_length([]<int M>() {
    const double limit = std::max(4.0, M * M / 4.0);
    const int top = std::max(3, M - 2);
    EXPECT_LE((worst_error<M, double>(top, M - 1, 0.9 * limit, 0.999 * limit)), 2.5) << M;
    EXPECT_LE((worst_error<M, double>(top, M - 1, limit, 1.1 * limit)), 64) << M;
  });
}

TEST(Stumpff, SinglePrecision) {
  EXPECT_LE((worst_error<4, float>(0, 3, 0, 40)), 8);
  EXPECT_LE((worst_error<7, float>(0, 6, 0, 40)), 8);
  EXPECT_LE((worst_error<10, float>(0, 9, 0, 40)), 8);
}

TEST(Stumpff, RecurrenceTiesTheOrders) {
  for (double z : {0.0, 1e-300, 1e-8, 0.3, 0.999, 1.0, 3.9, 4.1, 15.0, 39.0, 399.0}) {
    const auto f = stumpff<8>(z);
    for (int k = 0; k < 6; ++k)
      EXPECT_NEAR(f.c[k], inverse_factorial(k) - z * f.c[k + 2], 1e-14) << "z " << z << ", k " << k;
  }
}

TEST(Stumpff, LanesOnBothSidesOfTheSwitch) {
  using P = Pack<double, 4>;
  const double z[4] = {0.5, 3.0, 5.0, 300.0};
  const auto f = stumpff<6>(P::load(z));
  for (int lane = 0; lane < 4; ++lane)
    for (int k = 0; k < 6; ++k)
      EXPECT_NEAR(f.c[k][lane], stumpff<6>(z[lane]).c[k], 1e-15) << lane << k;
}

/// Coefficient n of t -> c_k(z + t), differentiating the series term by term.
Quad quad_stumpff_coefficient(int k, int n, Quad z) {
  Quad term = n % 2 == 0 ? 1 : -1, sum = 0;
  for (int i = 2; i <= k + 2 * n; ++i) term /= i;
  for (int j = n; j < 110; ++j) {
    sum += term;
    term *= -z * (j + 1) / (Quad(j + 1 - n) * (k + 2 * j + 1) * (k + 2 * j + 2));
  }
  return sum;
}

TEST(Stumpff, SeriesCarryDerivativesToOrderEight) {
  constexpr int K = 8;
  Random rng(1);
  double worst[K + 1] = {};
  for (int sample = 0; sample < 100; ++sample) {
    const double z = sample == 0 ? 0 : rng.uniform(0, 40);
    const auto f = stumpff<4>(Taylor<double, K>::line(z, 1));
    for (int k = 0; k < 4; ++k)
      for (int n = 0; n <= K; ++n) {
        const double error =
            double(quad_abs(Quad(f.c[k].c[n]) - quad_stumpff_coefficient(k, n, z)));
        worst[n] = worse(worst[n], error / inverse_factorial(k + 2 * n));
      }
  }
  // Each derivative is a difference of two functions of higher order, which costs 1.5 bits.
  for (int n = 0; n <= K; ++n)
    EXPECT_LE(worst[n] / std::numeric_limits<double>::epsilon(), 4 * std::pow(3.0, n)) << n;
}

TEST(Stumpff, DualAndSeriesAgreeInTheirFirstDerivative) {
  for (double z : {0.0, 0.2, 2.0, 12.0, 50.0}) {
    const auto dual = stumpff<6>(Dual<double, 2>::variable(z, 1));
    const auto series = stumpff<6>(Taylor<double, 1>::line(z, 1));
    for (int k = 0; k < 6; ++k) {
      const double exact = double(quad_stumpff_coefficient(k, 1, z));
      EXPECT_NEAR(dual.c[k].d[1], exact, 1e-15) << z << k;
      EXPECT_NEAR(series.c[k].c[1], exact, 1e-15) << z << k;
      EXPECT_EQ(dual.c[k].d[0], 0);
    }
  }
}

TEST(Stumpff, ChainRuleThroughAMovingArgument) {
  const auto t = Taylor<double, 6>::line(0.3, 1);
  const auto f = stumpff<4>(t * t);  // sin(t)/t and (1 - cos t)/t^2 with t = 0.3 + s
  expect_near(f.c[0], cos(t), 1e-15);
  expect_near(f.c[1] * t, sin(t), 1e-14);
  expect_near(f.c[2] * t * t, 1.0 - cos(t), 1e-14);
  expect_near(f.c[3] * t * t * t, t - sin(t), 1e-14);
}

/// The n-th derivative of asin(sqrt u)/sqrt u from its series.
Quad quad_half_angle(int n, Quad u) {
  Quad central = 1, power = 1, sum = 0;
  for (int j = 0; j < 400; ++j) {
    if (j >= n) {
      Quad term = central / (2 * j + 1) * power;
      for (int i = 0; i < n; ++i) term *= j - i;
      sum += term;
      power *= u;
    }
    central *= Quad(2 * j + 1) / (2 * (j + 1));
  }
  return sum;
}

/// The ratio as a function of u alone.
template <class Real>
Real ratio(const Real& u) {
  return half_angle_ratio(u, sqrt(Real(1) - u));
}

TEST(HalfAngleRatio, ValueToTwoUlpWhateverTheOrder) {
  Random rng(1);
  for (int n = 0; n < 200; ++n) {
    const double u = n == 0   ? 0
                     : n == 1 ? 0.5
                     : n < 50 ? rng.log_uniform(1e-6, 1e-2)
                              : rng.uniform(0, 0.5);
    const Quad exact = quad_half_angle(0, u);
    EXPECT_LE(ulp_distance(ratio(u), exact), 2) << u;
    EXPECT_LE(ulp_distance(ratio(Pack<double, 4>(u))[3], exact), 2) << u;
    EXPECT_LE(ulp_distance(ratio(Dual<double, 1>(u)).a, exact), 2) << u;
    EXPECT_LE(ulp_distance(ratio(Taylor<double, 4>(u)).c[0], exact), 2) << u;
    EXPECT_LE(ulp_distance(ratio(Taylor<double, 8>(u)).c[0], exact), 2) << u;
    EXPECT_LE(ulp_distance(ratio(Taylor<double, 12>(u)).c[0], exact), 2) << u;
    EXPECT_LE(ulp_distance(ratio(float(u)), quad_half_angle(0, float(u))), 3) << u;
  }
  EXPECT_EQ(ratio(0.0), 1);
}

TEST(HalfAngleRatio, DerivativesToOrderEight) {
  Random rng(2);
  for (int sample = 0; sample < 100; ++sample) {
    const double u = sample == 0 ? 0 : sample == 1 ? 0.49 : rng.uniform(0, 0.49);
    const auto f = ratio(Taylor<double, 8>::line(u, 1));
    double factorial = 1;
    for (int n = 0; n <= 8; factorial *= ++n) {
      const double exact = double(quad_half_angle(n, u)) / factorial;
      EXPECT_NEAR(f.c[n] / exact, 1, 1e-14) << "u " << u << ", order " << n;
    }
  }
}

TEST(HalfAngleRatio, IsTheAngleOverItsSineUpToTheStraightAngle) {
  for (double half_angle : {1e-160, 1e-9, 1e-3, 0.2, 0.5, 0.78, 0.79, 1.2, 1.5, pi / 2}) {
    const double s = std::sin(half_angle), c = std::cos(half_angle);
    EXPECT_NEAR(half_angle_ratio(s * s, c), half_angle / s, 1e-15) << half_angle;
    using D = Dual<double, 1>;
    const auto wave = sincos(D::variable(half_angle, 0));
    const bool wide = half_angle > 0.1;
    const double slope = wide ? (s - half_angle * c) / (s * s) : half_angle / 3;
    const auto dual = half_angle_ratio(wave.sin * wave.sin, wave.cos);
    EXPECT_NEAR(dual.d[0], slope, wide ? 1e-14 : 1e-9) << half_angle;
  }
}

}  // namespace
}  // namespace jounce::test
