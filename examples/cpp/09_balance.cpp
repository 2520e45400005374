// SPDX-License-Identifier: BSD-3-Clause
// An arm with a motor in its elbow only (the acrobot) is held upright: forward dynamics is
// linearised, Riccati's equation gives the feedback.
#include <cassert>
#include <cmath>
#include <iostream>
#include <jounce/jounce.hpp>
#include <jounce/linear.hpp>
#include <jounce/rk4.hpp>

int main() {
  jounce::RobotDescription arm = jounce::load("builtin:planar_2r").description();
  arm.gravity = {0, -9.81, 0};  // the plane stands upright
  jounce::Dynamics dyn{jounce::Robot(arm)};
  const jounce::Robot& robot = dyn.robot();
  const std::vector<double> upright{M_PI / 2, 0}, rest{0, 0};

  jounce::Derivatives derivatives(robot);
  const jounce::LinearModel model = jounce::linearise(derivatives, upright, rest, rest);
  const Eigen::MatrixXd elbow = model.B.col(1), one = Eigen::MatrixXd::Identity(1, 1);
  const jounce::Regulator hold =
      jounce::continuous_regulator(model.A, elbow, Eigen::MatrixXd::Identity(4, 4), one);
  std::cout << "residual of Riccati's equation: " << hold.residual << '\n';

  std::vector<double> q = upright, v = rest;
  q[0] += 0.02;
  q[1] -= 0.01;
  const auto acceleration = [&](double, std::span<const double> at, std::span<const double> speed,
                                std::span<double> a) {
    Eigen::Vector4d x;
    robot.difference(upright, at, {x.data(), 2});
    x.tail<2>() << speed[0], speed[1];
    dyn.forward(at, speed, {0, -hold.gain.row(0).dot(x)}, jounce::into(a));
  };
  jounce::Rk4 rk4(robot);
  constexpr double h = 2e-3;
  for (int k = 0; k < 10000; ++k) {
    if (k % 1000 == 0)
      std::cout << "t = " << k * h << " s: off by " << q[0] - upright[0] << " and "
                << q[1] - upright[1] << " rad\n";
    rk4.step(acceleration, k * h, h, q, v);
  }
  assert(std::abs(q[0] - upright[0]) + std::abs(q[1] - upright[1]) < 1e-3);
}
