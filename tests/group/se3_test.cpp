// SPDX-License-Identifier: BSD-3-Clause
// Poses, twists and wrenches: the laws of SE(3), Ad and ad, exponential, logarithm, derivatives.
#include <jounce/group/matrices.hpp>
#include <jounce/group/se3.hpp>
#include <string>

#include "group/kinds.hpp"
#include "support/near.hpp"
#include "support/quad.hpp"
#include "support/random.hpp"
#include "support/worse.hpp"

namespace jounce::test {
namespace {

template <class Real>
Twist<Real> twist_of_angle(Random& rng, double low, double high) {
  const Vec3<Real> axis = rng.unit_vec3<Real>();
  return {axis * rng.number<Real>(low, high), rng.vec3<Real>()};
}

TEST(Pose, Group) {
  on_every(kinds, []<class Real>() {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Random rng(seed);
      const SE3<Real> T = rng.pose<Real>(), U = rng.pose<Real>(), one = as<Real>(SE3<double>());
      const Vec3<Real> x = rng.vec3<Real>();
      const double tolerance = rounding<Real>(100);
      expect_near(T * inverse(T), one, tolerance, seed);
      expect_near(inverse(T) * T, one, tolerance, seed);
      expect_near(inverse_times(T, U), inverse(T) * U, tolerance, seed);
      expect_near((T * U) * x, T * (U * x), tolerance, seed);
      expect_near(inverse(T * U), inverse(U) * inverse(T), tolerance, seed);
    }
  });
}

TEST(Pose, AdjointIsARepresentation) {
  on_every(kinds, []<class Real>() {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Random rng(seed);
      const SE3<Real> T = rng.pose<Real>(), U = rng.pose<Real>();
      const Twist<Real> V = rng.twist<Real>();
      const Wrench<Real> F = rng.wrench<Real>();
      const double tolerance = rounding<Real>(400);
      expect_near(Ad(T * U, V), Ad(T, Ad(U, V)), tolerance, seed);
      expect_near(Ad_inv(T, Ad(T, V)), V, tolerance, seed);
      expect_near(Ad_inv(T, V), Ad(inverse(T), V), tolerance, seed);
      expect_near(dual_Ad(T * U, F), dual_Ad(U, dual_Ad(T, F)), tolerance, seed);
      expect_near(dual_Ad_inv(T, dual_Ad(T, F)), F, tolerance, seed);
      expect_near(dual_Ad_inv(T, F), dual_Ad(inverse(T), F), tolerance, seed);
    }
  });
}

TEST(Pose, DualActionsAreTransposes) {
  on_every(kinds, []<class Real>() {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Random rng(seed);
      const SE3<Real> T = rng.pose<Real>();
      const Twist<Real> V = rng.twist<Real>(), W = rng.twist<Real>();
      const Wrench<Real> F = rng.wrench<Real>();
      const double tolerance = rounding<Real>(200);
      expect_near(dot(dual_Ad(T, F), V), dot(F, Ad(T, V)), tolerance, seed);
      expect_near(dot(dual_Ad_inv(T, F), V), dot(F, Ad_inv(T, V)), tolerance, seed);
      expect_near(dot(dual_ad(V, F), W), dot(F, ad(V, W)), tolerance, seed);
    }
  });
}

TEST(Pose, BracketIsALieBracket) {
  on_every(kinds, []<class Real>() {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Random rng(seed);
      const SE3<Real> T = rng.pose<Real>();
      const Twist<Real> X = rng.twist<Real>(), Y = rng.twist<Real>(), Z = rng.twist<Real>();
      const Real s = rng.number<Real>();
      const double tolerance = rounding<Real>(100);
      expect_near(ad(X, Y), -ad(Y, X), tolerance, seed);
      expect_near(ad(X, Y * s + Z), ad(X, Y) * s + ad(X, Z), tolerance, seed);
      const Twist<Real> jacobi = ad(X, ad(Y, Z)) + ad(Y, ad(Z, X)) + ad(Z, ad(X, Y));
      expect_near(jacobi + X, X, tolerance, seed);
      expect_near(Ad(T, ad(X, Y)), ad(Ad(T, X), Ad(T, Y)), 4 * tolerance, seed);
    }
  });
}

TEST(Pose, VectorSpaces) {
  on_every(kinds, []<class Real>() {
    Random rng(1);
    const Twist<Real> V = rng.twist<Real>(), W = rng.twist<Real>();
    const Wrench<Real> F = rng.wrench<Real>(), H = rng.wrench<Real>();
    Twist<Real> twist = V;
    Wrench<Real> wrench = F, difference = F;
    twist += W;
    wrench += H;
    difference -= H;
    expect_near(twist, V + W, 0);
    expect_near(wrench, F + H, 0);
    expect_near(difference, F - H, 0);
    expect_near(V - W, V + (-W), 0);
    expect_near(F - H, F + (-H), 0);
    expect_near(dot(F * Real(2), V), dot(F, V * Real(2)), rounding<Real>(4));
    expect_near(dot(F + H, V), dot(F, V) + dot(H, V), rounding<Real>(20));
  });
}

TEST(Pose, OneParameterSubgroups) {
  on_every(kinds, []<class Real>() {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Random rng(seed);
      const Twist<Real> X = twist_of_angle<Real>(rng, 0.01, 3);
      const SE3<Real> T = rng.pose<Real>();
      const Real a = rng.number<Real>(), b = rng.number<Real>();
      expect_near(exp(X * a) * exp(X * b), exp(X * (a + b)), rounding<Real>(400), seed);
      expect_near(inverse(exp(X)), exp(-X), rounding<Real>(100), seed);
      expect_near(T * exp(X) * inverse(T), exp(Ad(T, X)), rounding<Real>(400), seed);
      expect_near(Ad(exp(X), X), X, rounding<Real>(200), seed);
    }
  });
}

TEST(Pose, LogarithmUndoesExponential) {
  on_every(kinds, []<class Real>() {
    const double ranges[][2] = {{0, 1e-3}, {0, 1}, {1, 1.7}, {1.5, 3}, {3, 3.13}};
    for (const auto& [low, high] : ranges) {
      for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        Random rng(seed);
        const Twist<Real> X = twist_of_angle<Real>(rng, low, high);
        const SE3<Real> T = rng.pose<Real>();
        expect_near(log(exp(X)), X, rounding<Real>(4000), seed);
        expect_near(exp(log(T)), T, rounding<Real>(4000), seed);
      }
    }
  });
}

TEST(Pose, DerivativeOfExponential) {
  on_every(kinds, []<class Real>() {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Random rng(seed);
      const Twist<Real> X = twist_of_angle<Real>(rng, 0, 5), Y = rng.twist<Real>();
      const Twist<Real> body = dexp_body(X, Y), space = dexp_space(X, Y);
      expect_near(Ad(exp(X), body), space, rounding<Real>(2000), seed);
      expect_near(dexp_body(X, X), X, rounding<Real>(200), seed);
      expect_near(dexp_body_inv(X, body), Y, rounding<Real>(40000), seed);
      expect_near(dexp_space_inv(X, space), Y, rounding<Real>(40000), seed);
      expect_near(dexp_body(X, dexp_body_inv(X, Y)), Y, rounding<Real>(40000), seed);
      const Wrench<Real> F = rng.wrench<Real>();
      expect_near(dot(dual_dexp_body_inv(X, F), Y), dot(F, dexp_body_inv(X, Y)),
                  rounding<Real>(40000), seed);
    }
  });
}

// ------------------------------------------------------------------ plain double, to the last bit

/// A sum with the wrong kind of vector has no meaning, and no overload.
template <class A, class B>
concept Addable = requires(A a, B b) {
  a + b;
};
template <class A, class B>
concept Subtractable = requires(A a, B b) {
  a - b;
};
template <class A, class B>
concept Accumulable = requires(A a, B b) {
  a += b;
};
template <class A, class B>
concept Pairable = requires(A a, B b) {
  dot(a, b);
};
static_assert(Addable<Twist<double>, Twist<double>> && Addable<Wrench<double>, Wrench<double>>);
static_assert(!Addable<Twist<double>, Wrench<double>> && !Addable<Wrench<double>, Twist<double>>);
static_assert(!Subtractable<Twist<double>, Wrench<double>>);
static_assert(!Accumulable<Twist<double>, Wrench<double>>);
static_assert(!Accumulable<Wrench<double>, Twist<double>>);
static_assert(Pairable<Wrench<double>, Twist<double>> && !Pairable<Twist<double>, Twist<double>>);

static_assert([] {
  constexpr SO3<double> R{{{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}}};
  constexpr SE3<double> T{R, {1, 2, 3}}, U = T * inverse(T);
  constexpr Twist<double> V{{1, 0, 0}, {0, 0, 1}}, W = Ad(T, V), back = Ad_inv(T, W);
  constexpr Wrench<double> F{{1, 2, 3}, {4, 5, 6}};
  return W.w.y == 1 && W.v.x == -3 && W.v.z == 2 && back.w.x == 1 && back.v.x == 0 &&
         back.v.z == 1 && U.p.x == 0 && U.R.m.row[1].y == 1 && dot(dual_Ad(T, F), V) == dot(F, W) &&
         dot(dual_ad(V, F), W) == dot(F, ad(V, W));
}());

QuadMatrix<4> quad_hat(const Twist<double>& X) {
  const double m[3][4] = {
      {0, -X.w.z, X.w.y, X.v.x}, {X.w.z, 0, -X.w.x, X.v.y}, {-X.w.y, X.w.x, 0, X.v.z}};
  QuadMatrix<4> a;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j) a.m[i][j] = m[i][j];
  return a;
}

/// The largest error of exp over random twists, in ulp of the largest entry.
double worst_exponential_error(double low, double high) {
  double worst = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random rng(seed);
    Twist<double> X = twist_of_angle<double>(rng, low, high);
    X.v = X.v * rng.log_uniform(1e-3, 1e3);
    const QuadMatrix<4> exact = quad_exp(quad_hat(X));
    const Mat4<double> actual = to_matrix(exp(X));
    Quad size = 0, error = 0;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        size = worse(size, quad_abs(exact.m[i][j]));
        error = worse(error, quad_abs(exact.m[i][j] - actual(i, j)));
      }
    worst = worse(worst, double(error / Quad(ulp_at(size))));
  }
  return worst;
}

TEST(TwistExponential, AgainstTheMatrixExponential) {
  const double small = worst_exponential_error(0, 1), half_turn = worst_exponential_error(0, pi);
  const double turns = worst_exponential_error(pi, 20);
  RecordProperty("max_ulp_to_angle_1", std::to_string(small));
  RecordProperty("max_ulp_to_half_turn", std::to_string(half_turn));
  RecordProperty("max_ulp_to_angle_20", std::to_string(turns));
  EXPECT_LE(small, 3);
  EXPECT_LE(half_turn, 5);
  EXPECT_LE(turns, 128);  // the translation of many turns is a small rest of v
}

TEST(TwistExponential, PureTranslationIsExact) {
  const Twist<double> X{{}, {1, 2, 3}};
  expect_near(exp(X), SE3<double>{{}, {1, 2, 3}}, 0);
  expect_near(log(exp(X)), X, 0);
  expect_near(log(SE3<double>()), Twist<double>{}, 0);
}

TEST(TwistExponential, LogarithmNextToZeroAndNextToTheStraightAngle) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random rng(seed);
    const Vec3<double> axis = rng.unit_vec3(), v = rng.vec3();
    for (double angle = 0.1; angle > 1e-300; angle *= 1e-3) {
      const Twist<double> X{axis * angle, v}, Y = log(exp(X));
      expect_near(Y.w, X.w, 4e-16, seed);
      expect_near(Y.v, X.v, 2e-15, seed);
    }
    for (double gap = 1e-3; gap > 1e-15; gap /= 10) {
      const Twist<double> X{axis * (pi - gap), v};
      expect_near(log(exp(X)), X, 4e-15, seed);
    }
    const SE3<double> half_turn = exp(Twist<double>{axis * pi, v});
    expect_near(exp(log(half_turn)), half_turn, 4e-15, seed);
  }
}

/// sum_n (-ad_X)^n / (n+1)!, in 113 bits.
QuadMatrix<6> quad_dexp_body(const Twist<double>& X) {
  const Mat6<double> a = ad_matrix(X);
  QuadMatrix<6> minus_ad, term = QuadMatrix<6>::identity(), sum = term;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) minus_ad.m[i][j] = -a(i, j);
  for (int n = 1; n < 80; ++n) sum = sum + (term = term * minus_ad * (Quad(1) / (n + 1)));
  return sum;
}

TEST(TwistExponential, DerivativeAgainstItsSeries) {
  for (double angle : {0.0, 1e-9, 1e-3, 0.5, 1.0, 2.0, 3.0, pi, 4.5, 2 * pi - 0.1}) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      Random rng(seed);
      const Twist<double> X{rng.rotation_vector(angle), rng.vec3()};
      const QuadMatrix<6> exact = quad_dexp_body(X);
      Mat6<double> rounded;
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) rounded(i, j) = double(exact.m[i][j]);
      expect_near(dexp_body_matrix(X), rounded, 3e-15, seed);
      const Twist<double> Y = rng.twist();
      expect_near(dexp_body_inv(X, dexp_body(X, Y)), Y, angle > 6 ? 3e-13 : 1e-14, seed);
      expect_near(dexp_body_inv(X, X), X, 1e-14, seed);
    }
  }
}

TEST(TwistExponential, DerivativeAgainstDualNumbersAndDifferences) {
  using D = Dual<double, 1>;
  for (double angle : {0.0, 1e-100, 1e-6, 0.5, 2.0, pi, 5.0, 2 * pi - 0.1}) {
    Random rng(std::uint64_t(angle * 1000) + 1);
    const Twist<double> X{rng.rotation_vector(angle), rng.vec3()}, Y = rng.twist();
    const Twist<D> moving = as<D>(X) + as<D>(Y) * D::variable(0, 0);
    const auto dT = map(to_matrix(exp(moving)), [](const D& x) { return x.d[0]; });
    const SE3<double> T = exp(X);
    const Mat4<double> inverse_T = to_matrix(inverse(T));
    expect_near(dexp_body(X, Y), vee(inverse_T * dT), 1e-14, rng.seed());
    expect_near(dexp_space(X, Y), vee(dT * inverse_T), 1e-14, rng.seed());
    const double h = 1e-5;
    Mat4<double> difference = to_matrix(exp(X + Y * h)) - to_matrix(exp(X - Y * h));
    for (auto& row : difference.m)
      for (double& x : row) x *= 0.5 / h;
    expect_near(dexp_body(X, Y), vee(inverse_T * difference), 1e-9, rng.seed());
  }
}

TEST(TwistExponential, DerivativesOfLogarithm) {
  using D = Dual<double, 6>;
  using S = Taylor<double, 5>;
  for (double angle : {0.0, 1e-200, 1e-8, 1e-3, 1.57, 1.58, 3.0, 3.1415926}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      Random rng(seed);
      const Twist<double> X{rng.rotation_vector(angle), rng.vec3()};
      const Twist<D> dual{{D::variable(X.w.x, 0), D::variable(X.w.y, 1), D::variable(X.w.z, 2)},
                          {D::variable(X.v.x, 3), D::variable(X.v.y, 4), D::variable(X.v.z, 5)}};
      expect_near(log(exp(dual)), dual, 4e-14, seed);
      Twist<S> moving = rng.twist<S>();
      moving.w.x.c[0] = X.w.x, moving.w.y.c[0] = X.w.y, moving.w.z.c[0] = X.w.z;
      expect_near(log(exp(moving)), moving, 2e-12, seed);
    }
  }
}

/// d/dt Ad_{exp(tX)} Y at zero is [X, Y]: by series, by dual numbers and by differences.
TEST(TwistExponential, BracketIsTheDerivativeOfAd) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random rng(seed);
    const Twist<double> X = rng.twist(), Y = rng.twist();
    using D = Dual<double, 1>;
    const auto by_dual = Ad(exp(as<D>(X) * D::variable(0, 0)), Y);
    expect_near(map(by_dual, [](const D& x) { return x.d[0]; }), ad(X, Y), 1e-15, seed);
    using S = Taylor<double, 3>;
    const auto by_series = Ad(exp(as<S>(X) * S::line(0, 1)), Y);
    expect_near(map(by_series, [](const S& x) { return x.c[1]; }), ad(X, Y), 1e-15, seed);
    expect_near(map(by_series, [](const S& x) { return 2 * x.c[2]; }), ad(X, ad(X, Y)), 1e-15,
                seed);
    const double h = 1e-5;
    const Twist<double> difference = (Ad(exp(X * h), Y) - Ad(exp(X * -h), Y)) * (0.5 / h);
    expect_near(difference, ad(X, Y), 1e-9, seed);
  }
}

}  // namespace
}  // namespace jounce::test
