// SPDX-License-Identifier: BSD-3-Clause
// Loops at their edges: numbers that are none, rings in graphs, operations on robots with gears,
// contacts that forbid nothing.
#include <gtest/gtest.h>

#include <jounce/jounce.hpp>
#include <jounce/model/custom_constraint.hpp>

#include "constraints/mechanisms.hpp"
#include "support/allocation_guard.hpp"
#include "support/message.hpp"

namespace jounce::test {
namespace {

using Vector = Eigen::VectorXd;

/// Bars in a row, joined by hinges; a gear ties the last two.
RobotDescription geared(int bars) {
  RobotDescription robot;
  robot.name = "geared";
  robot.links = {bar("ground", 0.3)};
  for (int k = 1; k <= bars; ++k) {
    const std::string name = "bar_" + std::to_string(k);
    const std::string on = k == 1 ? "ground" : "bar_" + std::to_string(k - 1);
    robot.links.push_back(bar(name, 0.2));
    robot.joints.push_back(
        joint_about_z("joint_" + std::to_string(k), JointKind::revolute, on, name, at(0.2)));
  }
  LoopDescription gear;
  gear.name = "gear";
  gear.kind = LoopKind::gear;
  gear.joints = {{"joint_" + std::to_string(bars - 1), 1}, {"joint_" + std::to_string(bars), -2}};
  robot.loops = {gear};
  return robot;
}

TEST(LoopEdges, WhatIsNoNumberIsNotClosed) {
  RobotDescription made = geared(2);
  made.loops[0].kind = LoopKind::custom;
  made.loops[0].joints = {{"joint_1"}};
  made.loops[0].custom =
      custom_constraint<1, 1>([](const auto* q, const auto&, auto* C) { C[0] = sqrt(q[0]) - 1.0; });
  made.joints[0].closed = {1};
  ConstrainedDynamics dyn{Robot(made)};
  EXPECT_EQ(dyn.rank(), 1);
  const Vector nowhere = Vector::Constant(2, -1);
  EXPECT_FALSE(dyn.assemble(nowhere).converged);
  EXPECT_THROW(dyn.decide_rank(nowhere), InputError);
}

TEST(LoopEdges, RingsOpenWhereTheyHangOnTheGround) {
  RobotDescription made;
  made.name = "ring";
  made.links = {bar("ground", 0.3), bar("a", 0.1), bar("b", 0.1), bar("c", 0.1)};
  const JointKind hinge = JointKind::revolute;
  made.joints = {joint_about_z("hold", hinge, "ground", "a", {}),
                 joint_about_z("ab", hinge, "a", "b", at(0.1)),
                 joint_about_z("bc", hinge, "b", "c", at(0.1)),
                 joint_about_z("ca", hinge, "c", "a", at(0.1))};
  const CutGraph cut = cut_loops(made);
  ASSERT_EQ(cut.cuts.size(), 1u);
  EXPECT_EQ(cut.cuts[0].joint, "ca");
  made.joints[3].actuated = true;  // it would stay, but nothing else carries a
  EXPECT_EQ(message([&] { cut_loops(made); }),
            "cut_loops: joint \"ca\" closes a loop and has a motor: a cut joint has no "
            "coordinate, let another one close it");
}

TEST(LoopEdges, GraphsKeepJointsThatLoopsTie) {
  RobotDescription made = geared(2);
  made.joints.insert(made.joints.begin(),
                     joint_about_z("other", JointKind::revolute, "ground", "bar_2", at(0.1)));
  const CutGraph cut = cut_loops(made);
  ASSERT_EQ(cut.cuts.size(), 1u);
  EXPECT_EQ(cut.cuts[0].joint, "other");
}

TEST(LoopEdges, OperationsKeepGears) {
  RobotDescription made = geared(3);
  made.links.push_back(bar("side", 0.1));
  made.joints.push_back(
      joint_about_z("side_joint", JointKind::revolute, "ground", "side", at(0.05)));
  const Robot robot(made);
  EXPECT_EQ(reroot(robot, "bar_3").robot.loops().size(), 1u);
  EXPECT_EQ(sub_robot(robot, "side").loops().size(), 0u);
  EXPECT_EQ(sub_robot(robot, "bar_1").loops().size(), 1u);
}

TEST(LoopEdges, ContactsThatForbidNothingCountForNone) {
  RobotDescription made = geared(1);
  made.loops.clear();
  const Robot robot(made);
  ConstrainedDynamics dyn(robot);
  const Contact flat{robot.frame("bar_1"), LoopKind::planar};
  const Vector one = Vector::Ones(1);
  const ConstrainedForward f = dyn.forward(one, one, one, {}, {&flat, 1});
  EXPECT_EQ(f.rank, 0);
  EXPECT_FALSE(std::isnan(f.rank_margin));
}

TEST(LoopEdges, ContactSetsAlternateWithoutAllocation) {
  const Robot robot = load("builtin:quadruped");
  ConstrainedDynamics dyn(robot);
  const Contact wide[] = {{robot.frame("front_left_foot"), LoopKind::point},
                          {robot.frame("front_right_foot"), LoopKind::point},
                          {robot.frame("hind_left_foot"), LoopKind::fixed}};
  const Contact narrow{robot.frame("hind_right_foot"), LoopKind::point};
  const std::vector<double> q = robot.random(3);
  const Vector v = Vector::Zero(robot.nv());
  Vector a(robot.nv()), many(12), few(3);
  const auto run = [&] {
    dyn.forward(q, v, v, {}, wide, into(a), into(many));
    dyn.forward(q, v, v, {}, {&narrow, 1}, into(a), into(few));
  };
  run();
  const NoAllocation here;
  run();
}

/// Gears, functions of joints, and bushings between two bars.
TEST(LoopEdges, TiedJointsAndBushingsTakeNoMemory) {
  RobotDescription made = geared(4);
  LoopDescription driven;
  driven.name = "driven";
  driven.kind = LoopKind::custom;
  driven.joints = {{"joint_1"}};
  driven.custom =
      custom_constraint<1, 1>([](const auto* q, const auto& t, auto* C) { C[0] = q[0] - sin(t); });
  made.loops.push_back(driven);
  BushingDescription bushing;
  bushing.name = "bushing";
  bushing.link_1 = "bar_1";
  bushing.link_2 = "bar_3";
  bushing.stiffness = {1, 2, 3, 4, 5, 6};
  bushing.damping = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
  made.bushings = {bushing};
  const Robot robot(made);
  ConstrainedDynamics dyn(robot);
  ConstrainedDerivatives derivatives(robot);
  Dynamics open(robot);
  const Vector q = dyn.assemble(Vector::Constant(4, 0.1), {}, 0.3).q, v = Vector::Ones(4);
  Vector a(4), tau(4), lambda(2);
  ConstrainedForwardDerivatives found(robot, 2);
  const auto run = [&] {
    dyn.forward(q, v, v, {.time = 0.3}, {}, into(a), into(lambda));
    derivatives.forward(q, v, v, {.time = 0.3}, {}, into(found));
    open.inverse(q, v, a, into(tau));
    open.forward(q, v, tau, into(a));
  };
  run();
  const NoAllocation here;
  run();
}

TEST(LoopEdges, ADiscThatLiesFlatDoesNotRoll) {
  RobotDescription made;
  made.name = "coin";
  made.links = {bar("ground", 0.3), bar("coin", 0.1)};
  JointDescription free = joint_about_z("free", JointKind::free, "ground", "coin", {});
  free.geometry.axes.clear();
  free.closed.clear();
  made.joints = {free};
  LoopDescription rolls;
  rolls.name = "rolls";
  rolls.kind = LoopKind::rolling;
  rolls.link_1 = "ground";
  rolls.link_2 = "coin";
  rolls.radius = 0.1;
  made.loops = {rolls};
  const Robot robot(made);
  ConstrainedDynamics dyn(robot);
  const Assembly found = dyn.assemble(robot.neutral());  // its own closure is zero there
  const Vector axis = dyn.closure(robot.neutral());
  EXPECT_EQ(axis.cwiseAbs().maxCoeff(), 0);
  EXPECT_TRUE(found.converged);  // tilted, from beside it: rows are numbers there
  const Vector still = Vector::Zero(6);
  EXPECT_NO_THROW(dyn.forward(found.q, still, still));
}

}  // namespace
}  // namespace jounce::test
