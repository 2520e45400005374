// SPDX-License-Identifier: BSD-3-Clause
// Sine and cosine of packs against 113-bit arithmetic: at most 2 ulp for |x| <= 1e6.
#include <algorithm>
#include <jounce/scalar/pack.hpp>
#include <string>
#include <vector>

#include "support/near.hpp"
#include "support/quad.hpp"
#include "support/random.hpp"

namespace jounce::test {
namespace {

constexpr int last_quarter_turn = 636619;  // the last multiple of pi/2 below 1e6

/// The largest error of sin and cos over a list of points, in ulp; remembers where.
template <class T, int W>
struct Errors {
  double sin_ulp = 0, cos_ulp = 0;
  T sin_at = 0, cos_at = 0;

  void look_at(const std::vector<T>& points) {
    for (std::size_t first = 0; first < points.size(); first += W) {
      Pack<T, W> x;
      for (std::size_t k = 0; k < W; ++k) x.set(k, points[std::min(first + k, points.size() - 1)]);
      const auto y = sincos(x);
      for (int k = 0; k < W; ++k) compare(x[k], y.sin[k], y.cos[k]);
    }
  }
  void compare(T x, T s, T c) {
    const QuadSinCos exact = quad_sincos(x);
    const double s_error = ulp_distance(s, exact.sin), c_error = ulp_distance(c, exact.cos);
    if (!(s_error <= sin_ulp)) sin_ulp = s_error, sin_at = x;
    if (!(c_error <= cos_ulp)) cos_ulp = c_error, cos_at = x;
  }
};

template <class T>
class PackSinCos : public testing::Test {
 protected:
  template <int W = 8>
  void expect_two_ulp(const std::vector<T>& points) {
    Errors<T, W> errors;
    errors.look_at(points);
    this->RecordProperty("max_ulp_sin", std::to_string(errors.sin_ulp));
    this->RecordProperty("max_ulp_cos", std::to_string(errors.cos_ulp));
    EXPECT_LE(errors.sin_ulp, 2) << "sin of " << errors.sin_at;
    EXPECT_LE(errors.cos_ulp, 2) << "cos of " << errors.cos_at;
  }
};

using Plains = testing::Types<double, float>;
TYPED_TEST_SUITE(PackSinCos, Plains);

TYPED_TEST(PackSinCos, UniformPoints) {
  Random rng(1);
  std::vector<TypeParam> points;
  for (int n = 0; n < 40000; ++n) points.push_back(TypeParam(rng.uniform(-1e6, 1e6)));
  for (int n = 0; n < 40000; ++n) points.push_back(TypeParam(rng.uniform(-10, 10)));
  this->expect_two_ulp(points);
}

/// Without a reduction the polynomials alone are good to one ulp, the cosine in float to 1.5.
TYPED_TEST(PackSinCos, WithinHalfAQuadrant) {
  Random rng(5);
  std::vector<TypeParam> points;
  for (int n = 0; n < 40000; ++n) points.push_back(TypeParam(rng.uniform(-pi / 4, pi / 4)));
  Errors<TypeParam, 8> errors;
  errors.look_at(points);
  this->RecordProperty("max_ulp_sin", std::to_string(errors.sin_ulp));
  this->RecordProperty("max_ulp_cos", std::to_string(errors.cos_ulp));
  EXPECT_LE(errors.sin_ulp, 1) << "sin of " << errors.sin_at;
  EXPECT_LE(errors.cos_ulp, sizeof(TypeParam) == 8 ? 1 : 1.5) << "cos of " << errors.cos_at;
}

TYPED_TEST(PackSinCos, LogUniformPoints) {
  Random rng(2);
  std::vector<TypeParam> points;
  for (int n = 0; n < 40000; ++n)
    points.push_back(TypeParam(rng.sign() * rng.log_uniform(1e-20, 1e6)));
  this->expect_two_ulp(points);
}

/// The number nearest to every multiple of pi/2 below 1e6, the worst cases of a reduction.
TYPED_TEST(PackSinCos, NextToEveryMultipleOfAQuarterTurn) {
  using T = TypeParam;
  std::vector<T> points;
  for (int k = 1; k <= last_quarter_turn; ++k) {
    const T x = T(double(k * quad_half_pi()));
    points.push_back(k % 2 ? x : -x);
    if (k % 32 != 0) continue;
    points.push_back(std::nextafter(x, T(0)));
    points.push_back(std::nextafter(x, T(2e6)));
  }
  this->expect_two_ulp(points);
}

/// Halfway between two quadrants the rounding of n may go either way.
TYPED_TEST(PackSinCos, NextToOddMultiplesOfAnEighthTurn) {
  using T = TypeParam;
  Random rng(3);
  std::vector<T> points;
  for (int n = 0; n < 10000; ++n) {
    const int k = int(rng.uniform(0, last_quarter_turn));
    const T x = T(double((k + Quad(0.5)) * quad_half_pi()));
    for (T y : {x, std::nextafter(x, T(0)), std::nextafter(x, T(2e6))}) points.push_back(y);
  }
  this->expect_two_ulp(points);
}

TYPED_TEST(PackSinCos, EveryWidth) {
  Random rng(4);
  std::vector<TypeParam> points;
  for (int n = 0; n < 2000; ++n) points.push_back(TypeParam(rng.uniform(-1e4, 1e4)));
  this->template expect_two_ulp<1>(points);
  this->template expect_two_ulp<2>(points);
  this->template expect_two_ulp<4>(points);
  this->template expect_two_ulp<16>(points);
  this->template expect_two_ulp<32>(points);
}

TYPED_TEST(PackSinCos, ZeroAndTheSmallestNumbers) {
  using T = TypeParam;
  using Limits = std::numeric_limits<T>;
  for (T x : {T(0), Limits::denorm_min(), 3 * Limits::denorm_min(), Limits::min() / 2,
              Limits::min(), T(2) * Limits::min()}) {
    for (T signed_x : {x, -x}) {
      const auto y = sincos(Pack<T, 8>(signed_x));
      for (int k = 0; k < 8; ++k) {
        EXPECT_EQ(y.sin[k], signed_x);
        EXPECT_EQ(y.cos[k], T(1));
      }
    }
  }
}

TYPED_TEST(PackSinCos, BothSidesOfTheLimit) {
  using T = TypeParam;
  std::vector<T> points;
  T below = T(1e6), above = T(1e6);
  for (int n = 0; n < 64; ++n) {
    for (T x : {below, above}) points.insert(points.end(), {x, -x});
    below = std::nextafter(below, T(0));
    above = std::nextafter(above, T(2e6));
  }
  this->expect_two_ulp(points);
}

TYPED_TEST(PackSinCos, HugeInfiniteAndNaNLanesGoToTheLibrary) {
  using T = TypeParam;
  constexpr T infinity = std::numeric_limits<T>::infinity();
  constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  for (T far : {T(1e22), T(-1e22), T(1e30), T(1000001), std::numeric_limits<T>::max(), infinity,
                -infinity, nan}) {
    for (int lane = 0; lane < 8; ++lane) {
      Pack<T, 8> x(0.75);
      x.set(lane, far);
      const auto y = sincos(x), all_near = sincos(Pack<T, 8>(0.75));
      for (int k = 0; k < 8; ++k) {
        if (k != lane) {
          EXPECT_EQ(y.sin[k], all_near.sin[k]) << far;
          EXPECT_EQ(y.cos[k], all_near.cos[k]) << far;
        } else if (std::isfinite(far)) {
          EXPECT_EQ(y.sin[k], std::sin(far)) << far;
          EXPECT_EQ(y.cos[k], std::cos(far)) << far;
        } else {
          EXPECT_TRUE(std::isnan(y.sin[k]) && std::isnan(y.cos[k])) << far;
        }
      }
    }
  }
}

TYPED_TEST(PackSinCos, SineIsOddAndCosineIsEven) {
  using P = Pack<TypeParam, 8>;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random rng(seed);
    const P x = rng.number<P>(-1e5, 1e5);
    const auto y = sincos(x), mirrored = sincos(-x);
    EXPECT_TRUE(near(mirrored.sin, -y.sin, 0, seed));
    EXPECT_TRUE(near(mirrored.cos, y.cos, 0, seed));
    EXPECT_TRUE(near(sin(x), y.sin, 0, seed));
    EXPECT_TRUE(near(cos(x), y.cos, 0, seed));
  }
}

/// The oracle itself: known values and the addition theorem.
TEST(QuadSinCosOracle, KnownValues) {
  const QuadSinCos one = quad_sincos(1), big = quad_sincos(1e6), sum = quad_sincos(Quad(1e6) + 1);
  EXPECT_LE(ulp_distance(0.8414709848078965, one.sin), 0.5);
  EXPECT_LE(ulp_distance(0.5403023058681398, one.cos), 0.5);
  EXPECT_LE(ulp_distance(-0.34999350217129294, big.sin), 0.5);
  const Quad by_theorem = big.sin * one.cos + big.cos * one.sin;
  EXPECT_LT(double(quad_abs(sum.sin - by_theorem)), 1e-25);
  EXPECT_LT(double(quad_abs(one.sin * one.sin + one.cos * one.cos - 1)), 1e-30);
}

}  // namespace
}  // namespace jounce::test
