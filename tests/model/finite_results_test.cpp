// SPDX-License-Identifier: BSD-3-Clause
// Results of finite arguments are finite or refused by the name of the call.
#include <gtest/gtest.h>

#include <jounce/any_number.hpp>
#include <jounce/io.hpp>
#include <jounce/model/custom.hpp>
#include <jounce/model/generate.hpp>

#include "support/message.hpp"

namespace jounce {
namespace {

using Eigen::VectorXd;
using test::message;

TEST(FiniteResults, NameCallerAndJoint) {
  const Robot arm = load("builtin:arm7");
  Dynamics d(arm);
  const VectorXd q = VectorXd::Constant(7, 0.3), large = VectorXd::Constant(7, 1e154);
  EXPECT_EQ(message([&] { d.inverse(q, large, q); }),
            "inverse: tau[0] (joint \"joint_1\") is not finite");
  EXPECT_EQ(message([&] { d.energy(q, large * 1e6); }), "energy: kinetic is not finite");
  EXPECT_EQ(message([&] { d.forward(q, q, large * 1e154); }).substr(0, 11), "forward: a[");
  using Lanes = Pack<double, 2>;
  BasicDynamics<Lanes> lanes(arm);
  const std::vector<Lanes> zero(7, Lanes(0.0));
  std::vector<Lanes> fast = zero;
  fast[1] = Lanes::generate([](int lane) { return lane == 1 ? 1e160 : 0.0; });
  EXPECT_EQ(message([&] { lanes.inverse(zero, fast, zero); }).substr(0, 23),
            "inverse: lane 1 of tau[");
}

TEST(FiniteResults, OfACustomJointThatGivesNaN) {
  RobotDescription robot = generate_chain(3);
  robot.joints[1].geometry = {.kind = JointKind::custom,
                              .custom = custom_joint<1>([](const auto* q) {
                                using Real = std::remove_cvref_t<decltype(*q)>;
                                const Vec3<Real> turn{Real(0), Real(0), q[0]};
                                const Vec3<Real> place{sqrt(q[0] - 1), Real(0), Real(0)};
                                return SE3<Real>{exp(turn), place};
                              })};
  Dynamics d{Robot(robot)};
  const VectorXd q = VectorXd::Constant(3, 0.3);
  EXPECT_EQ(message([&] { d.inverse(q, q, q); }),
            "inverse: tau[0] (joint \"joint_1\") is not finite");
  EXPECT_NE(message([&] { d.forward(q, q, q); }), "no error");
  EXPECT_NE(message([&] { d.mass(q); }), "no error");
  EXPECT_NE(message([&] { Derivatives(d.robot()).inverse(q, q, q); }), "no error");
  EXPECT_EQ(message([&] { d.inverse(VectorXd::Constant(3, 2), q, q); }), "no error");
}

TEST(FiniteResults, OfTheManifold) {
  RobotDescription ball = generate_chain(1);
  ball.joints[0].geometry = {.kind = JointKind::spherical};
  ball.joints[0].properties = {};
  const Robot robot(ball);
  const std::vector<double> q = robot.neutral(), turn(3, 1e160);
  std::vector<double> out(4);
  EXPECT_EQ(message([&] { robot.integrate(q, turn, out); }),
            "integrate: q[0] (joint \"joint_1\") is not finite");
}

}  // namespace
}  // namespace jounce
