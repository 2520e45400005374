// SPDX-License-Identifier: BSD-3-Clause
// Torque-rate limits along a trajectory: motors cannot change their torque at once. How fast may an
// arm move so that neither its torques nor their rates exceed a limit?
#include <cassert>
#include <cmath>
#include <iostream>
#include <jounce/jounce.hpp>
#include <jounce/trajectory.hpp>

namespace {

constexpr double torque_limit = 80, rate_limit = 200;  // N m, N m / s

struct Largest {
  double torque = 0, rate = 0;
};

/// Position and motion v, a, jerk of all joints on septic moves from rest to rest.
void move_at(const Eigen::VectorXd& from, const Eigen::VectorXd& to, double duration, double t,
             Eigen::VectorXd& q, Eigen::MatrixXd& motion) {
  for (Eigen::Index j = 0; j < q.size(); ++j) {
    double x[4];
    jounce::septic(from[j], to[j], duration).derivatives(t, x);
    q[j] = x[0];
    for (int k = 0; k < 3; ++k) motion(j, k) = x[k + 1];
  }
}

Largest along(jounce::Series& series, const Eigen::VectorXd& from, const Eigen::VectorXd& to,
              double duration) {
  Eigen::VectorXd q(from.size());
  Eigen::MatrixXd motion(from.size(), 3);
  Largest found;
  for (int n = 0; n <= 200; ++n) {
    move_at(from, to, duration, duration * n / 200, q, motion);
    const auto taus = series.inverse(q, motion, {.passive = false});  // tau and tau'
    found.torque = std::max(found.torque, taus.col(0).cwiseAbs().maxCoeff());
    found.rate = std::max(found.rate, taus.col(1).cwiseAbs().maxCoeff());
  }
  return found;
}

}  // namespace

int main() {
  const jounce::Robot arm = jounce::load("builtin:arm7");
  jounce::Dynamics dyn(arm);
  jounce::Series series(arm, 1);  // torques and their rates
  const Eigen::VectorXd from = Eigen::VectorXd::Zero(7);
  const Eigen::VectorXd to = (Eigen::VectorXd(7) << 1.2, 0.8, -0.6, -1.4, 0.5, 0.9, 0.3).finished();

  double too_fast = 0.2, slow_enough = 20;
  assert(along(series, from, to, slow_enough).rate <= rate_limit);
  while (slow_enough - too_fast > 1e-4) {
    const double duration = (too_fast + slow_enough) / 2;
    const Largest found = along(series, from, to, duration);
    const bool good = found.torque <= torque_limit && found.rate <= rate_limit;
    (good ? slow_enough : too_fast) = duration;
  }
  const Largest best = along(series, from, to, slow_enough);
  std::cout << "shortest move: " << slow_enough << " s, torques up to " << best.torque
            << " N m, rates up to " << best.rate << " N m/s\n";
  assert(best.torque <= torque_limit && best.rate <= rate_limit);
  assert(best.torque > 0.99 * torque_limit || best.rate > 0.99 * rate_limit);

  // The rate is the derivative of the torque: by differences along the same move.
  Eigen::VectorXd q(7);
  Eigen::MatrixXd motion(7, 3);
  const auto torque = [&](double t) {
    move_at(from, to, slow_enough, t, q, motion);
    return dyn.inverse(q, motion.col(0), motion.col(1));
  };
  const double t = 0.3 * slow_enough, h = 1e-5;
  const Eigen::VectorXd rate = (torque(t + h) - torque(t - h)) / (2 * h);
  move_at(from, to, slow_enough, t, q, motion);
  const double difference = (series.inverse(q, motion).col(1) - rate).norm();
  assert(difference < 1e-5 * rate.norm());
}
