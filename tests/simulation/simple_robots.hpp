// SPDX-License-Identifier: BSD-3-Clause
// Robots whose motion can be written down.
#pragma once

#include <jounce/model/robot.hpp>
#include <limits>

namespace jounce::test {

struct SliderLimits {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  double effort = std::numeric_limits<double>::infinity();
};

/// A mass on a vertical slider: joint "slide", link "mass". Gravity is 10 m/s^2, or none.
inline Robot slider(double mass, bool falls, const SliderLimits& limits = {}) {
  RobotDescription d;
  d.name = "slider";
  d.gravity = {0, 0, falls ? -10.0 : 0.0};
  LinkDescription link;
  link.name = "mass";
  link.mass = mass;
  link.I_com = {1, 0, 1, 0, 0, 1};
  d.links.push_back(link);
  JointDescription joint;
  joint.name = "slide";
  joint.child = "mass";
  joint.geometry.kind = JointKind::prismatic;
  joint.geometry.axes = {{0, 0, 1}};
  joint.properties.lower = {limits.lower};
  joint.properties.upper = {limits.upper};
  joint.properties.effort_limit = {limits.effort};
  d.joints.push_back(joint);
  return Robot(d);
}

/// A ball of mass 2 in space, link "ball", with gravity of 10 m/s^2.
inline Robot ball() {
  RobotDescription d;
  d.name = "ball";
  d.gravity = {0, 0, -10};
  LinkDescription link;
  link.name = "ball";
  link.mass = 2;
  link.I_com = {0.1, 0, 0.1, 0, 0, 0.1};
  d.links.push_back(link);
  JointDescription joint;
  joint.name = "free";
  joint.child = "ball";
  joint.geometry.kind = JointKind::free;
  d.joints.push_back(joint);
  return Robot(d);
}

}  // namespace jounce::test
