// SPDX-License-Identifier: BSD-3-Clause
// Controllers, wrenches, gravity and propellers against motions that can be written down.
#include <gtest/gtest.h>

#include <cmath>
#include <jounce/simulation.hpp>

#include "support/allocation_guard.hpp"
#include "support/message.hpp"
#include "tests/simulation/known_motions.hpp"
#include "tests/simulation/simple_robots.hpp"

namespace jounce {
namespace {

using test::message;
using Numbers = std::span<const double>;

struct Loop {
  double q = 0.3, v = -0.2;
  /// A mass of 2 under -3 q - v, sampled every T, which acts `delay` samples later; after n T.
  static Loop after(int n, double T, double delay) {
    Loop x;
    std::vector<double> given;
    const int whole = int(delay);
    const double part = (delay - whole) * T;  // of a sample, in which the one before still acts
    const auto at = [&](int k) { return k >= 0 ? given[size_t(k)] : 0.0; };
    for (int k = 0; k < n; ++k) {
      given.push_back(-3 * x.q - x.v);
      x.push(at(k - whole - 1), part);
      x.push(at(k - whole), T - part);
    }
    return x;
  }
  void push(double force, double t) {
    q += v * t + force / 2 * t * t / 2;
    v += force / 2 * t;
  }
};

std::vector<double> pd(double, Numbers q, Numbers v) { return {-3 * q[0] - v[0]}; }

TEST(Controllers, HoldAndDelaySamples) {
  const Robot robot = test::slider(2, false);
  for (const Integrator one : {Integrator::rk4, Integrator::dop853, Integrator::taylor,
                               Integrator::automatic, Integrator::rodas4})
    for (const double delay : {0.0, 1.0, 2.0, 3.5}) {
      const double T = 0.05;
      Simulation sim(robot, {.integrator = one, .step = one == Integrator::rk4 ? 0.03 : 0});
      sim.controller(pd, {.sample = T, .delay = delay * T});
      SimulationState x = sim.start({0.3}, {-0.2});
      sim.run(x, 40 * T);
      const Loop expected = Loop::after(40, T, delay);
      const double bound = one == Integrator::rodas4 ? 1e-6 : 1e-12;
      EXPECT_NEAR(x.q[0], expected.q, bound) << name(one) << " delay " << delay;
      EXPECT_NEAR(x.v[0], expected.v, bound) << name(one) << " delay " << delay;
    }
}
TEST(Controllers, WithoutSampleTimeAreSpringsAndDampers) {
  const Robot robot = test::slider(2, false);
  const double t = 1.7, rate = 1.0 / 4, w = std::sqrt(3.0 / 2 - rate * rate);
  const double q =
      std::exp(-rate * t) * (0.3 * std::cos(w * t) + (-0.2 + rate * 0.3) / w * std::sin(w * t));
  for (const Integrator one : {Integrator::dopri5, Integrator::dop853, Integrator::rodas4}) {
    Simulation sim(robot, {.integrator = one, .tol = 1e-9});
    sim.controller(pd);
    SimulationState x = sim.start({0.3}, {-0.2});
    const RunReport report = sim.run(x, t);
    EXPECT_NEAR(x.q[0], q, 1e-7) << name(one);
    EXPECT_LT(report.energy_drift, 1e-7) << name(one);
  }
}
TEST(Controllers, AddUpWithCommandsAndKeepToLimits) {
  const Robot robot = test::slider(2, false, {.effort = 5});
  for (const bool limited : {false, true})
    for (const Integrator one : {Integrator::dop853, Integrator::taylor}) {
      Simulation sim(robot, {.integrator = one, .effort_limits = limited});
      sim.command("slide", Command::force(3.0));
      sim.controller([](double, Numbers, Numbers) { return std::vector<double>{1.5}; },
                     {.sample = 0.1});
      sim.controller([](double, Numbers, Numbers) { return Eigen::VectorXd::Constant(1, 2.5); },
                     {.sample = 0.25});
      SimulationState x = sim.start({0}, {0});
      sim.run(x, 1);
      EXPECT_NEAR(x.v[0], limited ? 2.5 : 3.5, 1e-12);
    }
}
TEST(Controllers, ChangeNoFasterThanTheirRate) {
  const Robot robot = test::slider(1, false);
  Simulation sim(robot, {.integrator = Integrator::dop853});
  sim.controller([](double t, Numbers, Numbers) { return std::vector<double>{t < 0.05 ? 1. : 9.}; },
                 {.sample = 0.1, .rate_limit = 20});
  SimulationState x = sim.start({0}, {0});
  sim.run(x, 0.5);
  EXPECT_NEAR(x.v[0], 0.1 * (1 + 3 + 5 + 7 + 9), 1e-13);
}

TEST(Controllers, GoOnToTheSameBitsFromACopy) {
  const Robot robot = load("builtin:arm7");
  const auto make = [&] {
    Simulation sim(robot, {.tol = 1e-7});
    sim.controller(
        [](double t, Numbers q, Numbers v) {
          std::vector<double> tau(q.size());
          for (size_t k = 0; k < tau.size(); ++k) tau[k] = std::sin(t) - 20 * q[k] - 3 * v[k];
          return tau;
        },
        {.sample = 0.01, .delay = 0.034, .rate_limit = 1000});
    return sim;
  };
  Simulation whole = make(), first = make(), second = make();
  const std::vector<double> q(7, 0.2), v(7, 0.1);
  SimulationState x = whole.start(q, v), y = first.start(q, v);
  whole.run(x, 0.1553, {.energy = false});
  whole.run(x, 0.4, {.energy = false});
  first.run(y, 0.1553, {.energy = false});
  SimulationState z = y;
  second.run(z, 0.4, {.energy = false});
  EXPECT_EQ(x.q, z.q);
  EXPECT_EQ(x.v, z.v);
  EXPECT_EQ(x.held, z.held);
}

TEST(Controllers, TakeNoMemoryInSteps) {
  const Robot robot = load("builtin:arm7");
  Simulation sim(robot, {.integrator = Integrator::rk4, .step = 1e-3});
  const auto brake = [](double, Numbers, Numbers v, std::span<double> tau) {
    for (size_t k = 0; k < tau.size(); ++k) tau[k] = -1e-3 * v[k];
  };
  sim.controller(brake);
  sim.controller(brake, {.sample = 2e-3, .delay = 5e-3});
  sim.wrench("flange", [](double t, Numbers, Numbers) {
    return Wrench<double>{{0, 0, 0}, {std::sin(t), 0, 1}};
  });
  SimulationState x = sim.start(robot.neutral(), std::vector<double>(7, 0.1));
  for (int i = 0; i < 10; ++i) sim.step(x, 1e-3);
  const test::NoAllocation guard;
  for (int i = 0; i < 10; ++i) sim.step(x, 1e-3);
}

TEST(Controllers, RefuseWhatCannotBeUsed) {
  const Robot arm = load("builtin:arm7");
  const auto run = [&](Feedback law, FeedbackOptions how, Record& record, SimulationState& x) {
    Simulation sim(arm, {.integrator = Integrator::rk4, .step = 0.01});
    sim.controller(std::move(law), std::move(how));
    x = sim.start(arm.neutral(), std::vector<double>(7));
    return message([&] { sim.run(x, 1, record); });
  };
  Record record(arm), other(arm);
  SimulationState x;
  const std::string joint = arm.joints()[2].name;
  EXPECT_EQ(run(
                [](double t, Numbers, Numbers) {
                  std::vector<double> tau(7);
                  if (t > 0.25) tau[2] = NAN;
                  return tau;
                },
                {.sample = 0.1, .name = "balance"}, record, x),
            "\"balance\": at t = 0.30000000000000004 the force on joint \"" + joint + "\" is nan");
  EXPECT_NEAR(x.t, 0.3, 1e-12) << "what was computed is kept";
  EXPECT_GE(record.size(), 30);
  EXPECT_EQ(run([](double t, Numbers, Numbers) { return std::vector<double>(t > 0.1 ? 6 : 7); }, {},
                other, x),
            "controller 1: at t = 0.105 it gave 6 numbers, robot \"arm7\" needs 7");
  EXPECT_NEAR(x.t, 0.1, 1e-12);
  EXPECT_EQ(other.size(), 11);
  Simulation sim(arm);
  EXPECT_EQ(message([&] { sim.controller(pd, {.delay = 0.1}); }),
            "controller: delay needs a sample time, and sample is 0");
  EXPECT_EQ(message([&] { sim.controller(pd, {.rate_limit = 2}); }),
            "controller: rate_limit needs a sample time, and sample is 0");
  EXPECT_EQ(message([&] { sim.controller(pd, {.sample = -1}); }),
            "controller: sample is -1, needs a time in s");
  SimulationState y = sim.start(arm.neutral(), std::vector<double>(7));
  EXPECT_EQ(message([&] { sim.step(y, 0); }), "step: h is 0, needs a length in s");
  EXPECT_EQ(message([&] { Simulation(arm, {.integrator = Integrator::rk4}); }),
            "Simulation: rk4 takes steps of one length, needs step");
}
TEST(Start, OffTheLoopsIsRefusedBeyondItsReach) {
  const Robot robot = load("builtin:five_bar");
  Simulation sim(robot);
  std::vector<double> q = robot.closed();
  const std::vector<double> v(q.size());
  q[2] += 0.1;
  const std::string text = message([&] { sim.start(q, v, 0, 1e-6); });
  EXPECT_EQ(text.substr(0, 37), "start: to close the loops coordinate ") << text;
  EXPECT_NE(text.find(", at most 1e-06 is allowed"), std::string::npos) << text;
  EXPECT_EQ(sim.start(q, v).q.size(), q.size()) << "else they are closed";
}
/// A crank on its law: loops closed and velocities that suit them, the crank's own among them.
TEST(Start, PrescribedCoordinatesKeepTheirVelocityInLoops) {
  const Robot robot = load("builtin:five_bar");
  const double from = robot.closed()[0];
  Simulation sim(robot, {.tol = 1e-9});
  sim.command(robot.joints()[0].name, Command::trajectory(quintic(from, from + 0.5, 1)));
  SimulationState x = sim.start(robot.closed(), std::vector<double>(size_t(robot.nv()), 0.4), 0.3);
  ConstrainedDynamics loops(robot);
  const auto check = [&] {
    double law[2];
    quintic(from, from + 0.5, 1).derivatives(x.t, law);
    EXPECT_EQ(x.q[0], law[0]);
    EXPECT_EQ(x.v[0], law[1]);
    const Eigen::VectorXd suits = loops.project(x.q, x.v);
    for (int k = 0; k < robot.nv(); ++k) EXPECT_NEAR(suits[k], x.v[size_t(k)], 1e-10);
    EXPECT_LT(loops.closure(x.q).cwiseAbs().maxCoeff(), 1e-10);
  };
  check();
  sim.run(x, 0.8);
  check();
}

TEST(Controllers, TaylorNeedsSamples) {
  Simulation sim(test::slider(2, false), {.integrator = Integrator::taylor});
  sim.controller(pd);
  EXPECT_EQ(message([&] { sim.start({0.3}, {-0.2}); }),
            "taylor: a controller, wrench or ground is a function of state, which has no series; "
            "needs a sample time");
}

/// A body on springs that users wrote: by wrenches in each representation, all the same spring.
TEST(Wrenches, OfAllRepresentationsDoTheSame) {
  const Robot robot = load("builtin:quadruped");
  const FrameId foot = robot.frame("front_left_foot");
  const auto run = [&](Representation in, Integrator one, double step) {
    Simulation sim(robot, {.integrator = one, .tol = 1e-10, .step = step});
    Kinematics kin(robot);
    sim.wrench(
        "front_left_foot",
        [&](double t, Numbers q, Numbers v) {
          kin.at(q, v);
          const SE3<double> T = kin.pose(foot);
          const Vec3<double> f =
              T.p * -400.0 - kin.twist_hybrid(foot).v * 30.0 + Vec3<double>{std::sin(9 * t), 0, 0};
          if (in == Representation::hybrid) return Wrench<double>{{0, 0, 0}, f};
          if (in == Representation::space) return Wrench<double>{cross(T.p, f), f};
          return Wrench<double>{{0, 0, 0}, inverse_times(T.R, f)};
        },
        in);
    const test::KnownMotion known = test::known_quadruped();
    SimulationState x = sim.start(known.q0, known.v0);
    const RunReport report = sim.run(x, 0.3);
    EXPECT_LT(report.energy_drift, 3e-6) << name(one);
    return x;
  };
  const SimulationState base = run(Representation::body, Integrator::dop853, 0);
  const test::KnownMotion there{robot, {}, {}, 0.3, base.q, base.v};
  for (const Representation in : {Representation::hybrid, Representation::space}) {
    const SimulationState x = run(in, Integrator::dop853, 0);
    EXPECT_LT(test::distance(robot, x.q, x.v, there), 1e-8);
  }
  // rodas4 keeps its order with derivatives of the user's part by differences
  const SimulationState coarse = run(Representation::body, Integrator::rodas4, 2e-3),
                        fine = run(Representation::space, Integrator::rodas4, 1e-3);
  const double wide = test::distance(robot, coarse.q, coarse.v, there);
  const double narrow = test::distance(robot, fine.q, fine.v, there);
  EXPECT_GT(std::log2(wide / narrow), 3.5) << wide << " " << narrow;
}

TEST(Gravity, MayChangeWithTime) {
  for (const char* model : {"builtin:arm7", "builtin:five_bar"}) {
    const Robot robot = load(model);
    Simulation own(robot, {.tol = 1e-10}), given(robot, {.tol = 1e-10});
    given.gravity([&](double) { return robot.gravity(); });
    const std::vector<double> v(size_t(robot.nv()), 0.3);
    SimulationState x = own.start(robot.closed(), v), y = given.start(robot.closed(), v);
    own.run(x, 0.4);
    const RunReport report = given.run(y, 0.4);
    for (size_t k = 0; k < x.v.size(); ++k) EXPECT_NEAR(x.v[k], y.v[k], 1e-9) << model;
    EXPECT_LT(report.energy_drift, 1e-7) << model;
  }
  Simulation sim(test::slider(2, true), {.tol = 1e-10});
  sim.gravity([](double t) { return Vec3<double>{0, 0, std::cos(3 * t)}; });
  SimulationState x = sim.start({0}, {0});
  const RunReport report = sim.run(x, 2);
  EXPECT_NEAR(x.v[0], std::sin(6) / 3, 1e-9);
  EXPECT_LT(report.energy_drift, 1e-8);
}

TEST(Laws, AreRefusedWhereTheyAreNotFinite) {
  const Robot arm = load("builtin:arm7");
  const SimulationOptions rk4{.integrator = Integrator::rk4, .step = 0.1};
  Simulation falls(arm, rk4), driven(arm, rk4);
  falls.gravity([](double t) { return Vec3<double>{0, 0, t < 0.25 ? -9.81 : NAN}; });
  driven.command(arm.joints()[3].name, Command::force([](double t) { return 1 / (0.5 - t); }));
  SimulationState x = falls.start(arm.neutral(), std::vector<double>(7)), y = x;
  EXPECT_EQ(message([&] { falls.run(x, 1); }), "simulate: gravity at t = 0.25 is not finite");
  EXPECT_NEAR(x.t, 0.2, 1e-12) << "what was computed is kept";
  EXPECT_EQ(message([&] { driven.run(y, 1); }),
            "command: at t = 0.5 the force on joint \"" + arm.joints()[3].name + "\" is inf");
  EXPECT_NEAR(y.t, 0.4, 1e-12);
}

TEST(Propellers, CarryWhatTheyThrust) {
  const Robot robot = test::ball();
  const Propellers rotors = tilted_hexarotor(0.3, 0.03, 0.35, 1e-5, 1.6e-7);
  Eigen::VectorXd wanted(6);
  wanted << 0, 0, 0, 0, 0, 2 * 13.0;
  const Eigen::VectorXd speeds = rotors.speeds(wanted).col(0);
  Simulation sim(robot);
  sim.propellers("ball", rotors, [&](double, Numbers, Numbers) { return speeds; });
  SimulationState x = sim.start({0, 0, 0, 0, 0, 0, 1}, {0, 0, 0, 0, 0, 0});
  const RunReport report = sim.run(x, 1);
  EXPECT_NEAR(x.q[2], (13.0 - 10.0) / 2, 1e-9);
  EXPECT_NEAR(x.v[5], 3, 1e-9);
  EXPECT_LT(report.energy_drift, 1e-9);
}

}  // namespace
}  // namespace jounce
