// SPDX-License-Identifier: BSD-3-Clause
// Steps take no memory.
#include <gtest/gtest.h>

#include <jounce/simulation.hpp>

#include "tests/simulation/known_motions.hpp"
#include "tests/support/allocation_guard.hpp"

namespace jounce {
namespace {

struct StepCase {
  Integrator integrator;
  double step;
};

class StepMemory : public testing::TestWithParam<StepCase> {};

void steps_take_no_memory(const Robot& robot, const StepCase& one, std::span<const double> q,
                          std::span<const double> v) {
  Simulation sim(robot, {.integrator = one.integrator, .tol = 1e-8, .step = one.step});
  SimulationState x = sim.start(q, v);
  for (int k = 0; k < 3; ++k) sim.step(x, 1e-3);
  const test::NoAllocation guard;
  for (int k = 0; k < 5; ++k) sim.step(x, 1e-3);
  EXPECT_EQ(guard.count(), 0) << name(one.integrator) << " on " << robot.name();
}

TEST_P(StepMemory, NoneOnTrees) {
  for (const test::KnownMotion& known : {test::known_arm(), test::known_quadruped()})
    steps_take_no_memory(known.robot, GetParam(), known.q0, known.v0);
}
/// Of taylor on loops the series own what they give.
TEST_P(StepMemory, NoneOnLoops) {
  if (GetParam().integrator == Integrator::taylor) return;
  const Robot robot = load("builtin:five_bar");
  steps_take_no_memory(robot, GetParam(), robot.closed(),
                       std::vector<double>(size_t(robot.nv()), 0.1));
}
INSTANTIATE_TEST_SUITE_P(
    All, StepMemory,
    testing::Values(StepCase{Integrator::semi_implicit, 1e-3}, StepCase{Integrator::rk4, 1e-3},
                    StepCase{Integrator::dopri5, 0}, StepCase{Integrator::dop853, 0},
                    StepCase{Integrator::rodas4, 0}, StepCase{Integrator::variational, 1e-3},
                    StepCase{Integrator::taylor, 0}),
    [](const auto& one) { return std::string(name(one.param.integrator)); });

}  // namespace
}  // namespace jounce
