// SPDX-License-Identifier: BSD-3-Clause
// What surrounds the robot in a call of higher order.
#pragma once

#include <jounce/equations/surroundings.hpp>
#include <jounce/matrix_arg.hpp>
#include <jounce/model/robot.hpp>

namespace jounce {

/// A wrench from outside with its derivatives: F, F', F'', ... as components in the named frame,
/// in ground axes those that the ground has at this instant; those not given are zero.
struct OutsideWrenchSeries {
  FrameId frame{};
  std::span<const Wrench<double>> derivatives;
  Representation in = Representation::body;
};

/// What surrounds the robot in a call of higher order (Surroundings).
struct SeriesSurroundings {
  std::span<const OutsideWrenchSeries> wrenches{};
  /// V, V', V'', ... of the ground frame's body twist; those not given are zero.
  std::span<const Twist<double>> ground{};
  bool passive = true;
  bool gravity = true;
  /// Forces from outside at the joints with as many derivatives as are known, the others zero: they
  /// help the actuators, M a + c + g = tau + joint_torques.
  MatrixArg joint_torques{};
  double time = 0;  ///< the instant, for loops that depend on it
};

}  // namespace jounce
