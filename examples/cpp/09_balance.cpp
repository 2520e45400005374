// SPDX-License-Identifier: BSD-3-Clause
// An arm with a motor in its elbow only (the acrobot) is held upright: forward dynamics is
// linearised, Riccati's equation gives the feedback.
#include <cassert>
#include <cmath>
#include <iostream>
#include <jounce/integrators/explicit_rk.hpp>
#include <jounce/jounce.hpp>
#include <jounce/linear.hpp>

/// The arm and its feedback as equations for steps of any Runge-Kutta method.
struct HeldArm {
  jounce::Dynamics& dyn;
  std::vector<double> upright;
  Eigen::RowVectorXd gain;

  int nq() const { return 2; }
  int nv() const { return 2; }
  auto factors() const { return jounce::factors(dyn.robot().system()); }
  void acceleration(double, const double* q, const double* v, double* a) {
    Eigen::Vector4d x;
    dyn.robot().difference(upright, std::span(q, 2), {x.data(), 2});
    x.tail<2>() << v[0], v[1];
    dyn.forward(std::span(q, 2), std::span(v, 2), {0, -gain.dot(x)}, jounce::into(std::span(a, 2)));
  }
};

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
  HeldArm held{dyn, upright, hold.gain.row(0)};
  double to[6], rates[2][8];  // q, u and v of a stage; rates of u and v of all four
  const jounce::StageRoom<double> room{to, to + 2, to + 4, rates[0], rates[1]};
  constexpr double h = 2e-3;
  for (int k = 0; k < 10000; ++k) {
    if (k % 1000 == 0)
      std::cout << "t = " << k * h << " s: off by " << q[0] - upright[0] << " and "
                << q[1] - upright[1] << " rad\n";
    jounce::explicit_step(jounce::rk4_table, held, k * h, h, q.data(), v.data(), false, room);
    q = {to[0], to[1]}, v = {to[4], to[5]};
  }
  assert(std::abs(q[0] - upright[0]) + std::abs(q[1] - upright[1]) < 1e-3);
}
