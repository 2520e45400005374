// SPDX-License-Identifier: BSD-3-Clause
// Random trees of revolute, prismatic and fixed joints against Orocos KDL.
#include <gtest/gtest.h>

#include <jounce/dynamics.hpp>
#include <jounce/group/eigen.hpp>
#include <jounce/kinematics.hpp>
#include <jounce/model/generate.hpp>

#include "oracles/agreement.hpp"
#include "oracles/kdl_peer.hpp"
#include "oracles/random_state.hpp"

namespace jounce::test {
namespace {

GeneratorOptions options(std::uint64_t seed) {
  GeneratorOptions o;
  o.shape = static_cast<TreeShape>(seed % 4);
  o.bodies = 1 + static_cast<int>(seed % 23);
  o.branches = 1 + static_cast<int>(seed % 3);
  o.kinds = {JointKind::revolute, JointKind::prismatic, JointKind::fixed};
  o.weights = {3, 2, 1};
  o.fixed_links = o.child_placements = true;
  o.mimic = seed % 3 == 0;
  o.seed = seed;
  return o;
}

/// f(robot, kinematics, kdl, where) at three states of a hundred robots.
template <class F>
void for_all_states(F f) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Robot robot(generate(options(seed)));
    Kinematics kinematics(robot);
    KdlPeer kdl(robot);
    for (std::uint64_t k = 0; k < 3; ++k) {
      const RandomState x(robot, 3 * seed + k);
      kinematics.at(x.q, x.v);
      kdl.set(x.q, x.v);
      f(robot, kinematics, kdl, robot.name() + ", state " + std::to_string(k));
    }
  }
}

TEST(Kdl, PosesAndTwistsOfAllLinks) {
  Agreement agreement("KDL");
  for_all_states(
      [&](const Robot& robot, Kinematics& kinematics, KdlPeer& kdl, const std::string& where) {
        for (const FrameInfo& frame : robot.frames()) {
          const FrameId id = robot.frame(frame.name);
          agreement.at(where + ", " + frame.name);
          agreement.compare("pose", to_eigen(kinematics.pose(id)), kdl.pose(frame.name));
          agreement.compare("hybrid twist", to_eigen(kinematics.twist_hybrid(id)),
                            kdl.twist_hybrid(frame.name));
        }
      });
}

TEST(Kdl, JacobiansOfRandomLinks) {
  Agreement agreement("KDL");
  Random random(1);
  for_all_states(
      [&](const Robot& robot, Kinematics& kinematics, KdlPeer& kdl, const std::string& where) {
        for (int k = 0; k < 3; ++k) {
          const FrameInfo& frame = robot.frames()[random.bits() % robot.frames().size()];
          const FrameId id = robot.frame(frame.name);
          agreement.at(where + ", " + frame.name);
          agreement.compare("hybrid Jacobian", kinematics.jacobian_hybrid(id),
                            kdl.jacobian_hybrid(frame.name));
          agreement.compare("hybrid Jacobian rate", kinematics.jacobian_hybrid_rate(id),
                            kdl.jacobian_rate(frame.name, Representation::hybrid));
          agreement.compare("body Jacobian rate", kinematics.jacobian_body_rate(id),
                            kdl.jacobian_rate(frame.name, Representation::body));
          agreement.compare("space Jacobian rate", kinematics.jacobian_space_rate(id),
                            kdl.jacobian_rate(frame.name, Representation::space));
        }
      });
}

/// Dynamics: 1e-9 of the largest entry, which leaves both their rounding on ill-conditioned states.
TEST(Kdl, InverseDynamicsAndMassMatricesOfTrees) {
  Agreement agreement("KDL", 1e-9);
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Robot robot(generate(options(seed)));
    if (robot.nv() == 0) continue;
    Dynamics dyn(robot);
    KdlPeer kdl(robot);
    const RandomState x(robot, seed);
    kdl.set(x.q, x.v);
    agreement.at(robot.name());
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(robot.nv()), bias = kdl.inverse(zero);
    agreement.compare("inverse dynamics", dyn.inverse(x.q, x.v, x.a), kdl.inverse(x.a));
    agreement.compare("bias", dyn.bias(x.q, x.v), bias);
    kdl.set(x.q, zero);
    const Eigen::VectorXd gravity = kdl.inverse(zero);
    agreement.compare("gravity forces", dyn.gravity(x.q), gravity);
    Eigen::MatrixXd M(robot.nv(), robot.nv());
    for (int k = 0; k < robot.nv(); ++k)
      M.col(k) = kdl.inverse(Eigen::VectorXd::Unit(robot.nv(), k)) - gravity;
    agreement.compare("mass matrix", dyn.mass(x.q), M);
  }
}

TEST(Kdl, ForwardDynamicsOfChains) {
  Agreement agreement("KDL", 1e-9);
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    GeneratorOptions o = options(seed);
    o.shape = TreeShape::chain;
    o.bodies = 1 + static_cast<int>(seed % 12);
    o.mimic = o.fixed_links = false;
    const Robot robot(generate(o));
    if (robot.nv() == 0) continue;
    Dynamics dyn(robot);
    KdlPeer kdl(robot);
    const std::string tip = robot.description().links.back().name;
    const RandomState x(robot, seed);
    const Eigen::VectorXd& tau = x.a;
    kdl.set(x.q, x.v);
    agreement.at(robot.name());
    const Eigen::MatrixXd M = dyn.mass(x.q);
    const Eigen::VectorXd bias = dyn.bias(x.q, x.v), gravity = dyn.gravity(x.q);
    agreement.compare("chain: mass matrix", M, kdl.chain_mass_matrix(tip));
    agreement.compare("chain: gravity forces", gravity, kdl.chain_gravity_forces(tip));
    agreement.compare("chain: Coriolis forces", bias - gravity, kdl.chain_coriolis_forces(tip));
    // Accelerations by backward error: M may be ill conditioned.
    const Eigen::VectorXd a = dyn.forward(x.q, x.v, tau), theirs = kdl.chain_forward(tip, tau);
    const double sizes = bias.norm() + tau.norm(), norm = M.norm();
    agreement.compare("chain: our acceleration", kdl.inverse(a), tau, norm * a.norm() + sizes);
    agreement.compare("chain: its acceleration", dyn.inverse(x.q, x.v, theirs), tau,
                      norm * theirs.norm() + sizes);
  }
}

}  // namespace
}  // namespace jounce::test
