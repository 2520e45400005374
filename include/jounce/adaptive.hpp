// SPDX-License-Identifier: BSD-3-Clause
// Adaptive control: a robot tracks a motion while the controller learns its inertias.
//
//   jounce::AdaptiveController control(arm, {.slide = 10, .damp = 20, .learn = 2});
//   tau = control.force(q, v, q_d, v_d, a_d, dt);        // and the estimate moves by dt
//   control.force(q, v, q_d, v_d, a_d, dt, into(tau));   // the same without allocation
// Slotine, Li 1987, for which [Ploen] needs a skew-symmetric Mdot - 2 C: with s = v - v_r,
//   v_r = v_d - slide (q - q_d)      tau = Y(q, v, v_r, a_r) pi - damp s      pi' = -learn Y^T s
// and then s^T M s / 2 + |pi - pi_true|^2 / (2 learn) falls by s^T damp s, whatever pi is. With a C
// that is not skew it may grow, however well pi is known.
#pragma once

#include <cmath>
#include <jounce/regressor.hpp>

namespace jounce {

struct AdaptiveGains {
  double slide = 10;  ///< 1/s
  double damp = 20;   ///< N m s or N s
  double learn = 2;
};

/// For robots whose velocities are rates of their coordinates. Nothing is known of the robot at
/// first: the estimate is zero until set.
class AdaptiveController {
 public:
  explicit AdaptiveController(Robot robot, const AdaptiveGains& gains = {},
                              const RegressorColumns& columns = {})
      : regressor_(std::move(robot), columns),
        gains_(gains),
        estimate_(Eigen::VectorXd::Zero(regressor_.columns())),
        Y_(regressor_),
        v_r_(Eigen::VectorXd::Zero(regressor_.robot().nv())),
        a_r_(v_r_),
        s_(v_r_) {
    const Robot& own = regressor_.robot();
    for (const JointInfo& joint : own.joints())
      if (joint.nq != joint.nv || joint.kind == JointKind::planar)
        throw InputError("AdaptiveController: the coordinates of joint \"" + joint.name +
                         "\" do not have its velocities as rates");
    for (const double gain : {gains.slide, gains.damp, gains.learn})
      if (!(gain > 0 && std::isfinite(gain)))
        throw InputError("AdaptiveController: all gains must be positive and finite");
  }

  const Robot& robot() const { return regressor_.robot(); }
  /// What the controller believes of the parameters, in the order of Regressor.
  const Eigen::VectorXd& estimate() const { return estimate_; }
  void set_estimate(const VectorArg& pi) {
    const std::span<const double> given = pi;
    if (given.size() != static_cast<size_t>(estimate_.size()))
      throw InputError("AdaptiveController: the estimate has " + std::to_string(given.size()) +
                       " elements, needs " + std::to_string(estimate_.size()));
    for (size_t k = 0; k < given.size(); ++k)
      if (!std::isfinite(given[k]))
        throw InputError("AdaptiveController: estimate[" + std::to_string(k) + "] is not finite");
    estimate_ = Eigen::Map<const Eigen::VectorXd>(given.data(), estimate_.size());
  }

  /// The forces at a state that should have q_d, v_d and a_d; the estimate moves on by dt >= 0.
  Eigen::VectorXd force(const VectorArg& q, const VectorArg& v, const VectorArg& q_d,
                        const VectorArg& v_d, const VectorArg& a_d, double dt) {
    Eigen::VectorXd tau(robot().nv());
    force(q, v, q_d, v_d, a_d, dt, into(tau));
    return tau;
  }
  void force(const VectorArg& q, const VectorArg& v, const VectorArg& q_d, const VectorArg& v_d,
             const VectorArg& a_d, double dt, const Into<double>& tau) {
    const auto at = checked("q", q), speed = checked("v", v), wanted = checked("q_d", q_d),
               rate = checked("v_d", v_d), change = checked("a_d", a_d);
    if (!(dt >= 0 && std::isfinite(dt)))
      throw InputError("AdaptiveController: dt must not be negative");
    Eigen::Map<Eigen::VectorXd> to(
        detail::checked_into(robot(), "AdaptiveController", "tau", tau, robot().nv()),
        robot().nv());
    v_r_ = rate - gains_.slide * (at - wanted);
    a_r_ = change - gains_.slide * (speed - rate);
    s_ = speed - v_r_;
    regressor_.reference(at, speed, v_r_, a_r_, Factorization::ploen, into(Y_));
    to.noalias() = Y_ * estimate_;
    to -= gains_.damp * s_;
    estimate_.noalias() -= (dt * gains_.learn) * Y_.transpose() * s_;
  }

 private:
  Eigen::Map<const Eigen::VectorXd> checked(const char* name, std::span<const double> x) const {
    robot().check_v("AdaptiveController", name, x);
    return {x.data(), robot().nv()};
  }

  Regressor regressor_;
  AdaptiveGains gains_;
  Eigen::VectorXd estimate_;
  RegressorMatrix Y_;
  Eigen::VectorXd v_r_, a_r_, s_;
};

}  // namespace jounce
