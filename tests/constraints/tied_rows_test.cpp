// SPDX-License-Identifier: BSD-3-Clause
// Loops of joints instead of frames: gears, and functions of the user's.
#include <gtest/gtest.h>

#include <jounce/constrained_derivatives.hpp>
#include <jounce/constrained_dynamics.hpp>
#include <jounce/constrained_series.hpp>
#include <jounce/derivatives.hpp>
#include <jounce/dynamics.hpp>
#include <jounce/io.hpp>
#include <jounce/model/custom_constraint.hpp>
#include <jounce/model/generate.hpp>
#include <jounce/model/operations.hpp>

#include "constraints/custom_loop.hpp"
#include "support/dense.hpp"
#include "support/largest.hpp"
#include "support/message.hpp"

namespace jounce::test {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

LoopDescription gear(const std::vector<TiedJoint>& joints, double offset) {
  LoopDescription loop;
  loop.name = "gear", loop.kind = LoopKind::gear;
  loop.joints = joints, loop.offset = offset;
  return loop;
}

/// arm7 with joint 5 at -2 times joint 3 and a bit, as a mimic joint or by a gear.
struct GearedArms {
  GearedArms() {
    const Robot arm = load("builtin:arm7");
    RobotDescription by_mimic = arm.description(), by_gear = by_mimic;
    leader = arm.joints()[2].name, follower = arm.joints()[4].name;
    for (JointDescription& joint : by_mimic.joints)
      if (joint.name == follower) joint.mimic = Mimic{leader, -2, 0.3};
    by_gear.loops = {gear({{follower, 1}, {leader, 2}}, 0.3)};
    mimic = std::make_unique<Robot>(by_mimic);
    geared = std::make_unique<Robot>(by_gear);
  }
  /// Coordinates of the mimic robot -> of the other one.
  Vector expand(const Vector& x, double offset) const {
    Vector all(7);
    all << x.head(4), -2 * x[2] + offset, x.tail(2);
    return all;
  }
  std::string leader, follower;
  std::unique_ptr<Robot> mimic, geared;
};

TEST(Gear, IsAMimicJoint) {
  const GearedArms arms;
  ConstrainedDynamics dyn(*arms.geared);
  EXPECT_EQ(dyn.rank(), 1);
  EXPECT_EQ(dyn.mobility(), 6);
  const Vector q = Vector::LinSpaced(6, -0.5, 0.7), v = Vector::LinSpaced(6, 0.4, -0.6),
               tau = Vector::LinSpaced(6, 3, -4);
  Vector all = arms.expand(tau, 0);
  all[4] = 0;
  EXPECT_LE(largest(dyn.closure(arms.expand(q, 0.3))), 1e-15);
  const Vector needed = Dynamics(*arms.mimic).forward(q, v, tau);
  const ConstrainedForward found = dyn.forward(arms.expand(q, 0.3), arms.expand(v, 0), all);
  EXPECT_LE(largest(found.a - arms.expand(needed, 0)), 1e-11 * largest(needed));
  const Assembly closed = dyn.assemble(Vector(arms.expand(q, 0.4)));
  EXPECT_TRUE(closed.converged);
  const ConstrainedForwardDerivatives d =
      ConstrainedDerivatives(*arms.geared).forward(arms.expand(q, 0.3), arms.expand(v, 0), all);
  const auto open = Derivatives(*arms.mimic).forward(q, v, tau);
  const Matrix dq = d.da_dq;  // along the leader the follower moves too
  Matrix folded(7, 6);
  for (int k = 0, j = 0; k < 7; ++k)
    if (k != 4) folded.col(j++) = dq.col(k);
  folded.col(2) -= 2 * dq.col(4);
  for (int k = 0; k < 6; ++k)
    EXPECT_LE(largest(folded.col(k) - arms.expand(Matrix(open.dq).col(k), 0)),
              1e-9 * largest(Matrix(open.dq)));
}

/// A gear may tie a joint that follows another: the leader has its row.
TEST(Gear, TiesFollowers) {
  const GearedArms arms;
  RobotDescription robot = arms.mimic->description();
  robot.loops = {gear({{arms.follower, 1.5}, {arms.mimic->joints()[6].name, 4}}, 0.2)};
  ConstrainedDynamics dyn{Robot(robot)};
  const Vector q = Vector::LinSpaced(6, -0.5, 0.7);
  EXPECT_NEAR(dyn.closure(q)[0], 1.5 * (-2 * q[2] + 0.3) + 4 * q[5] - 0.2, 1e-14);
  const Matrix A = dyn.jacobian(q);
  EXPECT_EQ(A.row(0), (Matrix(1, 6) << 0, 0, -3, 0, 0, 4).finished());
}

/// Where articulated bodies solve the equations.
TEST(Gear, OnALongChain) {
  RobotDescription chain = generate({.bodies = 40, .link_length = 0.1, .seed = 3});
  const Robot open(chain);
  const auto name = [&](size_t k) { return open.joints()[k].name; };
  chain.loops = {gear({{name(3), 1}, {name(30), -2}, {name(17), 0.5}}, 0)};
  ConstrainedDynamics dyn{Robot(chain)};
  const int n = open.nv();
  const Vector q = dyn.assemble(Vector::LinSpaced(n, -0.4, 0.4)).q,
               v = dyn.project(q, Vector::LinSpaced(n, 0.3, -0.3)), tau = Vector::Ones(n);
  const ConstrainedForward found = dyn.forward(q, v, tau);
  const Matrix A = dyn.jacobian(q);
  const Vector force = Dynamics(open).inverse(q, v, found.a) - A.transpose() * found.lambda;
  EXPECT_LE(largest(force - tau), 1e-9);
  EXPECT_LE(largest(A * found.a), 1e-10 * largest(found.a));
}

TEST(Gear, FullTurnsOfCirclesAreNone) {
  RobotDescription robot{.name = "gears"};
  for (const char* name : {"one", "two"}) {
    robot.links.push_back({.name = name, .mass = 1, .com = {}, .I_com = {1, 0, 1, 0, 0, 1}});
    JointDescription joint;
    joint.name = std::string(name) + "_joint", joint.child = name;
    joint.parent = robot.joints.empty() ? "" : "one";
    joint.geometry.kind = JointKind::circle;
    joint.geometry.axes = {{0, 0, 1}};
    robot.joints.push_back(joint);
  }
  robot.loops = {gear({{"one_joint", 2}, {"two_joint", -1}}, 0)};
  ConstrainedDynamics dyn{Robot(robot)};
  for (const double angle : {0.2, 1.8, 3.0, -2.7}) {  // twice the angle comes round
    Vector q(4);
    q << std::cos(angle), std::sin(angle), std::cos(2 * angle), std::sin(2 * angle);
    EXPECT_LE(largest(dyn.closure(q)), 1e-14) << angle;
  }
}

TEST(Gear, BadOnesAreRefused) {
  const auto refusal = [](const LoopDescription& loop) {
    RobotDescription robot = load("builtin:arm7").description();
    robot.loops = {loop};
    return message([&] { Robot{robot}; });
  };
  const std::string first = load("builtin:arm7").joints()[0].name;
  EXPECT_EQ(refusal(gear({}, 0)), "loop \"gear\" names no joints");
  EXPECT_EQ(refusal(gear({{first, 0}}, 0)),
            "loop \"gear\": ratio 0 of joint \"" + first + "\" must be finite and not zero");
  EXPECT_EQ(refusal(gear({{first, 1}, {first, 2}}, 0)),
            "loop \"gear\": joint \"" + first + "\" is named twice");
  EXPECT_TRUE(refusal(gear({{"nobody", 1}}, 0))
                  .starts_with("loop \"gear\": there is no joint \"nobody\"; nearest: "));
}

TEST(Gear, GoesOnWithoutLockedJoints) {
  const GearedArms arms;
  const Robot locked = lock_joints(*arms.geared, {{arms.leader, {0.4}}});
  ASSERT_EQ(locked.loops().size(), 1U);
  EXPECT_EQ(locked.loops()[0].joints.size(), 1U);
  EXPECT_DOUBLE_EQ(locked.loops()[0].offset, 0.3 - 2 * 0.4);
  EXPECT_TRUE(lock_joints(locked, {{arms.follower, {-0.5}}}).loops().empty());
}

TEST(Gear, ThroughFiles) {
  const GearedArms arms;
  const RobotDescription& from = arms.geared->description();
  for (const RobotDescription& read :
       {read_json(write_json(from), "text").robot, read_urdf(write_urdf(from), "text").robot}) {
    ASSERT_EQ(read.loops.size(), 1U);
    const LoopDescription& loop = read.loops[0];
    EXPECT_EQ(loop.kind, LoopKind::gear);
    ASSERT_EQ(loop.joints.size(), 2U);
    EXPECT_EQ(loop.joints[1].name, arms.leader);
    EXPECT_EQ(loop.joints[1].ratio, 2);
    EXPECT_EQ(loop.offset, 0.3);
  }
}

TEST(CustomConstraint, IsAGear) {
  const GearedArms arms;
  RobotDescription robot = arms.geared->description();
  robot.loops = {custom({{arms.leader}, {arms.follower}},
                        custom_constraint<2, 1>([](const auto* q, const auto&, auto* C) {
                          C[0] = q[1] + 2 * q[0] - 0.3;
                        }))};
  ConstrainedDynamics by_gear(*arms.geared), by_function{Robot(robot)};
  const Vector q = arms.expand(Vector::LinSpaced(6, -0.5, 0.7), 0.3),
               v = arms.expand(Vector::LinSpaced(6, 0.4, -0.6), 0),
               tau = Vector::LinSpaced(7, 3, -4);
  const ConstrainedForward a = by_gear.forward(q, v, tau), b = by_function.forward(q, v, tau);
  EXPECT_LE(largest(a.a - b.a), 1e-12 * largest(a.a));
  EXPECT_NEAR(a.lambda[0], b.lambda[0], 1e-11 * std::abs(a.lambda[0]));
  EXPECT_EQ(by_function.loop_wrenches(q, {b.lambda.data(), 1})[0].f.x, 0);
}

/// The tip of planar_2r, bars of 1 m and 0.8 m, on a point: as a loop and as two functions.
TEST(CustomConstraint, IsAPoint) {
  const Robot arm = load("builtin:planar_2r");
  const Vector q = (Vector(2) << 0.7, -1.1).finished();
  const JointInfo &one = arm.joints()[0], &two = arm.joints()[1];
  const double x = std::cos(q[0]) + 0.8 * std::cos(q[0] + q[1]);
  const double y = std::sin(q[0]) + 0.8 * std::sin(q[0] + q[1]);
  RobotDescription by_loop = arm.description(), by_function = arm.description();
  LoopDescription pin;
  pin.name = "pin", pin.kind = LoopKind::point, pin.link_2 = "link_2";
  pin.placement_1.p = {x, y, 0}, pin.placement_2.p = {0.8, 0, 0};
  by_loop.loops = {pin};
  by_function.loops = {custom({{one.name}, {two.name}},
                              custom_constraint<2, 2>([&](const auto* at, const auto&, auto* C) {
                                C[0] = cos(at[0]) + 0.8 * cos(at[0] + at[1]) - x;
                                C[1] = sin(at[0]) + 0.8 * sin(at[0] + at[1]) - y;
                              }))};
  for (RobotDescription* robot : {&by_loop, &by_function}) {
    robot->joints[size_t(one.description)].closed = {q[0]};
    robot->joints[size_t(two.description)].closed = {q[1]};
  }
  ConstrainedDynamics a{Robot(by_loop)}, b{Robot(by_function)};
  EXPECT_EQ(a.rank(), 2);
  EXPECT_EQ(b.rank(), 2);
  EXPECT_LE(largest(b.closure(q)), 1e-12);
  const Vector v = Vector::Zero(2), tau = (Vector(2) << 3, -2).finished();
  EXPECT_LE(largest(a.forward(q, v, tau).a - b.forward(q, v, tau).a), 1e-10);
  const Vector guess = q + Vector::Constant(2, 0.1);
  EXPECT_LE(largest(b.assemble(guess).q - a.assemble(guess).q), 1e-9);
}

TEST(CustomConstraint, BadOnesAreRefused) {
  const auto refusal = [](const LoopDescription& loop) {
    RobotDescription robot = load("builtin:arm7").description();
    robot.loops = {loop};
    return message([&] { Robot{robot}; });
  };
  const std::string first = load("builtin:arm7").joints()[0].name;
  const auto f =
      custom_constraint<2, 1>([](const auto* q, const auto&, auto* C) { C[0] = q[0] * q[1]; });
  EXPECT_EQ(refusal(custom({{first}}, f)),
            "loop \"function\": its function is one of 2 coordinates, its joints have 1");
  EXPECT_EQ(refusal(custom({{first}}, nullptr)), "loop \"function\": kind custom needs a function");
  RobotDescription robot = load("builtin:arm7").description();
  robot.loops = {custom({{first}, {load("builtin:arm7").joints()[1].name}}, f)};
  EXPECT_EQ(message([&] { write_json(robot); }),
            "loop \"function\": kind custom is a function and cannot be written");
}

}  // namespace
}  // namespace jounce::test
