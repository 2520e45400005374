// SPDX-License-Identifier: BSD-3-Clause
// Where jounce simulate begins.
#pragma once

#include <jounce/simulation.hpp>
#include <string>

namespace jounce::app {

struct StartOptions {
  std::string q0, v0;  ///< numbers with commas, or empty
  std::string resume;  ///< a checkpoint
};

/// The state that the options say: a checkpoint, or the robot's closed configuration in which every
/// motor turns by 1 rad/s or moves by 0.1 m/s, as far as its loops allow.
SimulationState start_state(const StartOptions& options, Simulation& sim);

/// Says on standard error that loops were closed by moving joints, and that fixed steps are too
/// long for the damping at the start.
void tell_start(const std::string& model, const Simulation& sim, const StartOptions& options,
                const SimulationState& x);

/// The joint of a velocity coordinate.
std::string joint_of(const Robot& robot, int v);

}  // namespace jounce::app
