// SPDX-License-Identifier: BSD-3-Clause
// How inputs act: forces, wrenches, propellers, points on the compliant ground.
#include <cmath>

#include "io/number_text.hpp"
#include "quotes.hpp"
#include "simulation/inputs.hpp"

namespace jounce {

Kinematics& Inputs::kinematics() {
  if (!kinematics_) kinematics_.emplace(robot_);
  return *kinematics_;
}

void Inputs::add_ground_point(FrameId frame, const CompliantGround& ground) {
  const FrameInfo& info = robot_.frame_info(frame);
  const auto require = [&](const char* what, double x, bool above_zero) {
    if (std::isfinite(x) && (x > 0 || (x == 0 && !above_zero))) return;
    throw InputError("ground_point: " + in_quotes(info.name) + ": " + what + " is " +
                     io::number_text(x) + ", needs a number " +
                     (above_zero ? "above 0" : "from 0 on"));
  };
  require("stiffness", ground.stiffness, true);
  require("damping", ground.damping, false);
  require("friction", ground.friction, false);
  require("slip_speed", ground.slip_speed, true);
  const double length = norm(ground.plane.normal);
  require("the length of the plane's normal", length, true);
  GroundPoint point{frame, ground, wrenches_.size()};
  point.ground.plane.normal = ground.plane.normal * (1 / length);
  points_.push_back(point);
  wrenches_.push_back({frame, {}, Representation::hybrid});
  continuous_ = true;
}

void Inputs::act(const Input& one, std::span<const double> x, double* tau) {
  if (one.kind == Kind::forces) {
    for (size_t k = 0; k < x.size(); ++k) tau[k] += x[k];
    return;
  }
  double sums[6];
  if (one.kind == Kind::wrench) {
    std::copy_n(x.begin(), 6, sums);
  } else {
    const auto allocation = one.propellers->allocation();
    for (int i = 0; i < 6; ++i) {
      sums[i] = 0;
      for (int k = 0; k < allocation.cols(); ++k)
        sums[i] += allocation(i, k) * x[size_t(k)] * x[size_t(k)];
    }
  }
  wrenches_[one.wrench].wrench = {{sums[0], sums[1], sums[2]}, {sums[3], sums[4], sums[5]}};
}
void Inputs::evaluate(double t, const double* q, const double* v, double* tau) {
  for (const Input& one : inputs_) {
    const std::span<double> x(numbers_.data(), one.numbers);
    if (one.sampled()) {
      std::copy_n(held_.begin() + std::ptrdiff_t(one.held + held_head), one.numbers, x.begin());
    } else {
      ask(one, t, at(q), vector(v), x);
    }
    act(one, x, tau);
  }
  if (points_.empty()) return;
  const Kinematics& kin = kinematics().at(at(q), vector(v));
  for (const GroundPoint& point : points_)
    wrenches_[point.wrench].wrench = {
        {0, 0, 0},
        ground_force(point.ground, kin.pose(point.frame).p, kin.twist_hybrid(point.frame).v)};
}
double Inputs::power(const double* q, const double* v) {
  if (wrenches_.empty()) return 0;
  const Kinematics& kin = kinematics().at(at(q), vector(v));
  double sum = 0;
  for (const OutsideWrench<double>& one : wrenches_) {
    const Twist<double> V = one.in == Representation::body    ? kin.twist_body(one.frame)
                            : one.in == Representation::space ? kin.twist_space(one.frame)
                                                              : kin.twist_hybrid(one.frame);
    sum += dot(one.wrench.m, V.w) + dot(one.wrench.f, V.v);
  }
  return sum;
}

}  // namespace jounce
