// SPDX-License-Identifier: BSD-3-Clause
// The five-bar linkage with two, three, four and one motors: every case that [Kim] section 3
// distinguishes. Numbers: the dense equations in 50 digits, rounded to double.
#include <gtest/gtest.h>

#include <jounce/jounce.hpp>

#include "support/message.hpp"

namespace jounce::test {
namespace {

using Vector = Eigen::VectorXd;

/// Rows of the loop in frame 2: m_x, m_y, f_x, f_y, f_z; a planar linkage strains f_x, f_y alone.
Vector in_plane(double f_x, double f_y) { return Eigen::Vector<double, 5>(0, 0, f_x, f_y, 0); }

/// Which joints have motors: left proximal, left distal, right proximal, right distal.
Robot with_motors(std::initializer_list<bool> motors) {
  RobotDescription robot = read_robot("builtin:five_bar").robot;
  for (size_t k = 0; k < motors.size(); ++k) robot.joints[k].actuated = motors.begin()[k];
  return Robot(robot);
}

struct FiveBar {
  Vector q = Eigen::Vector4d(2, -1.0187957003519148, 1, 1.0732881017505773);
  Vector v = Eigen::Vector4d(1.5, -2.044528394613004, -0.7, 1.669196553413427);
  Vector a = Eigen::Vector4d(3, -3.8797164317969806, -2, 4.311665324159879);
};

/// Relative to the largest entry: the states are rounded to double, which costs two digits.
void expect_near(const Vector& found, const Vector& exact) {
  ASSERT_EQ(found.size(), exact.size());
  EXPECT_LE((found - exact).lpNorm<Eigen::Infinity>(),
            1e-13 * std::max(1.0, exact.lpNorm<Eigen::Infinity>()))
      << "found " << found.transpose() << "\nexact " << exact.transpose();
}

TEST(FiveBarLoop, RowsRankAndMobility) {
  ConstrainedDynamics dyn(load("builtin:five_bar"));
  EXPECT_EQ(dyn.rows(), 5);
  EXPECT_EQ(dyn.rank(), 2);
  EXPECT_EQ(dyn.mobility(), 2);
  const FiveBar x;
  const Eigen::MatrixXd A = dyn.jacobian(x.q);
  expect_near(A.row(2),
              Eigen::Vector4d(-0.2809211175329526, -0.26627661502892075, 0.17575489135519334, 0));
  expect_near(A.row(3),
              Eigen::Vector4d(-0.33765416850373586, -0.13819104272252938, 0.3954474628511632, 0.3));
  expect_near(dyn.bias(x.q, x.v), in_plane(0.1611953765782619, -0.025784225212185357));
  EXPECT_LE(dyn.closure(x.q).lpNorm<Eigen::Infinity>(), 1e-15);
  EXPECT_LE((A * x.v).lpNorm<Eigen::Infinity>(), 1e-15);
}

TEST(FiveBarLoop, TwoMotors) {
  ConstrainedDynamics dyn(load("builtin:five_bar"));
  const FiveBar x;
  const ConstrainedInverse f = dyn.inverse(x.q, x.v, x.a);
  expect_near(f.tau, Eigen::Vector4d(-0.22842639857582903, 0, 0.2995386428812793, 0));
  expect_near(f.lambda, in_plane(-0.29189232799759507, -0.3536889359618531));
  EXPECT_EQ(f.free_dimension, 0);
  EXPECT_EQ(f.rank, 2);
  expect_near(dyn.forward(x.q, x.v, f.tau).a, x.a);
}

TEST(FiveBarLoop, ForcesWhereThereIsNoMotor) {
  ConstrainedDynamics dyn(load("builtin:five_bar"));
  const FiveBar x;
  const Vector passive = Eigen::Vector4d(0, 0.01, 0, -0.02);
  Vector tau(4), lambda(5);
  dyn.inverse(x.q, x.v, x.a, passive, {}, {}, Optimum::force, into(tau), into(lambda));
  expect_near(tau, Eigen::Vector4d(-0.2050855594501351, 0.01, 0.272655848130054, -0.02));
  expect_near(lambda, in_plane(-0.288935764131059, -0.2870222692951864));
}

TEST(FiveBarLoop, ThreeMotors) {
  ConstrainedDynamics dyn(with_motors({true, true, true, false}));
  const FiveBar x;
  const ConstrainedInverse force = dyn.inverse(x.q, x.v, x.a);
  expect_near(force.tau,
              Eigen::Vector4d(-0.14642767959544947, 0.07772410105211108, 0.2482371384866475, 0));
  expect_near(force.lambda, in_plane(0, -0.3536889359618531));
  EXPECT_EQ(force.free_dimension, 1);
  const ConstrainedInverse torque = dyn.inverse(x.q, x.v, x.a, {}, {}, Optimum::torque);
  expect_near(torque.tau,
              Eigen::Vector4d(-0.046832092240084104, 0.17212774042853862, 0.18592636673398422, 0));
  expect_near(torque.lambda, in_plane(0.3545322196850602, -0.3536889359618531));
}

TEST(FiveBarLoop, FourMotors) {
  ConstrainedDynamics dyn(with_motors({true, true, true, true}));
  const FiveBar x;
  const ConstrainedInverse force = dyn.inverse(x.q, x.v, x.a);
  expect_near(force.tau, Dynamics(dyn.robot()).inverse(x.q, x.v, x.a));
  expect_near(force.lambda, in_plane(0, 0));
  EXPECT_EQ(force.free_dimension, 2);
  const ConstrainedInverse torque = dyn.inverse(x.q, x.v, x.a, {}, {}, Optimum::torque);
  expect_near(torque.tau, Eigen::Vector4d(-0.03631842007386196, 0.1054679937745281,
                                          0.10173855808004369, -0.12640196188247657));
  expect_near(torque.lambda, in_plane(-0.11447307776782611, 0.0676509369797355));
}

TEST(FiveBarLoop, AllForcesOfOneMotion) {
  ConstrainedDynamics dyn(with_motors({true, true, true, true}));
  const FiveBar x;
  const InverseFamily all = dyn.inverse_family(x.q, x.v, x.a);
  ASSERT_EQ(all.tau_free.cols(), 2);
  const Vector s = Eigen::Vector2d(0.3, -0.7);
  const Vector tau = all.tau + all.tau_free * s;
  const ConstrainedForward back = dyn.forward(x.q, x.v, tau);
  expect_near(back.a, x.a);
  expect_near(back.lambda, all.lambda + all.lambda_free * s);
}

TEST(FiveBarLoop, OneMotorIsRefusedAndHybridNamed) {
  ConstrainedDynamics dyn(with_motors({true, false, false, false}));
  const FiveBar x;
  const std::string refusal = message([&] { dyn.inverse(x.q, x.v, x.a); });
  EXPECT_EQ(refusal,
            "constrained_inverse: the motors (\"left_proximal_joint\") are too few for these "
            "accelerations: 0.123277 is missing (joint \"right_distal_joint\"); prescribe what the "
            "motors can hold and use hybrid");
}

TEST(FiveBarLoop, Forward) {
  ConstrainedDynamics dyn(load("builtin:five_bar"));
  const FiveBar x;
  const ConstrainedForward f = dyn.forward(x.q, x.v, Eigen::Vector4d(0.3, 0, -0.2, 0));
  expect_near(f.a, Eigen::Vector4d(79.98595129020407, -133.1381960838317, -74.7805118600978,
                                   127.35543880950694));
  expect_near(f.lambda, in_plane(-0.20463936983648504, -0.10120329029004252));
  EXPECT_EQ(f.rank, 2);
  EXPECT_GT(f.rank_margin, 0.1);
  EXPECT_LE(f.redundancy_defect, 1e-15);
  EXPECT_LE(f.residual, 1e-13);
}

TEST(FiveBarLoop, Hybrid) {
  ConstrainedDynamics dyn(load("builtin:five_bar"));
  const FiveBar x;
  const Vector none = Vector::Zero(4);
  const bool one[] = {true, false, false, false}, two[] = {true, false, true, false};
  const ConstrainedHybrid f = dyn.hybrid(one, x.q, x.v, x.a, none);
  expect_near(f.a, Eigen::Vector4d(3, -23.69275251551538, -32.01764640027191, 34.753058636968994));
  expect_near(f.tau, Eigen::Vector4d(-0.31682696116474085, 0, 0, 0));
  expect_near(f.lambda, in_plane(0.1870050284316832, -0.5788903718975386));
  const ConstrainedHybrid g = dyn.hybrid(two, x.q, x.v, x.a, none);
  expect_near(g.a, x.a);
  expect_near(g.tau, Eigen::Vector4d(-0.22842639857582903, 0, 0.2995386428812793, 0));
  EXPECT_EQ(g.free_dimension, 0);
}

TEST(FiveBarLoop, HybridOfMoreThanMoves) {
  ConstrainedDynamics dyn(load("builtin:five_bar"));
  const FiveBar x;
  const Vector none = Vector::Zero(4);
  const bool three[] = {true, true, true, false};
  const ConstrainedHybrid f = dyn.hybrid(three, x.q, x.v, x.a, none);
  expect_near(f.a, x.a);
  expect_near(f.tau,
              Eigen::Vector4d(-0.14642767959544947, 0.07772410105211108, 0.2482371384866475, 0));
  EXPECT_EQ(f.free_dimension, 1);
  const ConstrainedHybrid g = dyn.hybrid(three, x.q, x.v, x.a, none, {}, {}, Optimum::torque);
  EXPECT_LT(g.tau.norm(), f.tau.norm());
  expect_near(dyn.forward(x.q, x.v, g.tau).a, x.a);
  const Vector wrong = Eigen::Vector4d(3, 0, -2, 0);
  EXPECT_EQ(message([&] { dyn.hybrid(three, x.q, x.v, wrong, none); }),
            "constrained_hybrid: the prescribed accelerations contradict the loops: what is left "
            "of A a + Adot v is 1.03308, needs 0");
}

}  // namespace
}  // namespace jounce::test
