// SPDX-License-Identifier: BSD-3-Clause
// The experiment of [Ali] section 7: an aerial manipulator of 12 degrees of freedom, its base on a
// circle with oscillating yaw (and, which the paper's has not, roll, pitch and heave), its joints
// on half cosines; forces by Series::inverse, fed to Series::forward, which must give the motion
// back, order by order.
//
// The paper's values are not in the text at hand; chosen here: circle of 1 m at 0.6 rad/s, 1.5 m
// high; yaw 0.5 rad at 0.8 rad/s, roll 0.12 rad at 0.7 rad/s, pitch 0.1 rad at 0.9 rad/s, heave
// 0.2 m at 0.5 rad/s; joints 0.6, 0.4, 0.8 rad (the left arm's positive, the right
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
  static constexpr double yaw = 0.5, yaw_rate = 0.8, roll = 0.12, roll_rate = 0.7;
  static constexpr double pitch = 0.1, pitch_rate = 0.9, heave = 0.2, heave_rate = 0.5;
  static constexpr double swing[3] = {0.6, 0.4, 0.8}, swing_rate[3] = {1.0, 1.3, 0.7};
  static constexpr double arm = 0.30, propeller_height = 0.03, tilt = 20 * M_PI / 180;
  static constexpr double thrust = 1.0e-5, drag = 1.6e-7, max_speed = 1100;

  struct Reference {
    Eigen::VectorXd q{13};
    Eigen::MatrixXd motion{nv, order + 2};  ///< v, a, jerk, ...
  };

  /// All derivatives by Taylor numbers: the base's body twist is (R^T R', R^T p').
  static Reference reference(double time) {
    using Number = Taylor<double, order + 2>;
    const Number t = Number::line(time, 1), zero(0.0);
    const auto swings = [&](double size, double rate) { return sin(t * rate) * size; };
    const SO3<Number> R = exp(Vec3<Number>{zero, zero, swings(yaw, yaw_rate)}) *
                          exp(Vec3<Number>{zero, swings(pitch, pitch_rate), zero}) *
                          exp(Vec3<Number>{swings(roll, roll_rate), zero, zero});
    const Vec3<Number> p{cos(t * circle_rate) * circle, sin(t * circle_rate) * circle,
                         swings(heave, heave_rate) + height};
    const auto rate = [](const Vec3<Number>& x) {
      return Vec3<Number>{time_derivative(x.x), time_derivative(x.y), time_derivative(x.z)};
    };
    const Mat3<Number> spin =
        transpose(R.m) * Mat3<Number>{{rate(R.m.row[0]), rate(R.m.row[1]), rate(R.m.row[2])}};
    const Vec3<Number> v = inverse_times(R, rate(p));
    Number rows[nv] = {spin.row[2].y, spin.row[0].z, spin.row[1].x, v.x, v.y, v.z};
    Reference at;
    at.q << p.x.c[0], p.y.c[0], p.z.c[0], attitude(R), Eigen::VectorXd::Zero(6);
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

  template <class Number>
  static Eigen::Vector4d attitude(const SO3<Number>& R) {
    SO3<double> now;
    for (int k = 0; k < 3; ++k)
      now.m.row[k] = {R.m.row[k].x.c[0], R.m.row[k].y.c[0], R.m.row[k].z.c[0]};
    const Quaternion<double> r = to_quaternion(now);
    return {r.x, r.y, r.z, r.w};
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
