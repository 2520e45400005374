// SPDX-License-Identifier: BSD-3-Clause
// Truncated Taylor series against closed forms and against Cauchy's integral in the complex plane.
#include <complex>
#include <jounce/scalar/dual.hpp>
#include <jounce/scalar/taylor.hpp>
#include <utility>

#include "support/near.hpp"
#include "support/random.hpp"

namespace jounce::test {
namespace {

using Complex = std::complex<double>;

double factorial(int n) { return std::tgamma(n + 1.0); }

/// Coefficients of f(x + t) for the usual functions, from their textbook series.
template <int K>
void check_closed_forms() {
  using Series = Taylor<double, K>;
  const Series t = Series::line(0, 1), u = Series::line(1, 1);
  const auto wave = sincos(t);
  double binomial = 1;  // of 1/2 over k
  for (int k = 0; k <= K; ++k) {
    const double sign = k % 2 == 0 ? 1 : -1, quarter_sign = k % 4 < 2 ? 1 : -1;
    EXPECT_NEAR(exp(t).c[k], 1 / factorial(k), 1e-15) << k;
    EXPECT_NEAR((1.0 / u).c[k], sign, 1e-13) << k;
    EXPECT_NEAR((Series(1) / (1.0 - t)).c[k], 1, 1e-13) << k;
    EXPECT_NEAR(log(u).c[k], k == 0 ? 0 : -sign / k, 1e-14) << k;
    EXPECT_NEAR(sqrt(u).c[k], binomial, 1e-14) << k;
    EXPECT_NEAR(wave.sin.c[k], k % 2 == 1 ? quarter_sign / factorial(k) : 0, 1e-15) << k;
    EXPECT_NEAR(wave.cos.c[k], k % 2 == 0 ? quarter_sign / factorial(k) : 0, 1e-15) << k;
    EXPECT_NEAR(atan2(t, Series(1)).c[k], k % 2 == 1 ? quarter_sign / k : 0, 1e-14) << k;
    binomial *= (0.5 - k) / (k + 1);
  }
}

TEST(TaylorSeries, ClosedFormsToOrderTwelve) {
  check_closed_forms<0>();
  check_closed_forms<1>();
  check_closed_forms<2>();
  check_closed_forms<3>();
  check_closed_forms<5>();
  check_closed_forms<8>();
  check_closed_forms<12>();
}

TEST(TaylorSeries, HyperbolicTangentFromBernoulliNumbers) {
  const double expected[] = {0, 1, 0, -1.0 / 3, 0, 2.0 / 15, 0, -17.0 / 315, 0, 62.0 / 2835};
  const auto y = tanh(Taylor<double, 9>::line(0, 1));
  for (int k = 0; k <= 9; ++k) EXPECT_NEAR(y.c[k], expected[k], 1e-16) << k;
}

/// x(t) as a polynomial of a complex time.
template <int K>
Complex at(const Taylor<double, K>& x, Complex t) {
  Complex sum = 0;
  for (int k = K; k >= 0; --k) sum = sum * t + x.c[k];
  return sum;
}

/// Coefficients times radius^k: the mean of f(x(t)) (radius/t)^k over a circle (Cauchy).
template <int K, class F>
Taylor<double, K> by_cauchy(F f, double radius) {
  constexpr int points = 128;
  Taylor<double, K> y;
  for (int p = 0; p < points; ++p) {
    const double angle = 2 * pi * p / points;
    const Complex value = f(std::polar(radius, angle));
    for (int k = 0; k <= K; ++k) y.c[k] += (value * std::polar(1.0, -angle * k)).real() / points;
  }
  return y;
}

template <int K>
Taylor<double, K> scaled(Taylor<double, K> x, double radius) {
  for (int k = 0; k <= K; ++k) x.c[k] *= std::pow(radius, k);
  return x;
}

template <int K>
void check_against_cauchy(std::uint64_t seed) {
  Random rng(seed);
  auto x = rng.number<Taylor<double, K>>(1.5, 2), y = rng.number<Taylor<double, K>>(1, 2);
  constexpr double radius = 0.4;
  const auto check = [&](const Taylor<double, K>& actual, auto f, const char* name) {
    const auto expected = by_cauchy<K>(f, radius);
    EXPECT_TRUE(near(scaled(actual, radius), expected, 2e-15 * (K + 1), seed)) << name << K;
  };
  for (int k = 1; k <= K; ++k) x.c[k] *= 0.3, y.c[k] *= 0.3;
  check(
      x * y, [&](Complex t) { return at(x, t) * at(y, t); }, "product");
  check(
      x / y, [&](Complex t) { return at(x, t) / at(y, t); }, "quotient");
  check(
      sqrt(x), [&](Complex t) { return std::sqrt(at(x, t)); }, "sqrt");
  check(
      sin(x), [&](Complex t) { return std::sin(at(x, t)); }, "sin");
  check(
      cos(x), [&](Complex t) { return std::cos(at(x, t)); }, "cos");
  check(
      exp(x), [&](Complex t) { return std::exp(at(x, t)); }, "exp");
  check(
      log(x), [&](Complex t) { return std::log(at(x, t)); }, "log");
  check(
      tanh(x), [&](Complex t) { return std::tanh(at(x, t)); }, "tanh");
  check(
      atan2(y, x), [&](Complex t) { return std::atan(at(y, t) / at(x, t)); }, "atan2");
}

TEST(TaylorSeries, AgreesWithCauchysIntegral) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    check_against_cauchy<1>(seed);
    check_against_cauchy<4>(seed);
    check_against_cauchy<12>(seed);
  }
}

TEST(TaylorSeries, ComposeIsTheChainRule) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Random rng(seed);
    const auto x = rng.number<Taylor<double, 7>>(0.5, 1.5);
    double exponential[8], root[8];
    root[0] = std::sqrt(x.c[0]);
    for (int n = 0; n < 8; ++n) exponential[n] = std::exp(x.c[0]);
    for (int n = 1; n < 8; ++n) root[n] = root[n - 1] * (1.5 - n) / x.c[0];
    EXPECT_TRUE(near(compose<double, 7>(exponential, x), exp(x), 1e-14, seed));
    EXPECT_TRUE(near(compose<double, 7>(root, x), sqrt(x), 1e-14, seed));
  }
}

TEST(TaylorSeries, TimeDerivative) {
  Random rng(3);
  const auto x = rng.number<Taylor<double, 6>>();
  const auto rate = time_derivative(x);
  for (int k = 0; k < 6; ++k) EXPECT_EQ(rate.c[k], (k + 1) * x.c[k + 1]);
  EXPECT_EQ(rate.c[6], 0);
  auto left = time_derivative(sin(x)), right = cos(x) * rate;
  left.c[6] = right.c[6] = 0;  // the last coefficient of a derivative is unknown
  EXPECT_TRUE(near(left, right, 1e-14, 3));
}

TEST(TaylorSeries, LineAndOrderZero) {
  const auto line = Taylor<double, 3>::line(2, 5);
  EXPECT_EQ(line.c[0], 2);
  EXPECT_EQ(line.c[1], 5);
  EXPECT_EQ(line.c[2], 0);
  const auto point = Taylor<double, 0>::line(2, 5);
  EXPECT_EQ(point.c[0], 2);
  EXPECT_EQ(time_derivative(point).c[0], 0);
  EXPECT_NEAR(atan2(point, point).c[0], pi / 4, 1e-16);
}

TEST(TaylorSeries, AbsoluteValueReflectsTheWholeSeries) {
  const Taylor<double, 2> x = Taylor<double, 2>::line(-1, 3);
  EXPECT_EQ(abs(x).c[0], 1);
  EXPECT_EQ(abs(x).c[1], -3);
}

/// A series of dual numbers: the time derivatives of a sensitivity.
TEST(TaylorSeries, InnerDualNumbers) {
  using Inner = Dual<double, 1>;
  const auto a = Inner::variable(0.7, 0);
  const auto t = Taylor<Inner, 4>::line(Inner(0), Inner(1));
  const auto y = sin(t * a);  // d/da sin(a t) = t cos(a t)
  const double expected[] = {0, 1, 0, -3 * 0.7 * 0.7 / 6, 0};
  for (int k = 0; k <= 4; ++k) EXPECT_NEAR(y.c[k].d[0], expected[k], 1e-15) << k;
}

static_assert([] {
  constexpr auto t = Taylor<double, 3>::line(0, 1);
  constexpr auto y = (1.0 + t) * (1.0 + t) / (1.0 + t) - t;
  return y.c[0] == 1 && y.c[1] == 0 && y.c[2] == 0;
}());

}  // namespace
}  // namespace jounce::test
