// SPDX-License-Identifier: BSD-3-Clause
// Runge and Kutta's method of order four with a fixed step, on the configuration manifold.
//
// Munthe-Kaas 1998: within a step q(t) = q (+) u(t), and u moves in a vector space by
//   udot = dexp^-1(u) v,     vdot = acceleration(q (+) u, v)
// on which the classical method works; q stays on the manifold to rounding. For angles and
// displacements dexp^-1 is 1.
#pragma once

#include <algorithm>
#include <jounce/dynamics.hpp>

namespace jounce {

/// udot with d/dt (q (+) u) of body velocity v, joint by joint: dexp_body^-1(u) v for planar,
/// spherical and free joints, v for the others.
void tangent_rate(const Robot& robot, std::span<const double> u, std::span<const double> v,
                  std::span<double> udot);

class Rk4 {
 public:
  explicit Rk4(const Robot& robot)
      : robot_(robot),
        q_(static_cast<size_t>(robot.nq())),
        u_(static_cast<size_t>(robot.nv())),
        w_(u_),
        rate_u_{u_, u_, u_, u_},
        rate_w_{u_, u_, u_, u_} {}

  /// Moves q and v by one step h. acceleration(t, q, v, a) writes a; t is the time of the stage.
  template <class F>
  void step(F&& acceleration, double t, double h, std::span<double> q, std::span<double> v) {
    constexpr double node[4] = {0, 0.5, 0.5, 1}, weight[4] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
    for (size_t stage = 0; stage < 4; ++stage) {
      for (size_t k = 0; k < u_.size(); ++k) {
        const double reach = h * node[stage];
        u_[k] = stage == 0 ? 0 : reach * rate_u_[stage - 1][k];
        w_[k] = stage == 0 ? v[k] : v[k] + reach * rate_w_[stage - 1][k];
      }
      robot_.integrate(q, u_, q_);
      tangent_rate(robot_, u_, w_, rate_u_[stage]);
      acceleration(t + h * node[stage], std::span<const double>(q_), std::span<const double>(w_),
                   std::span<double>(rate_w_[stage]));
    }
    for (size_t k = 0; k < u_.size(); ++k) {
      u_[k] = 0;
      for (size_t stage = 0; stage < 4; ++stage) {
        u_[k] += h * weight[stage] * rate_u_[stage][k];
        v[k] += h * weight[stage] * rate_w_[stage][k];
      }
    }
    robot_.integrate(q, u_, q_);
    std::copy(q_.begin(), q_.end(), q.begin());
  }

 private:
  Robot robot_;
  std::vector<double> q_, u_, w_;
  std::vector<double> rate_u_[4], rate_w_[4];
};

}  // namespace jounce
