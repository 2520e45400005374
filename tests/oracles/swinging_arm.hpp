// SPDX-License-Identifier: BSD-3-Clause
// The motion that other libraries' simulations are compared with.
#pragma once

#include <jounce/io.hpp>
#include <jounce/simulation.hpp>

namespace jounce::test {

struct SwingingArm {
  Robot robot = load("builtin:arm7");
  Eigen::VectorXd q0{{0.25, 1.5, -0.25, 0.5, 0.25, -0.5, 0.25}};
  Eigen::VectorXd v0{{0.5, 0, 0.25, 0, -0.25, 0, 0.5}};

  /// Positions, then velocities, after half a second.
  Eigen::VectorXd ours(const SimulationOptions& options) const {
    Simulation sim(robot, options);
    SimulationState x = sim.start(q0, v0);
    sim.run(x, 0.5, {.energy = false});
    Eigen::VectorXd end(14);
    for (Eigen::Index k = 0; k < 7; ++k) end[k] = x.q[size_t(k)], end[7 + k] = x.v[size_t(k)];
    return end;
  }
};

}  // namespace jounce::test
