// SPDX-License-Identifier: BSD-3-Clause
// Linear models along a motion against motions that deviate from it, and the gains of a finite
// horizon against the optimum of all inputs at once.
#include <jounce/linear_trajectory.hpp>
#include <jounce/trajectory.hpp>

#include "derivatives/cases.hpp"

namespace jounce::test {
namespace {

/// Two joints of the arm sway; forces by inverse dynamics.
struct Swaying {
  Robot robot = load("builtin:planar_2r");
  Dynamics dynamics{robot};
  Derivatives derivatives{robot};

  NominalState operator()(double t) {
    NominalState x{Vector(2), Vector(2), Vector(2)};
    Vector a(2);
    x.q << 0.4 * std::sin(2 * t), 0.3 + 0.5 * std::cos(3 * t);
    x.v << 0.8 * std::cos(2 * t), -1.5 * std::sin(3 * t);
    a << -1.6 * std::sin(2 * t), -4.5 * std::cos(3 * t);
    x.tau = dynamics.inverse(x.q, x.v, a);
    return x;
  }
  /// The deviation at the end of a motion that starts with the deviation x, under nominal forces.
  Vector deviated(const Vector& x, double end, int steps) {
    const NominalState start = (*this)(0);
    Vector state(4);
    state << start.q + x.head(2), start.v + x.tail(2);
    const auto rate = [&](double t, const Vector& y) {
      Vector d(4);
      d << y.tail(2), Vector(dynamics.forward(y.head(2), y.tail(2), (*this)(t).tau));
      return d;
    };
    const double h = end / steps;
    for (int k = 0; k < steps; ++k) {
      const double t = k * h;
      const Vector k1 = rate(t, state), k2 = rate(t + h / 2, state + k1 * (h / 2)),
                   k3 = rate(t + h / 2, state + k2 * (h / 2)), k4 = rate(t + h, state + k3 * h);
      state += (k1 + 2 * k2 + 2 * k3 + k4) * (h / 6);
    }
    const NominalState last = (*this)(end);
    Vector found(4);
    found << state.head(2) - last.q, state.tail(2) - last.v;
    return found;
  }
};

std::vector<double> even_times(double end, int steps) {
  std::vector<double> times;
  for (int k = 0; k <= steps; ++k) times.push_back(end * k / steps);
  return times;
}

/// The product of the steps is the derivative of the flow, with an error of second order.
TEST(LineariseAlong, IsTheDerivativeOfTheMotion) {
  Swaying swaying;
  const double end = 0.8, size = 1e-4;
  DenseMatrix flow(4, 4);
  for (int k = 0; k < 4; ++k) {
    const Vector e = Vector::Unit(4, k) * size;
    flow.col(k) = (swaying.deviated(e, end, 2000) - swaying.deviated(-e, end, 2000)) / (2 * size);
  }
  double error[3];
  for (int n = 0; n < 3; ++n) {
    DenseMatrix product = DenseMatrix::Identity(4, 4);
    for (const LinearModel& step :
         linearise_along(swaying.derivatives, even_times(end, 20 << n), std::ref(swaying), false))
      product = DenseMatrix(step.A * product);
    error[n] = largest(product - flow) / largest(flow);
  }
  EXPECT_LT(error[2], 2e-4);
  EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.1);
  EXPECT_NEAR(std::log2(error[1] / error[2]), 2, 0.1);
}

/// All inputs of the horizon at once, by least squares: the same as feedback by the gains.
TEST(LineariseAlong, GainsAreTheOptimumOfAllInputs) {
  Swaying swaying;
  const int steps = 12, n = 4, m = 2;
  const std::vector<LinearModel> models =
      linearise_along(swaying.derivatives, even_times(0.6, steps), std::ref(swaying), false);
  const DenseMatrix Q = Vector::LinSpaced(n, 1, 2).asDiagonal(),
                    R = Vector::LinSpaced(m, 0.01, 0.03).asDiagonal(), Q_end = 5 * Q;
  const auto gains = finite_horizon_gains(models, Q, R, Q_end);
  const Vector start = Vector::LinSpaced(n, -0.2, 0.3);
  // x_k = F_k start + G_k U
  DenseMatrix F = DenseMatrix::Identity(n, n), G = DenseMatrix::Zero(n, steps * m);
  DenseMatrix H = DenseMatrix::Zero(steps * m, steps * m);
  Vector g = Vector::Zero(steps * m);
  for (int k = 0; k < steps; ++k) {
    const LinearModel& step = models[size_t(k)];
    F = DenseMatrix(step.A * F), G = DenseMatrix(step.A * G);
    G.middleCols(k * m, m) += step.B;
    const DenseMatrix& weight = k + 1 == steps ? Q_end : Q;
    const DenseMatrix QG = weight * G;
    H += G.transpose() * QG;
    const Vector drift = F * start;
    g += QG.transpose() * drift;
    H.block(k * m, k * m, m, m) += R;
  }
  const DenseMatrix U = solve_positive(H, -g);
  Vector x = start;
  for (int k = 0; k < steps; ++k) {
    const Vector u = -(gains[size_t(k)] * x);
    EXPECT_LE(largest(u - U.col(0).segment(k * m, m)), 1e-9 * largest(U)) << k;
    x = Vector(models[size_t(k)].A * x) + Vector(models[size_t(k)].B * u);
  }
}

TEST(LineariseAlong, RefusesMotionsOutsideTheLimits) {
  Swaying swaying;
  RobotDescription d = swaying.robot.description();
  d.joints[1].properties.upper = {0.7};
  d.joints[1].properties.lower = {-3};
  const auto told = [&](const RobotDescription& robot, std::vector<double> times) {
    Derivatives derivatives{Robot(robot)};
    return message([&] { linearise_along(derivatives, times, std::ref(swaying)); });
  };
  ASSERT_EQ(d.joints[1].name, "joint_2");
  EXPECT_EQ(told(d, even_times(1, 10)),
            "trajectory: at t = 0 the position of joint \"joint_2\" is 0.8, its limit is 0.7");
  d.joints[1].properties = {};
  d.joints[1].properties.velocity_limit = {1};
  EXPECT_EQ(
      told(d, even_times(1, 10)),
      "trajectory: at t = 0.25 the velocity of joint \"joint_2\" is -1.02246, its limit is 1");
  d.joints[1].properties = {};
  d.joints[0].properties.effort_limit = {0.001};
  EXPECT_NE(
      told(d, even_times(1, 10)).find("trajectory: at t = 0 the force of joint \"joint_1\" is"),
      std::string::npos);
  EXPECT_EQ(told(d, {0.0}), "trajectory: needs two times or more");
  EXPECT_EQ(told(d, {0, 1, 1}), "trajectory: times[2] does not come after the one before");
}

}  // namespace
}  // namespace jounce::test
