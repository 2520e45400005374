// SPDX-License-Identifier: BSD-3-Clause
// Random robots whose mass matrix is not singular.
#pragma once

#include <jounce/model/description.hpp>

#include "support/largest.hpp"

namespace jounce::test {

/// Composites are put together at random and may repeat a freedom (a slide on a parallel slide),
/// which makes the mass matrix singular: here they become a slide with a universal joint, or with a
/// ball.
inline RobotDescription with_sound_composites(RobotDescription robot) {
  for (JointDescription& joint : robot.joints) {
    if (joint.geometry.kind != JointKind::composite) continue;
    joint.properties = {};
    joint.geometry.parts = {{.kind = JointKind::prismatic, .axes = {{0, 0, 1}}},
                            {.kind = JointKind::universal, .axes = {{1, 0, 0}, {0, 0.6, 0.8}}}};
    if (joint.name.back() % 2 == 0)
      joint.geometry.parts[1] = {.kind = JointKind::spherical, .placement = {{}, {0.1, 0.2, 0.3}}};
  }
  return robot;
}

}  // namespace jounce::test
