// SPDX-License-Identifier: BSD-3-Clause
// Graphs that become trees with loops.
#include <gtest/gtest.h>

#include <jounce/jounce.hpp>

#include "constraints/mechanisms.hpp"
#include "support/message.hpp"
#include "support/random.hpp"

namespace jounce::test {
namespace {

/// A parallelogram whose pin is a joint like the others.
RobotDescription ring_of_hinges() {
  RobotDescription robot = parallelogram(0.5);
  JointDescription pin =
      joint_about_z("pin", JointKind::revolute, "coupler", "rocker", at(0.3), -0.3);
  pin.child_placement = inverse(at(0.1));
  pin.closed.clear();
  robot.joints.push_back(pin);
  robot.loops.clear();
  return robot;
}

TEST(CutLoops, TheLaterJointOfTwoBecomesALoop) {
  const CutGraph found = cut_loops(ring_of_hinges());
  ASSERT_EQ(found.cuts.size(), 1u);
  EXPECT_EQ(found.cuts[0].joint, "pin");
  EXPECT_EQ(found.cuts[0].kind, LoopKind::revolute);
  EXPECT_EQ(found.cuts[0].lost, "");
  ASSERT_EQ(found.robot.joints.size(), 3u);
  ASSERT_EQ(found.robot.loops.size(), 1u);
  EXPECT_EQ(found.robot.loops[0].name, "pin");
  ConstrainedDynamics dyn{Robot(found.robot)}, known{Robot(parallelogram(0.5))};
  EXPECT_EQ(dyn.mobility(), 1);
  const Eigen::VectorXd q = Eigen::Vector3d(0.5, -0.5, 0.5), v = Eigen::Vector3d(1, -1, 1);
  EXPECT_LE(dyn.closure(q).cwiseAbs().maxCoeff(), 1e-15);
  const Eigen::VectorXd tau = Eigen::Vector3d(0.4, 0, 0.1);
  EXPECT_LE((dyn.forward(q, v, tau).a - known.forward(q, v, tau).a).cwiseAbs().maxCoeff(), 1e-11);
}

TEST(CutLoops, MotorsStay) {
  RobotDescription robot = ring_of_hinges();
  robot.joints[3].actuated = true;  // of the two above the rocker, its hinge on the ground goes
  const CutGraph found = cut_loops(robot);
  ASSERT_EQ(found.cuts.size(), 1u);
  EXPECT_EQ(found.cuts[0].joint, "rocker");
  robot.joints[2].actuated = true;
  EXPECT_EQ(message([&] { cut_loops(robot); }),
            "cut_loops: joint \"pin\" closes a loop and has a motor: a cut joint has no "
            "coordinate, let another one close it");
}

TEST(CutLoops, ARingWithoutARootStartsAtTheFirstLink) {
  RobotDescription robot = parallelogram(0.5);
  robot.loops.clear();
  const JointKind hinge = JointKind::revolute;
  robot.joints[2] = joint_about_z("pin", hinge, "coupler", "rocker", at(0.3));
  robot.joints.push_back(joint_about_z("back", hinge, "rocker", "ground", at(0.1)));
  robot.joints.back().properties.damping = {0.2};
  robot.joints.back().properties.lower = {-1};
  const CutGraph found = cut_loops(robot);
  ASSERT_EQ(found.cuts.size(), 1u);
  EXPECT_EQ(found.cuts[0].joint, "back");
  EXPECT_EQ(found.cuts[0].lost, "damping, limits");
  EXPECT_EQ(Robot(found.robot).nv(), 3);
}

TEST(CutLoops, TreesStayAsTheyAre) {
  const RobotDescription arm = read_robot("builtin:arm7").robot;
  const CutGraph found = cut_loops(arm);
  EXPECT_TRUE(found.cuts.empty());
  EXPECT_EQ(write_json(found.robot), write_json(arm));
}

/// Every kind that a loop has: poses that the joint allows are those that the loop calls closed.
TEST(CutLoops, LoopsAllowWhatTheirJointsDid) {
  const Vec3<double> x{1, 0, 0}, y{0, 1, 0}, tilted{0.6, 0, 0.8};
  struct Kind {
    JointKind kind;
    std::vector<Vec3<double>> axes;
    LoopKind loop;
  };
  const Kind kinds[] = {{JointKind::fixed, {}, LoopKind::fixed},
                        {JointKind::revolute, {tilted}, LoopKind::revolute},
                        {JointKind::circle, {tilted}, LoopKind::revolute},
                        {JointKind::prismatic, {x}, LoopKind::prismatic},
                        {JointKind::cylindrical, {tilted}, LoopKind::cylindrical},
                        {JointKind::planar, {tilted}, LoopKind::planar},
                        {JointKind::universal, {tilted, y}, LoopKind::universal},
                        {JointKind::spherical, {}, LoopKind::spherical},
                        {JointKind::euler_ball, {x, y, {0, 0, 1}}, LoopKind::spherical}};
  Random rng(3);
  for (const Kind& one : kinds) {
    RobotDescription robot;
    robot.name = "pair";
    robot.links = {bar("ground", 1), bar("body", 1)};
    JointDescription free = joint_about_z("free", JointKind::free, "ground", "body", {});
    free.geometry.axes.clear();
    free.closed.clear();
    JointDescription joint = joint_about_z("held", one.kind, "ground", "body", exp(rng.twist()));
    joint.geometry.axes = one.axes;
    joint.child_placement = exp(rng.twist());
    joint.closed.clear();
    RobotDescription alone = robot;
    alone.joints = {joint};
    robot.joints = {free, joint};
    const CutGraph cut = cut_loops(robot);
    ASSERT_EQ(cut.cuts.size(), 1u) << name(one.kind);
    EXPECT_EQ(cut.cuts[0].joint, "held");
    EXPECT_EQ(cut.cuts[0].kind, one.loop);
    const Robot moving(alone), closed(cut.robot);
    ConstrainedDynamics dyn(closed);
    Kinematics kin(moving);
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const std::vector<double> at_q =
          moving.nq() > 0 ? moving.random(seed) : std::vector<double>();
      kin.at(at_q);
      const SE3<double> T = kin.pose(moving.frame("body"));
      const Quaternion<double> turn = to_quaternion(T.R);
      const std::vector<double> q{T.p.x, T.p.y, T.p.z, turn.x, turn.y, turn.z, turn.w};
      EXPECT_LE(dyn.closure(q).cwiseAbs().maxCoeff(), 1e-13) << name(one.kind);
    }
  }
}

TEST(CutLoops, WhatCannotBeCut) {
  RobotDescription robot = ring_of_hinges();
  robot.joints[2].actuated = true;
  robot.joints[3].geometry.kind = JointKind::helical;
  robot.joints[2].geometry.kind = JointKind::helical;
  EXPECT_EQ(message([&] { cut_loops(robot); }),
            "cut_loops: joint \"pin\" closes a loop and is of kind helical, which no loop is: let "
            "another one close it");
}

TEST(CutLoops, JsonSaysWhere) {
  const std::string text = write_json(ring_of_hinges());
  const Loaded loaded = read_json(text, "ring.json");
  ASSERT_EQ(loaded.cuts.size(), 1u);
  EXPECT_EQ(loaded.cuts[0].joint, "pin");
  EXPECT_EQ(loaded.cuts[0].kind, LoopKind::revolute);
  ASSERT_EQ(loaded.robot.loops.size(), 1u);
  EXPECT_EQ(loaded.joint_places.size(), 3u);
  bool told = false;
  for (const Finding& finding : loaded.findings)
    if (finding.kind == FindingKind::cut_loop) {
      told = true;
      EXPECT_EQ(finding.level, Level::note);
      EXPECT_EQ(finding.places.at(0).what,
                "joint \"pin\" closes a loop: cut there, it is a loop of kind revolute");
      EXPECT_GT(finding.places.at(0).line, 1);
    }
  EXPECT_TRUE(told);
  RobotDescription driven = ring_of_hinges();
  driven.joints[2].actuated = driven.joints[3].actuated = true;
  const std::string refusal = message([&] { read_json(write_json(driven), "ring.json"); });
  EXPECT_NE(refusal.find("joint \"pin\" closes a loop and has a motor"), std::string::npos)
      << refusal;
}

}  // namespace
}  // namespace jounce::test
