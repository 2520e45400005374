// SPDX-License-Identifier: BSD-3-Clause
// What surrounds a robot in one call: wrenches from outside, the ground that carries it, and
// whether passive forces and gravity act.
//
//   dyn.forward(q, v, tau, {.wrenches = pushes, .passive = false});
#pragma once

#include <jounce/algorithm/outside_wrench.hpp>
#include <optional>

namespace jounce {

inline namespace JOUNCE_ISA {

/// A force at a point, both seen as `in` says: from the frame's origin in its axes (body) or in
/// ground axes (hybrid), from the ground's origin (space). F_ext of [Kim] (42).
template <class Real>
constexpr OutsideWrench<Real> force_at(FrameId frame, const Vec3<Real>& point,
                                       const Vec3<Real>& force,
                                       Representation in = Representation::body) {
  return {frame, {cross(point, force), force}, in};
}

}  // namespace JOUNCE_ISA

/// How the ground frame moves: its body twist and that twist's derivative. Twists, accelerations
/// and rates of the robot are then those seen from inertial axes, with components in the axes that
/// the ground has at this instant (docs/conventions.md).
template <class Real>
struct Ground {
  Twist<Real> V{}, Vdot{};
};

template <class Real>
using OptionalGround = std::optional<Ground<Real>>;  ///< none: at rest

template <class Real>
struct BasicSurroundings {
  std::span<const OutsideWrench<Real>> wrenches{};
  OptionalGround<Real> ground{};
  bool passive = true;  ///< whether damping, friction, springs and bushings act
  bool gravity = true;
  double time = 0;  ///< the instant, for loops that depend on it
};
using Surroundings = BasicSurroundings<double>;

}  // namespace jounce
