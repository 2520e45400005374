// SPDX-License-Identifier: BSD-3-Clause
// Dual numbers against closed-form gradients, central differences and nested second derivatives.
#include <jounce/scalar/dual.hpp>

#include "support/near.hpp"
#include "support/random.hpp"

namespace jounce::test {
namespace {

using D3 = Dual<double, 3>;

TEST(DualNumber, VariablesCarryUnitVectors) {
  const D3 x = D3::variable(4, 1);
  EXPECT_EQ(x.a, 4);
  EXPECT_EQ(x.d[0], 0);
  EXPECT_EQ(x.d[1], 1);
  EXPECT_EQ(x.d[2], 0);
}

TEST(DualNumber, DerivativesOfTheElementaryFunctions) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random rng(seed);
    const double a = rng.uniform(0.2, 2);
    const D3 x = D3::variable(a, 0);
    const auto check = [&](const D3& y, double slope) {
      EXPECT_NEAR(y.d[0], slope, 1e-15 * std::max(1.0, std::abs(slope))) << "seed " << seed;
      EXPECT_EQ(y.d[1], 0);
    };
    check(sqrt(x), 0.5 / std::sqrt(a));
    check(sin(x), std::cos(a));
    check(cos(x), -std::sin(a));
    check(exp(x), std::exp(a));
    check(log(x), 1 / a);
    check(tanh(x), 1 / (std::cosh(a) * std::cosh(a)));
    check(x * x * x, 3 * a * a);
    check(1.0 / x, -1 / (a * a));
    check(D3(1) / x, -1 / (a * a));
    check(x / (1.0 + x), 1 / ((1 + a) * (1 + a)));
    check(2.0 - x, -1);
    check(atan2(x, D3(2)), 2 / (4 + a * a));
    check(atan2(D3(2), x), -2 / (4 + a * a));
    check(abs(-x), 1);
    check(abs(x), 1);
  }
}

/// Uses every operation with three arguments.
struct Mixture {
  template <class Real>
  Real operator()(const Real& x, const Real& y, const Real& z) const {
    const auto f = sincos(x * y);
    const Real root = sqrt(x * x + y * y + z * z);
    return f.sin * exp(z) / root + tanh(f.cos - z) * log(root) - atan2(y, x - z) + abs(z) * x;
  }
};

TEST(DualNumber, GradientAgreesWithCentralDifferences) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Random rng(seed);
    const double at[3] = {rng.uniform(0.5, 2), rng.uniform(-2, -0.5), rng.uniform(-1, -0.2)};
    const D3 y = Mixture()(D3::variable(at[0], 0), D3::variable(at[1], 1), D3::variable(at[2], 2));
    for (int k = 0; k < 3; ++k) {
      const long double h = 1e-6L;
      long double x[2][3];
      for (int j = 0; j < 3; ++j) x[0][j] = x[1][j] = at[j];
      x[0][k] -= h;
      x[1][k] += h;
      const long double slope =
          (Mixture()(x[1][0], x[1][1], x[1][2]) - Mixture()(x[0][0], x[0][1], x[0][2])) / (2 * h);
      EXPECT_NEAR(y.d[k], double(slope), 1e-9) << "seed " << seed << ", direction " << k;
    }
  }
}

TEST(DualNumber, NestedSecondDerivativesInClosedForm) {
  using DD = Dual<Dual<double, 2>, 2>;
  const double a = 0.7, b = 1.3;
  const auto variable = [](double value, int k) {
    return DD::variable(Dual<double, 2>::variable(value, k), k);
  };
  const DD x = variable(a, 0), y = variable(b, 1);
  const DD f = sin(x) * exp(y) + x * x / y;  // Hessian by hand
  EXPECT_NEAR(f.d[0].a, std::cos(a) * std::exp(b) + 2 * a / b, 1e-15);
  EXPECT_NEAR(f.d[0].d[0], -std::sin(a) * std::exp(b) + 2 / b, 1e-14);
  EXPECT_NEAR(f.d[0].d[1], std::cos(a) * std::exp(b) - 2 * a / (b * b), 1e-14);
  EXPECT_NEAR(f.d[1].d[0], f.d[0].d[1], 1e-14);
  EXPECT_NEAR(f.d[1].d[1], std::sin(a) * std::exp(b) + 2 * a * a / (b * b * b), 1e-14);
}

TEST(DualNumber, NestedSecondDerivativesOfEveryFunction) {
  using DD = Dual<Dual<double, 1>, 1>;
  const double a = 0.6, t = std::tanh(a);
  const DD x = DD::variable(Dual<double, 1>::variable(a, 0), 0);
  EXPECT_NEAR(sqrt(x).d[0].d[0], -0.25 * std::pow(a, -1.5), 1e-15);
  EXPECT_NEAR(sin(x).d[0].d[0], -std::sin(a), 1e-15);
  EXPECT_NEAR(cos(x).d[0].d[0], -std::cos(a), 1e-15);
  EXPECT_NEAR(exp(x).d[0].d[0], std::exp(a), 1e-15);
  EXPECT_NEAR(log(x).d[0].d[0], -1 / (a * a), 1e-15);
  EXPECT_NEAR(tanh(x).d[0].d[0], -2 * t * (1 - t * t), 1e-15);
  EXPECT_NEAR((DD(1) / x).d[0].d[0], 2 / (a * a * a), 1e-14);
  const double n = 1 + a * a;
  EXPECT_NEAR(atan2(x, DD(1)).d[0].d[0], -2 * a / (n * n), 1e-15);
}

TEST(DualNumber, LanesOfAPackHaveTheirOwnGradient) {
  using P = Pack<double, 4>;
  Random rng(5);
  const P a = rng.number<P>(0.5, 2);
  const auto y = sqrt(Dual<P, 1>::variable(a, 0)) * 3.0;
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(y.d[0][k], 1.5 / std::sqrt(a[k]), 1e-15);
}

static_assert([] {
  constexpr auto x = D3::variable(3, 2);
  constexpr auto y = x * x / 2.0 - x + 1.0;
  return y.a == 2.5 && y.d[2] == 2 && y.d[0] == 0;
}());

}  // namespace
}  // namespace jounce::test
