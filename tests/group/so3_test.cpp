// SPDX-License-Identifier: BSD-3-Clause
// Rotations: the laws of SO(3), its exponential, logarithm, their derivatives, and quaternions.
#include <jounce/group/so3.hpp>
#include <limits>
#include <string>

#include "group/kinds.hpp"
#include "support/near.hpp"
#include "support/quad.hpp"
#include "support/random.hpp"
#include "support/worse.hpp"

namespace jounce::test {
namespace {

/// A rotation vector with an angle in [low, high], moving if Real can move.
template <class Real>
Vec3<Real> vector_of_angle(Random& rng, double low, double high) {
  return rng.unit_vec3<Real>() * rng.number<Real>(low, high);
}

TEST(Rotation, ExponentialIsOrthonormal) {
  on_every(kinds, []<class Real>() {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Random rng(seed);
      const SO3<Real> R = exp(vector_of_angle<Real>(rng, 0.01, 6));
      const SO3<Real> one = as<Real>(SO3<double>());
      const double size = largest(parts_of(R));  // of what cancels: coefficients of R and of R^-1
      const double tolerance = 30 * size * size * std::numeric_limits<Plain<Real>>::epsilon();
      expect_near(R * inverse(R), one, tolerance, seed);
      expect_near(inverse(R) * R, one, tolerance, seed);
      expect_near(determinant(R.m), Real(1), rounding<Real>(200), seed);
    }
  });
}

TEST(Rotation, OneParameterSubgroups) {
  on_every(kinds, []<class Real>() {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Random rng(seed);
      const Vec3<Real> w = vector_of_angle<Real>(rng, 0.01, 2);
      const Real a = rng.number<Real>(), b = rng.number<Real>();
      expect_near(exp(w * a) * exp(w * b), exp(w * (a + b)), rounding<Real>(400), seed);
      expect_near(inverse(exp(w)), exp(-w), rounding<Real>(4), seed);
      expect_near(exp(w) * w, w, rounding<Real>(100), seed);
    }
  });
}

TEST(Rotation, ExponentialCommutesWithChangeOfFrame) {
  on_every(kinds, []<class Real>() {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Random rng(seed);
      const SO3<Real> R = rng.rotation<Real>();
      const Vec3<Real> w = vector_of_angle<Real>(rng, 0, 4), x = rng.vec3<Real>();
      expect_near(R * exp(w) * inverse(R), exp(R * w), rounding<Real>(400), seed);
      expect_near(hat(R * w), R.m * hat(w) * transpose(R.m), rounding<Real>(200), seed);
      expect_near(inverse_times(R, R * x), x, rounding<Real>(200), seed);
      expect_near(inverse(R) * x, inverse_times(R, x), rounding<Real>(4), seed);
    }
  });
}

TEST(Rotation, LogarithmUndoesExponential) {
  on_every(kinds, []<class Real>() {
    const double ranges[][2] = {{0, 1e-3}, {0, 1}, {1, 1.7}, {1.5, 3}, {3, 3.13}};
    for (const auto& [low, high] : ranges) {
      for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Random rng(seed);
        const Vec3<Real> w = vector_of_angle<Real>(rng, low, high);
        const SO3<Real> R = rng.rotation<Real>();
        expect_near(log(exp(w)), w, rounding<Real>(2000), seed);
        expect_near(exp(log(R)), R, rounding<Real>(2000), seed);
      }
    }
  });
}

TEST(Rotation, DerivativeOfExponential) {
  on_every(kinds, []<class Real>() {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Random rng(seed);
      const Vec3<Real> w = vector_of_angle<Real>(rng, 0, 6), u = rng.vec3<Real>();
      const Vec3<Real> body = dexp_body(w, u), space = dexp_space(w, u);
      expect_near(exp(w) * body, space, rounding<Real>(1000), seed);
      expect_near(dexp_body(w, w), w, rounding<Real>(200), seed);
      expect_near(dexp_body_inv(w, body), u, rounding<Real>(20000), seed);
      expect_near(dexp_space_inv(w, space), u, rounding<Real>(20000), seed);
      expect_near(dexp_body(w, dexp_body_inv(w, u)), u, rounding<Real>(20000), seed);
    }
  });
}

TEST(Rotation, QuaternionsCoverRotations) {
  on_every(kinds, []<class Real>() {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Random rng(seed);
      const auto a = rng.quaternion<Real>(), b = rng.quaternion<Real>();
      const Vec3<Real> w = vector_of_angle<Real>(rng, 0, 3);
      const double tolerance = rounding<Real>(500);
      const SO3<Real> A = to_rotation(a), B = to_rotation(b);
      expect_near(to_rotation(a * b), A * B, tolerance, seed);
      expect_near(to_rotation(inverse(a)), inverse(A), tolerance, seed);
      expect_near(to_rotation(to_quaternion(A)), A, tolerance, seed);
      expect_near(to_rotation(exp_quaternion(w)), exp(w), tolerance, seed);
      expect_near(to_quaternion(exp(w)), exp_quaternion(w), tolerance, seed);
      expect_near(log(exp_quaternion(w)), w, tolerance, seed);
      expect_near(squared_norm(a * b), Real(1), tolerance, seed);
      const Quaternion<Real> scaled{a.x * Real(3), a.y * Real(3), a.z * Real(3), a.w * Real(3)};
      expect_near(normalize(scaled), a, tolerance, seed);
      EXPECT_GE(value_of(to_quaternion(A).w), 0);
      const Quaternion<Real> q = exp_quaternion(w), minus_q{-q.x, -q.y, -q.z, -q.w};
      expect_near(log(minus_q), w, tolerance, seed);  // the same rotation
    }
  });
}

// ------------------------------------------------------------------ plain double, to the last bit

const double octant_axes[][3] = {{1, 2, 3},   {-1, 2, 3},  {1, -2, 3},   {1, 2, -3},  {-1, -2, 3},
                                 {-1, 2, -3}, {1, -2, -3}, {-1, -2, -3}, {1, 0, 0},   {0, 1, 0},
                                 {0, 0, 1},   {-1, 0, 0},  {0, -1, 0},   {0, 0, -1},  {1, 1, 0},
                                 {0, -1, 1},  {1, 1, 1},   {3, 1e-9, 0}, {1e-9, 3, 1}};

Vec3<double> unit(const double (&a)[3]) {
  const double size = std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
  return {a[0] / size, a[1] / size, a[2] / size};
}

TEST(RotationVector, SmallAnglesSurviveToTheLastBit) {
  for (const auto& axis : octant_axes) {
    for (double angle = 0.1; angle > 1e-300; angle *= 1e-3) {
      const Vec3<double> w = unit(axis) * angle;
      expect_near(log(exp(w)), w, 4e-16);
      expect_near(log(exp_quaternion(w)), w, 4e-16);
    }
  }
  expect_near(log(SO3<double>()), Vec3<double>{}, 0);
  expect_near(exp(Vec3<double>{}), SO3<double>(), 0);
}

TEST(RotationVector, AnglesCloseToTheStraightAngle) {
  for (const auto& axis : octant_axes) {
    for (double gap = 1e-3; gap > 1e-15; gap /= 10) {
      const Vec3<double> w = unit(axis) * (pi - gap);
      expect_near(log(exp(w)), w, 1e-15);
    }
    for (double gap : {1e-15, 1e-16, 0.0}) {  // the other of the two answers is as good
      const SO3<double> R = exp(unit(axis) * (pi - gap));
      expect_near(exp(log(R)), R, 2e-15);
      EXPECT_NEAR(norm(log(R)), pi, 3e-15);
    }
  }
}

TEST(RotationVector, ExactHalfTurns) {
  const double half_turns[][3] = {{1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  for (const auto& d : half_turns) {
    const SO3<double> R{{{{d[0], 0, 0}, {0, d[1], 0}, {0, 0, d[2]}}}};
    expect_near(exp(log(R)), R, 4e-16);
    EXPECT_NEAR(norm(log(R)), pi, 1e-15);
  }
  for (const auto& axis : octant_axes) {
    const Vec3<double> n = unit(axis);
    const SO3<double> R = to_rotation(Quaternion<double>{n.x, n.y, n.z, 0});
    expect_near(exp(log(R)), R, 1e-15);
    expect_near(to_rotation(to_quaternion(R)), R, 1e-15);
  }
}

/// The largest error of an entry of exp over random axes, in units of 2^-53.
double worst_rotation_error(double low, double high) {
  double worst = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random rng(seed);
    const Vec3<double> w = rng.unit_vec3() * rng.uniform(low, high);
    QuadMatrix<3> a;
    const double skew[3][3] = {{0, -w.z, w.y}, {w.z, 0, -w.x}, {-w.y, w.x, 0}};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) a.m[i][j] = skew[i][j];
    const QuadMatrix<3> exact = quad_exp(a);
    const auto actual = parts_of(exp(w));
    for (int k = 0; k < 9; ++k)
      worst = worse(worst, double(quad_abs(actual[k] - exact.m[k / 3][k % 3])) / 0x1p-53);
  }
  return worst;
}

TEST(RotationVector, ExponentialAgainstTheMatrixExponential) {
  const double small = worst_rotation_error(0, 1), half_turn = worst_rotation_error(0, pi);
  const double turn = worst_rotation_error(pi, 2 * pi);
  RecordProperty("max_half_ulp_of_one_to_angle_1", std::to_string(small));
  RecordProperty("max_half_ulp_of_one_to_half_turn", std::to_string(half_turn));
  RecordProperty("max_half_ulp_of_one_to_turn", std::to_string(turn));
  EXPECT_LE(small, 3);
  EXPECT_LE(half_turn, 7);
  EXPECT_LE(turn, 12);
}

TEST(RotationVector, DerivativesOfLogarithmAtZeroAndNearTheStraightAngle) {
  using D = Dual<double, 3>;
  using S = Taylor<double, 6>;
  for (double angle : {0.0, 1e-200, 1e-8, 1e-3, 1.57, 1.58, 3.0, 3.14, 3.1415926}) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      Random rng(seed);
      const Vec3<double> w = rng.rotation_vector(angle);
      const Vec3<D> dual{D::variable(w.x, 0), D::variable(w.y, 1), D::variable(w.z, 2)};
      expect_near(log(exp(dual)), dual, 1e-14, seed);
      Vec3<S> moving = rng.vec3<S>();
      moving.x.c[0] = w.x, moving.y.c[0] = w.y, moving.z.c[0] = w.z;
      expect_near(log(exp(moving)), moving, 2e-12, seed);
    }
  }
}

TEST(RotationVector, DerivativeOfExponentialAgainstDualNumbersAndDifferences) {
  using D = Dual<double, 1>;
  for (double angle : {0.0, 1e-100, 1e-6, 0.5, 2.0, pi, 5.0, 2 * pi - 0.1}) {
    Random rng(std::uint64_t(angle * 1000) + 1);
    const Vec3<double> w = rng.rotation_vector(angle), u = rng.vec3();
    const Vec3<D> moving = as<D>(w) + as<D>(u) * D::variable(0, 0);
    const auto dR = map(exp(moving), [](const D& x) { return x.d[0]; });
    const SO3<double> R = exp(w);
    expect_near(dexp_body(w, u), vee(transpose(R.m) * dR.m), 1e-14, rng.seed());
    expect_near(dexp_space(w, u), vee(dR.m * transpose(R.m)), 1e-14, rng.seed());
    const double h = 1e-5;
    const Mat3<double> difference = (exp(w + u * h).m - exp(w - u * h).m) * (0.5 / h);
    expect_near(dexp_body(w, u), vee(transpose(R.m) * difference), 1e-9, rng.seed());
  }
}

TEST(RotationMatrix, HatAndVee) {
  Random rng(9);
  const Vec3<double> w = rng.vec3(), x = rng.vec3();
  expect_near(hat(w) * x, cross(w, x), 1e-16);
  expect_near(vee(hat(w)), w, 0);
  expect_near(vee(hat(w) + to_matrix(Sym3<double>{1, 2, 3, 4, 5, 6})), w, 1e-15);
}

static_assert([] {
  constexpr Quaternion<double> quarter_turn{0, 0, 1, 1};  // not of unit length
  constexpr Vec3<double> x{1, 0, 0}, y{0, 1, 0};
  constexpr Vec3<double> z = cross(x, y);
  constexpr Quaternion<double> half_turn = quarter_turn * quarter_turn;
  constexpr SO3<double> R = to_rotation(Quaternion<double>{1, 0, 0, 0}) * SO3<double>();
  constexpr Vec3<double> turned = R * y;
  return z.z == 1 && z.x == 0 && half_turn.z == 2 && half_turn.w == 0 && turned.y == -1 &&
         determinant(R.m) == 1 && trace(R.m) == -1 && dot(x, y) == 0;
}());

}  // namespace
}  // namespace jounce::test
