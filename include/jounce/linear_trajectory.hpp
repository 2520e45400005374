// SPDX-License-Identifier: BSD-3-Clause
// Linear models along a motion, one for each step, and the motion's distance from a robot's limits.
//
//   const auto models = jounce::linearise_along(derivatives, times, nominal);
//   const auto gains = jounce::finite_horizon_gains(models, Q, R, Q_end);
// [Park] 1995, section 5: linearisation about a nominal trajectory. nominal(t) gives q, v and tau;
// deviations are x = (difference(q(t), q), v - v(t)) and u = tau - tau(t). A step's model is that
// of its middle, discretised: the product of the steps has an error of second order.
#pragma once

#include <cmath>
#include <jounce/linear.hpp>

namespace jounce {

/// A state of a nominal motion and the forces that it needs.
struct NominalState {
  Eigen::VectorXd q, v, tau;
};

namespace detail::inline JOUNCE_ISA {

[[noreturn]] inline void refuse_motion(const std::string& joint, double t, const char* what,
                                       double found, double limit) {
  const auto text = [](double x) {
    char digits[32];
    std::snprintf(digits, sizeof(digits), "%.6g", x);
    return std::string(digits);
  };
  throw InputError("trajectory: at t = " + text(t) + " the " + what + " of joint \"" + joint +
                   "\" is " + text(found) + ", its limit is " + text(limit));
}

inline void require_times(std::span<const double> times) {
  if (times.size() < 2) throw InputError("trajectory: needs two times or more");
  for (size_t k = 0; k < times.size(); ++k) {
    if (!std::isfinite(times[k]))
      throw InputError("trajectory: times[" + std::to_string(k) + "] is not finite");
    if (k > 0 && !(times[k] > times[k - 1]))
      throw InputError("trajectory: times[" + std::to_string(k) +
                       "] does not come after the one before");
  }
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// InputError that names the first joint whose position, velocity or force leaves its limits.
inline void require_within_limits(const Robot& robot, double t, const NominalState& x) {
  robot.check_q("trajectory", "q", {x.q.data(), static_cast<size_t>(x.q.size())});
  robot.check_v("trajectory", "v", {x.v.data(), static_cast<size_t>(x.v.size())});
  robot.check_v("trajectory", "tau", {x.tau.data(), static_cast<size_t>(x.tau.size())});
  const Limits& limits = robot.limits();
  for (const JointInfo& joint : robot.joints())
    for (int k = 0; k < joint.nv && !joint.mimic; ++k) {
      const int v = joint.v + k;
      const auto at = static_cast<size_t>(v);
      if (joint.nq == joint.nv) {
        const double q = x.q[joint.q + k];
        if (q < limits.lower[at])
          detail::refuse_motion(joint.name, t, "position", q, limits.lower[at]);
        if (q > limits.upper[at])
          detail::refuse_motion(joint.name, t, "position", q, limits.upper[at]);
      }
      if (std::abs(x.v[v]) > limits.velocity[at])
        detail::refuse_motion(joint.name, t, "velocity", x.v[v], limits.velocity[at]);
      if (std::abs(x.tau[v]) > limits.effort[at])
        detail::refuse_motion(joint.name, t, "force", x.tau[v], limits.effort[at]);
    }
}

/// x_next = A x + B u over each step between the times. Where `limits` is true, the motion must
/// stay in the robot's limits at the times and between them.
template <class Nominal>
std::vector<LinearModel> linearise_along(Derivatives& derivatives, std::span<const double> times,
                                         Nominal nominal, bool limits = true,
                                         const Surroundings& around = {}) {
  detail::require_times(times);
  std::vector<LinearModel> models;
  for (size_t k = 0; k + 1 < times.size(); ++k) {
    const double middle = (times[k] + times[k + 1]) / 2;
    const NominalState x = nominal(middle);
    if (limits) {
      require_within_limits(derivatives.robot(), times[k], nominal(times[k]));
      require_within_limits(derivatives.robot(), middle, x);
    }
    models.push_back(
        discretise(linearise(derivatives, x.q, x.v, x.tau, around), times[k + 1] - times[k]));
  }
  if (limits) require_within_limits(derivatives.robot(), times.back(), nominal(times.back()));
  return models;
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
