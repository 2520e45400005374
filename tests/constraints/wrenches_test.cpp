// SPDX-License-Identifier: BSD-3-Clause
// What joints transmit in closed mechanisms: the same as when another joint is the one that is cut.
#include <gtest/gtest.h>

#include <jounce/jounce.hpp>
#include <jounce/model/loop.hpp>

#include "constraints/mechanisms.hpp"
#include "constraints/random_loops.hpp"
#include "constraints/vectors.hpp"
#include "support/message.hpp"

namespace jounce::test {
namespace {

using Vector = Eigen::VectorXd;

/// The open tree under the wrenches of its loops needs the forces that the closed one was given.
TEST(ConstrainedWrenches, OutsideWrenchesLeaveTheForces) {
  for (int seed = 1; seed <= 30; ++seed) {
    LoopedRobot x(seed, 1 + seed % 3, seed % 2 == 0);
    const Surroundings around = x.motion.around();
    const ConstrainedForward f = x.dyn.forward(x.q, x.v, x.tau, around);
    if (f.rank_margin < 1e-3) continue;
    ConstrainedWrenches wrenches(x.robot);
    const auto all = wrenches.outside(x.q, numbers(f.lambda), around);
    const Vector tau = Dynamics(x.robot).inverse(
        x.q, x.v, f.a, {.wrenches = all, .ground = around.ground, .passive = around.passive});
    const double scale = std::max(1.0, f.lambda.size() > 0 ? f.lambda.cwiseAbs().maxCoeff() : 0);
    Vector needed = x.tau;  // and what gears and functions of joints give, as motors do
    const Eigen::MatrixXd A = x.dyn.jacobian(x.q);
    const int loops = int(x.robot.loops().size());
    for (int k = 0; k < loops; ++k) {
      if (has_frames(x.robot.loops()[size_t(k)].kind)) continue;
      const int first = x.dyn.first_row(k);
      const int count = (k + 1 < loops ? x.dyn.first_row(k + 1) : x.dyn.rows()) - first;
      needed += A.middleRows(first, count).transpose() * f.lambda.segment(first, count);
    }
    EXPECT_LE((tau - needed).cwiseAbs().maxCoeff(), 1e-9 * scale) << "seed " << seed;
  }
}

TEST(ConstrainedWrenches, ContactsToo) {
  const Robot robot = load("builtin:quadruped");
  ConstrainedDynamics dyn(robot);
  const Contact feet[] = {{robot.frame("front_left_foot"), LoopKind::point},
                          {robot.frame("hind_right_foot"), LoopKind::fixed}};
  const std::vector<double> q = robot.random(3);
  const Vector v = dyn.project(q, Vector::Constant(robot.nv(), 0.2), feet);
  const Vector tau = Vector::Constant(robot.nv(), 0.1);
  const ConstrainedForward f = dyn.forward(q, v, tau, {}, feet);
  ConstrainedWrenches wrenches(robot);
  const auto all = wrenches.outside(q, numbers(f.lambda), {}, feet);
  const Vector again = Dynamics(robot).inverse(q, v, f.a, {.wrenches = all});
  EXPECT_LE((again - tau).cwiseAbs().maxCoeff(), 1e-9 * f.lambda.cwiseAbs().maxCoeff());
}

/// A ring of four bars, each joint a ball but one hinge, so that no row depends on another.
RobotDescription ring() {
  RobotDescription robot;
  robot.name = "ring";
  robot.links = {bar("ground", 0.3), bar("crank", 0.1), bar("coupler", 0.28), bar("rocker", 0.15)};
  const auto joint = [](const char* name, JointKind kind, const char* parent, const char* child,
                        const SE3<double>& at_parent, const SE3<double>& at_child) {
    JointDescription one = joint_about_z(name, kind, parent, child, at_parent);
    if (kind == JointKind::spherical) one.geometry.axes.clear(), one.closed.clear();
    one.child_placement = inverse(at_child);
    return one;
  };
  robot.joints = {joint("crank", JointKind::revolute, "ground", "crank", {}, {}),
                  joint("coupler", JointKind::universal, "crank", "coupler", at(0.1), {}),
                  joint("rocker", JointKind::revolute, "ground", "rocker", at(0.3), {}),
                  joint("pin", JointKind::spherical, "rocker", "coupler", at(0.15), at(0.28))};
  robot.joints[1].geometry.axes = {{0, 0, 1}, {0, 1, 0}};
  robot.joints[0].closed = {1.2};
  robot.joints[1].closed = {-1, 0};
  robot.joints[2].closed = {1.5};
  return robot;
}

TEST(ConstrainedWrenches, AsWhereAnotherJointIsCut) {
  // once the ball is cut, once the universal joint
  RobotDescription graph = ring(), turned = ring();
  std::swap(turned.joints[1], turned.joints[3]);
  const CutGraph ball = cut_loops(graph), universal = cut_loops(turned);
  ASSERT_EQ(ball.cuts.size(), 1u);
  EXPECT_EQ(ball.cuts[0].joint, "pin");
  ASSERT_EQ(universal.cuts.size(), 1u);
  EXPECT_EQ(universal.cuts[0].joint, "coupler");
  const Robot one(ball.robot), other(universal.robot);
  ConstrainedDynamics dyn(one), dyn_other(other);
  EXPECT_EQ(dyn.mobility(), 1);
  EXPECT_EQ(dyn_other.mobility(), 1);
  const Vector q = dyn.assemble(one.closed()).q;
  const Vector v = dyn.project(q, Vector::Ones(one.nv()));
  Vector tau = Vector::Zero(one.nv());
  tau[0] = 0.7;
  const ConstrainedForward f = dyn.forward(q, v, tau);

  // the same state in the other coordinates: crank, rocker and the coupler's pose agree
  Kinematics kin(one), kin_other(other);
  kin.at(q, v);
  std::vector<double> guess = other.neutral();
  guess[size_t(other.joint("crank").q)] = q[one.joint("crank").q];
  guess[size_t(other.joint("rocker").q)] = q[one.joint("rocker").q];
  const SE3<double> rocker = kin.pose(one.frame("rocker")),
                    coupler = kin.pose(one.frame("coupler"));
  const SO3<double> turn = inverse_times(rocker, coupler).R;  // the ball's, frames being parallel
  const Quaternion<double> ball_q = to_quaternion(turn);
  const int at_ball = other.joint("pin").q;
  const double parts[] = {ball_q.x, ball_q.y, ball_q.z, ball_q.w};
  std::copy(parts, parts + 4, guess.begin() + at_ball);
  EXPECT_LE(dyn_other.closure(guess).cwiseAbs().maxCoeff(), 1e-11);
  Vector wanted = Vector::Zero(other.nv());
  wanted[other.joint("crank").v] = v[one.joint("crank").v];
  wanted[other.joint("rocker").v] = v[one.joint("rocker").v];
  const Twist<double> spin = kin.twist_body(one.frame("coupler"));
  const Vec3<double> of_rocker = inverse_times(turn, kin.twist_body(one.frame("rocker")).w);
  const Vec3<double> relative = spin.w - of_rocker;
  wanted.segment<3>(other.joint("pin").v) << relative.x, relative.y, relative.z;
  EXPECT_LE((dyn_other.jacobian(guess) * wanted).cwiseAbs().maxCoeff(), 1e-10);
  Vector tau_other = Vector::Zero(other.nv());
  tau_other[other.joint("crank").v] = 0.7;
  const ConstrainedForward g = dyn_other.forward(guess, wanted, tau_other);
  EXPECT_NEAR(g.a[other.joint("crank").v], f.a[one.joint("crank").v], 1e-8);

  ConstrainedWrenches wrenches(one), wrenches_other(other);
  const Representation space = Representation::space;
  const JointWrenches F = wrenches.joint_wrenches(q, v, f.a, numbers(f.lambda), space);
  const JointWrenches G =
      wrenches_other.joint_wrenches(guess, wanted, g.a, numbers(g.lambda), space);
  const auto of = [](const Robot& robot, const JointWrenches& all, const char* joint) {
    size_t k = 0;
    while (robot.joints()[k].name != joint) ++k;
    return all.joints[k];
  };
  const auto expect_same = [](const Wrench<double>& x, const Wrench<double>& y, const char* what) {
    EXPECT_LE(norm(x.m - y.m) + norm(x.f - y.f), 1e-8 * (norm(x.m) + norm(x.f))) << what;
    EXPECT_GT(norm(x.f), 1e-3) << what;
  };
  expect_same(of(one, F, "crank"), of(other, G, "crank"), "crank");
  expect_same(of(one, F, "rocker"), of(other, G, "rocker"), "rocker");
  // what the cut ball exerts on the coupler is what the ball in the tree transmits to it
  const SE3<double> seat = coupler * one.loops()[0].placement_2;
  const Wrench<double> cut = dyn.loop_wrenches(q, numbers(f.lambda))[0];
  expect_same(dual_Ad_inv(seat, cut), of(other, G, "pin"), "pin");
}

}  // namespace
}  // namespace jounce::test
