// SPDX-License-Identifier: BSD-3-Clause
// Robots whose motion can be written down.
#pragma once

#include <limits>

#include "tests/simulation/known_motions.hpp"

namespace jounce::test {

struct SliderLimits {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  double effort = std::numeric_limits<double>::infinity();
};

/// A mass on a vertical slider: joint "slide", link "mass". Gravity is 10 m/s^2, or none.
inline Robot slider(double mass, bool falls, const SliderLimits& limits = {}) {
  RobotDescription d = free_body().description();
  d.name = "slider";
  d.gravity = {0, 0, falls ? -10.0 : 0.0};
  d.links[0].name = d.joints[0].child = "mass";
  d.links[0].mass = mass;
  d.joints[0].name = "slide";
  d.joints[0].geometry = {.kind = JointKind::prismatic, .axes = {{0, 0, 1}}};
  d.joints[0].properties.lower = {limits.lower};
  d.joints[0].properties.upper = {limits.upper};
  d.joints[0].properties.effort_limit = {limits.effort};
  return Robot(d);
}

/// A ball of mass 2 in space, link "ball", with gravity of 10 m/s^2.
inline Robot ball() {
  RobotDescription d = free_body().description();
  d.name = d.links[0].name = d.joints[0].child = "ball";
  d.gravity = {0, 0, -10};
  d.links[0].mass = 2;
  d.links[0].I_com = {0.1, 0, 0.1, 0, 0, 0.1};
  return Robot(d);
}

}  // namespace jounce::test
