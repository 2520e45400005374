// SPDX-License-Identifier: BSD-3-Clause
// A swinging arm in DART's own simulation and in ours.
#include <gtest/gtest.h>

#include <cmath>

#include "oracles/dart_peer.hpp"
#include "oracles/swinging_arm.hpp"

namespace jounce::test {
namespace {

/// The same of DART.
Eigen::VectorXd darts(const SwingingArm& arm, int steps) {
  DartPeer dart(arm.robot);
  dart.set(arm.q0, arm.v0, Eigen::VectorXd::Zero(7));
  return dart.swing(arm.robot, 0.5 / steps, steps);
}

// The motion multiplies rounding by about a thousand.
TEST(DartMotion, IsOursByTheSameMethodAtTheSameStep) {
  const SwingingArm arm;
  for (const int steps : {500, 2000}) {
    const Eigen::VectorXd off =
        darts(arm, steps) -
        arm.ours({.integrator = Integrator::semi_implicit, .step = 0.5 / steps, .passive = false});
    std::printf("arm7, %d steps: DART %.1e from semi_implicit\n", steps, off.cwiseAbs().maxCoeff());
    EXPECT_LT(off.cwiseAbs().maxCoeff(), 1e-11) << steps;
  }
}
TEST(DartMotion, ComesToOursAsItsOrderSays) {
  const SwingingArm arm;
  const Eigen::VectorXd exact =
      arm.ours({.integrator = Integrator::taylor, .tol = 1e-13, .passive = false});
  const double coarse = (darts(arm, 8000) - exact).norm(),
               fine = (darts(arm, 16000) - exact).norm();
  EXPECT_NEAR(std::log2(coarse / fine), 1, 0.05);
  EXPECT_LT(fine, 0.1);
}

}  // namespace
}  // namespace jounce::test
