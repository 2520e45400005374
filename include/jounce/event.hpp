// SPDX-License-Identifier: BSD-3-Clause
// What happens in a simulation when a function of the motion changes sign.
//
//   sim.event("upright", [](const jounce::Moment& m) { return m.q[0] - M_PI; },
//             {.direction = jounce::Crossing::rising, .stop = true});
// A step ends where an event is: at the first time, to rounding, at which the method's own motion
// has the new sign. Inside a step the function is looked at in twenty places and where it comes
// near zero, so that signs that change there and back are not missed.
#pragma once

#include <functional>
#include <jounce/constrained_dynamics.hpp>
#include <string>

namespace jounce {

class MotionEquations;
struct SimulationState;

/// One instant of a motion, as functions of events see it.
class Moment {
 public:
  double t = 0;
  std::span<const double> q, v;

  /// The accelerations, and the forces of actuators.
  std::span<const double> a() const;
  std::span<const double> forces() const;
  /// What the ground exerts on a frame that it holds, in ground axes at the frame's origin; zero
  /// where it does not hold it.
  Wrench<double> contact_wrench(FrameId frame) const;
  /// Where a link or frame is.
  SE3<double> pose(FrameId frame) const;

  Moment(double time, std::span<const double> at, std::span<const double> speed,
         MotionEquations& equations)
      : t(time), q(at), v(speed), equations_(&equations) {}

 private:
  void evaluate() const;

  MotionEquations* equations_;
  mutable bool known_ = false;  ///< whether the equations were evaluated here
};

enum class Crossing : unsigned char { any, rising, falling };

using EventFunction = std::function<double(const Moment&)>;

struct EventOptions {
  Crossing direction = Crossing::any;
  bool stop = false;  ///< the run ends there
  /// May change state, commands and contacts. What it adds to the simulation is not in the state.
  std::function<void(SimulationState&)> action{};
};

/// An event that took place.
struct EventReport {
  double t = 0;
  std::string name;
};

/// A position beyond its joint's limits, as seen at the ends of steps.
struct LimitReport {
  double t = 0;  ///< when it was first
  int coordinate = -1;
  bool upper = false;
  double excess = 0;  ///< the largest, rad or m
};

/// What a joint does at the ends of its range.
struct StopOptions {
  double restitution = 0;    ///< 0: it stays, 1: it comes back as fast
  double rest_speed = 1e-3;  ///< rad/s or m/s; what would come back more slowly stays
};

/// A frame that the ground holds from when it comes down.
struct LandingOptions {
  LoopKind kind = LoopKind::point;
  double height = 0;  ///< of the ground, m
  bool lifts = true;  ///< let go where the ground would have to pull
};

}  // namespace jounce
