// SPDX-License-Identifier: BSD-3-Clause
// Coriolis, centroidal and regressor matrices against numbers of Pinocchio 3.7.
#include <gtest/gtest.h>

#include <jounce/group/eigen.hpp>
#include <jounce/regressor.hpp>

#include "oracles/agreement.hpp"
#include "oracles/pinocchio_oracle.hpp"

namespace jounce::test {
namespace {

/// Pinocchio has ten columns per joint, for all links it carries rigidly, about the joint's frame.
/// They are those of the joint's child link: its frame is the joint's in a URDF.
Eigen::MatrixXd columns_of_children(const Robot& robot, const std::vector<PinocchioJoint>& joints,
                                    const Eigen::MatrixXd& Y) {
  Eigen::MatrixXd columns(Y.rows(), 10 * static_cast<Eigen::Index>(joints.size()));
  for (size_t k = 0; k < joints.size(); ++k) {
    const auto joint = static_cast<size_t>(robot.joint(joints[k].name).description);
    const int link = robot.frame_info(robot.frame(robot.description().joints[joint].child)).link;
    columns.middleCols(10 * static_cast<Eigen::Index>(k), 10) = Y.middleCols(10 * link, 10);
  }
  return columns;
}

void compare_matrices(const std::string& name, Agreement& agreement) {
  PinocchioOracle oracle(name);
  const Robot robot = oracle.robot();
  const PinocchioOrder order = pinocchio_order(robot, oracle.joints());
  Dynamics dyn(robot);
  Regressor regressor(robot);
  for (int i = 0; i < oracle.states(); ++i) {
    const OracleValues state = oracle.state(i);
    agreement.at(name + ", state " + std::to_string(i));
    const Eigen::VectorXd q = order.positions(state.vector("q"));
    const Eigen::VectorXd v = order.velocities(state.vector("v"));
    const Eigen::VectorXd a = order.velocities(state.vector("a"));
    const Eigen::MatrixXd C = dyn.coriolis(q, v).matrix;
    agreement.compare("christoffel C", C, order.matrix(state.matrix("C")));
    const Wrench<double> h = dyn.momentum(q, v).about_com;
    agreement.compare("momentum", to_eigen(h), swap_parts(state.vector("centroidal_momentum")));
    const Eigen::MatrixXd A = dyn.centroidal(q, v).matrix;
    agreement.compare("centroidal matrix", A,
                      swap_parts(order.columns(state.matrix("centroidal_momentum_matrix"))));
    agreement.compare("regressor",
                      columns_of_children(robot, oracle.joints(), regressor.force(q, v, a)),
                      order.rows(state.matrix("joint_torque_regressor")));
    agreement.compare("regressor times parameters",
                      regressor.force(q, v, a) * regressor.parameters(),
                      order.velocities(state.vector("rnea_tau")));
  }
}

TEST(PinocchioMatrices, Agree) {
  if (!oracle_folder()) return;
  Agreement agreement("Pinocchio");
  for (const char* name : {"ur5", "solo12_ff"}) compare_matrices(name, agreement);
}

}  // namespace
}  // namespace jounce::test
