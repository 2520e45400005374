// SPDX-License-Identifier: BSD-3-Clause
// A swinging arm in MuJoCo's own simulation and in ours.
#include <gtest/gtest.h>

#include <cmath>

#include "oracles/mujoco_model.hpp"
#include "oracles/swinging_arm.hpp"

namespace jounce::test {
namespace {

/// Positions, then velocities, after half a second of mj_step.
Eigen::VectorXd mujocos(const SwingingArm& arm, int integrator, int steps) {
  const OwnedModel model = compiled(arm.robot.description());
  model->opt.integrator = integrator;
  model->opt.timestep = 0.5 / steps;
  model->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_PASSIVE;
  const OwnedData data(mj_makeData(model.get()));
  using Map = Eigen::Map<Eigen::VectorXd>;
  Map(data->qpos, 7) = arm.q0;
  Map(data->qvel, 7) = arm.v0;
  for (int k = 0; k < steps; ++k) mj_step(model.get(), data.get());
  Eigen::VectorXd end(14);
  end << Map(data->qpos, 7), Map(data->qvel, 7);
  return end;
}
SimulationOptions fixed_steps(Integrator integrator, int steps) {
  return {.integrator = integrator, .step = 0.5 / steps, .passive = false};
}

// The motion multiplies rounding by about a thousand.
TEST(MujocoMotion, IsOursByTheSameMethodAtTheSameStep) {
  const SwingingArm arm;
  for (const int steps : {500, 2000}) {
    const double rk4 =
        (mujocos(arm, mjINT_RK4, steps) - arm.ours(fixed_steps(Integrator::rk4, steps)))
            .cwiseAbs()
            .maxCoeff();
    const double euler =
        (mujocos(arm, mjINT_EULER, steps) - arm.ours(fixed_steps(Integrator::semi_implicit, steps)))
            .cwiseAbs()
            .maxCoeff();
    std::printf("arm7, %d steps: MuJoCo %.1e from rk4, %.1e from semi_implicit\n", steps, rk4,
                euler);
    EXPECT_LT(rk4, 1e-11) << steps;
    EXPECT_LT(euler, 1e-11) << steps;
  }
}
TEST(MujocoMotion, ComesToOursAsItsOrderSays) {
  const SwingingArm arm;
  const Eigen::VectorXd exact =
      arm.ours({.integrator = Integrator::taylor, .tol = 1e-13, .passive = false});
  const double coarse = (mujocos(arm, mjINT_RK4, 100) - exact).norm(),
               fine = (mujocos(arm, mjINT_RK4, 200) - exact).norm();
  EXPECT_NEAR(std::log2(coarse / fine), 4, 0.2);
}

}  // namespace
}  // namespace jounce::test
