// SPDX-License-Identifier: BSD-3-Clause
// Feedback linearisation of an arm with elastic joints. Motors (inertia B, angle theta) drive the
// links through springs K:
//   links:   M(q) a + c + g = K (theta - q) = tau         motors:  B theta'' + tau = u
// With theta = q + tau / K, the motors need theta'' = a + tau'' / K: the second derivative of the
// rigid arm's torques, for a chosen snap. Acceleration and jerk of the links follow from the state
// by forward dynamics of order 1. The closed loop is snap = snap_d + gains times errors.
#include <cassert>
#include <iostream>
#include <jounce/jounce.hpp>

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double K = 2000, B = 0.5;                 // N m / rad, kg m^2
constexpr double gain[4] = {10000, 4000, 600, 40};  // (s + 10)^4

struct State {
  VectorXd q, v, theta, omega;

  State operator+(const State& d) const {
    return {q + d.q, v + d.v, theta + d.theta, omega + d.omega};
  }
  State operator*(double s) const { return {q * s, v * s, theta * s, omega * s}; }
};

/// Desired q, q', ..., q'''': a slow wave in every joint.
MatrixXd desired(double t, Eigen::Index n) {
  MatrixXd x(n, 5);
  for (Eigen::Index j = 0; j < n; ++j)
    for (int k = 0; k < 5; ++k) {
      const double rate = 0.8 + 0.1 * double(j);
      x(j, k) = 0.4 * std::pow(rate, k) * std::sin(rate * t + k * M_PI / 2);
    }
  return x;
}

/// The motors' torques for the state x at time t.
VectorXd control(jounce::Series& series, const State& x, double t) {
  MatrixXd taus(x.q.size(), 2);
  taus << K * (x.theta - x.q), K * (x.omega - x.v);
  const MatrixXd links = series.forward(x.q, x.v, taus, {.passive = false});  // v, a, jerk
  const MatrixXd d = desired(t, x.q.size());
  MatrixXd motion(x.q.size(), 4);
  motion.leftCols(3) = links;
  motion.col(3) = d.col(4) + gain[0] * (d.col(0) - x.q);
  for (int k = 0; k < 3; ++k) motion.col(3) += gain[k + 1] * (d.col(k + 1) - links.col(k));
  const auto rigid = series.inverse(x.q, motion, {.passive = false});  // tau, tau', tau''
  const VectorXd theta_acceleration = links.col(1) + rigid.col(2) / K;
  return B * theta_acceleration + taus.col(0);
}

State rate(jounce::Dynamics& dyn, const State& x, const VectorXd& u) {
  const VectorXd tau = K * (x.theta - x.q);
  return {x.v, dyn.forward(x.q, x.v, tau, {.passive = false}), x.omega, (u - tau) / B};
}

}  // namespace

int main() {
  const jounce::Robot arm = jounce::load("builtin:arm7");
  jounce::Dynamics dyn(arm);
  jounce::Series series(arm, 2);                    // up to tau'' and snap
  const VectorXd off = VectorXd::Constant(7, 0.1);  // starts 0.1 rad beside the desired motion
  State x{desired(0, 7).col(0) + off, VectorXd::Zero(7), {}, VectorXd::Zero(7)};
  x.theta = x.q + dyn.gravity(x.q) / K;
  const double h = 1e-3;
  double error = 0;
  for (int n = 0; n <= 3000; ++n) {
    const double t = n * h;
    error = (desired(t, 7).col(0) - x.q).cwiseAbs().maxCoeff();
    if (n % 500 == 0) std::cout << "t = " << t << " s, error " << error << " rad\n";
    const auto f = [&](const State& at, double time) {
      return rate(dyn, at, control(series, at, time));
    };
    const State k1 = f(x, t),
                k2 = f(x + k1 * (h / 2), t + h / 2);  // Runge and Kutta's fourth order
    const State k3 = f(x + k2 * (h / 2), t + h / 2), k4 = f(x + k3 * h, t + h);
    x = x + (k1 + (k2 + k3) * 2 + k4) * (h / 6);
  }
  assert(error < 1e-6);  // (1 + 10 t)^3 exp(-10 t) at 3 s: 3e-9 of the start
}
