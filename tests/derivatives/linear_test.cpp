// SPDX-License-Identifier: BSD-3-Clause
// Linear models against differences of the motion, Riccati equations against their residuals and a
// closed form, and an underactuated arm that is held upright.
#include <jounce/linear.hpp>
#include <jounce/rk4.hpp>

#include "derivatives/cases.hpp"

namespace jounce::test {
namespace {

/// d/dt of the deviation difference(q(t), q'(t)) between two motions of constant v, by differences
/// in t and in the deviation: errors of about 1e-7.
TEST(Linearise, DeviationsTurnWithTheBody) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(40); ++seed) {
    DerivativeCase c(seed, 8);
    c.dynamics.set_base_motion({}, {});
    const int n = c.robot.nv();
    const LinearModel model = linearise(c.dynamics, c.q, c.v, c.a);
    const Vector d = c.random(), dv = c.random();
    const auto move = [&](const Vector& from, const Vector& along) {
      Vector to(from.size());
      c.robot.integrate({from.data(), size_t(from.size())}, {along.data(), size_t(along.size())},
                        {to.data(), size_t(to.size())});
      return to;
    };
    const auto deviation = [&](double h, double t) {
      const Vector one = move(c.q, c.v * t), other = move(move(c.q, d * h), (c.v + dv * h) * t);
      Vector found(n);
      c.robot.difference({one.data(), size_t(one.size())}, {other.data(), size_t(other.size())},
                         {found.data(), size_t(n)});
      return found;
    };
    const double h = 1e-4, t = 1e-3;
    const Vector rate =
        (deviation(h, t) - deviation(h, -t) - deviation(-h, t) + deviation(-h, -t)) / (4 * h * t);
    const Vector expected = model.A.topLeftCorner(n, n) * d + dv;
    EXPECT_LE(largest(rate - expected), 1e-5 * (1 + largest(expected))) << seed;
    const ForwardDerivativesResult forward = c.dynamics.forward_derivatives(c.q, c.v, c.a);
    EXPECT_EQ(largest(model.A.bottomLeftCorner(n, n) - forward.da_dq), 0);
    EXPECT_EQ(largest(model.B.bottomRows(n) - forward.da_dtau), 0);
  }
}

TEST(Discretise, IsTheMotionOverAStep) {
  Case c(Robot(load("builtin:puma560")), 4);
  const LinearModel model = linearise(c.dynamics, c.q, c.v, c.a);
  const Vector x = Vector::Random(12), u = Vector::Random(6);
  const double dt = 0.02;
  Vector y = x;
  const int steps = 2000;  // the midpoint rule: an error of 1e-9
  for (int k = 0; k < steps; ++k) {
    const Vector half = y + (model.A * y + model.B * u) * (dt / steps / 2);
    y += (model.A * half + model.B * u) * (dt / steps);
  }
  const LinearModel step = discretise(model, dt);
  EXPECT_LE(largest(step.A * x + step.B * u - y), 1e-6 * largest(y));
  const LinearModel twice = discretise(model, 2 * dt);
  EXPECT_LE(largest(twice.A - step.A * step.A), 1e-13 * largest(twice.A));
}

/// A mass on a line with Q = 1, R = 1 has the cost [sqrt 3, 1; 1, sqrt 3].
TEST(Regulator, OfAMassOnALine) {
  DenseMatrix A = DenseMatrix::Zero(2, 2), B = DenseMatrix::Zero(2, 1);
  A(0, 1) = B(1, 0) = 1;
  const DenseMatrix Q = DenseMatrix::Identity(2, 2), R = DenseMatrix::Identity(1, 1);
  const Regulator found = continuous_regulator(A, B, Q, R);
  DenseMatrix expected(2, 2);
  expected << std::sqrt(3), 1, 1, std::sqrt(3);
  EXPECT_LE(largest(found.cost - expected), 1e-13);
  const LinearModel step = discretise({A, B}, 0.1);
  const Regulator discrete = discrete_regulator(step.A, step.B, Q, R);
  const auto gains = finite_horizon_gains(std::vector<LinearModel>(400, step), Q, R, Q);
  EXPECT_LE(largest(gains[0] - discrete.gain), 1e-10);  // a long horizon is an endless one
  EXPECT_LE(discrete.residual, 1e-13);
}

/// Random arms and animals: the residual is small, and the closed loop is stable.
TEST(Regulator, StabilisesRobots) {
  for (const char* name : {"planar_2r", "puma560", "arm7", "quadruped"}) {
    Case c(Robot(load(std::string("builtin:") + name)), 3);
    const int n = c.robot.nv();
    const LinearModel model = linearise(c.dynamics, c.q, Vector::Zero(n), Vector::Zero(n));
    const DenseMatrix Q = DenseMatrix::Identity(2 * n, 2 * n), R = DenseMatrix::Identity(n, n);
    const Regulator found = continuous_regulator(model.A, model.B, Q, R);
    EXPECT_LE(found.residual, 1e-9) << name;
    const DenseMatrix closed = model.A - model.B * found.gain;
    EXPECT_LT(eigenvalues(closed).real().maxCoeff(), 0) << name;
    const LinearModel step = discretise(model, 0.01);
    const Regulator discrete = discrete_regulator(step.A, step.B, Q, R);
    EXPECT_LE(discrete.residual, 1e-9) << name;
    const DenseMatrix next = step.A - step.B * discrete.gain;
    EXPECT_LT(eigenvalues(next).cwiseAbs().maxCoeff(), 1) << name;
  }
}

TEST(Regulator, RefusesBadInput) {
  const DenseMatrix one = DenseMatrix::Identity(2, 2), thin = DenseMatrix::Zero(2, 1);
  EXPECT_EQ(message([&] { continuous_regulator(one, thin, one, one); }),
            "continuous_regulator: R is 2 x 2, needs to be 1 x 1");
  EXPECT_EQ(message([&] { discrete_regulator(thin, one, one, one); }),
            "discrete_regulator: A is 2 x 1, needs to be 2 x 2");
  EXPECT_EQ(message([&] { continuous_regulator(one, one, NAN * one, one); }),
            "continuous_regulator: Q is not finite");
  EXPECT_EQ(message([&] { discrete_regulator(one, one, one, -one); }),
            "discrete_regulator: R must be positive definite");
  EXPECT_EQ(message([&] { discrete_regulator(2 * one, thin, one, one.topLeftCorner(1, 1)); }),
            "discrete_regulator: no feedback stabilises this model");
}

TEST(Discretise, RefusesBadInput) {
  const DenseMatrix one = DenseMatrix::Identity(2, 2), thin = DenseMatrix::Zero(2, 1);
  EXPECT_EQ(message([&] {
              discretise({thin, thin}, 0.1);
            }),
            "discretise: A is 2 x 1, needs to be 2 x 2");
  EXPECT_EQ(message([&] {
              discretise({one, DenseMatrix::Zero(3, 1)}, 0.1);
            }),
            "discretise: B is 3 x 1, needs to be 2 x 1");
  EXPECT_EQ(message([&] {
              discretise({INFINITY * one, thin}, 0.1);
            }),
            "discretise: A is not finite");
  EXPECT_EQ(message([&] { discretise({one, NAN * one}, 0.1); }), "discretise: B is not finite");
  EXPECT_EQ(message([&] {
              discretise({one, thin}, 0);
            }),
            "discretise: dt is 0.000000, needs to be positive and finite");
  EXPECT_EQ(message([&] {
              discretise({one, thin}, INFINITY);
            }),
            "discretise: dt is inf, needs to be positive and finite");
  EXPECT_EQ(message([&] {
              discretise({one, thin}, NAN);
            }),
            "discretise: dt is nan, needs to be positive and finite");
}

TEST(FiniteHorizonGains, RefuseBadInput) {
  const DenseMatrix one = DenseMatrix::Identity(2, 2), thin = DenseMatrix::Ones(2, 1),
                    R = DenseMatrix::Identity(1, 1);
  const auto refusal = [&](const LinearModel& second, const DenseMatrix& Q, const DenseMatrix& R_,
                           const DenseMatrix& Q_end) {
    return message([&] { finite_horizon_gains({{one, thin}, second}, Q, R_, Q_end); });
  };
  EXPECT_EQ(refusal({one, one}, one, R, one),
            "finite_horizon_gains: B of step 1 is 2 x 2, needs to be 2 x 1");
  EXPECT_EQ(refusal({R, thin}, one, R, one),
            "finite_horizon_gains: A of step 1 is 1 x 1, needs to be 2 x 2");
  EXPECT_EQ(refusal({one, NAN * thin}, one, R, one),
            "finite_horizon_gains: B of step 1 is not finite");
  EXPECT_EQ(refusal({one, thin}, thin, R, one),
            "finite_horizon_gains: Q is 2 x 1, needs to be 2 x 2");
  EXPECT_EQ(refusal({one, thin}, one, R, R),
            "finite_horizon_gains: Q_end is 1 x 1, needs to be 2 x 2");
  EXPECT_EQ(refusal({one, thin}, one, -R, one),
            "finite_horizon_gains: R must be positive definite");
  EXPECT_EQ(refusal({one, thin}, one, R, INFINITY * one),
            "finite_horizon_gains: Q_end is not finite");
  EXPECT_TRUE(finite_horizon_gains({}, one, R, one).empty());
}

}  // namespace
}  // namespace jounce::test
