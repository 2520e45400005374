// SPDX-License-Identifier: BSD-3-Clause
// Joint stops: bouncing, rest and release against closed solutions, and the laws of impact.
#include <gtest/gtest.h>

#include <cmath>
#include <jounce/constrained_dynamics.hpp>
#include <jounce/simulation.hpp>

#include "support/message.hpp"
#include "tests/simulation/known_motions.hpp"
#include "tests/simulation/simple_robots.hpp"

namespace jounce {
namespace {

using test::message;
using Vector = Eigen::VectorXd;

TEST(Stops, BounceAsAFallingMass) {
  const double height = 0.8, e = 0.7, g = 10;
  for (const Integrator one : {Integrator::rk4, Integrator::dop853, Integrator::taylor,
                               Integrator::rodas4, Integrator::automatic}) {
    Simulation sim(test::slider(2, true, {.lower = -0.5}),
                   {.integrator = one, .step = one == Integrator::rk4 ? 0.013 : 0});
    sim.stops({.restitution = e, .rest_speed = 0.01});
    SimulationState x = sim.start({height - 0.5}, {0});
    const RunReport report = sim.run(x, 3.5);
    double t = std::sqrt(2 * height / g), v = g * t;
    size_t n = 0;
    const double bound = one == Integrator::rodas4 ? 1e-5 : 1e-11;
    for (; e * v >= 0.01; ++n) {
      ASSERT_LT(n, report.events.size()) << name(one);
      EXPECT_NEAR(report.events[n].t, t, bound) << name(one) << " bounce " << n;
      v *= e;
      t += 2 * v / g;
    }
    EXPECT_NEAR(report.events[n].t, t, bound) << "and rests";
    EXPECT_EQ(report.events.size(), n + 1) << name(one);
    EXPECT_EQ(x.modes[0], -1);
    EXPECT_EQ(x.q[0], -0.5) << "to the last bit";
    EXPECT_EQ(x.v[0], 0);
    EXPECT_NEAR(report.impact_energy, -2 * g * height, bound * 100) << "all it had";
    EXPECT_LT(report.energy_drift, bound * 10) << name(one);
    EXPECT_TRUE(report.limits.empty());
  }
}
TEST(Stops, ElasticOnesKeepEnergy) {
  Simulation sim(test::slider(2, true, {.lower = 0, .upper = 0.3}), {});
  sim.stops({.restitution = 1});
  SimulationState x = sim.start({0.1}, {4});
  const RunReport report = sim.run(x, 10);
  EXPECT_GT(report.events.size(), 100u);
  EXPECT_NEAR(x.v[0] * x.v[0] / 2 + 10 * x.q[0], 8 + 1, 1e-9);
  EXPECT_NEAR(report.impact_energy, 0, 1e-9);
}

/// A mass at its upper stop, pressed against it until the force has fallen to its weight.
TEST(Stops, HoldUntilTheyWouldPull) {
  for (const Integrator one :
       {Integrator::rk4, Integrator::dop853, Integrator::rodas4, Integrator::automatic}) {
    Simulation sim(test::slider(2, true, {.upper = 0.5}),
                   {.integrator = one, .tol = 1e-9, .step = one == Integrator::rk4 ? 1e-3 : 0});
    sim.stop("slide");
    sim.command("slide", Command::force([](double t) { return 40 - 10 * t; }));
    SimulationState x = sim.start({0.5}, {1});
    Record record(sim.robot());
    const RunReport report = sim.run(x, 3, record);
    ASSERT_EQ(report.events.size(), 2u) << name(one);
    EXPECT_EQ(report.events[0].name, "stop of joint \"slide\"");
    EXPECT_NEAR(report.events[0].t, 0, 1e-12);
    EXPECT_EQ(report.events[1].name, "leaves the stop of joint \"slide\"");
    EXPECT_NEAR(report.events[1].t, 2, 1e-12) << name(one);
    EXPECT_NEAR(x.q[0], 0.5 - 5.0 / 6, 1e-8) << "a = -5 (t - 2)";
    EXPECT_NEAR(record.tau(record.size() / 4)[0], 40 - 10 * record.t()[record.size() / 4], 1e-9)
        << "the actuator's own";
    EXPECT_LT(report.energy_drift, 1e-7) << name(one);
  }
}
/// Samples of a controller jump: what was pressed is let go at once.
TEST(Stops, LetGoWhereForcesJump) {
  Simulation sim(test::slider(2, true, {.lower = 0}), {});
  sim.stops();
  sim.controller([](double t, auto, auto) { return std::vector<double>{t < 0.95 ? 0.0 : 30.0}; },
                 {.sample = 0.1});
  SimulationState x = sim.start({0}, {-1});
  const RunReport report = sim.run(x, 2);
  ASSERT_EQ(report.events.size(), 2u);
  EXPECT_EQ(report.events[1].name, "leaves the stop of joint \"slide\"");
  EXPECT_NEAR(report.events[1].t, 1, 1e-12);
  EXPECT_NEAR(x.q[0], 5.0 / 2 * 1 * 1, 1e-10) << "from t = 1";
  EXPECT_EQ(x.modes[0], 0);
}

/// M (v+ - v) acts along the joint alone, and the energy lost is what theory says.
TEST(Stops, ImpulsesActAlongTheJoint) {
  RobotDescription d = load("builtin:arm7").description();
  for (JointDescription& joint : d.joints) joint.properties.lower = joint.properties.upper = {};
  const test::KnownMotion known = test::known_arm();
  const JointInfo elbow = known.robot.joints()[3];
  d.joints[size_t(elbow.description)].properties.lower = {-0.1};
  const Robot robot(d);
  Dynamics dyn(robot);
  for (const double e : {0.0, 0.6, 1.0}) {
    Simulation sim(robot, {.tol = 1e-10, .passive = false});
    SimulationState before, after;
    sim.event("to look", [](const Moment& m) { return m.q[3] + 0.1; },
              {.action = [&](SimulationState& x) { before = x; }});
    sim.stop(elbow.name, {.restitution = e});
    sim.event("to look again", [](const Moment& m) { return m.q[3] + 0.1; },
              {.stop = true, .action = [&](SimulationState& x) { after = x; }});
    SimulationState x = sim.start(known.q0, known.v0);
    const RunReport report = sim.run(x, 0.5);
    ASSERT_EQ(report.events.size(), 3u);
    const auto M = dyn.mass(after.q);
    const auto inverse = dyn.mass_inverse(after.q);
    double energy = 0;
    for (int i = 0; i < 7; ++i) {
      double impulse = 0, size = 0;
      for (int j = 0; j < 7; ++j) {
        const double change = M(i, j) * (after.v[size_t(j)] - before.v[size_t(j)]);
        impulse += change, size += std::abs(change);
      }
      if (i != 3) {
        EXPECT_NEAR(impulse, 0, 1e-12 * size) << i;
      }
      energy += 0.5 * impulse * (after.v[size_t(i)] + before.v[size_t(i)]);
    }
    EXPECT_NEAR(after.v[3], -e * before.v[3], 1e-12);
    const double lost = (1 - e * e) * before.v[3] * before.v[3] / (2 * inverse(3, 3));
    EXPECT_NEAR(energy, -lost, 1e-11 * std::abs(before.v[3]));
    EXPECT_NEAR(report.impact_energy, -lost, 1e-10);
  }
}
/// The impulse of a stop in a closed linkage: loops stay closed, and what changes is orthogonal, in
/// the metric of the kinetic energy, to every motion that the loops and the stop leave.
TEST(Stops, OfLoops) {
  RobotDescription d = load("builtin:five_bar").description();
  const std::string name = load("builtin:five_bar").joints()[0].name;
  const double at = load("builtin:five_bar").closed()[0] + 0.2;
  for (JointDescription& joint : d.joints) {
    joint.properties.lower = joint.properties.upper = {};
    if (joint.name == name) joint.properties.upper = {at};
  }
  const Robot robot(d);
  ConstrainedDynamics loops(robot);
  Dynamics dyn(robot);
  for (const double e : {0.0, 0.5}) {
    Simulation sim(robot, {.tol = 1e-10});
    SimulationState before, after;
    sim.event("look", [=](const Moment& m) { return m.q[0] - at; },
              {.action = [&](SimulationState& x) {
                if (before.v.empty()) before = x;
              }});
    sim.stop(name, {.restitution = e});
    sim.event("look again", [=](const Moment& m) { return m.q[0] - at; },
              {.action = [&](SimulationState& x) {
                if (after.v.empty()) after = x;
              }});
    std::vector<double> v(size_t(robot.nv()), 0.0);
    v[0] = 2;
    SimulationState x = sim.start(robot.closed(), v);
    const RunReport report = sim.run(x, 0.4);
    ASSERT_FALSE(after.v.empty());
    EXPECT_NEAR(after.v[0], -e * before.v[0], 1e-11);
    const Vector suits = loops.project(after.q, after.v);
    for (int k = 0; k < robot.nv(); ++k) EXPECT_NEAR(suits[k], after.v[size_t(k)], 1e-9);
    const auto M = dyn.mass(after.q);
    Vector change(robot.nv());
    for (int i = 0; i < robot.nv(); ++i) {
      change[i] = 0;
      for (int j = 0; j < robot.nv(); ++j)
        change[i] += M(i, j) * (after.v[size_t(j)] - before.v[size_t(j)]);
    }
    // two motions of the linkage, combined so that the joint stands
    Vector one = Vector::Zero(robot.nv()), two = one;
    one[0] = 1, two[1] = 1;
    one = loops.project(after.q, one), two = loops.project(after.q, two);
    const Vector still = one * two[0] - two * one[0];
    EXPECT_NEAR(change.dot(still), 0, 1e-9 * change.norm() * still.norm());
    EXPECT_LT(report.constraint_violation, 1e-9);
    EXPECT_LT(report.impact_energy, 0);
    EXPECT_LT(report.energy_drift, 1e-7);
  }
}
/// From one side of an impact to the other: impulses act along joints at stops alone and push;
/// what a stop would have to pull moves away from it.
void expect_pushes(const SimulationState& before, const SimulationState& after, int hit,
                   Dynamics& dyn) {
  const size_t n = before.v.size();
  const auto M = dyn.mass(after.q);
  std::vector<double> impulse(n, 0);
  double most = 1;
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) impulse[i] += M(int(i), int(j)) * (after.v[j] - before.v[j]);
    most = std::max(most, std::abs(impulse[i]));
  }
  for (size_t i = 0; i < n; ++i) {
    int side = before.modes.empty() ? 0 : before.modes[i];
    if (int(i) == hit) side = before.v[i] > 0 ? 1 : -1;
    if (side == 0) {
      EXPECT_NEAR(impulse[i], 0, 1e-10 * most) << i;
    } else {
      EXPECT_LE(side * after.v[i], 0) << i;
      const double not_thrown = 1e-3 * M(int(i), int(i));  // at rest_speed, which stays
      EXPECT_LE(side * impulse[i], not_thrown) << i << " is pulled";
    }
  }
}
/// Joints that press against several stops at once.
TEST(Stops, OfWholeRobotsPushAndDoNotRattle) {
  for (const char* name : {"arm7", "puma560", "quadruped"}) {
    const Robot robot = load("builtin:" + std::string(name));
    Dynamics dyn(robot);
    Simulation sim(robot, {.passive = false});
    std::vector<double> v(size_t(robot.nv()), 0.0);
    SimulationState before;
    int hits = 0;
    const auto look = [&](const auto& action) {
      for (const JointInfo& joint : robot.joints()) {
        if (joint.nv != 1) continue;
        v[size_t(joint.v)] = 1;
        for (const auto* limits : {&robot.limits().lower, &robot.limits().upper})
          if (const double at = (*limits)[size_t(joint.v)]; std::isfinite(at))
            sim.event("look", [=](const Moment& m) { return m.q[size_t(joint.q)] - at; },
                      {.action = [=](SimulationState& x) { action(x, joint.v); }});
      }
    };
    look([&](const SimulationState& x, int) { before = x; });
    sim.stops();
    look([&](const SimulationState& x, int hit) { expect_pushes(before, x, hit, dyn), ++hits; });
    SimulationState x = sim.start(robot.closed(), v);
    const RunReport report = sim.run(x, 3);
    EXPECT_GT(hits, 3) << name;
    EXPECT_TRUE(report.limits.empty()) << name;
    EXPECT_LT(report.steps, 1500) << name;
    EXPECT_LT(report.energy_drift, 1e-7) << name;
  }
}
TEST(Stops, GoOnToTheSameBitsFromACopy) {
  const auto make = [] {
    Simulation sim(test::slider(2, true, {.lower = 0}), {});
    sim.stops({.restitution = 0.5, .rest_speed = 0.1});
    return sim;
  };
  Simulation whole = make(), other = make();
  SimulationState x = whole.start({1}, {0});
  for (const double t : {0.7, 1.3, 2.0}) {
    whole.run(x, t);
    SimulationState y = x;
    whole.run(x, t + 0.2);
    other.run(y, t + 0.2);
    EXPECT_EQ(x.q, y.q);
    EXPECT_EQ(x.modes, y.modes);
  }
  EXPECT_EQ(x.modes[0], -1);
}
TEST(Stops, RefuseWhatTheyCannotDo) {
  Simulation sim(test::slider(1, true), {});
  EXPECT_EQ(message([&] { sim.stop("slide"); }), "stop: joint \"slide\" has no limits of position");
  EXPECT_EQ(message([&] { sim.stop("slide", {.restitution = 1.5}); }),
            "stop: restitution is 1.5, needs 0 to 1");
  EXPECT_EQ(message([&] { sim.stop("slide", {.rest_speed = 0}); }),
            "stop: rest_speed is 0, needs a speed above 0");
  Simulation below(test::slider(1, true, {.lower = 0.5}), {});
  below.stops();
  EXPECT_EQ(message([&] { below.start({0.25}, {0}); }),
            "start: joint \"slide\" is at 0.25, beyond its stop at 0.5");
}

}  // namespace
}  // namespace jounce
