// SPDX-License-Identifier: BSD-3-Clause
// Kinematics against numbers of Pinocchio 3.7, and robots of other projects that must load.
//
// Without the oracle's folder there is nothing to compare with: a note is printed.
#include <gtest/gtest.h>

#include <jounce/dynamics.hpp>
#include <jounce/group/eigen.hpp>
#include <jounce/io.hpp>
#include <jounce/kinematics.hpp>
#include <jounce/model/operations.hpp>

#include "oracles/agreement.hpp"
#include "oracles/pinocchio_oracle.hpp"

namespace jounce::test {
namespace {

/// The names, or none where there is no folder: a suite without instances passes.
std::vector<std::string> where_present(std::vector<std::string> names) {
  if (!oracle_folder()) names.clear();
  return names;
}

std::string name_of(const testing::TestParamInfo<std::string>& instance) { return instance.param; }

TEST(Pinocchio, OracleFolder) {
  if (!oracle_folder()) std::puts("no shared/oracle beside the project: nothing compared");
}

class PinocchioTest : public testing::TestWithParam<std::string> {
 protected:
  PinocchioOracle oracle{GetParam()};
  Robot robot = oracle.robot();
  PinocchioOrder order = pinocchio_order(robot, oracle.joints());
  FrameId tip = robot.frame(oracle.text("ee_frame"));
  Agreement agreement{"Pinocchio"};

  /// The kinematics at a state of the oracle.
  void move(Kinematics& kinematics, const OracleValues& state) const {
    kinematics.at(order.positions(state.vector("q")), order.velocities(state.vector("v")),
                  order.velocities(state.vector("a")));
  }
  void at(int i) { agreement.at(GetParam() + ", state " + std::to_string(i)); }
};

TEST_P(PinocchioTest, Sizes) {
  EXPECT_EQ(robot.nq(), oracle.values().number("nq"));
  EXPECT_EQ(robot.nv(), oracle.values().number("nv"));
  ASSERT_EQ(oracle.states(), 5);
}

TEST_P(PinocchioTest, PosesTwistsAndAccelerations) {
  Kinematics kinematics(robot);
  for (int i = 0; i < oracle.states(); ++i) {
    const OracleValues state = oracle.state(i);
    at(i);
    move(kinematics, state);
    agreement.compare("rotation", to_eigen(kinematics.pose(tip).R), state.matrix("ee_R"));
    agreement.compare("position", to_eigen(kinematics.pose(tip).p), state.vector("ee_p"));
    const auto compare = [&](const char* what, const Twist<double>& ours, const char* key) {
      agreement.compare(what, to_eigen(ours), swap_parts(state.vector(key)));
    };
    compare("twist", kinematics.twist_body(tip), "ee_velocity_local");
    compare("spatial acceleration", kinematics.spatial_acceleration_body(tip),
            "ee_spatial_acceleration_local");
    compare("classical acceleration", kinematics.classical_acceleration_body(tip),
            "ee_classical_acceleration_local");
  }
}

TEST_P(PinocchioTest, Jacobian) {
  Kinematics kinematics(robot);
  for (int i = 0; i < oracle.states(); ++i) {
    const OracleValues state = oracle.state(i);
    at(i);
    move(kinematics, state);
    agreement.compare("body Jacobian", kinematics.jacobian_body(tip),
                      swap_parts(order.columns(state.matrix("ee_J_local"))));
  }
}

/// The linear half of the centroidal momentum is mass times the velocity of the com.
TEST_P(PinocchioTest, CentreOfMass) {
  Kinematics kinematics(robot);
  const double mass = oracle.values().number("total_mass");
  for (int i = 0; i < oracle.states(); ++i) {
    const OracleValues state = oracle.state(i);
    at(i);
    move(kinematics, state);
    agreement.compare("com", to_eigen(kinematics.com()), state.vector("com"));
    agreement.compare("com velocity", to_eigen(kinematics.com_velocity()) * mass,
                      state.vector("centroidal_momentum").head(3));
    agreement.compare("com Jacobian", kinematics.com_jacobian() * mass,
                      order.columns(state.matrix("centroidal_momentum_matrix").topRows(3)));
  }
}

/// Pinocchio merges links that fixed joints hold together, in the frame of the joint.
/// The oracle has no passive forces.
TEST_P(PinocchioTest, Dynamics) {
  Dynamics dyn(robot);
  const Surroundings around{.passive = false};
  const auto one = [](double x) { return Eigen::MatrixXd::Constant(1, 1, x); };
  for (int i = 0; i < oracle.states(); ++i) {
    const OracleValues state = oracle.state(i);
    at(i);
    const Eigen::VectorXd q = order.positions(state.vector("q"));
    const Eigen::VectorXd v = order.velocities(state.vector("v"));
    const Eigen::VectorXd a = order.velocities(state.vector("a"));
    const Eigen::VectorXd tau = order.velocities(state.vector("tau_in"));
    const auto ours = [&](const char* key) { return order.velocities(state.vector(key)); };
    agreement.compare("inverse", dyn.inverse(q, v, a, around), ours("rnea_tau"));
    agreement.compare("forward", dyn.forward(q, v, tau, around), ours("aba_ddq"));
    agreement.compare("mass", dyn.mass(q), order.matrix(state.matrix("M")));
    agreement.compare("bias", dyn.bias(q, v), ours("nle"));
    agreement.compare("gravity", dyn.gravity(q), ours("g"));
    const Energy energy = dyn.energy(q, v);
    agreement.compare("kinetic", one(energy.kinetic), one(state.number("kinetic_energy")));
    agreement.compare("potential", one(energy.potential), one(state.number("potential_energy")));
  }
}

TEST_P(PinocchioTest, LumpedInertia) {
  const auto one = [](double x) { return Eigen::MatrixXd::Constant(1, 1, x); };
  agreement.at(GetParam());
  agreement.compare("total mass", one(robot.mass()), one(oracle.values().number("total_mass")));
  const std::vector<PinocchioJoint> joints = oracle.joints();
  for (int i = 0; i < static_cast<int>(joints.size()); ++i) {
    agreement.at(GetParam() + ", joint " + joints[static_cast<size_t>(i)].name);
    const JointInfo& joint = robot.joint(joints[static_cast<size_t>(i)].name);
    const auto& description = robot.description().joints[static_cast<size_t>(joint.description)];
    const FrameInfo& link = robot.frame_info(robot.frame(description.child));
    const Inertia<double> G = pull_back(link.offset, robot.model().G[joint.body]);
    const OracleValues theirs = oracle.joint(i);
    const double m = theirs.number("mass");
    const Eigen::Vector3d c = theirs.vector("com");
    const Eigen::Matrix3d about_origin =
        theirs.matrix("inertia_about_com") +
        m * (c.squaredNorm() * Eigen::Matrix3d::Identity() - c * c.transpose());
    agreement.compare("mass of a body", one(G.mass), one(m));
    agreement.compare("first moment of a body", to_eigen(G.h), m * c);
    agreement.compare("inertia of a body", to_eigen(to_matrix(G.I)), about_origin);
  }
}

INSTANTIATE_TEST_SUITE_P(Oracle, PinocchioTest,
                         testing::ValuesIn(where_present({"ur5", "solo12_ff"})), name_of);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PinocchioTest);

class PinocchioFileTest : public testing::TestWithParam<std::string> {};

/// Everything kinematic about every frame is a number.
void expect_finite(const Robot& robot) {
  Kinematics kinematics(robot);
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(robot.nv());
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    kinematics.at(robot.random(seed), ones, ones);
    for (int i = 0; i < static_cast<int>(robot.frames().size()); ++i) {
      const auto frame = static_cast<FrameId>(i);
      EXPECT_TRUE(to_eigen(kinematics.pose(frame)).allFinite()) << robot.frame_info(frame).name;
      EXPECT_TRUE(to_eigen(kinematics.spatial_acceleration_body(frame)).allFinite());
      EXPECT_TRUE(kinematics.jacobian_body(frame).allFinite());
      EXPECT_TRUE(kinematics.jacobian_body_rate(frame).allFinite());
    }
    EXPECT_TRUE(to_eigen(kinematics.com_acceleration()).allFinite());
    EXPECT_TRUE(kinematics.com_jacobian().allFinite());
  }
}

TEST_P(PinocchioFileTest, LoadsAndMoves) {
  static const std::map<std::string, int> nv = {
      {"ur5_robot", 6}, {"panda7", 7}, {"solo12", 12}, {"simple_humanoid", 29}};
  const std::string file = *oracle_folder() / "urdf" / (GetParam() + ".urdf");
  const Robot robot = load(file);
  EXPECT_EQ(robot.nv(), nv.at(GetParam()));
  expect_finite(robot);
  const Robot floating = with_base(robot, JointKind::free);
  EXPECT_EQ(floating.nv(), robot.nv() + 6);
  expect_finite(floating);
}

INSTANTIATE_TEST_SUITE_P(Oracle, PinocchioFileTest,
                         testing::ValuesIn(where_present({"ur5_robot", "panda7", "solo12",
                                                          "simple_humanoid"})),
                         name_of);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PinocchioFileTest);

}  // namespace
}  // namespace jounce::test
