// SPDX-License-Identifier: BSD-3-Clause
// The compliant ground against closed solutions; frames that land, stand and lift.
#include <gtest/gtest.h>

#include <cmath>
#include <jounce/simulation.hpp>

#include "support/message.hpp"
#include "tests/simulation/known_motions.hpp"
#include "tests/simulation/simple_robots.hpp"

namespace jounce {
namespace {

using test::message;

/// A state of the ball (mass 2, weight 20) at (0, 0, z) with a velocity along x and z.
SimulationState ball_at(Simulation& sim, double z, double along, double up) {
  return sim.start({0, 0, z, 0, 0, 0, 1}, {0, 0, 0, along, 0, up});
}

TEST(CompliantGround, CarriesALoad) {
  Simulation sim(test::ball(), {.integrator = Integrator::automatic});
  sim.ground_point("ball", {.stiffness = 1e4, .damping = 1});
  SimulationState x = ball_at(sim, 0.01, 0, 0);
  const RunReport report = sim.run(x, 40);
  EXPECT_NEAR(x.q[2], -20 / 1e4, 2e-6) << "it sinks in by m g / k";
  EXPECT_LT(report.energy_drift, 1e-5);
}
TEST(CompliantGround, GivesBackWhatItTakes) {
  for (const Integrator one : {Integrator::dop853, Integrator::dopri5}) {
    Simulation sim(test::ball(), {.integrator = one, .tol = 1e-10});
    sim.ground_point("ball", {.stiffness = 1e5});
    SimulationState x = ball_at(sim, 0.2, 0, 0);
    const RunReport report = sim.run(x, 5);
    EXPECT_NEAR(10 * x.q[2] + x.v[5] * x.v[5] / 2 + (x.q[2] < 0 ? 1e5 * x.q[2] * x.q[2] / 4 : 0), 2,
                1e-7)
        << name(one);
    EXPECT_LT(report.energy_drift, 1e-7);
    // up and down, and half a period of the spring with its middle below the plane
    const double w = std::sqrt(1e5 / 2), fall = 2.0;
    const double inside = 2 / w * (M_PI - std::atan(fall * w / 10));
    const double period = 2 * std::sqrt(0.04) + inside;
    SimulationState y = ball_at(sim, 0.2, 0, 0);
    sim.run(y, period);
    EXPECT_NEAR(y.q[2], 0.2, 1e-8);
    EXPECT_NEAR(y.v[5], 0, 1e-6);
  }
}
/// sinh(v / s) = sinh(v_0 / s) exp(-mu g t / s): at 0.3 * 10 m/s^2 but for the last slip speeds.
TEST(CompliantGround, BrakesByFriction) {
  for (const Integrator one : {Integrator::dop853, Integrator::rodas4}) {
    Simulation sim(test::ball(), {.integrator = one, .tol = 1e-8});
    sim.ground_point("ball", {.stiffness = 1e4, .friction = 0.3, .slip_speed = 0.05});
    SimulationState x = ball_at(sim, -20 / 1e4, 2, 0);
    sim.run(x, 0.5);
    EXPECT_NEAR(x.v[3], 2 - 0.3 * 10 * 0.5, 1e-6) << name(one);
    sim.run(x, 0.7);
    EXPECT_NEAR(x.v[3], 0.05 * std::asinh(std::sinh(2 / 0.05) * std::exp(-3 * 0.7 / 0.05)), 1e-6)
        << name(one);
  }
}
/// On a slope that friction would hold, a point creeps: s atanh(tan(angle) / mu).
TEST(CompliantGround, Creeps) {
  const double angle = 0.2;
  Simulation sim(test::ball(), {.integrator = Integrator::rodas4, .tol = 1e-8});
  const Vec3<double> normal{-std::sin(angle) * 3, 0, std::cos(angle) * 3};  // of any length
  sim.ground_point("ball", {.stiffness = 1e4,
                            .damping = 2,
                            .friction = 0.5,
                            .slip_speed = 1e-3,
                            .plane = {{0, 0, 0}, normal}});
  SimulationState x = ball_at(sim, -0.001, 0, 0);
  sim.run(x, 20);
  const double speed = std::hypot(x.v[3], x.v[5]);
  EXPECT_NEAR(speed, 1e-3 * std::atanh(std::tan(angle) / 0.5), 1e-6);
  EXPECT_NEAR(x.v[3] / x.v[5], -std::cos(angle) / -std::sin(angle), 1e-2) << "down the slope";
}
TEST(CompliantGround, NeverCreatesEnergy) {
  const Robot robot = load("builtin:quadruped");
  Simulation sim(robot, {.tol = 1e-5});
  Dynamics dyn(robot);
  Kinematics kin(robot);
  const CompliantGround ground{
      .stiffness = 2e4, .damping = 0.6, .friction = 0.7, .slip_speed = 0.02};
  const char* feet[] = {"front_left_foot", "front_right_foot", "hind_left_foot", "hind_right_foot"};
  for (const char* foot : feet) sim.ground_point(foot, ground);
  std::vector<double> q = robot.neutral(), v(size_t(robot.nv()), 0.0);
  q[2] = 0.6;
  v[3] = 1, v[1] = 0.5;
  SimulationState x = sim.start(q, v);
  Record record(robot);
  const RunReport report = sim.run(x, 0.5, record);
  EXPECT_LT(report.energy_drift, 1e-3);
  double last = std::numeric_limits<double>::infinity(), deepest = 0;
  for (int i = 0; i < record.size(); ++i) {
    const Energy e = dyn.energy(record.q(i), record.v(i));
    double sum = e.kinetic + e.potential + dyn.elastic_energy(record.q(i));
    kin.at(record.q(i));
    for (const char* foot : feet) {
      const double depth = std::max(0.0, -kin.pose(robot.frame(foot)).p.z);
      sum += ground.stiffness * depth * depth / 2;
      deepest = std::max(deepest, depth);
    }
    EXPECT_LE(sum, last + 1e-3) << record.t()[i];
    last = std::min(last, sum);
  }
  EXPECT_GT(deepest, 1e-3) << "it came down";
}
TEST(CompliantGround, RefusesWhatIsNoGround) {
  Simulation sim(test::ball(), {});
  EXPECT_EQ(message([&] { sim.ground_point("ball", {}); }),
            "ground_point: \"ball\": stiffness is 0, needs a number above 0");
  EXPECT_EQ(message([&] { sim.ground_point("ball", {.stiffness = 1, .friction = -1}); }),
            "ground_point: \"ball\": friction is -1, needs a number from 0 on");
  Simulation series(test::ball(), {.integrator = Integrator::taylor});
  series.ground_point("ball", {.stiffness = 1e4});
  EXPECT_NE(message([&] { ball_at(series, 1, 0, 0); }).find("which has no series"),
            std::string::npos);
}

/// A ball that falls on the ground, stays, and is lifted by a force that grows: 8 t N from t = 0.
TEST(Landings, StandUntilTheGroundWouldPull) {
  for (const Integrator one : {Integrator::rk4, Integrator::dop853, Integrator::automatic}) {
    Simulation sim(test::ball(),
                   {.integrator = one, .tol = 1e-9, .step = one == Integrator::rk4 ? 1e-3 : 0});
    sim.landing("ball");
    sim.command("free:5", Command::force([](double t) { return 8 * t; }));
    SimulationState x = ball_at(sim, 0.01, 3, 0);
    const RunReport report = sim.run(x, 3.5);
    ASSERT_EQ(report.events.size(), 2u) << name(one);
    EXPECT_EQ(report.events[0].name, "\"ball\" lands");
    EXPECT_EQ(report.events[1].name, "\"ball\" lifts");
    EXPECT_NEAR(report.events[1].t, 2.5, 1e-10) << "where 8 t carries 2 kg";
    EXPECT_NEAR(x.v[5], 4.0 / 2, 1e-8) << "a = 4 (t - 2.5)";
    EXPECT_NEAR(x.v[3], 0, 1e-12) << "it stuck";
    EXPECT_TRUE(x.contacts.empty());
    EXPECT_LT(report.energy_drift, 1e-7);
  }
}

/// A wheel of spokes without a rim: after a foot has come down it turns with
/// (I + m l^2 cos 2 alpha) / (I + m l^2) of its speed, and the foot behind is let go.
TEST(Landings, OfARimlessWheel) {
  const double length = 0.5, alpha = 0.3, mass = 2, inertia = 0.1;
  RobotDescription d = test::ball().description();
  for (const int side : {-1, 1})
    d.frames.push_back(
        {.name = side < 0 ? "behind" : "ahead",
         .link = "ball",
         .placement = {{}, {side * length * std::sin(alpha), 0, -length * std::cos(alpha)}}});
  const Robot robot(d);
  Simulation sim(robot, {.tol = 1e-11});
  sim.landing("behind");
  sim.landing("ahead");
  double before = 0, after = 0;
  sim.event("look", [&](const Moment& m) { return m.pose(robot.frame("ahead")).p.z; },
            {.direction = Crossing::falling, .stop = true, .action = [&](SimulationState& x) {
               after = x.v[1];
             }});
  // upright on the foot behind, falling forward: pitched back so that this spoke is vertical
  const double pitch = -alpha, rate = 1.5;
  SimulationState x = sim.start({0, 0, length, 0, std::sin(pitch / 2), 0, std::cos(pitch / 2)},
                                {0, rate, 0, 0, 0, 0});
  sim.attach(x, {robot.frame("behind"), LoopKind::point});
  x.v[1] = rate;
  const Vec3<double> lever{length * std::sin(alpha), 0, length * std::cos(alpha)};
  x.v[3] = rate * lever.z, x.v[5] = -rate * lever.x;  // turns about the foot
  const double energy = 0.5 * (inertia + mass * length * length) * rate * rate;
  const RunReport report = sim.run(x, 5);
  ASSERT_EQ(report.end, RunReport::End::event);
  const double fall = mass * 10 * length * (1 - std::cos(alpha));
  before = std::sqrt(2 * (energy + fall) / (inertia + mass * length * length));
  const double share =
      (inertia + mass * length * length * std::cos(2 * alpha)) / (inertia + mass * length * length);
  EXPECT_NEAR(after, share * before, 1e-8);
  ASSERT_EQ(x.contacts.size(), 1u);
  EXPECT_EQ(x.contacts[0].frame, robot.frame("ahead"));
  EXPECT_NEAR(report.impact_energy,
              0.5 * (inertia + mass * length * length) * (after * after - before * before), 1e-8);
}

/// A quadruped drops on its feet and stands: what the ground carries is its weight.
TEST(Landings, AQuadrupedStands) {
  const Robot robot = load("builtin:quadruped");
  Simulation sim(robot, {.tol = 1e-6});
  const char* feet[] = {"front_left_foot", "front_right_foot", "hind_left_foot", "hind_right_foot"};
  std::vector<double> q = robot.neutral();
  for (size_t leg = 0; leg < 4; ++leg) q[7 + 3 * leg + 1] = 0.75, q[7 + 3 * leg + 2] = -1.25;
  sim.controller([stance = q](double, auto at, auto v) {
    std::vector<double> tau(18, 0.0);
    for (size_t k = 6; k < 18; ++k) tau[k] = 400 * (stance[k + 1] - at[k + 1]) - 10 * v[k];
    return tau;
  });
  double lowest = 0;
  Kinematics kin(robot);
  kin.at(q);
  for (const char* foot : feet) {
    sim.landing(foot);
    lowest = std::min(lowest, kin.pose(robot.frame(foot)).p.z);
  }
  q[2] = 0.05 - lowest;
  SimulationState x = sim.start(q, std::vector<double>(18, 0.0));
  const RunReport report = sim.run(x, 1);
  EXPECT_GE(report.events.size(), 4u);
  EXPECT_NEAR(report.events[0].t, std::sqrt(2 * 0.05 / norm(robot.gravity())), 1e-9);
  EXPECT_LT(report.impact_energy, 0);
  EXPECT_LT(report.energy_drift, 1e-4);
  EXPECT_EQ(x.contacts.size(), 4u);
  double carried = 0;
  for (const char* foot : feet) {
    carried += sim.at(x).contact_wrench(robot.frame(foot)).f.z;
    EXPECT_NEAR(sim.at(x).pose(robot.frame(foot)).p.z, 0, 1e-4);
  }
  EXPECT_NEAR(carried, robot.mass() * norm(robot.gravity()), 0.01 * carried);
}

/// A gripper that closes: the flange stands, and the energy lost is that of what was taken away.
TEST(Landings, AGripperCloses) {
  const test::KnownMotion known = test::known_arm();
  const Robot& robot = known.robot;
  Simulation sim(robot, {.tol = 1e-9, .passive = false});
  const FrameId flange = robot.frame("flange");
  SimulationState before, after;
  Wrench<double> impulse;
  sim.event("closes", [](const Moment& m) { return m.q[3] + 0.1; },
            {.action = [&](SimulationState& x) {
              before = x;
              impulse = sim.attach(x, {flange, LoopKind::fixed});
              after = x;
            }});
  SimulationState x = sim.start(known.q0, known.v0);
  const RunReport report = sim.run(x, 0.3);
  ASSERT_EQ(report.events.size(), 1u);
  Kinematics kin(robot);
  kin.at(after.q, after.v);
  EXPECT_LT(norm(kin.twist_hybrid(flange).v) + norm(kin.twist_hybrid(flange).w), 1e-10);
  Eigen::VectorXd change(7);
  for (int k = 0; k < 7; ++k) change[k] = after.v[size_t(k)] - before.v[size_t(k)];
  Dynamics dyn(robot);
  EXPECT_NEAR(report.impact_energy, -dyn.energy(after.q, change).kinetic,
              1e-9 * std::abs(report.impact_energy));
  // M dv = J^T impulse
  const auto M = dyn.mass(after.q);
  const auto J = kin.jacobian_hybrid(flange);
  const double F[] = {impulse.m.x, impulse.m.y, impulse.m.z, impulse.f.x, impulse.f.y, impulse.f.z};
  for (int i = 0; i < 7; ++i) {
    double left = 0, right = 0;
    for (int j = 0; j < 7; ++j) left += M(i, j) * change[j];
    for (int j = 0; j < 6; ++j) right += J(j, i) * F[j];
    EXPECT_NEAR(left, right, 1e-9 * (1 + std::abs(left)));
  }
  EXPECT_LT(report.energy_drift, 1e-6) << "one degree of freedom is left";
  kin.at(x.q, x.v);
  const Vec3<double> moved = kin.pose(flange).p - Kinematics(robot).at(after.q).pose(flange).p;
  EXPECT_LT(norm(moved), 1e-6);
  EXPECT_EQ(message([&] {
              sim.attach(x, {flange, LoopKind::fixed});
            }),
            "attach: the ground holds \"flange\" already");
}

}  // namespace
}  // namespace jounce
