// SPDX-License-Identifier: BSD-3-Clause
// The converter from Pinocchio's conventions, on a robot whose joints come in another order there.
#include "oracles/convert.hpp"

#include <gtest/gtest.h>

#include <jounce/error.hpp>
#include <jounce/model/generate.hpp>

namespace jounce::test {
namespace {

/// A free base and two revolute joints.
Robot small_robot() {
  GeneratorOptions options;
  options.free_base = true;
  options.shape = TreeShape::branches;
  options.branches = options.bodies = 2;
  return Robot(generate(options));
}
/// Pinocchio would sort the siblings the other way round.
std::vector<PinocchioJoint> turned_round() {
  return {{"base_joint", 0, 0}, {"joint_2", 7, 6}, {"joint_1", 8, 7}};
}

TEST(OracleConvert, SwapsTheHalvesOfSixVectors) {
  Eigen::MatrixXd linear_first(6, 2);
  linear_first << 1, 10, 2, 20, 3, 30, 4, 40, 5, 50, 6, 60;
  Eigen::MatrixXd angular_first(6, 2);
  angular_first << 4, 40, 5, 50, 6, 60, 1, 10, 2, 20, 3, 30;
  EXPECT_EQ(swap_parts(linear_first), angular_first);
  EXPECT_EQ(swap_parts(angular_first), linear_first);
}

TEST(OracleConvert, ReordersVectors) {
  const PinocchioOrder order = pinocchio_order(small_robot(), turned_round());
  Eigen::VectorXd q(9), v(8), our_q(9), our_v(8);
  q << 1, 2, 3, 4, 5, 6, 7, 82, 81;  // position, quaternion, joint_2, joint_1
  our_q << 1, 2, 3, 4, 5, 6, 7, 81, 82;
  v << 1, 2, 3, 4, 5, 6, 72, 71;      // linear, angular
  our_v << 4, 5, 6, 1, 2, 3, 71, 72;  // angular, linear
  EXPECT_EQ(order.positions(q), our_q);
  EXPECT_EQ(order.velocities(v), our_v);
}

TEST(OracleConvert, ReordersMatricesAsTheirProducts) {
  const PinocchioOrder order = pinocchio_order(small_robot(), turned_round());
  const Eigen::MatrixXd M = Eigen::MatrixXd::Random(8, 8), J = Eigen::MatrixXd::Random(6, 8);
  const Eigen::MatrixXd Y = Eigen::MatrixXd::Random(8, 20);
  const Eigen::VectorXd v = Eigen::VectorXd::Random(8), p = Eigen::VectorXd::Random(20);
  const Eigen::VectorXd ours = order.velocities(v);
  EXPECT_TRUE((order.columns(J) * ours).isApprox(J * v, 1e-14));
  EXPECT_TRUE((order.matrix(M) * ours).isApprox(order.velocities(M * v), 1e-14));
  EXPECT_TRUE((order.rows(Y) * p).isApprox(order.velocities(Y * p), 1e-14));
}

TEST(OracleConvert, RefusesListsThatDoNotFit) {
  const Robot robot = small_robot();
  std::vector<PinocchioJoint> joints = turned_round();
  joints.pop_back();
  EXPECT_THROW(pinocchio_order(robot, joints), InputError);
  joints.push_back({"joint_3", 8, 7});
  EXPECT_THROW(pinocchio_order(robot, joints), InputError);
}

}  // namespace
}  // namespace jounce::test
