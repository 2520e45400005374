// SPDX-License-Identifier: BSD-3-Clause
// Linear models against differences of the motion, Riccati equations against their residuals and a
// closed form, and an underactuated arm that is held upright.
#include <jounce/linear.hpp>

#include "derivatives/cases.hpp"

namespace jounce::test {
namespace {

/// d/dt of the deviation difference(q(t), q'(t)) between two motions of constant v, by differences
/// in t and in the deviation: errors of about 1e-7.
TEST(Linearise, DeviationsTurnWithTheBody) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(40); ++seed) {
    DerivativeCase c(seed, 8);
    const int n = c.robot.nv();
    const LinearModel model = linearise(c.derivatives, c.q, c.v, c.a, c.around());
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
    EXPECT_TRUE(within(1e-5 * (1 + largest(expected)), rate, expected, c));
    const ForwardDerivatives forward = c.derivatives.forward(c.q, c.v, c.a, c.around());
    EXPECT_TRUE(within(0, model.A.bottomLeftCorner(n, n), forward.dq, c));
    EXPECT_TRUE(within(0, model.B.bottomRows(n), forward.dtau, c));
  }
}

TEST(Discretise, IsTheMotionOverAStep) {
  Case c(Robot(load("builtin:puma560")), 4);
  Derivatives derivatives(c.robot);
  const LinearModel model = linearise(derivatives, c.q, c.v, c.a);
  const Vector x = Vector::Random(12), u = Vector::Random(6);
  const double dt = 0.02;
  Vector y = x;
  const int steps = 2000;  // the midpoint rule: an error of 1e-9
  for (int k = 0; k < steps; ++k) {
    const Vector half = y + (model.A * y + model.B * u) * (dt / steps / 2);
    y += (model.A * half + model.B * u) * (dt / steps);
  }
  const LinearModel step = discretise(model, dt);
  EXPECT_TRUE(within(1e-6 * largest(y), step.A * x + step.B * u, y, c));
  const LinearModel twice = discretise(model, 2 * dt);
  EXPECT_TRUE(within(1e-13 * largest(twice.A), twice.A, step.A * step.A, c));
}

/// A mass on a line with Q = 1, R = 1 has the cost [sqrt 3, 1; 1, sqrt 3].
TEST(Regulator, OfAMassOnALine) {
  DenseMatrix A = DenseMatrix::Zero(2, 2), B = DenseMatrix::Zero(2, 1);
  A(0, 1) = B(1, 0) = 1;
  const DenseMatrix Q = DenseMatrix::Identity(2, 2), R = DenseMatrix::Identity(1, 1);
  const Regulator found = continuous_regulator(A, B, Q, R);
  DenseMatrix expected(2, 2);
  expected << std::sqrt(3), 1, 1, std::sqrt(3);
  EXPECT_TRUE(within(1e-13, found.cost, expected));
  const LinearModel step = discretise({A, B}, 0.1);
  const Regulator discrete = discrete_regulator(step.A, step.B, Q, R);
  const auto gains = finite_horizon_gains(std::vector<LinearModel>(400, step), Q, R, Q);
  EXPECT_TRUE(within(1e-10, gains[0], discrete.gain));  // a long horizon is an endless one
  EXPECT_LE(discrete.residual, 1e-13);
}

/// Random arms and animals: the residual is small, and the closed loop is stable.
TEST(Regulator, StabilisesRobots) {
  for (const char* name : {"planar_2r", "puma560", "arm7", "quadruped"}) {
    Case c(Robot(load(std::string("builtin:") + name)), 3);
    const int n = c.robot.nv();
    Derivatives derivatives(c.robot);
    const LinearModel model = linearise(derivatives, c.q, Vector::Zero(n), Vector::Zero(n));
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

/// One state with B = R = 1: X = a + sqrt(a^2 + q) and the discrete root, for models from very slow
/// to very fast.
TEST(Regulator, OfOneState) {
  const DenseMatrix one = DenseMatrix::Identity(1, 1);
  for (const double a : {1e-8, 1e-3, 1.0, 1e2, 1e4, 1e6, 1e7, 1e8, 1e12}) {
    const Regulator found = continuous_regulator(a * one, one, one, one);
    EXPECT_NEAR(found.cost(0, 0) / (a + std::hypot(a, 1)), 1, 1e-13) << a;
    EXPECT_EQ(found.gain(0, 0), found.cost(0, 0));
    const Regulator stable = continuous_regulator(-a * one, one, one, one);
    EXPECT_NEAR(stable.cost(0, 0) * (a + std::hypot(a, 1)), 1, 1e-12) << a;
  }
  for (const double a : {-3.0, 0.0, 0.5, 1.0, 2.0, 1e4}) {  // x^2 - a^2 x - 1 = 0
    const Regulator found = discrete_regulator(a * one, one, one, one);
    EXPECT_NEAR(found.cost(0, 0) / (a * a / 2 + std::hypot(a * a / 2, 1)), 1, 1e-14) << a;
    EXPECT_LE(std::abs(a - found.gain(0, 0)), 1 - 1e-12) << a;
  }
}

/// Diagonal models, mixed by a change of coordinates, one of whose motions Q does not see.
TEST(Regulator, TellsWhatCannotBeStopped) {
  DenseMatrix T(2, 2), T_inverse(2, 2);
  T << 2, 1, 1, 1;
  T_inverse << 1, -1, -1, 2;
  const DenseMatrix one = DenseMatrix::Identity(1, 1), both = DenseMatrix::Identity(2, 2);
  DenseMatrix first(2, 2), b(2, 1);
  const auto says = [&](bool continuous, double hidden, bool driven, bool seen) {
    const double other = continuous ? -1 : 0.5;
    DenseMatrix A = DenseMatrix::Zero(2, 2);
    A(0, 0) = hidden, A(1, 1) = other;
    b << (driven ? 1 : 0), 1;
    first << (seen ? 1 : 0), 0, 0, 1;
    const DenseMatrix X = T * A * T_inverse, B = T * b,
                      Q = DenseMatrix(T_inverse.transpose()) * first * T_inverse;
    return message([&] {
      continuous ? continuous_regulator(X, B, Q, one) : discrete_regulator(X, B, Q, one);
    });
  };
  for (const bool continuous : {true, false}) {
    const std::string caller = continuous ? "continuous_regulator" : "discrete_regulator";
    const double grows = continuous ? 1 : 2, stays = continuous ? 0 : 1,
                 dies = continuous ? -2 : 0.1;
    const std::string unseen =
        caller + ": Q does not see every motion that must be stopped: (A, Q) is not detectable";
    EXPECT_EQ(says(continuous, stays, true, false), unseen);
    // Rounding may lead to the feedback that stops it, which solves the equation too.
    const std::string growing = says(continuous, grows, true, false);
    EXPECT_TRUE(growing == unseen || growing == "no error") << growing;
    for (const double hidden : {grows, stays}) {
      EXPECT_EQ(says(continuous, hidden, false, true),
                caller + ": no feedback stabilises this model");
      EXPECT_EQ(says(continuous, hidden, false, false),
                caller + ": no feedback stabilises this model");
      EXPECT_EQ(says(continuous, hidden, true, true), "no error");
    }
    EXPECT_EQ(says(continuous, dies, false, false), "no error");
  }
  const DenseMatrix zero = DenseMatrix::Zero(1, 1);
  const std::string rest =
      ": Q does not see every motion that must be stopped: (A, Q) is not detectable";
  for (const double a : {0.0, 1.0, 1e6})
    EXPECT_EQ(message([&] { continuous_regulator(a * one, one, zero, one); }),
              "continuous_regulator" + rest);
  for (const double a : {-1.0, 1.0, 2.0})
    EXPECT_EQ(message([&] { discrete_regulator(a * one, one, zero, one); }),
              "discrete_regulator" + rest);
  EXPECT_EQ(largest(discrete_regulator(0.5 * one, one, zero, one).gain), 0);
  EXPECT_EQ(discrete_regulator(0.5 * one, one, zero, one).residual, 0);
}

/// Random models of which half are not stable: the closed loop is, by its eigenvalues.
TEST(Regulator, StabilisesRandomModels) {
  for (int seed = 0; seed < scaled(60); ++seed) {
    Random random{std::uint64_t(seed)};
    const int n = 1 + seed % 9, m = 1 + seed % 3;
    DenseMatrix A(n, n), B(n, m);
    const double size = std::pow(10, seed % 7 - 3);
    for (double& x : A.reshaped()) x = size * random.uniform(-1, 1);
    for (double& x : B.reshaped()) x = random.uniform(-1, 1);
    const DenseMatrix Q = DenseMatrix::Identity(n, n), R = DenseMatrix::Identity(m, m);
    const Regulator found = continuous_regulator(A, B, Q, R);
    EXPECT_LE(found.residual, 1e-8) << seed;
    EXPECT_LT(eigenvalues(A - B * found.gain).real().maxCoeff(), 0) << seed;
    const DenseMatrix A_step = A / size;
    const Regulator discrete = discrete_regulator(A_step, B, Q, R);
    EXPECT_LE(discrete.residual, 1e-8) << seed;
    EXPECT_LT(eigenvalues(A_step - B * discrete.gain).cwiseAbs().maxCoeff(), 1) << seed;
  }
}

TEST(Regulator, RefusesCostsThatAreNone) {
  const DenseMatrix one = DenseMatrix::Identity(2, 2);
  DenseMatrix skew(2, 2), saddle(2, 2);
  skew << 1, 5, 0, 1;
  saddle << 1, 2, 2, 1;
  for (const bool continuous : {true, false}) {
    const std::string caller = continuous ? "continuous_regulator" : "discrete_regulator";
    const auto says = [&](const DenseMatrix& Q, const DenseMatrix& R) {
      return message([&] {
        continuous ? continuous_regulator(one, one, Q, R) : discrete_regulator(one, one, Q, R);
      });
    };
    EXPECT_EQ(says(skew, one), caller + ": Q is not symmetric: Q(0, 1) is 5, Q(1, 0) is 0");
    EXPECT_EQ(says(one, skew), caller + ": R is not symmetric: R(0, 1) is 5, R(1, 0) is 0");
    EXPECT_EQ(says(saddle, one), caller + ": Q must be positive semidefinite");
    EXPECT_EQ(says(-5 * one, one), caller + ": Q must be positive semidefinite");
    EXPECT_EQ(says(one, saddle), caller + ": R must be positive definite");
    EXPECT_EQ(says(one, 0 * one), caller + ": R must be positive definite");
    skew(0, 1) = 1e-13;  // rounding of whoever made it
    EXPECT_EQ(says(skew, one), "no error");
    skew(0, 1) = 5;
  }
  const auto horizon = [&](const DenseMatrix& Q, const DenseMatrix& Q_end) {
    return message([&] { finite_horizon_gains({{one, one}}, Q, one, Q_end); });
  };
  EXPECT_EQ(horizon(skew, one),
            "finite_horizon_gains: Q is not symmetric: Q(0, 1) is 5, Q(1, 0) is 0");
  EXPECT_EQ(horizon(one, saddle), "finite_horizon_gains: Q_end must be positive semidefinite");
}

TEST(Regulator, RefusesWhatGrowsBeyondNumbers) {
  const DenseMatrix one = DenseMatrix::Identity(1, 1);
  EXPECT_EQ(message([&] {
              discretise({1000 * one, one}, 1);
            }),
            "discretise: the model grows beyond all numbers in dt = 1 (A and B times dt have the "
            "norm 1001)");
  EXPECT_EQ(message([&] {
              discretise({1e300 * one, one}, 1e300);
            }),
            "discretise: the model grows beyond all numbers in dt = 1e+300 (A and B times dt have "
            "the norm inf)");
  EXPECT_EQ(discretise({-1e5 * one, one}, 1).A(0, 0), 0);
  const LinearModel wild{1e200 * one, 0 * one};
  EXPECT_EQ(message([&] {
              finite_horizon_gains({wild, wild, wild}, one, one, one);
            }),
            "finite_horizon_gains: the cost grows beyond all numbers at step 1");
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
