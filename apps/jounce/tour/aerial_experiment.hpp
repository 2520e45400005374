// SPDX-License-Identifier: BSD-3-Clause
// The experiment of [Ali] section 7: an aerial manipulator of 12 degrees of freedom, its base on a
// circle with oscillating yaw, its joints on half cosines; forces by Series::inverse, fed to
// Series::forward, which must give the motion back, order by order.
//
// The paper's values are not in the text at hand; chosen here: circle of 1 m at 0.6 rad/s, 1.5 m
// high; yaw 0.5 rad at 0.8 rad/s; joints 0.6, 0.4, 0.8 rad (the left arm's positive, the right
// arm's negative) at 1.0, 1.3, 0.7 rad/s; 10 s; the robot is builtin:aerial_manipulator.
#pragma once

#include <jounce/io.hpp>
#include <jounce/propellers.hpp>
#include <jounce/scalar/taylor.hpp>
#include <jounce/series.hpp>

namespace jounce::app {

struct AerialExperiment {
  static constexpr int order = 5, nv = 12;
  static constexpr double duration = 10;
  static constexpr double circle = 1, circle_rate = 0.6, height = 1.5;
  static constexpr double yaw = 0.5, yaw_rate = 0.8;
  static constexpr double swing[3] = {0.6, 0.4, 0.8}, swing_rate[3] = {1.0, 1.3, 0.7};
  static constexpr double arm = 0.30, propeller_height = 0.03, tilt = 20 * M_PI / 180;
  static constexpr double thrust = 1.0e-5, drag = 1.6e-7, max_speed = 1100;

  struct Reference {
    Eigen::VectorXd q{13};
    Eigen::MatrixXd motion{nv, order + 2};  ///< v, a, jerk, ...
  };

  /// All derivatives by Taylor numbers: v of the base is its body twist, Rot_z(yaw)^T p'.
  static Reference reference(double time) {
    using Number = Taylor<double, order + 2>;
    const Number t = Number::line(time, 1), turn = sin(t * yaw_rate) * yaw;
    const Number x = cos(t * circle_rate) * circle, y = sin(t * circle_rate) * circle;
    const Number vx = time_derivative(x), vy = time_derivative(y), c = cos(turn), s = sin(turn);
    Reference at;
    at.q << x.c[0], y.c[0], height, 0, 0, std::sin(turn.c[0] / 2), std::cos(turn.c[0] / 2),
        Eigen::VectorXd::Zero(6);
    Number rows[nv] = {0.0, 0.0, time_derivative(turn), c * vx + s * vy, c * vy - s * vx, 0.0};
    for (int j = 0; j < 6; ++j) {
      const double amplitude = j < 3 ? swing[j] : -swing[j - 3];
      const Number q = (1.0 - cos(t * swing_rate[j % 3])) * (amplitude / 2);
      at.q[7 + j] = q.c[0];
      rows[6 + j] = time_derivative(q);
    }
    double factorial = 1;
    for (int k = 0; k <= order + 1; factorial *= ++k)
      for (int j = 0; j < nv; ++j) at.motion(j, k) = rows[j].c[k] * factorial;
    return at;
  }

  struct Step {
    double time = 0;
    Reference reference;
    Eigen::MatrixXd taus;        ///< base wrench and joint forces with derivatives
    Eigen::MatrixXd reproduced;  ///< motion from Series::forward
    Eigen::MatrixXd speeds;      ///< propeller speeds with derivatives
    Eigen::VectorXd wrench;      ///< on the base, from the speeds
  };

  Step step(double time) {
    Step at{time, reference(time), {}, {}, {}, {}};
    at.taus = series.inverse(at.reference.q, at.reference.motion);
    at.speeds = propellers.speeds(at.taus.topRows(6));
    at.wrench = propellers.wrench(at.speeds.col(0));
    at.reproduced = series.forward(at.reference.q, at.reference.motion.col(0), at.taus);
    return at;
  }

  Series series{load("builtin:aerial_manipulator"), order};
  Propellers propellers = tilted_hexarotor(arm, propeller_height, tilt, thrust, drag);
};

}  // namespace jounce::app
