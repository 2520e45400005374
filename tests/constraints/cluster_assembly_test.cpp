// SPDX-License-Identifier: BSD-3-Clause
// Robots with many small loops are closed by clusters as they are by factors of the whole.
#include <gtest/gtest.h>

#include <jounce/dynamics.hpp>

#include "constraints/cluster_robots.hpp"
#include "support/allocation_guard.hpp"

namespace jounce::test {
namespace {

using Vector = Eigen::VectorXd;

/// From a guess beside a closed configuration, with flags or without, on both paths.
void expect_same_assembly(ConstrainedDynamics& dyn, double away, std::span<const bool> kept,
                          double tolerance) {
  const Robot& robot = dyn.robot();
  std::vector<double> guess = robot.closed(), step(size_t(robot.nv()));
  for (size_t k = 0; k < step.size(); ++k) step[k] = away * std::sin(1.0 + double(3 * k));
  robot.integrate(guess, step, guess);
  const Vector from = Vector::Map(guess.data(), robot.nq());
  dyn.set_path(ConstrainedPath::clusters);
  const Assembly found = dyn.assemble(from, kept);
  dyn.set_path(ConstrainedPath::factors);
  const Assembly exact = dyn.assemble(from, kept);
  ASSERT_TRUE(exact.converged) << robot.name();
  EXPECT_TRUE(found.converged) << robot.name();
  EXPECT_TRUE(same(found.q, exact.q, tolerance)) << robot.name();
  EXPECT_LE(std::abs(found.iterations - exact.iterations), 1) << robot.name() << ", of rounding";
  EXPECT_LE(largest(dyn.closure(found.q)), 1e-11) << robot.name();
  for (const JointInfo& joint : robot.joints())
    for (int k = 0; k < joint.nq && !kept.empty() && kept[size_t(joint.v)]; ++k)
      EXPECT_EQ(found.q[joint.q + k], from[joint.q + k]) << robot.name();
}

TEST(ClusterAssembly, IsThatOfFactors) {
  on_clustered_robots({1, 4, 16}, [](ClusteredState x) {
    for (const double away : {1e-3, 0.03}) {
      expect_same_assembly(x.dyn, away, {}, 1e-9);
      x.prescribe_cranks(2);
      expect_same_assembly(x.dyn, away, x.prescribed(), 1e-9);
    }
  });
}
TEST(ClusterAssembly, OfManyLinkages) {
  for (const int branches : {1, 2}) {
    ConstrainedDynamics dyn((Robot(generate_four_bars(64, branches))));
    expect_same_assembly(dyn, 1e-3, {}, 1e-9);
  }
}
/// The first step is the shortest in the metric of the kinetic energy that closes the loops.
TEST(ClusterAssembly, StepsAsTheKineticEnergySays) {
  const Robot robot(generate_four_bars(4, 2));
  ConstrainedDynamics dyn(robot);
  Dynamics open(robot);
  const Vector closed = Vector::Map(robot.closed().data(), robot.nq());
  const Vector away = 1e-6 * Vector::LinSpaced(robot.nv(), -1, 2), guess = closed + away;
  const Vector step = dyn.assemble(guess).q - guess;
  const Eigen::MatrixXd A = dyn.jacobian(closed), M = open.mass(closed);
  // M step = A^T nu: nothing of it does work along what the loops leave open
  const Vector v = dyn.project(closed, Vector::LinSpaced(robot.nv(), 1, -0.3));
  EXPECT_LE(std::abs(v.dot(M * step)), 1e-5 * v.norm() * (M * step).norm());
  EXPECT_LE(largest(A * (step + away)), 1e-5 * largest(A * away));
}
/// Bars that are in line: rows that depend on one another at the guess alone, and at every step
/// where the closed configuration is such, too.
TEST(ClusterAssembly, LeavesBarsInLineToTheFactors) {
  for (const double angle : {0.0, 0.4}) {
    ConstrainedDynamics dyn((Robot(parallelogram(angle))));
    const Eigen::Vector3d guess(1e-7, -3e-7, 2e-7);
    dyn.set_path(ConstrainedPath::clusters);
    const Assembly found = dyn.assemble(guess);
    dyn.set_path(ConstrainedPath::factors);
    const Assembly exact = dyn.assemble(guess);
    EXPECT_EQ(found.converged, exact.converged);
    EXPECT_LE(largest(dyn.closure(found.q)), 1e-11);
    EXPECT_LE(largest(found.q - exact.q), 1e-6);
  }
}
TEST(ClusterAssembly, TakesNoMemory) {
  const Robot robot(generate_four_bars(8));
  ConstrainedDynamics dyn(robot);
  const Vector guess =
      Vector::Map(robot.closed().data(), robot.nq()) + Vector::Constant(robot.nq(), 1e-3);
  Vector q(robot.nq());
  dyn.assemble(guess, {}, into(q));
  const NoAllocation here;
  dyn.assemble(guess, {}, into(q));
}

}  // namespace
}  // namespace jounce::test
