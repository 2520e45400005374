// SPDX-License-Identifier: BSD-3-Clause
// Bad loops and bad states: exact messages, converged = false, and nothing lost.
#include <gtest/gtest.h>

#include <jounce/jounce.hpp>
#include <jounce/model/custom_constraint.hpp>

#include "constraints/mechanisms.hpp"
#include "support/message.hpp"

namespace jounce::test {
namespace {

using Vector = Eigen::VectorXd;

std::string refusal(const RobotDescription& robot) {
  return message([&] { Robot{robot}; });
}

TEST(LoopRefusals, LinksOfAnotherRobot) {
  RobotDescription robot = parallelogram(0.5);
  robot.loops[0].link_2 = "gripper";
  EXPECT_EQ(refusal(robot),
            "loop \"pin\": there is no link \"gripper\"; nearest: \"coupler\", \"rocker\", "
            "\"ground\"");
  robot = parallelogram(0.5);
  robot.loops[0].kind = LoopKind::gear;
  robot.loops[0].link_1 = robot.loops[0].link_2 = "";
  robot.loops[0].joints = {{"crank"}, {"elbow"}};
  EXPECT_EQ(refusal(robot),
            "loop \"pin\": there is no joint \"elbow\"; nearest: \"crank\", \"rocker\", "
            "\"coupler\"");
  ConstrainedDynamics dyn{Robot(parallelogram(0.5))};
  const Contact other{FrameId(99), LoopKind::fixed};
  const Vector still = Vector::Zero(3);
  EXPECT_EQ(message([&] {
              dyn.forward(still, still, still, {}, {&other, 1});
            }),
            "robot \"parallelogram\" has no frame number 99, it has 4");
}

TEST(LoopRefusals, AFrameThatIsClosedOnItself) {
  RobotDescription robot = parallelogram(0.5);
  robot.loops[0].link_1 = "rocker";
  EXPECT_EQ(refusal(robot), "loop \"pin\": both ends are on link \"rocker\"");
  robot.loops[0].link_1 = robot.loops[0].link_2 = "";
  EXPECT_EQ(refusal(robot), "loop \"pin\": both ends are on the world");
  robot = parallelogram(0.5);
  robot.links.push_back(bar("tip", 0.1));
  JointDescription weld = joint_about_z("weld", JointKind::fixed, "rocker", "tip", at(0.1));
  weld.geometry.axes.clear();
  weld.closed.clear();
  robot.joints.push_back(weld);
  robot.loops[0].link_1 = "tip";
  EXPECT_EQ(message([&] { ConstrainedDynamics{Robot(robot)}; }),
            "robot \"parallelogram\": loop \"pin\": both ends move with one body, there is nothing "
            "to close");
}

/// A rod between two pins that another loop holds farther apart than it is long.
TEST(LoopRefusals, ConstraintsThatContradictEachOther) {
  RobotDescription robot = parallelogram(0.5);
  robot.loops.push_back({"rod", "ground", "rocker", at(0.3), at(0.1), LoopKind::distance, 0.2});
  ConstrainedDynamics dyn{Robot(robot)};
  EXPECT_EQ(dyn.rank(), -1);
  const Assembly found = dyn.assemble(dyn.robot().closed());
  EXPECT_FALSE(found.converged);
  EXPECT_TRUE(found.q.allFinite());
  EXPECT_GT(found.residual, 1e-3);
  EXPECT_GE(found.worst_loop, 0);
  const Vector still = Vector::Zero(3);
  const std::string told = message([&] { dyn.forward(still, still, still); });
  const std::string start =
      "constrained_forward: the rank of the loops is not known: robot \"parallelogram\" could not "
      "be closed from its own configuration, loop \"";
  EXPECT_EQ(told.substr(0, start.size()), start);
  const std::string end = "; call decide_rank where they are closed";
  EXPECT_EQ(told.substr(told.size() - end.size()), end);
  for (const auto& call : {std::function([&] { dyn.inverse(still, still, still); }),
                           std::function([&] { dyn.project(still, still); }),
                           std::function([&] { (void)dyn.mobility(); })})
    EXPECT_NE(message(call).find("the rank of the loops is not known"), std::string::npos);
}

TEST(LoopRefusals, AGuessThatCannotBeAssembled) {
  ConstrainedDynamics dyn{Robot(parallelogram(0.5))};
  const bool held[] = {true, true, false};  // the pin is 0.5 away from the rocker's ground
  const Vector guess = Eigen::Vector3d(3, 0, 0);
  const Assembly found = dyn.assemble(guess, held);
  EXPECT_FALSE(found.converged);
  EXPECT_EQ(found.q[0], guess[0]);
  EXPECT_EQ(found.q[1], guess[1]);
  EXPECT_TRUE(found.q.allFinite());
  EXPECT_EQ(found.worst_loop, 0);
  EXPECT_NEAR(found.residual, dyn.closure(found.q).cwiseAbs().maxCoeff(), 1e-15);
  const std::string told = message([&] { dyn.decide_rank(found.q); });
  EXPECT_EQ(told.substr(0, 36), "decide_rank: the loops are open by 0");
  EXPECT_EQ(told.substr(told.find(", needs")), ", needs at most 1e-09; assemble closes them");
  EXPECT_EQ(dyn.rank(), 2);  // what was decided stays
  EXPECT_EQ(message([&] { dyn.assemble(guess, std::span(held, 2)); }),
            "assemble: kept has 2 elements, robot \"parallelogram\" needs 3 or none");
}

/// A parallelogram that is driven through the configuration with all bars in line.
TEST(LoopRefusals, ARankThatChangesAlongAMotion) {
  ConstrainedDynamics dyn{Robot(parallelogram(0.5))};
  double before = 1;
  for (const double angle : {0.5, 1e-1, 1e-2, 1e-4, 1e-6}) {
    const Vector q = Eigen::Vector3d(angle, -angle, angle), v = Eigen::Vector3d(1, -1, 1);
    const ConstrainedForward f = dyn.forward(q, v, Vector::Zero(3));
    EXPECT_EQ(f.rank, 2);
    EXPECT_LT(f.rank_margin, before);
    EXPECT_LT(f.rank_margin, 2 * angle);
    EXPECT_TRUE(f.a.allFinite());
    before = f.rank_margin;
  }
  const ConstrainedForward f = dyn.forward(Vector::Zero(3), Vector::Zero(3), Vector::Zero(3));
  EXPECT_LT(f.rank_margin, 1e-12);  // flagged: branches meet
  ClosedKinematics kinematics(dyn.robot());
  const Singularity s = kinematics.singularity(Vector::Zero(3), dyn.robot().frame("rocker"));
  EXPECT_LT(s.rows, 1e-12);
  EXPECT_GT(s.instantaneous, s.mobility);
  EXPECT_EQ(dyn.decide_rank(Vector::Zero(3)), 2);  // its neighbours tell
}

TEST(LoopRefusals, NumbersThatAreNone) {
  const Robot robot(parallelogram(0.5));
  ConstrainedDynamics dyn(robot);
  ConstrainedDerivatives derivatives(robot);
  const Vector good = Vector::Map(robot.closed().data(), 3), still = Vector::Zero(3);
  const Vector bad = Eigen::Vector3d(0, NAN, 0);
  EXPECT_EQ(message([&] { dyn.forward(bad, still, still); }), "constrained_forward: q[1] is NaN");
  EXPECT_EQ(message([&] { dyn.inverse(good, still, bad); }), "constrained_inverse: a[1] is NaN");
  EXPECT_EQ(message([&] { dyn.assemble(bad); }), "assemble: guess[1] is NaN");
  EXPECT_EQ(message([&] { dyn.project(good, bad); }), "project: v[1] is NaN");
  EXPECT_EQ(message([&] { dyn.impulse(good, still, {}, NAN); }),
            "impulse: restitution nan must lie between 0 and 1");
  EXPECT_EQ(message([&] { dyn.forward(good, still, still, {.time = NAN}); }),
            "constrained_forward: time is not finite");
  EXPECT_EQ(message([&] { derivatives.forward(good, still, bad); }),
            "constrained_forward_derivatives: tau[1] is NaN");
  const std::vector<double> lambda = {0, 0, NAN, 0, 0};
  EXPECT_EQ(message([&] { dyn.loop_wrenches(good, lambda); }), "loop_wrenches: lambda[2] is NaN");
  RobotDescription open = parallelogram(0.5);
  open.loops[0].placement_1.p.x = NAN;
  EXPECT_EQ(refusal(open), "loop \"pin\": placement 1: position (nan,0,0) is not finite");
}

/// A gear of circle joints with ratios 1 and 3/2 is known up to half a turn, not up to a whole one.
RobotDescription circles(double first, double second) {
  RobotDescription robot;
  robot.name = "circles";
  robot.links = {bar("ground", 0.3), bar("one", 0.2), bar("two", 0.2)};
  for (const char* name : {"one", "two"}) {
    robot.joints.push_back(joint_about_z(name, JointKind::circle, "ground", name, at(0.2)));
    robot.joints.back().closed = {1, 0};
  }
  LoopDescription gear;
  gear.name = "gear";
  gear.kind = LoopKind::gear;
  gear.joints = {{"one", first}, {"two", second}};
  robot.loops = {gear};
  return robot;
}

TEST(LoopRefusals, GearsOfCirclesWithoutCommonMeasure) {
  ConstrainedDynamics dyn{Robot(circles(1, 1.5))};
  for (const double angle : {0.3, 1.9, 2.2, 3.5}) {  // the second turns past the half
    const double other = -angle / 1.5;
    const Vector q = Eigen::Vector4d(cos(angle), sin(angle), cos(other), sin(other));
    EXPECT_LE(dyn.closure(q).cwiseAbs().maxCoeff(), 1e-14) << angle;
    const Vector turned =
        Eigen::Vector4d(cos(1.5 * angle), sin(1.5 * angle), cos(angle), -sin(angle));
    EXPECT_LE(dyn.closure(turned).cwiseAbs().maxCoeff(), 1e-14) << angle;
  }
  EXPECT_EQ(refusal(circles(1, M_SQRT2)),
            "loop \"gear\": the ratios of its circle joints have no common measure, so that full "
            "turns leave no sum of angles that must vanish");
}

TEST(LoopRefusals, LockedGears) {
  const Robot robot(circles(1, 1.5));
  const auto locked = [&](double one, double two) {
    return lock_joints(robot, {{"one", {cos(one), sin(one)}}, {"two", {cos(two), sin(two)}}});
  };
  EXPECT_TRUE(locked(0.6, -0.4).loops().empty());
  EXPECT_TRUE(locked(4.5, -3).loops().empty());  // 4.5 is -1.78 to a circle
  EXPECT_EQ(message([&] { locked(0.6, -0.3); }),
            "lock_joints: the values contradict loop \"gear\": it is open by 0.15");
}

/// Angles of many turns have larger rounding.
TEST(LoopRefusals, GearsOfLargeAngles) {
  RobotDescription made = circles(1, -2);
  for (JointDescription& joint : made.joints) {
    joint.geometry.kind = JointKind::revolute;
    joint.closed = {0};
  }
  ConstrainedDynamics dyn{Robot(made)};
  const Assembly found = dyn.assemble(Eigen::Vector2d(1e6 + 0.1, 5e5));
  EXPECT_TRUE(found.converged);
  EXPECT_LE(found.residual, 1e-9);
  EXPECT_EQ(dyn.decide_rank(found.q), 1);
}

TEST(LoopRefusals, KinematicsOfLoopsThatCloseLater) {
  RobotDescription made = circles(1, -2);
  for (JointDescription& joint : made.joints) {
    joint.geometry.kind = JointKind::revolute;
    joint.closed = {0};
  }
  made.loops[0].kind = LoopKind::custom;
  made.loops[0].custom = custom_constraint<2, 1>(
      [](const auto* q, const auto& t, auto* C) { C[0] = q[0] - (1.0 + t * t) * sin(q[1]) - t; });
  ClosedKinematics kinematics{Robot(made)};
  const bool driven[] = {false, true};
  for (const double t : {0.0, 0.5}) {
    const Vector q = Eigen::Vector2d((1 + t * t) * sin(0.3) + t, 0.3);
    EXPECT_EQ(kinematics.decide_rank(q, t), 1);
    const Eigen::MatrixXd X = kinematics.motion(q, driven, t);
    EXPECT_NEAR(X(0, 0), (1 + t * t) * cos(0.3), 1e-14);
    EXPECT_NEAR(X(1, 0), 1, 1e-14);
    const auto J =
        kinematics.jacobian(q, kinematics.robot().frame("one"), Representation::body, driven, t);
    EXPECT_NEAR(J(2, 0), (1 + t * t) * cos(0.3), 1e-14);
  }
  EXPECT_EQ(message([&] { kinematics.decide_rank(Eigen::Vector2d(0.5, 0)); }),
            "decide_rank: the loops are open by 0.5, needs at most 1e-09; assemble closes them");
}

}  // namespace
}  // namespace jounce::test
