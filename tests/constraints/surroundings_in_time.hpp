// SPDX-License-Identifier: BSD-3-Clause
// Wrenches and a ground that change with time: their derivatives, and what they are at an instant.
#pragma once

#include <jounce/series_surroundings.hpp>

#include "model/random_robot.hpp"

namespace jounce::test {

/// Those of a robot in motion, with random derivatives. Axes of a ground that moves have turned at
/// a later instant: wrenches are in those of their bodies then, and there is no gravity.
class SurroundingsInTime {
 public:
  SurroundingsInTime(RobotInMotion& motion, int order) : external_(motion.external) {
    rates_.resize(external_.size());
    for (size_t k = 0; k < external_.size(); ++k) {
      if (motion.ground) external_[k].in = Representation::body;
      rates_[k] = {external_[k].wrench};
      for (int i = 0; i < order; ++i) rates_[k].push_back(motion.rng.wrench());
    }
    for (size_t k = 0; k < external_.size(); ++k)
      wrenches_.push_back({external_[k].frame, rates_[k], external_[k].in});
    if (!motion.ground) return;
    ground_ = {motion.ground->V, motion.ground->Vdot};
    for (int i = 0; i < order; ++i) ground_.push_back(motion.rng.twist());
  }
  SurroundingsInTime(const SurroundingsInTime&) = delete;

  SeriesSurroundings series() const {
    return {.wrenches = wrenches_, .ground = ground_, .gravity = ground_.empty()};
  }
  /// Until the next call.
  Surroundings at(double t) {
    for (size_t k = 0; k < external_.size(); ++k)
      external_[k].wrench = sum<Wrench<double>>(rates_[k], t);
    Surroundings now{.wrenches = external_, .gravity = ground_.empty()};
    const std::span<const Twist<double>> ground(ground_);
    if (!ground.empty())
      now.ground = {sum<Twist<double>>(ground, t), sum<Twist<double>>(ground.subspan(1), t)};
    return now;
  }

 private:
  template <class Six>
  static Six sum(std::span<const Six> derivatives, double t) {
    Six all{};
    double scale = 1;
    for (size_t k = 0; k < derivatives.size(); scale *= t / double(++k))
      all += derivatives[k] * scale;
    return all;
  }

  std::vector<OutsideWrench<double>> external_;
  std::vector<std::vector<Wrench<double>>> rates_;
  std::vector<OutsideWrenchSeries> wrenches_;
  std::vector<Twist<double>> ground_;
};

}  // namespace jounce::test
