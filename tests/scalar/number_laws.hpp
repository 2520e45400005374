// SPDX-License-Identifier: BSD-3-Clause
// The laws of arithmetic and of the elementary functions, for any kind of number.
//
// The random numbers carry random derivatives, so each law is checked on them as well. A failure
// names the line of the law; the test that called names the kind.
#pragma once

#include <jounce/scalar/number.hpp>

#include "support/near.hpp"
#include "support/random.hpp"

namespace jounce::test {

template <class Real>
void sums_and_products_form_a_ring() {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random rng(seed);
    const Real a = rng.number<Real>(), b = rng.number<Real>(), c = rng.number<Real>();
    const double tolerance = rounding<Real>(8);
    expect_near(a + b, b + a, 0, seed);
    expect_near((a + b) + c, a + (b + c), tolerance, seed);
    expect_near(a * b, b * a, tolerance, seed);
    expect_near((a * b) * c, a * (b * c), 4 * tolerance, seed);
    expect_near(a * (b + c), a * b + a * c, 4 * tolerance, seed);
    expect_near(a - b, -(b - a), 0, seed);
    expect_near(a + (-a), Real(0), 0, seed);
    expect_near(a - a, Real(0), 0, seed);
    expect_near(Real(1) * a, a, 0, seed);
    expect_near(Real(0) + a, a, 0, seed);
    expect_near(square(a), a * a, 0, seed);
  }
}

template <class Real>
void assignment_does_what_the_operator_does() {
  Random rng(21);
  const Real a = rng.number<Real>(), b = rng.number<Real>();
  Real sum = a, difference = a, product = a;
  sum += b;
  difference -= b;
  product *= b;
  expect_near(sum, a + b, 0, rng.seed());
  expect_near(difference, a - b, 0, rng.seed());
  expect_near(product, a * b, 0, rng.seed());
}

template <class Real>
void plain_constants_mix() {
  const Plain<Real> two(2), three(3);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Random rng(seed);
    const Real a = rng.number<Real>(1, 3);
    const double tolerance = rounding<Real>(16);
    expect_near(two * a, a + a, 0, seed);
    expect_near(a * two, a + a, 0, seed);
    expect_near(a + three, Real(3) + a, 0, seed);
    expect_near(three + a, Real(3) + a, 0, seed);
    expect_near(a - three, a - Real(3), 0, seed);
    expect_near(three - a, Real(3) - a, 0, seed);
    expect_near(a / three, a / Real(3), tolerance, seed);
    expect_near(three / a, Real(3) / a, tolerance, seed);
  }
}

template <class Real>
void division_undoes_multiplication() {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random rng(seed);
    const Real a = rng.number<Real>(), b = rng.number<Real>(1, 2), c = -rng.number<Real>(1, 2);
    expect_near(a / b * b, a, rounding<Real>(200), seed);
    expect_near(a * c / c, a, rounding<Real>(200), seed);
    expect_near(Real(1) / (Real(1) / b), b, rounding<Real>(200), seed);
  }
}

template <class Real>
void root_squared() {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random rng(seed);
    const Real a = rng.number<Real>(1, 4);
    expect_near(sqrt(a) * sqrt(a), a, rounding<Real>(64), seed);
    expect_near(sqrt(a * a), a, rounding<Real>(64), seed);
  }
}

template <class Real>
void sine_and_cosine() {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random rng(seed);
    const Real a = rng.number<Real>(-4, 4), b = rng.number<Real>(-4, 4);
    const auto fa = sincos(a), fb = sincos(b), fc = sincos(a + b);
    const double tolerance = rounding<Real>(400);
    expect_near(sin(a), fa.sin, rounding<Real>(4), seed);
    expect_near(cos(a), fa.cos, rounding<Real>(4), seed);
    expect_near(fa.sin * fa.sin + fa.cos * fa.cos, Real(1), tolerance, seed);
    expect_near(fc.sin, fa.sin * fb.cos + fa.cos * fb.sin, tolerance, seed);
    expect_near(fc.cos, fa.cos * fb.cos - fa.sin * fb.sin, tolerance, seed);
  }
  expect_near(sincos(Real(0)).sin, Real(0), 0);
  expect_near(sincos(Real(0)).cos, Real(1), 0);
}

template <class Real>
void exponential_and_logarithm() {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random rng(seed);
    const Real a = rng.number<Real>(), b = rng.number<Real>(), c = rng.number<Real>(1, 3);
    const double tolerance = rounding<Real>(400);
    expect_near(log(exp(a)), a, tolerance, seed);
    expect_near(exp(log(c)), c, tolerance, seed);
    expect_near(exp(a + b), exp(a) * exp(b), tolerance, seed);
  }
}

template <class Real>
void hyperbolic_tangent() {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random rng(seed);
    const Real a = rng.number<Real>(-2, 2), squared = exp(a + a);
    const Real expected = (squared - Real(1)) / (squared + Real(1));
    expect_near(tanh(a), expected, rounding<Real>(2000), seed);
    expect_near(tanh(-a), -tanh(a), 0, seed);
    expect_near(sech_squared(a), Real(1) - tanh(a) * tanh(a), rounding<Real>(2000), seed);
    expect_near(sech_squared(-a), sech_squared(a), 0, seed);
  }
}

template <class Real>
void angle_of_a_point_in_every_quadrant() {
  for (int quadrant = -2; quadrant < 2; ++quadrant) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      Random rng(seed);
      const double first = quadrant * pi / 2;
      const Real angle = rng.number<Real>(first + 0.01, first + pi / 2 - 0.01);
      const Real radius = rng.number<Real>(1, 2);
      const Real y = radius * sin(angle), x = radius * cos(angle);
      expect_near(atan2(y, x), angle, rounding<Real>(400), seed);
    }
  }
}

template <class Real>
void absolute_value() {
  Random rng(31);
  const Real a = rng.number<Real>(0.1, 1);
  expect_near(abs(a), a, 0, rng.seed());
  expect_near(abs(-a), a, 0, rng.seed());
  expect_near(abs(Real(0)), Real(0), 0);
}

/// The parts of a value that belong to one lane: all of them when there are no lanes.
template <class Real>
constexpr int lanes = 1;
template <class T, int W, Isa I>
constexpr int lanes<Pack<T, W, I>> = W;
template <class T, int K>
constexpr int lanes<Taylor<T, K>> = lanes<T>;
template <class T, int N>
constexpr int lanes<Dual<T, N>> = lanes<T>;

template <class Real>
void select_takes_whole_numbers_lane_by_lane() {
  constexpr int W = lanes<Real>;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random rng(seed);
    const Real a = rng.number<Real>(), b = rng.number<Real>();
    const auto left = parts_of(a), right = parts_of(b);
    const auto less = parts_of(select(a < b, a, b)), more = parts_of(select(a > b, a, b));
    const auto at_most = parts_of(select(a <= a, a, b)), never = parts_of(select(a < a, b, a));
    const auto at_least = parts_of(select(b >= a, b, a));
    for (std::size_t k = 0; k < left.size(); ++k) {
      const bool a_first = left[k % W] < right[k % W];  // value parts come first
      expect_near(less[k], a_first ? left[k] : right[k], 0, seed);
      expect_near(more[k], a_first ? right[k] : left[k], 0, seed);
      expect_near(at_least[k], a_first ? right[k] : left[k], 0, seed);
      expect_near(at_most[k], left[k], 0, seed);
      expect_near(never[k], left[k], 0, seed);
    }
    EXPECT_EQ(double(value_of(a)), left[0]);
  }
}

/// A constant of any kind is the number itself with vanishing derivatives.
template <class Real>
void constants_have_no_derivatives() {
  const Real c(0.75);
  const auto all = parts_of(c), zero = parts_of(Real());
  for (std::size_t k = 0; k < all.size(); ++k) {
    EXPECT_EQ(all[k], k < std::size_t(lanes<Real>) ? 0.75 : 0.0);
    EXPECT_EQ(zero[k], 0.0);
  }
}

/// The value part follows the C library: derivatives never disturb it.
template <class Real>
void values_agree_with_the_library() {
  using T = Plain<Real>;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random rng(seed);
    const Real a = rng.number<Real>(0.1, 3), b = rng.number<Real>(-3, -0.1);
    const T x = value_of(a), y = value_of(b);
    const double tolerance = rounding<Real>(4);
    expect_near(value_of(a / b), x / y, tolerance, seed);
    expect_near(value_of(sqrt(a)), std::sqrt(x), tolerance, seed);
    expect_near(value_of(sin(b)), std::sin(y), tolerance, seed);
    expect_near(value_of(cos(a)), std::cos(x), tolerance, seed);
    expect_near(value_of(exp(b)), std::exp(y), tolerance, seed);
    expect_near(value_of(log(a)), std::log(x), tolerance, seed);
    expect_near(value_of(tanh(b)), std::tanh(y), tolerance, seed);
    expect_near(value_of(atan2(a, b)), std::atan2(x, y), tolerance, seed);
    expect_near(value_of(abs(b)), -y, tolerance, seed);
  }
}

template <class Real>
void expect_laws_of_numbers() {
  sums_and_products_form_a_ring<Real>();
  assignment_does_what_the_operator_does<Real>();
  plain_constants_mix<Real>();
  division_undoes_multiplication<Real>();
  root_squared<Real>();
  sine_and_cosine<Real>();
  exponential_and_logarithm<Real>();
  hyperbolic_tangent<Real>();
  angle_of_a_point_in_every_quadrant<Real>();
  absolute_value<Real>();
  select_takes_whole_numbers_lane_by_lane<Real>();
  constants_have_no_derivatives<Real>();
  values_agree_with_the_library<Real>();
}

}  // namespace jounce::test
