// SPDX-License-Identifier: BSD-3-Clause
// Power series of any length against Taylor numbers in extended precision, and the functions behind
// exp and log against those they are made of.
#include <jounce/scalar/power_series.hpp>
#include <jounce/scalar/tape.hpp>
#include <numbers>

#include "support/near.hpp"
#include "support/random.hpp"
#include "support/worse.hpp"

namespace jounce::test {
namespace {

constexpr int order = 24;
using Fine = Taylor<long double, order>;

/// A series with coefficients that fall as powers of 0.7, in both kinds.
struct Both {
  PowerSeries x;
  Fine fine;

  Both(SeriesRoom<PowerSeries>& room, Random& rng, double first) : x(room.number(first)) {
    fine = Fine((long double)first);
    for (int k = 1; k <= order; ++k) fine.c[k] = x.c[k] = rng.uniform(-1, 1) * std::pow(0.7, k);
  }
};

/// The largest error beside the largest coefficient up to it, or one of the first two.
double error(const PowerSeries& x, const Fine& exact) {
  double worst = 0;
  long double scale = std::abs(exact.c[1]);
  for (int k = 0; k <= order; ++k) {
    scale = std::max(scale, std::abs(exact.c[k]));
    worst = worse(worst, double(std::abs(coefficient(x, k) - exact.c[k]) / scale));
  }
  return worst;
}

class PowerSeriesLaws : public testing::Test {
 protected:
  SeriesRoom<PowerSeries> room{order};
  Random rng{3};
};

TEST_F(PowerSeriesLaws, EqualTaylorNumbersInExtendedPrecision) {
  for (int n = 0; n < 20; ++n) {
    const Both a(room, rng, rng.uniform(0.6, 2)), b(room, rng, rng.uniform(0.6, 2));
    const PowerSeries &x = a.x, &y = b.x;
    const Fine &u = a.fine, &v = b.fine;
    const double most = 1e-13;  // of 25 terms that cancel
    EXPECT_LE(error(x + y - 0.5 * x, u + v - 0.5L * u), most);
    EXPECT_LE(error(2.0 - x * y, 2.0L - u * v), most);
    EXPECT_LE(error(x / y + 1.0 / y, u / v + 1.0L / v), most);
    EXPECT_LE(error(sqrt(x), sqrt(u)), most);
    EXPECT_LE(error(sin(x) + 2.0 * cos(x), sin(u) + 2.0L * cos(u)), most);
    EXPECT_LE(error(exp(x), exp(u)), most);
    EXPECT_LE(error(log(x), log(u)), most);
    EXPECT_LE(error(tanh(x), tanh(u)), most);
    EXPECT_LE(error(sech_squared(x), sech_squared(u)), most);
    EXPECT_LE(error(atan2(x, y), atan2(u, v)), most);
    EXPECT_LE(error(atan2(x, PowerSeries(2)), atan2(u, Fine(2.0L))), most);
    EXPECT_LE(error(select(x < y, x, y), select(u.c[0] < v.c[0], u, v)), 0);
    EXPECT_LE(error(abs(-x), u), 0);
  }
}

TEST_F(PowerSeriesLaws, ConstantsArePlainNumbers) {
  const PowerSeries x = 3, y = 0.5;
  EXPECT_EQ((sqrt(x + 1.0) * y - exp(PowerSeries(0))).c, nullptr);
  EXPECT_EQ(coefficient(x * y / 2.0, 0), 0.75);
  EXPECT_EQ(coefficient(x, 5), 0);
  PowerSeries z = room.number(2);
  z.c[1] = 1;
  EXPECT_EQ(coefficient(z * x, 1), 3);
  EXPECT_EQ(coefficient(y - z, 1), -1);
  z = x;
  EXPECT_EQ(z.c, nullptr);
}

/// What a lower order leaves is not looked at, and what it has computed is what a higher one has.
TEST_F(PowerSeriesLaws, LowerOrdersAreTheFirstCoefficients) {
  const Both a(room, rng, 1.2);
  const PowerSeries whole = exp(a.x) / sqrt(a.x);
  for (const int low : {0, 1, 7, 23}) {
    room.set_order(low);
    const PowerSeries some = exp(a.x) / sqrt(a.x);
    for (int k = 0; k <= low; ++k) EXPECT_DOUBLE_EQ(some.c[k], whole.c[k]) << low << " " << k;
  }
}

/// With z = a^2: a c_1 = sin a, c_0 = cos a, and z c_{k+2} = 1/k! - c_k, near zero, on both sides
/// of where the way to them changes, and at many turns.
TEST_F(PowerSeriesLaws, StumpffFunctionsObeyTheirDefinition) {
  for (const double at : {0.0, 1e-4, 0.5, 3.9, 4.1, 6.2, 9.0, 15.5, 40.0}) {
    const Both a(room, rng, at);
    const PowerSeries z = a.x * a.x;
    const SinCos<Fine> wave = sincos(a.fine);
    const auto functions = stumpff<most_stumpff>(z);
    const auto& c = functions.c;
    // terms of the series at z = 16 are ten times cos a; its square's coefficients grow with a
    const double most = 1e-14 * (1 + 10 * at);
    EXPECT_LE(error(c[0], wave.cos), most) << at;
    EXPECT_LE(error(a.x * c[1], wave.sin), most) << at;
    for (int k = 0; k + 2 < most_stumpff; ++k) {
      const double size = detail::inverse_factorial(k);
      const PowerSeries rest = (z * c[k + 2] + c[k] - size) * (1 / size);
      for (int n = 0; n <= order; ++n)
        EXPECT_NEAR(coefficient(rest, n), 0, most) << at << " " << k << " " << n;
    }
  }
}

/// f(sin^2 b) sin b = b, and derivatives of f as composition has them.
TEST_F(PowerSeriesLaws, HalfAngleRatioIsTheInverseOfSine) {
  for (const double at : {0.0, 1e-3, 0.3, 0.7, 0.78}) {
    Both b(room, rng, at);
    const PowerSeries s = sin(b.x), u = s * s;
    PowerSeries f[3];
    half_angle_derivatives(u, f);
    EXPECT_LE(error(f[0] * s, b.fine), 1e-12) << at;  // derivatives of asin grow near 1/2
    EXPECT_LE(error(half_angle_ratio(u, cos(b.x)) * s, b.fine), 1e-12) << at;
    const PowerSeries law = 2.0 * u * f[1] + f[0], inverse = sqrt(1.0 / (1.0 - u));
    const PowerSeries law_1 = 2.0 * u * f[2] + 3.0 * f[1], cube = inverse * inverse * inverse;
    for (int k = 0; k <= order; ++k) {
      const double most = 1e-12 * std::pow(2, k);  // as coefficients of 1/(1 - u) grow
      EXPECT_NEAR(coefficient(law, k), coefficient(inverse, k), most) << at << " " << k;
      EXPECT_NEAR(coefficient(law_1, k), coefficient(cube, k) * 0.5, most) << at << " " << k;
    }
  }
  const Both b(room, rng, 1.3);  // beyond a right angle of the whole
  const PowerSeries s = sin(b.x);
  EXPECT_LE(error(half_angle_ratio(s * s, cos(b.x)) * s, b.fine), 1e-12);
}

}  // namespace
}  // namespace jounce::test
