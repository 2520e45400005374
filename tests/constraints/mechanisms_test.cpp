// SPDX-License-Identifier: BSD-3-Clause
// Mechanisms whose mobility is known, one whose rows depend on one another in space, a platform
// that has its own dynamics, and robots that stand.
#include "constraints/mechanisms.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <jounce/model/generate.hpp>

#include "constraints/vectors.hpp"
#include "support/allocation_guard.hpp"
#include "support/largest.hpp"
#include "support/message.hpp"

namespace jounce::test {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

TEST(Mechanisms, MobilityIsWhatIsKnown) {
  struct Case {
    Robot robot;
    int rows, rank, mobility;
  };
  const Case cases[] = {{load("builtin:four_bar"), 5, 2, 1},
                        {load("builtin:five_bar"), 5, 2, 2},
                        {load("builtin:stewart"), 15, 15, 6},
                        {Robot(slider_crank(0.7)), 5, 2, 1},
                        {Robot(bennett(0.9)), 5, 2, 1},
                        {Robot(parallelogram(0.5)), 5, 2, 1},
                        // where branches meet one more row seems to depend on the others
                        {Robot(parallelogram(0)), 5, 2, 1}};
  for (const Case& one : cases) {
    const ConstrainedDynamics dyn(one.robot);
    EXPECT_EQ(dyn.rows(), one.rows) << one.robot.name();
    EXPECT_EQ(dyn.rank(), one.rank) << one.robot.name();
    EXPECT_EQ(dyn.mobility(), one.mobility) << one.robot.name();
  }
}

/// With one degree of freedom, T = m(x) v^2 / 2 and the power of the motor tell the acceleration.
TEST(Mechanisms, PowerIsWhatMotorsBringIn) {
  for (const Robot& robot : {load("builtin:four_bar"), Robot(slider_crank(0.7)),
                             Robot(bennett(0.9)), Robot(parallelogram(0.5))}) {
    ConstrainedDynamics dyn(robot);
    Dynamics open(robot);
    const Vector q = vector(robot.closed());
    const Vector v = dyn.project(q, Vector::Constant(3, 0.8));
    const Vector tau = Eigen::Vector3d(0.4, 0, 0);
    const Vector a = dyn.forward(q, v, tau).a;
    const EnergyRate<double> rate = open.energy_rate(q, v, a);
    EXPECT_NEAR(rate.kinetic + rate.potential, tau.dot(v), 1e-12) << robot.name();
    EXPECT_GT(v.norm(), 0.1) << robot.name();
  }
}

TEST(Mechanisms, BennettMovesAlsoWhereItDoesNotQuiteClose) {
  const Robot robot(bennett(0.9));
  ConstrainedDynamics dyn(robot);
  const Vector q = vector(robot.closed()), v = dyn.project(q, Vector::Constant(3, 0.8));
  const Vector tau = Eigen::Vector3d(0.4, 0.1, -0.2);
  const ConstrainedForward exact = dyn.forward(q, v, tau);
  EXPECT_LE(exact.redundancy_defect, 1e-14);
  for (const double off : {1e-12, 1e-8, 1e-4}) {
    const ConstrainedForward found = dyn.forward(q + Vector::Unit(3, 1) * off, v, tau);
    EXPECT_EQ(found.rank, 2);
    // in proportion; how much depends on which rows are taken for the dependent ones
    EXPECT_LE(largest(found.a - exact.a), 20 * off * largest(exact.a) + 1e-12);
    EXPECT_NEAR(found.redundancy_defect, off, 0.9 * off) << "it tells how far it is open";
  }
}

TEST(Mechanisms, ChangePointsAreFlagged) {
  ConstrainedDynamics dyn(Robot(parallelogram(0.5)));
  for (const double angle : {1e-1, 1e-3, 1e-5}) {
    const Vector q = Eigen::Vector3d(angle, -angle, angle), v = Eigen::Vector3d(1, -1, 1);
    const ConstrainedForward found = dyn.forward(q, v, Eigen::Vector3d(0.4, 0, 0));
    EXPECT_LE(found.rank_margin, 3 * angle);
    EXPECT_GE(found.rank_margin, 0.1 * angle);
  }
}

TEST(Mechanisms, LoopWrenchesHoldTheCutJoint) {
  // the slider of a crank under a force: statics of two-force members
  RobotDescription description = slider_crank(M_PI / 2);
  description.gravity = {};
  const Robot robot(description);
  ConstrainedDynamics dyn(robot);
  const Vector q = vector(robot.closed()), none = Vector::Zero(3);
  const double force = 12, tilt = -std::asin(1.0 / 3);  // of the rod
  const OutsideWrench<double> push{
      robot.frame("slider"), {{}, {-force, 0, 0}}, Representation::hybrid};
  const bool held[] = {true, false, false};
  const ConstrainedHybrid found = dyn.hybrid(held, q, none, none, none, {.wrenches = {&push, 1}});
  EXPECT_NEAR(found.tau[0], 0.1 * force * -1, 1e-12);  // lever: the crank, upright
  const Wrench<double> F =
      dyn.loop_wrenches(q, std::span(found.lambda.data(), size_t(found.lambda.size())))[0];
  EXPECT_NEAR(norm(F.f), force / std::cos(tilt), 1e-12);
}

/// Robots that stand: frames held by the ground do not accelerate, and forces balance.
struct Stance {
  const char* robot;
  std::vector<const char*> frames;
  LoopKind kind;
};
const Stance stances[] = {
    {"builtin:quadruped",
     {"front_left_foot", "front_right_foot", "hind_left_foot", "hind_right_foot"},
     LoopKind::point},
    {"builtin:humanoid", {"left_foot", "right_foot"}, LoopKind::fixed},
    {"builtin:arm7", {"flange"}, LoopKind::fixed}};

TEST(Contacts, HeldFramesStand) {
  for (const Stance& stance : stances) {
    const Robot robot = load(stance.robot);
    ConstrainedDynamics dyn(robot);
    Dynamics open(robot);
    std::vector<Contact> feet;
    for (const char* frame : stance.frames) feet.push_back({robot.frame(frame), stance.kind});
    const int n = robot.nv(), m = ConstrainedDynamics::rows(feet);
    const Vector q = vector(robot.random(7));
    const Vector v = dyn.project(q, Vector::LinSpaced(n, -1, 1), feet);
    const Vector tau = Vector::LinSpaced(n, 2, -3);
    const ConstrainedForward f = dyn.forward(q, v, tau, {}, feet);
    EXPECT_EQ(f.rank, m) << stance.robot;
    Kinematics kin(robot);
    kin.at(q, v, f.a);
    for (const Contact& foot : feet) {
      const Twist<double> V = kin.twist_body(foot.frame);
      const Twist<double> A = kin.classical_acceleration_body(foot.frame);
      EXPECT_LE(norm(V.v), 1e-12) << stance.robot;
      EXPECT_LE(norm(A.v), 1e-11 * largest(f.a)) << stance.robot;
      if (stance.kind == LoopKind::fixed) {
        EXPECT_LE(norm(V.w), 1e-12);
        EXPECT_LE(norm(A.w), 1e-11 * largest(f.a));
      }
    }
    // what the ground gives, as wrenches from outside on an open robot
    const auto F = dyn.loop_wrenches(q, std::span(f.lambda.data(), size_t(m)), feet);
    std::vector<OutsideWrench<double>> wrenches;
    for (size_t k = 0; k < feet.size(); ++k) wrenches.push_back({feet[k].frame, F[k]});
    const Vector same = open.forward(q, v, tau, {.wrenches = wrenches});
    EXPECT_LE(largest(same - f.a), 1e-9 * largest(f.a)) << stance.robot;
  }
}

TEST(Contacts, AnOverflowLeavesNothingBehind) {
  const auto expect_same_after = [](const Robot& robot, const Contact& held) {
    ConstrainedDynamics dyn(robot);
    const int n = robot.nv();
    const Vector q = vector(robot.random(7)), tau = Vector::LinSpaced(n, 2, -3);
    const Vector v = dyn.project(q, Vector::LinSpaced(n, -1, 1), {&held, 1});
    const Vector a = dyn.forward(q, v, tau, {}, {&held, 1}).a;
    EXPECT_THROW(dyn.forward(q, v, 1e307 * tau, {}, {&held, 1}), ComputationError);
    EXPECT_EQ(dyn.forward(q, v, tau, {}, {&held, 1}).a, a) << robot.name();
  };
  const Robot arm = load("builtin:arm7"), chain(generate_chain(60));
  expect_same_after(arm, {arm.frame("flange"), LoopKind::fixed});
  expect_same_after(chain, {chain.frame("tool"), LoopKind::fixed});
}

TEST(Contacts, KeepTheRankOfLoops) {
  // Bennett's linkage on a free base that the ground holds: as if it stood there
  RobotDescription description = bennett(0.9);
  description.loops[0].link_1 = "ground";
  const Robot standing(description);
  const Robot robot = with_base(standing, JointKind::free);
  ConstrainedDynamics dyn(robot), alone(standing);
  const Contact ground[] = {{robot.frame("ground"), LoopKind::fixed}};
  Vector q = vector(robot.closed());
  const Vector own = vector(standing.closed());
  const Vector v = dyn.project(q, Vector::Constant(9, 0.8), ground), tau = Vector::Zero(9);
  for (const double off : {0.0, 1e-8, 1e-6}) {
    const ConstrainedForward exact =
        alone.forward(own + Vector::Unit(3, 1) * off, v.tail(3), Vector::Zero(3));
    Vector there = q;
    there[8] += off;
    const ConstrainedForward found = dyn.forward(there, v, tau, {}, ground);
    EXPECT_EQ(found.rank, 8);
    EXPECT_LE(largest(found.a.tail(3) - exact.a), 1e-9 * largest(exact.a)) << off;
    const ConstrainedInverse back =
        dyn.inverse(q, v, dyn.forward(q, v, tau, {}, ground).a, {}, ground);
    EXPECT_EQ(back.rank, 8);
  }
}

TEST(Contacts, ImpactsLoseEnergyAndBalance) {
  const Robot robot = load("builtin:quadruped");
  ConstrainedDynamics dyn(robot);
  Dynamics open(robot);
  const Contact feet[] = {{robot.frame("front_left_foot"), LoopKind::point},
                          {robot.frame("hind_right_foot"), LoopKind::point}};
  const Vector q = vector(robot.random(3)), v = Vector::LinSpaced(robot.nv(), -1, 1);
  const Matrix M = open.mass(q), A = dyn.jacobian(q, feet);
  for (const double restitution : {0.0, 0.5, 1.0}) {
    const Impulse found = dyn.impulse(q, v, feet, restitution);
    EXPECT_LE(largest(A * found.v + restitution * (A * v)), 1e-12);
    EXPECT_LE(largest(M * (found.v - v) - A.transpose() * found.lambda), 1e-12 * largest(M * v));
    const double before = v.dot(M * v), after = found.v.dot(M * found.v);
    if (restitution < 1) EXPECT_LT(after, before);
    else EXPECT_NEAR(after, before, 1e-11 * before);
  }
}

TEST(Contacts, SwitchWithoutAllocation) {
  const Robot robot = load("builtin:quadruped");
  ConstrainedDynamics dyn(robot);
  ConstrainedDerivatives derivatives(robot);
  const Contact feet[] = {{robot.frame("front_left_foot"), LoopKind::point},
                          {robot.frame("hind_right_foot"), LoopKind::point},
                          {robot.frame("hind_left_foot"), LoopKind::fixed}};
  const Vector q = vector(robot.random(3)), v = Vector::Zero(robot.nv()), tau = v;
  Vector a(robot.nv()), lambda(12), found(robot.nv()), forces(robot.nv());
  const auto flags = std::make_unique<bool[]>(size_t(robot.nv()));
  const std::span<const bool> prescribed(flags.get(), size_t(robot.nv()));
  std::vector<ConstrainedForwardDerivatives> results;
  for (const size_t count : {0, 1, 2, 3})
    results.emplace_back(robot, ConstrainedDynamics::rows({feet, count}));
  const auto call = [&](size_t count) {
    const std::span<const Contact> some(feet, count);
    const auto multipliers =
        into(std::span(lambda.data(), size_t(ConstrainedDynamics::rows(some))));
    dyn.forward(q, v, tau, {}, some, into(a), multipliers);
    dyn.inverse(q, v, a, tau, {}, some, Optimum::torque, into(forces), multipliers);
    dyn.hybrid(prescribed, q, v, a, tau, {}, some, Optimum::force, into(found), into(forces),
               multipliers);
    dyn.impulse(q, v, some, 0.5, into(found), multipliers);
    dyn.project(q, v, some, into(found));
    derivatives.forward(q, v, tau, {}, some, into(results[count]));
  };
  call(3);  // the largest set takes memory, once
  const NoAllocation guard;
  for (const size_t count : {0, 1, 2, 3, 1, 0}) call(count);
  EXPECT_EQ(guard.count(), 0);
}

TEST(Assembly, TakesNoMemory) {
  ConstrainedDynamics dyn(load("builtin:stewart"));
  const Vector guess = vector(dyn.robot().neutral());
  Vector q(guess.size());
  const NoAllocation guard;
  dyn.assemble(guess, {}, into(q));
  EXPECT_EQ(guard.count(), 0);
}

TEST(LoopRefusals, SayWhatIsWrong) {
  const Robot arm = load("builtin:arm7");
  ConstrainedDynamics dyn(arm);
  const Vector q = Vector::Zero(7), v = q;
  const Contact ground[] = {{arm.frame("base"), LoopKind::fixed}};
  EXPECT_EQ(message([&] { dyn.forward(q, v, v, {}, ground); }),
            "constrained_forward: contact \"base\" does not move: it is part of the ground");
  const Contact rod[] = {{arm.frame("flange"), LoopKind::distance}};
  EXPECT_EQ(message([&] { dyn.forward(q, v, v, {}, rod); }),
            "constrained_forward: contact \"flange\": kind distance needs a second frame, make it "
            "a loop");
  EXPECT_EQ(message([&] { dyn.forward(Vector::Zero(6), v, v); }),
            "constrained_forward: q has 6 elements, robot \"arm7\" needs 7");
  EXPECT_EQ(message([&] { dyn.impulse(q, v, {}, 1.5); }),
            "impulse: restitution 1.5 must lie between 0 and 1");
  RobotDescription self = parallelogram(0.5);
  self.loops[0].link_1 = "rocker";
  EXPECT_EQ(message([&] { Robot{self}; }), "loop \"pin\": both ends are on link \"rocker\"");
  RobotDescription rigid = parallelogram(0.5);
  rigid.joints[1].geometry.kind = JointKind::fixed;
  rigid.joints[1].geometry.axes = {};
  rigid.joints[1].closed = {};
  rigid.loops[0].link_2 = "crank";
  EXPECT_EQ(message([&] { ConstrainedDynamics{Robot(rigid)}; }),
            "robot \"parallelogram\": loop \"pin\": both ends move with one body, there is nothing "
            "to close");
}

TEST(Mechanisms, CloseFromBarsInLine) {
  ConstrainedDynamics dyn(load("builtin:five_bar"));
  const Assembly found = dyn.assemble(Vector::Zero(4));
  EXPECT_TRUE(found.converged);
  EXPECT_LE(largest(dyn.closure(found.q)), 1e-12);
  EXPECT_EQ(message([&] { dyn.assemble(Vector::Constant(4, NAN)); }), "assemble: guess[0] is NaN");
}

/// An axis that is turned over lies on the same line: what is open vanishes there as well.
TEST(Mechanisms, AxesTurnedOverAreNotClosed) {
  RobotDescription robot;
  robot.name = "lid";
  robot.links = {bar("ground", 0.3), bar("lid", 0.3)};
  robot.joints = {joint_about_z("turn", JointKind::revolute, "ground", "lid", {})};
  robot.joints[0].geometry.axes = {{1, 0, 0}};
  robot.loops = {{"hinge", "ground", "lid", {}, {}, LoopKind::revolute, 0}};
  ConstrainedDynamics dyn{Robot(robot)};
  EXPECT_TRUE(dyn.assemble(Vector::Constant(1, 0.3)).converged);
  const Vector over = Vector::Constant(1, M_PI);
  EXPECT_LE(largest(dyn.closure(over)), 1e-15);
  const Assembly found = dyn.assemble(over);
  EXPECT_FALSE(found.converged);
  EXPECT_EQ(found.worst_loop, 0);
}

TEST(Mechanisms, OperationsKeepLoopsMotorsAndWhereTheyClose) {
  const Robot linkage = load("builtin:five_bar"), arm = load("builtin:arm7");
  const auto motors = [](const Robot& robot) {
    return std::count(robot.actuated().begin(), robot.actuated().end(), true);
  };
  EXPECT_EQ(motors(linkage), 2);
  EXPECT_EQ(motors(arm), 7);
  EXPECT_EQ(motors(merge(arm, "flange", linkage)), 9);
  EXPECT_EQ(motors(merge(linkage, "left_distal", arm)), 9);
  const double angle = linkage.closed()[3];
  const Robot locked = lock_joints(linkage, {{"right_distal_joint", {angle}}});
  EXPECT_EQ(ConstrainedDynamics(locked).mobility(), 1);
  // an end on the world goes where its robot goes
  const Robot bench(bennett(0.9));
  const Robot carried = merge(arm, "flange", bench, at(0.1), "b_");
  EXPECT_EQ(carried.loops()[0].link_1, arm.description().links.back().name);
  EXPECT_EQ(ConstrainedDynamics(carried).mobility(), 8);
  EXPECT_EQ(ConstrainedDynamics(sub_robot(bench, "ground")).mobility(), 1);
  EXPECT_EQ(ConstrainedDynamics(reroot(bench, "two").robot).mobility(), 1);
  EXPECT_EQ(message([&] { sub_robot(bench, "one"); }),
            "sub_robot: loop \"four\" needs the world, which is cut off; set drop_loops to drop "
            "the loop");
  RobotDescription bad = bennett(0.9);
  bad.joints[0].geometry.kind = JointKind::fixed;
  bad.joints[0].geometry.axes = {};
  bad.joints[0].closed = {};
  bad.joints[0].actuated = true;
  EXPECT_EQ(message([&] { Robot{bad}; }), "joint \"one\": a fixed joint has no motor");
}

TEST(LoopRefusals, LoopsThatCannotBeClosed) {
  RobotDescription apart = parallelogram(0.5);
  apart.loops[0].placement_1.p.x = 5;
  ConstrainedDynamics dyn{Robot(apart)};
  EXPECT_EQ(dyn.rank(), -1);
  const Vector q = vector(dyn.robot().closed()), v = Vector::Zero(3);
  const Assembly found = dyn.assemble(q);
  EXPECT_FALSE(found.converged);
  EXPECT_GT(found.residual, 1);
  EXPECT_EQ(found.worst_loop, 0);
  EXPECT_NE(message([&] { dyn.forward(q, v, v); }).find("the rank of the loops is not known"),
            std::string::npos);
  EXPECT_NE(message([&] { dyn.decide_rank(q); }).find("the loops are open by"), std::string::npos);
}

}  // namespace
}  // namespace jounce::test
