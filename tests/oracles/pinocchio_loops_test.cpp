// SPDX-License-Identifier: BSD-3-Clause
// Closed loops against numbers of Pinocchio 3.7's constraintDynamics: feet and tips that the ground
// holds.
#include <gtest/gtest.h>

#include <jounce/constrained_dynamics.hpp>
#include <jounce/group/eigen.hpp>
#include <jounce/paper/constrained_passes.hpp>

#include "oracles/agreement.hpp"
#include "oracles/pinocchio_oracle.hpp"

namespace jounce::test {
namespace {

SE3<double> placement(const OracleValues& loop, const std::string& key) {
  Eigen::Matrix4d T = Eigen::Matrix4d::Identity();
  T.topLeftCorner<3, 3>() = loop.matrix(key + "_R");
  T.topRightCorner<3, 1>() = loop.vector(key + "_p");
  return to_pose(T);
}

class PinocchioLoops : public testing::TestWithParam<std::string> {
 protected:
  PinocchioOracle oracle{GetParam()};
  Robot tree = oracle.robot();
  PinocchioOrder order = pinocchio_order(tree, oracle.joints());
  Agreement agreement{"Pinocchio", 1e-8};

  std::string link_of(const std::string& joint) const {
    if (joint == "universe") return "";
    return tree.description().joints[size_t(tree.joint(joint).description)].child;
  }
  /// Their rows are components of the twist of frame 1 against frame 2, in frame 1: ours of 2.
  Robot closed(const OracleValues& state, const Eigen::VectorXd& q) const {
    RobotDescription robot = tree.description();
    for (const OracleValues& loop : state.groups("constraints")) {
      const bool point = loop.text("type") == "3D";
      robot.loops.push_back({loop.text("joint1") + "_held", link_of(loop.text("joint2")),
                             link_of(loop.text("joint1")), placement(loop, "placement2"),
                             placement(loop, "placement1"),
                             point ? LoopKind::point : LoopKind::fixed, 0});
    }
    for (const JointInfo& joint : tree.joints())
      robot.joints[size_t(joint.description)].closed.assign(q.data() + joint.q,
                                                            q.data() + joint.q + joint.nq);
    return Robot(robot);
  }
  /// Rows of each loop with the linear part first: ours the other way round.
  static Eigen::MatrixXd rows(const OracleValues& state, const Eigen::MatrixXd& theirs) {
    Eigen::MatrixXd ours = theirs;
    Eigen::Index first = 0;
    for (const OracleValues& loop : state.groups("constraints")) {
      if (loop.text("type") == "3D") {
        first += 3;
        continue;
      }
      ours.middleRows(first, 6) = swap_parts(theirs.middleRows(first, 6));
      first += 6;
    }
    return ours;
  }
};

TEST_P(PinocchioLoops, ForwardDynamics) {
  const Surroundings around{.passive = false};
  for (int i = 0; i < oracle.states(); ++i) {
    agreement.at(GetParam() + ", state " + std::to_string(i));
    const Eigen::VectorXd q = order.positions(oracle.state(i).vector("q"));
    const OracleValues state = oracle.state(i).group("closed_loop");
    const Eigen::VectorXd v = order.velocities(state.vector("v"));
    const Eigen::VectorXd tau = order.velocities(state.vector("tau_in"));
    const Eigen::VectorXd a = order.velocities(state.vector("ddq"));
    const Eigen::VectorXd lambda = rows(state, state.vector("lambda_local"));
    ConstrainedDynamics dyn(closed(state, q));
    agreement.compare("what is open", dyn.closure(q), Eigen::VectorXd::Zero(dyn.rows()));
    agreement.compare("rows of loops", dyn.jacobian(q),
                      rows(state, order.columns(state.matrix("J_constraint"))));
    const ConstrainedForward found = dyn.forward(q, v, tau, around);
    agreement.compare("constrained forward", found.a, a);
    agreement.compare("multipliers", found.lambda, lambda);
    const ForwardByPasses passes = ConstrainedPasses(dyn.robot()).forward(q, v, tau, around);
    agreement.compare("constrained forward by passes", passes.a, a);
    agreement.compare("multipliers by passes", passes.lambda, lambda);
  }
}

std::vector<std::string> where_present() {
  if (!oracle_folder()) return {};
  return {"ur5", "solo12_ff"};
}
INSTANTIATE_TEST_SUITE_P(Oracle, PinocchioLoops, testing::ValuesIn(where_present()),
                         [](const testing::TestParamInfo<std::string>& instance) {
                           return instance.param;
                         });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PinocchioLoops);

}  // namespace
}  // namespace jounce::test
