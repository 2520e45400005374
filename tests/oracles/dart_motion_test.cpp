// SPDX-License-Identifier: BSD-3-Clause
// A swinging arm in DART's own simulation and in ours.
#include <gtest/gtest.h>

#include <cmath>
#include <jounce/simulation.hpp>

#include "oracles/dart_peer.hpp"

namespace jounce::test {
namespace {

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
  Eigen::VectorXd darts(int steps) const {
    DartPeer dart(robot);
    dart.set(q0, v0, Eigen::VectorXd::Zero(7));
    return dart.swing(robot, 0.5 / steps, steps);
  }
};

// The motion multiplies rounding by about a thousand.
TEST(DartMotion, IsOursByTheSameMethodAtTheSameStep) {
  const SwingingArm arm;
  for (const int steps : {500, 2000}) {
    const Eigen::VectorXd off =
        arm.darts(steps) -
        arm.ours({.integrator = Integrator::semi_implicit, .step = 0.5 / steps, .passive = false});
    std::printf("arm7, %d steps: DART %.1e from semi_implicit\n", steps, off.cwiseAbs().maxCoeff());
    EXPECT_LT(off.cwiseAbs().maxCoeff(), 1e-11) << steps;
  }
}
TEST(DartMotion, ComesToOursAsItsOrderSays) {
  const SwingingArm arm;
  const Eigen::VectorXd exact =
      arm.ours({.integrator = Integrator::taylor, .tol = 1e-13, .passive = false});
  const double coarse = (arm.darts(8000) - exact).norm(), fine = (arm.darts(16000) - exact).norm();
  EXPECT_NEAR(std::log2(coarse / fine), 1, 0.05);
  EXPECT_LT(fine, 0.1);
}

}  // namespace
}  // namespace jounce::test
