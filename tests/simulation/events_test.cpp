// SPDX-License-Identifier: BSD-3-Clause
// Events: when they are, that none is missed, and what they may do.
#include <gtest/gtest.h>

#include <cmath>
#include <jounce/simulation.hpp>

#include "support/message.hpp"
#include "tests/simulation/known_motions.hpp"
#include "tests/simulation/simple_robots.hpp"

namespace jounce {
namespace {

using test::message;
using End = RunReport::End;

constexpr Integrator adaptive[] = {Integrator::dopri5, Integrator::dop853, Integrator::rodas4,
                                   Integrator::taylor, Integrator::automatic};

/// Joint 4 of the arm comes to -0.1: the time is known from 113-bit numbers.
TEST(Events, AreLocatedToTheTolerance) {
  const test::KnownMotion known = test::known_arm();
  for (const Integrator one : adaptive)
    for (const double tol : {1e-6, 1e-9, 1e-12}) {
      if (one == Integrator::rodas4 && tol < 1e-9) continue;  // 100,000 steps
      Simulation sim(known.robot, {.integrator = one, .tol = tol, .passive = false});
      sim.event("passes", [](const Moment& m) { return m.q[3] + 0.1; }, {.stop = true});
      SimulationState x = sim.start(known.q0, known.v0);
      const RunReport report = sim.run(x, 0.5, {.energy = false});
      ASSERT_EQ(report.end, End::event) << name(one);
      ASSERT_EQ(report.events.size(), 1u);
      EXPECT_EQ(report.events[0].name, "passes");
      EXPECT_EQ(report.events[0].t, x.t);
      EXPECT_NEAR(x.t, 0.18432029456203988, 30 * tol) << name(one) << " at " << tol;
      EXPECT_LE(x.q[3], -0.1) << "it is over";
      EXPECT_NEAR(x.q[3], -0.1, 1e-13) << "of the method's own motion";
    }
}

/// A mass that is thrown up: one step of these methods is the whole motion.
TEST(Events, OfOneStepAreNotMissed) {
  const double v = 10;
  for (const Integrator one : adaptive)
    for (const double below : {1.0, 1e-3, 1e-7}) {  // of the highest point
      Simulation sim(test::slider(2, true), {.integrator = one});
      const double level = v * v / 20 - below;
      sim.event("level", [=](const Moment& m) { return m.q[0] - level; });
      sim.event("up", [=](const Moment& m) { return m.q[0] - level; },
                {.direction = Crossing::rising});
      sim.event("down", [=](const Moment& m) { return m.q[0] - level; },
                {.direction = Crossing::falling});
      SimulationState x = sim.start({0}, {v});
      const RunReport report = sim.run(x, 3.1, {.energy = false});
      std::vector<std::string> names;
      for (const EventReport& e : report.events) names.push_back(e.name);
      EXPECT_EQ(names, (std::vector<std::string>{"level", "up", "level", "down"}))
          << name(one) << " " << below;
      const double half = std::sqrt(2 * below / 10);
      // a level that is nearly touched is crossed at times that rounding of heights moves
      const double bound = 1e-13 + 3e-16 * 20 / (10 * half);
      for (const EventReport& e : report.events)
        EXPECT_NEAR(e.t, e.t < 1 ? 1 - half : 1 + half, one == Integrator::rodas4 ? 1e-5 : bound)
            << name(one) << " " << below;
    }
}
TEST(Events, ThatComeOftenAreAllSeen) {
  for (const Integrator one : adaptive) {
    Simulation sim(test::slider(1, false), {.integrator = one});
    sim.event("beat", [](const Moment& m) { return std::sin(20 * m.q[0]); });
    SimulationState x = sim.start({0.01}, {1});
    const RunReport report = sim.run(x, 10);
    ASSERT_EQ(report.events.size(), size_t(20 * 10.01 / M_PI)) << name(one);
    for (size_t k = 0; k < report.events.size(); ++k)
      EXPECT_NEAR(report.events[k].t, double(k + 1) * M_PI / 20 - 0.01, 1e-12);
  }
}
TEST(Events, AtOneTimeAllHappen) {
  Simulation sim(test::slider(1, true), {.integrator = Integrator::rk4, .step = 0.1});
  for (const char* name : {"a", "b", "c"})
    sim.event(name, [](const Moment& m) { return m.q[0] + 2; });
  sim.event("d", [](const Moment& m) { return 3 * (m.q[0] * m.q[0] - 4); });
  SimulationState x = sim.start({0}, {0});
  const RunReport report = sim.run(x, 1);
  ASSERT_EQ(report.events.size(), 4u);
  for (const EventReport& e : report.events) EXPECT_NEAR(e.t, std::sqrt(0.4), 1e-14);
}

TEST(Events, MayChangeStateAndCommands) {
  Simulation sim(test::slider(1, false), {.integrator = Integrator::dop853});
  sim.event("half way", [](const Moment& m) { return m.q[0] - 0.5; },
            {.action = [&](SimulationState& x) {
              x.v[0] = -2;
              sim.command("slide", Command::force(4.0), x.t);
            }});
  SimulationState x = sim.start({0}, {1});
  const RunReport report = sim.run(x, 1);
  EXPECT_NEAR(x.q[0], 0.5 - 2 * 0.5 + 4 * 0.5 * 0.5 / 2, 1e-13);
  EXPECT_NEAR(x.v[0], -2 + 4 * 0.5, 1e-13);
  EXPECT_EQ(report.events.size(), 1u) << "where it ended it does not begin";
  EXPECT_NEAR(report.impact_energy, (4 - 1) / 2.0, 1e-12);
  EXPECT_LT(report.energy_drift, 1e-12) << "what actions do is not the integrator's";
}
TEST(Events, SeeAccelerationsAndForces) {
  Simulation sim(test::slider(2, true), {.integrator = Integrator::dop853});
  sim.command("slide", Command::force([](double t) { return 8 * t; }));
  sim.event("floats", [](const Moment& m) { return m.a()[0]; }, {.stop = true});
  SimulationState x = sim.start({0}, {0});
  sim.run(x, 5);
  EXPECT_NEAR(x.t, 20.0 / 8, 1e-13) << "where 8 t carries 2 kg";
  EXPECT_NEAR(sim.at(x).forces()[0], 20, 1e-12);
  EXPECT_NEAR(sim.at(x).a()[0], 0, 1e-12);
}
TEST(Events, GoOnToTheSameBitsFromACopy) {
  const Robot robot = test::double_pendulum();
  const auto make = [&] {
    Simulation sim(robot, {.tol = 1e-9});
    sim.event("kick", [](const Moment& m) { return m.q[0]; },
              {.direction = Crossing::rising, .action = [](SimulationState& x) { x.v[1] += 0.1; }});
    return sim;
  };
  Simulation whole = make(), other = make();
  SimulationState x = whole.start({1.5, 2.0}, {0, 0});
  whole.run(x, 1.7);
  SimulationState y = x;
  const RunReport first = whole.run(x, 6), second = other.run(y, 6);
  EXPECT_EQ(x.q, y.q);
  EXPECT_EQ(x.v, y.v);
  ASSERT_GT(first.events.size(), 1u);
  ASSERT_EQ(first.events.size(), second.events.size());
  for (size_t k = 0; k < first.events.size(); ++k) EXPECT_EQ(first.events[k].t, second.events[k].t);
}

TEST(Limits, AreReportedAndStopNothing) {
  const Robot robot = test::slider(1, true, {.lower = -1.25, .upper = 3});
  Simulation sim(robot, {.integrator = Integrator::dopri5}), watched(robot), stopped(robot);
  SimulationState x = sim.start({0}, {0}), y = x, z = x;
  const RunReport report = sim.run(x, 1);
  EXPECT_EQ(report.end, End::time);
  ASSERT_EQ(report.limits.size(), 1u);
  EXPECT_EQ(report.limits[0].coordinate, 0);
  EXPECT_FALSE(report.limits[0].upper);
  EXPECT_NEAR(report.limits[0].excess, 5 - 1.25, 1e-12);
  EXPECT_GE(report.limits[0].t, 0.5);
  watched.watch_limits();
  const RunReport seen = watched.run(y, 1);
  ASSERT_EQ(seen.events.size(), 1u);
  EXPECT_EQ(seen.events[0].name, "limit of joint \"slide\"");
  EXPECT_NEAR(seen.events[0].t, 0.5, 1e-14);
  EXPECT_NEAR(y.q[0], -5, 1e-12);
  stopped.watch_limits(true);
  EXPECT_EQ(stopped.run(z, 1).end, End::event);
  EXPECT_NEAR(z.t, 0.5, 1e-14);
}
TEST(Events, WithoutEndAreRefused) {
  Simulation sim(test::slider(1, false), {.integrator = Integrator::dop853});
  sim.event(
      "again", [](const Moment& m) { return m.q[0] - 0.5; },
      {.direction = Crossing::rising, .action = [](SimulationState& x) { x.q[0] = 0.5 - 1e-14; }});
  SimulationState x = sim.start({0}, {1});
  const std::string text = message([&] { sim.run(x, 1); });
  EXPECT_EQ(text.substr(0, 22), "simulate: at t = 0.500") << text;
  EXPECT_NE(text.find("event \"again\" comes again and again"), std::string::npos) << text;
}

}  // namespace
}  // namespace jounce
