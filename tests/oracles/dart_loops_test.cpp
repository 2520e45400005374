// SPDX-License-Identifier: BSD-3-Clause
// Loops that DART has, welds and balls, on random trees at rest: the accelerations that forces
// give.
#include <gtest/gtest.h>

#include <jounce/constrained_dynamics.hpp>
#include <jounce/io.hpp>
#include <jounce/kinematics.hpp>
#include <jounce/model/generate.hpp>

#include "oracles/agreement.hpp"
#include "oracles/dart_peer.hpp"
#include "support/random.hpp"

namespace jounce::test {
namespace {

/// The tree of a seed with a loop between two of its links, or a link and the world.
Robot with_loop(std::uint64_t seed, const std::vector<double>& q, const Robot& tree) {
  RobotDescription robot = tree.description();
  for (const JointInfo& joint : tree.joints())
    robot.joints[size_t(joint.description)].closed.assign(q.begin() + joint.q,
                                                          q.begin() + joint.q + joint.nq);
  Random rng(seed);
  Kinematics kinematics(tree);
  kinematics.at(q);
  const auto pose = [&](const std::string& link) {
    return link.empty() ? SE3<double>{} : kinematics.pose(tree.frame(link));
  };
  LoopDescription loop;
  loop.name = "closed";
  loop.link_1 = seed % 3 == 0 ? "" : robot.links[robot.links.size() / 2].name;
  loop.link_2 = robot.links.back().name;
  loop.kind = seed % 2 == 0 ? LoopKind::fixed : LoopKind::spherical;
  loop.placement_1 = exp(rng.twist());
  loop.placement_2 = inverse_times(pose(loop.link_2), pose(loop.link_1) * loop.placement_1);
  robot.loops = {loop};
  return Robot(robot);
}

TEST(DartLoops, ForwardDynamicsAtRest) {
  Agreement agreement{"DART", 1e-7};  // it mixes 1e-9 of every force into its constraint
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Robot tree(generate({.shape = TreeShape(seed % 4),
                               .bodies = 8 + int(seed % 5),
                               .branches = 2,
                               .kinds = {JointKind::revolute, JointKind::prismatic},
                               .free_base = seed % 2 == 1,
                               .seed = seed}));
    const std::vector<double> q = tree.random(seed);
    const Robot robot = with_loop(seed, q, tree);
    ConstrainedDynamics dyn(robot);
    const Eigen::VectorXd still = Eigen::VectorXd::Zero(robot.nv());
    Random rng(seed + 100);
    Eigen::VectorXd tau(robot.nv());
    for (double& x : tau) x = rng.uniform(-1, 1);
    const ConstrainedForward found = dyn.forward(q, still, tau, {.passive = false});
    if (found.rank < dyn.rows() || found.rank_margin < 1e-2) continue;  // DART needs full rank
    DartPeer dart(tree);
    dart.set(Eigen::VectorXd::Map(q.data(), robot.nq()), still, still);
    agreement.at(robot.name() + ", seed " + std::to_string(seed));
    agreement.compare("constrained forward", found.a, dart.forward_with_loops(robot, tau));
    ++compared;
  }
  EXPECT_GE(compared, 20);
}

}  // namespace
}  // namespace jounce::test
