// SPDX-License-Identifier: BSD-3-Clause
// Stiff springs, Coulomb friction: rodas4, the way to it and back, and what warns Taylor's method.
#include <gtest/gtest.h>

#include <cmath>
#include <jounce/simulation.hpp>

#include "tests/simulation/known_motions.hpp"

namespace jounce {
namespace {

Robot arm_with(auto change) {
  RobotDescription d = load("builtin:arm7").description();
  int k = 0;
  for (JointDescription& joint : d.joints)
    if (joint.geometry.kind == JointKind::revolute) {
      joint.properties.damping = {0}, joint.properties.friction = {0};
      change(joint.properties, k++);
    }
  return Robot(d);
}
Robot arm_with_friction(double f) {
  return arm_with([f](JointProperties& joint, int) { joint.friction = {f}; });
}
struct Outcome {
  SimulationState x;
  RunReport report;
};
Outcome run(const Robot& robot, const SimulationOptions& options, double until) {
  const test::KnownMotion known = test::known_arm();
  Simulation sim(robot, options);
  Outcome one{sim.start(known.q0, known.v0), {}};
  one.report = sim.run(one.x, until, {.energy = false});
  return one;
}
double apart(const Robot& robot, const Outcome& a, const Outcome& b) {
  return test::distance(robot, a.x.q, a.x.v, {robot, {}, {}, 0, b.x.q, b.x.v});
}

TEST(StiffSprings, TakeFewStepsOfRodas) {
  const std::vector<double> rest = test::known_arm().q0;
  const Robot robot = arm_with([&](JointProperties& joint, int k) {
    if (k != 2 && k != 4 && k != 6) return;
    joint.stiffness = {1e6}, joint.damping = {1e3}, joint.rest = {rest[size_t(k)]};
  });
  const Outcome loose = run(robot, {.integrator = Integrator::rodas4, .tol = 1e-6}, 0.5);
  const Outcome tight = run(robot, {.integrator = Integrator::rodas4, .tol = 1e-9}, 0.5);
  EXPECT_LT(loose.report.steps, 400);
  EXPECT_LT(apart(robot, loose, tight), 1e-3);
  // explicit methods take a million steps a second: 1 ms of it
  const Outcome exact = run(robot, {.integrator = Integrator::dop853, .tol = 1e-10}, 1e-3);
  const Outcome same = run(robot, {.integrator = Integrator::rodas4, .tol = 1e-10}, 1e-3);
  EXPECT_GT(exact.report.steps, 300);
  EXPECT_LT(apart(robot, same, exact), 1e-6);
}

TEST(Friction, HandsOverToRodas) {
  const Robot robot = arm_with_friction(0.5);
  const Outcome one = run(robot, {.tol = 1e-6}, 0.2);
  const Outcome exact = run(robot, {.integrator = Integrator::dop853, .tol = 1e-9}, 0.2);
  EXPECT_GT(one.report.stiff_time, 0);
  EXPECT_LT(one.report.stiff_time, 5e-3);
  EXPECT_GE(one.report.stiff_coordinate, 0);
  EXPECT_TRUE(one.x.stiff);
  EXPECT_LT(one.report.steps, exact.report.steps / 10);
  EXPECT_LT(apart(robot, one, exact), 1e-4);
  EXPECT_LT(run(arm_with_friction(0), {.tol = 1e-6}, 0.2).report.stiff_time, 0) << "never";
  for (const Integrator named : {Integrator::dopri5, Integrator::dop853}) {  // they say so, too
    const auto found = run(arm_with_friction(0.5), {.integrator = named, .tol = 1e-4}, 0.02).report;
    EXPECT_GT(found.stiff_time, 0) << name(named);
    EXPECT_LT(found.stiff_time, 0.02) << name(named);
    EXPECT_LT(run(arm_with_friction(0), {.integrator = named, .tol = 1e-6}, 0.2).report.stiff_time,
              0)
        << name(named);
  }
}

/// Friction holds a pendulum back, until a motor tears it away.
TEST(Friction, HandsBackWhereTheStiffnessIsOver) {
  RobotDescription d = test::double_pendulum().description();
  for (JointDescription& joint : d.joints) joint.properties.friction = {3.0};
  const Robot robot(d);
  const auto go = [&](const SimulationOptions& options, double until) {
    Simulation sim(robot, options);
    sim.command("hinge1", Command::force(0.5));
    sim.command("hinge1", Command::force(60.0), 0.3);
    sim.command("hinge2", Command::force(25.0), 0.3);
    Outcome one{sim.start({0.0, 0.0}, {0.0, 0.0}), {}};
    one.report = sim.run(one.x, until, {.energy = false});
    return one;
  };
  const Outcome before = go({.tol = 1e-7}, 0.3), after = go({.tol = 1e-7}, 0.6);
  EXPECT_TRUE(before.x.stiff);
  EXPECT_GT(before.report.stiff_time, 0);
  EXPECT_LT(before.report.stiff_time, 0.3);
  EXPECT_FALSE(after.x.stiff);
  EXPECT_LT(apart(robot, after, go({.integrator = Integrator::dop853, .tol = 1e-11}, 0.6)), 1e-4);
}

/// Where joints turn round, friction of 0.005 N m changes within a slip speed: the series of a
/// state before that knows nothing of it.
TEST(Friction, TaylorSeesWhatComes) {
  const Robot robot = arm_with_friction(0.005);
  const Outcome exact = run(robot, {.integrator = Integrator::dop853, .tol = 1e-13}, 1);
  for (const double tol : {1e-8, 1e-10}) {
    const Outcome one = run(robot, {.integrator = Integrator::taylor, .tol = tol, .order = 16}, 1);
    EXPECT_GT(one.report.rejected, 10);
    EXPECT_LT(apart(robot, one, exact), 1e4 * tol) << "tol " << tol;
  }
}

}  // namespace
}  // namespace jounce
