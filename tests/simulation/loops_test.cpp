// SPDX-License-Identifier: BSD-3-Clause
// Closed loops in motion: they stay closed, energy stays, momenta of the variational integrator.
#include <gtest/gtest.h>

#include <cmath>
#include <jounce/dynamics.hpp>
#include <jounce/simulation.hpp>

#include "tests/constraints/mechanisms.hpp"
#include "tests/simulation/known_motions.hpp"

namespace jounce {
namespace {

SimulationState moving_five_bar(Simulation& sim) {
  const Robot& robot = sim.robot();
  std::vector<double> v(size_t(robot.nv()), 0);
  for (size_t k = 0; k < v.size(); ++k)
    if (robot.actuated()[k]) v[k] = 1;
  return sim.start(robot.closed(), v);
}

// 6 s; over a whole minute, which takes ten times as long, the drift is 7e-11.
TEST(FiveBar, KeepsItsEnergyByProjection) {
  Simulation sim(load("builtin:five_bar"),
                 {.integrator = Integrator::dopri5, .tol = 1e-11, .passive = false});
  SimulationState x = moving_five_bar(sim);
  const RunReport report = sim.run(x, 6);
  std::printf("five_bar, dopri5: %ld steps, energy %.1e, open %.1e\n", report.steps,
              report.energy_drift, report.constraint_violation);
  EXPECT_LT(report.energy_drift, 1e-9);
  EXPECT_LT(report.constraint_violation, 1e-10);
}
// Where both sides are nearly stretched its joints reach 70 rad/s within a few ms, and energy is
// off by what the order of the method leaves there; it comes back, to 1e-6.
TEST(FiveBar, KeepsItsEnergyByDiscreteMechanics) {
  for (const int order : {2, 4}) {
    Simulation sim(
        load("builtin:five_bar"),
        {.integrator = Integrator::variational, .step = 1e-3, .order = order, .passive = false});
    SimulationState x = moving_five_bar(sim);
    double worst[2] = {};  // of both halves of a minute
    for (int k = 0; k < 12; ++k) {
      const RunReport report = sim.run(x, 5 * (k + 1));
      worst[k / 6] = std::max(worst[k / 6], report.energy_drift);
      EXPECT_LT(report.constraint_violation, 1e-13);
    }
    std::printf("five_bar, variational of order %d: energy %.1e, then %.1e\n", order, worst[0],
                worst[1]);
    EXPECT_LT(worst[0], order == 2 ? 3e-2 : 1e-3);
    EXPECT_LT(worst[1], order == 2 ? 3e-2 : 1e-3);
  }
}

// Before motions from different steps part: what energy is off by is the method's error.
TEST(FiveBar, EnergyIsOffByTheOrderOfDiscreteMechanics) {
  for (const int order : {2, 4}) {
    double off[2];
    for (const int half : {0, 1}) {
      Simulation sim(load("builtin:five_bar"), {.integrator = Integrator::variational,
                                                .step = half == 0 ? 1e-3 : 5e-4,
                                                .order = order,
                                                .passive = false});
      SimulationState x = moving_five_bar(sim);
      off[half] = sim.run(x, 2).energy_drift;
    }
    std::printf("five_bar, variational of order %d: %.2e, half the step %.2e\n", order, off[0],
                off[1]);
    EXPECT_NEAR(std::log2(off[0] / off[1]), order, 0.15);
  }
}

TEST(Bennett, StaysClosed) {
  const Robot robot(test::bennett(0.9));
  for (const Integrator one : {Integrator::variational, Integrator::rk4, Integrator::dopri5,
                               Integrator::dop853, Integrator::taylor, Integrator::rodas4}) {
    const bool fixed = one == Integrator::variational || one == Integrator::rk4;
    Simulation sim(robot, {.integrator = one, .tol = 1e-9, .step = fixed ? 1e-3 : 0});
    SimulationState x = sim.start(robot.closed(), std::vector<double>{2, 0, 0});
    const RunReport report = sim.run(x, 2);
    EXPECT_LT(report.constraint_violation, 1e-10) << name(one);
    EXPECT_LT(report.energy_drift, one == Integrator::variational ? 1e-3 : 1e-5) << name(one);
  }
}

/// Where loops are open by c and the rate of c is zero, c goes as (1 + w t) exp(-w t).
TEST(Baumgarte, PullsLoopsTogether) {
  const double w = 40;
  Simulation sim(load("builtin:five_bar"), {.integrator = Integrator::dopri5,
                                            .tol = 1e-11,
                                            .passive = false,
                                            .gravity = false,
                                            .loops = LoopRepair::baumgarte,
                                            .baumgarte_rate = w});
  ConstrainedDynamics loops(sim.robot());
  std::vector<double> q = sim.robot().closed(), v(size_t(sim.robot().nv()), 0);
  q[0] += 1e-5;
  const double open = loops.closure(q).norm();
  EXPECT_GT(open, 1e-7);
  SimulationState x = sim.start(q, v);
  for (const double t : {0.02, 0.1, 0.2}) {
    sim.run(x, t, {.energy = false});
    EXPECT_NEAR(loops.closure(x.q).norm(), open * (1 + w * t) * std::exp(-w * t), 1e-4 * open) << t;
  }
}

/// Of its order with loops too: against dop853 with projection.
TEST(Variational, KeepsItsOrderWithLoops) {
  const Robot five_bar = load("builtin:five_bar"), bennett{test::bennett(0.9)};
  for (const Robot& robot : {five_bar, bennett}) {
    const auto end = [&](const SimulationOptions& options) {
      Simulation sim(robot, options);
      std::vector<double> v(size_t(robot.nv()), 0);
      v[0] = 2;
      SimulationState x = sim.start(robot.closed(), v);
      sim.run(x, 0.25, {.energy = false});
      return x;
    };
    const SimulationState exact =
        end({.integrator = Integrator::dop853, .tol = 1e-13, .passive = false});
    const test::KnownMotion known{robot, {}, {}, 0, exact.q, exact.v};
    for (const int order : {2, 4}) {
      double errors[3];
      for (int k = 0; k < 3; ++k) {
        const SimulationState x = end({.integrator = Integrator::variational,
                                       .step = (order == 2 ? 1e-3 : 5e-3) / (1 << k),
                                       .order = order,
                                       .passive = false});
        errors[k] = test::distance(robot, x.q, x.v, known);
      }
      EXPECT_NEAR(std::log2(errors[0] / errors[1]), order, 0.1) << robot.name();
      EXPECT_NEAR(std::log2(errors[1] / errors[2]), order, 0.1) << robot.name();
    }
  }
}

/// Momenta to rounding, energy about where it was, on all that is not flat.
TEST(Variational, KeepsMomentum) {
  const test::KnownMotion body = test::known_body(), quadruped = test::known_quadruped();
  for (const test::KnownMotion& known : {body, quadruped}) {
    Simulation sim(
        known.robot,
        {.integrator = Integrator::variational, .step = 2e-3, .passive = false, .gravity = false});
    SimulationState x = sim.start(known.q0, known.v0);
    Dynamics dynamics(known.robot);
    const auto about_origin = [&](const SimulationState& now) {
      const Momentum<double> p = dynamics.momentum(now.q, now.v);
      return Wrench<double>{p.about_com.m + cross(p.com, p.about_com.f), p.about_com.f};
    };
    const Wrench<double> before = about_origin(x);
    double worst = 0;
    const auto watch = [&](const SimulationState& now) {
      const Wrench<double> after = about_origin(now);
      worst = std::max({worst, norm(after.m - before.m) / norm(before.m),
                        norm(after.f - before.f) / norm(before.f)});
      return true;
    };
    const RunReport report = sim.run(x, 4, {.watch = watch});
    EXPECT_LT(worst, 1e-11) << known.robot.name();  // 2,000 steps, each solved to 1e-14
    EXPECT_LT(report.energy_drift, 2e-3) << known.robot.name();
  }
}
TEST(Variational, CountsWorkOfCommandsAndDampers) {
  RobotDescription d = load("builtin:arm7").description();
  for (JointDescription& joint : d.joints)
    if (joint.geometry.kind == JointKind::revolute) {
      joint.properties.damping = {0.3};
      joint.properties.stiffness = {5};
    }
  const Robot robot(d);
  Simulation sim(robot, {.integrator = Integrator::variational, .step = 5e-4});
  sim.command(robot.joints()[2].name, Command::force([](double t) { return std::sin(5 * t); }));
  SimulationState x = sim.start(std::vector<double>(7, 0.3), std::vector<double>(7, 0.0));
  EXPECT_LT(sim.run(x, 1).energy_drift, 1e-3);
  Simulation exact(robot, {.integrator = Integrator::dop853, .tol = 1e-11});
  exact.command(robot.joints()[2].name, Command::force([](double t) { return std::sin(5 * t); }));
  SimulationState y = exact.start(std::vector<double>(7, 0.3), std::vector<double>(7, 0.0));
  exact.run(y, 1);
  for (size_t k = 0; k < 7; ++k) EXPECT_NEAR(x.q[k], y.q[k], 1e-3) << k;
}
TEST(Variational, SaysWhatItCannotDo) {
  const auto why = [](const Robot& robot, SimulationOptions options, auto change) {
    options.integrator = Integrator::variational, options.step = 1e-3;
    try {
      Simulation sim(robot, options);
      change(sim);
      sim.start(robot.neutral(), std::vector<double>(size_t(robot.nv()), 0));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const Robot pendulum = test::double_pendulum();
  EXPECT_EQ(
      why(pendulum, {}, [](Simulation& sim) { sim.command("hinge1", Command::acceleration(1.0)); }),
      "variational: the motion of a joint is prescribed, needs forces");
  EXPECT_EQ(why(load("builtin:five_bar"), {.loops = LoopRepair::baumgarte}, [](Simulation&) {}),
            "variational: loops are closed by impulses, Baumgarte's method has no place in it");
}

}  // namespace
}  // namespace jounce
