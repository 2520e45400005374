// SPDX-License-Identifier: BSD-3-Clause
// The matrices of the group: each is the matrix of the action with the same name.
#include <jounce/group/matrices.hpp>

#include "group/kinds.hpp"
#include "support/near.hpp"
#include "support/random.hpp"

namespace jounce::test {
namespace {

TEST(GroupMatrix, ActsLikeTheFunction) {
  on_every(kinds, []<class Real>() {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Random rng(seed);
      const SE3<Real> T = rng.pose<Real>();
      const Twist<Real> V = rng.twist<Real>(), W = rng.twist<Real>();
      const Wrench<Real> F = rng.wrench<Real>();
      const double tolerance = rounding<Real>(100);
      const auto w = to_matrix(W), f = to_matrix(F);
      expect_near(Ad_matrix(T) * w, to_matrix(Ad(T, W)), tolerance, seed);
      expect_near(Ad_inv_matrix(T) * w, to_matrix(Ad_inv(T, W)), tolerance, seed);
      expect_near(dual_Ad_matrix(T) * f, to_matrix(dual_Ad(T, F)), tolerance, seed);
      expect_near(dual_Ad_inv_matrix(T) * f, to_matrix(dual_Ad_inv(T, F)), tolerance, seed);
      expect_near(ad_matrix(V) * w, to_matrix(ad(V, W)), tolerance, seed);
      expect_near(dual_ad_matrix(V) * f, to_matrix(dual_ad(V, F)), tolerance, seed);
    }
  });
}

TEST(GroupMatrix, PosesMultiplyAsMatrices) {
  on_every(kinds, []<class Real>() {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Random rng(seed);
      const SE3<Real> T = rng.pose<Real>(), U = rng.pose<Real>();
      const double tolerance = rounding<Real>(100);
      const auto one = as<Real>(Mat4<double>::identity());
      expect_near(to_matrix(T) * to_matrix(U), to_matrix(T * U), tolerance, seed);
      expect_near(to_matrix(T) * to_matrix(inverse(T)), one, tolerance, seed);  // [Kim] (4)
      EXPECT_EQ(value_of(to_matrix(T)(3, 3)), 1);
      EXPECT_EQ(value_of(to_matrix(T)(3, 0)), 0);
    }
  });
}

/// [Kim] (6): Ad_T [V] = T [V] T^-1, and the bracket is the commutator.
TEST(GroupMatrix, AdjointIsConjugationAndBracketIsCommutator) {
  on_every(kinds, []<class Real>() {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Random rng(seed);
      const SE3<Real> T = rng.pose<Real>();
      const Twist<Real> V = rng.twist<Real>(), W = rng.twist<Real>();
      const double tolerance = rounding<Real>(200);
      const Mat4<Real> v = hat(V), w = hat(W);
      expect_near(to_matrix(T) * v * to_matrix(inverse(T)), hat(Ad(T, V)), tolerance, seed);
      expect_near(v * w - w * v, hat(ad(V, W)), tolerance, seed);
      expect_near(vee(v), V, 0, seed);
    }
  });
}

TEST(GroupMatrix, InertiaActsLikeTheFunction) {
  on_every(kinds, []<class Real>() {
    Random rng(1);
    const Inertia<Real> G = rng.inertia<Real>();
    const Twist<Real> V = rng.twist<Real>();
    const Mat6<Real> m = to_matrix(G);
    expect_near(m * to_matrix(V), to_matrix(G * V), rounding<Real>(100));
    expect_near(m, transpose(m), 0);
  });
}

/// exp of a 6x6 matrix by its series, after halving it ten times.
Mat6<double> matrix_exp(Mat6<double> a) {
  a = map(a, [](double x) { return x / 1024; });
  Mat6<double> term = Mat6<double>::identity(), sum = term;
  for (int n = 1; n < 12; ++n) {
    term = map(term * a, [n](double x) { return x / n; });
    sum = sum + term;
  }
  for (int k = 0; k < 10; ++k) sum = sum * sum;
  return sum;
}

TEST(GroupMatrixExponential, AdOfExpIsExpOfAd) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random rng(seed);
    const Twist<double> X{rng.rotation_vector(rng.uniform(0, 6)), rng.vec3()};
    expect_near(Ad_matrix(exp(X)), matrix_exp(ad_matrix(X)), 2e-12, seed);
  }
}

TEST(GroupMatrixExponential, DerivativeColumns) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random rng(seed);
    const Twist<double> X = rng.twist(), Y = rng.twist();
    expect_near(dexp_body_matrix(X) * to_matrix(Y), to_matrix(dexp_body(X, Y)), 1e-15, seed);
  }
}

/// Every entry where [Kim] (3), (5), (7), (27) and (20) put it.
TEST(GroupMatrixLayout, Blocks) {
  const SE3<double> T{{}, {1, 2, 3}};
  EXPECT_EQ(to_matrix(T)(1, 3), 2);
  const Mat6<double> X = Ad_matrix(T);
  EXPECT_EQ(X(0, 0), 1);
  EXPECT_EQ(X(0, 3), 0);
  EXPECT_EQ(X(3, 1), -3);  // [p]
  EXPECT_EQ(X(4, 0), 3);
  EXPECT_EQ(X(3, 3), 1);
  const Twist<double> V{{1, 2, 3}, {4, 5, 6}};
  EXPECT_EQ(hat(V)(1, 0), 3);
  EXPECT_EQ(hat(V)(2, 3), 6);
  EXPECT_EQ(ad_matrix(V)(1, 0), 3);
  EXPECT_EQ(ad_matrix(V)(4, 0), 6);
  EXPECT_EQ(ad_matrix(V)(4, 3), 3);
  EXPECT_EQ(ad_matrix(V)(0, 4), 0);
  const Mat6<double> G = to_matrix(Inertia<double>{7, {1, 2, 3}, {10, 11, 12, 13, 14, 15}});
  EXPECT_EQ(G(1, 0), 11);
  EXPECT_EQ(G(2, 1), 14);
  EXPECT_EQ(G(1, 3), 3);  // [h]
  EXPECT_EQ(G(3, 1), 3);
  EXPECT_EQ(G(4, 0), -3);
  EXPECT_EQ(G(5, 5), 7);
}

/// The lower triangle decides, and R M R^T needs nothing else.
TEST(GroupMatrixLayout, SymmetricMatrices) {
  const Mat3<double> m{{{1, 20, 30}, {2, 3, 40}, {4, 5, 6}}};
  expect_near(symmetric(m), Sym3<double>{1, 2, 3, 4, 5, 6}, 0);
  expect_near(to_matrix(symmetric(m)), Mat3<double>{{{1, 2, 4}, {2, 3, 5}, {4, 5, 6}}}, 0);
  Random rng(2);
  const Mat3<double> R = rng.rotation().m;
  const Sym3<double> M = rng.inertia().I;
  expect_near(to_matrix(congruence(R, M)), R * to_matrix(M) * transpose(R), 1e-15);
  const Vec3<double> x = rng.vec3();
  expect_near(M * x, to_matrix(M) * x, 1e-15);
}

static_assert([] {
  constexpr Matrix<double, 2, 3> a{{{1, 2, 3}, {4, 5, 6}}};
  constexpr auto square = a * transpose(a);
  constexpr auto twice = a + a - a + a;
  return square(0, 0) == 14 && square(0, 1) == 32 && square(1, 1) == 77 && twice(1, 2) == 12;
}());

}  // namespace
}  // namespace jounce::test
