// SPDX-License-Identifier: BSD-3-Clause
// Robots with many small loops: clusters against the dense equations, and against the way that
// serves any loops.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <jounce/constrained_dynamics.hpp>
#include <jounce/dynamics.hpp>
#include <jounce/model/generate.hpp>

#include "model/cluster_storage.hpp"

namespace jounce::test {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

double largest_entry(const Matrix& x) { return x.size() == 0 ? 0 : x.cwiseAbs().maxCoeff(); }

/// What forward dynamics finds solves the dense equations, lambda the shortest of all.
void expect_dense(const Robot& robot, const Vector& guess, double tolerance) {
  ConstrainedDynamics dyn(robot);
  Dynamics open(robot);
  const int n = robot.nv(), m = dyn.rows();
  const Assembly closed = dyn.assemble(guess);
  ASSERT_TRUE(closed.converged);
  const Vector v = dyn.project(closed.q, Vector::LinSpaced(n, -1, 1));
  const Vector tau = Vector::LinSpaced(n, 1, -1);
  const Surroundings around{.passive = false};
  const ConstrainedForward found = dyn.forward(closed.q, v, tau, around);
  ASSERT_GT(found.rank_margin, 1e-3);
  dyn.set_path(ConstrainedPath::factors);
  const ConstrainedForward same = dyn.forward(closed.q, v, tau, around);
  EXPECT_LE(largest_entry(found.a - same.a), tolerance * largest_entry(same.a));
  EXPECT_LE(largest_entry(found.lambda - same.lambda), tolerance * largest_entry(same.lambda));
  const Matrix M = open.mass(closed.q), A = dyn.jacobian(closed.q);
  const Vector b = open.inverse(closed.q, v, Vector::Zero(n), around);
  const double size = largest_entry(M) * largest_entry(found.a) + largest_entry(b);
  EXPECT_LE(largest_entry(M * found.a + b - tau - A.transpose() * found.lambda), 1e-11 * size);
  const Vector rate = A * found.a + dyn.bias(closed.q, v);
  EXPECT_LE(largest_entry(rate), 1e-11 * largest_entry(A) * largest_entry(found.a) * n);
  EXPECT_LE(found.residual, 1e-11 * largest_entry(A) * largest_entry(found.a) * n);
  Matrix K = Matrix::Zero(n + m, n + m);
  K << M, -A.transpose(), A, Matrix::Zero(m, m);
  Vector right(n + m);
  right << tau - b, -dyn.bias(closed.q, v);
  Eigen::CompleteOrthogonalDecomposition<Matrix> dense(K);
  dense.setThreshold(1e-9);
  const Vector exact = dense.solve(right);
  EXPECT_LE(largest_entry(found.a - exact.head(n)), tolerance * largest_entry(exact.head(n)));
  EXPECT_LE(largest_entry(found.lambda - exact.tail(m)), tolerance * largest_entry(exact.tail(m)));
  EXPECT_EQ(found.rank, dyn.rank());
  EXPECT_LE(found.redundancy_defect, 1e-9);
}

ClusterStorage clusters_of(const Robot& robot) {
  ConstrainedDynamics dyn(robot);
  const LoopLists lists(robot);
  ClusterStorage found;
  std::vector<int> picked;
  for (int k = 0; k < dyn.rank(); ++k) picked.push_back(5 * (k / 2) + 2 + k % 2);
  found.list(robot, lists, picked);
  return found;
}

TEST(Clusters, OfFourBarsAreTheirThreeBars) {
  const Robot robot(generate_four_bars(4));
  const ClusterStorage found = clusters_of(robot);
  ASSERT_TRUE(found.serves());
  ASSERT_EQ(found.view().count, 4);
  for (int k = 0; k < 4; ++k) {
    const LoopCluster& c = found.view().cluster[k];
    EXPECT_EQ(c.n, 3);
    EXPECT_EQ(c.m, 5);
    EXPECT_EQ(c.carrier, k == 0 ? 0 : 3 * k - 1);
  }
  EXPECT_FALSE(clusters_of(Robot(generate_four_bars(1))).serves());
}

TEST(Clusters, SolveTheDenseEquations) {
  for (const int branches : {1, 2, 3})
    for (const int n : {2, 5, 9}) {
      const Robot robot(generate_four_bars(n, branches));
      const std::vector<double> closed = robot.closed();
      expect_dense(
          robot, Vector::Map(closed.data(), robot.nq()) + Vector::LinSpaced(robot.nq(), 0.1, -0.1),
          1e-9);
    }
}

/// Bodies of other kinds between the linkages, on a free base, two loops in one cluster.
TEST(Clusters, StandAmongOtherJoints) {
  RobotDescription made = generate_four_bars(4, 2);
  for (JointDescription& joint : made.joints) {
    if (joint.name != "crank_3" && joint.name != "crank_4") continue;
    // a wrist between this linkage and the coupler that carries it
    const std::string wrist = "wrist_" + joint.name.substr(6), on = joint.parent;
    LinkDescription link = made.links[1];
    link.name = wrist;
    JointDescription ball;
    ball.name = ball.child = wrist;
    ball.parent = on;
    ball.geometry.kind = JointKind::spherical;
    made.links.push_back(link);
    for (JointDescription& other : made.joints)
      if (other.parent == on && other.name.substr(0, 8) != "coupler_" && other.child != wrist)
        other.parent = wrist;
    made.joints.push_back(ball);
    break;
  }
  LoopDescription brace = made.loops[0];
  brace.name = "brace";
  brace.kind = LoopKind::spherical;
  made.loops.push_back(brace);
  JointDescription base;
  base.name = "floating";
  base.child = "base";
  base.parent = "world";
  base.geometry.kind = JointKind::free;
  LinkDescription world;
  world.name = "world";
  made.links.insert(made.links.begin(), world);
  made.joints.push_back(base);
  const Robot robot(made);
  ASSERT_TRUE(clusters_of(robot).serves());
  const std::vector<double> closed = robot.closed();
  expect_dense(robot, Vector::Map(closed.data(), robot.nq()), 1e-9);
}

}  // namespace
}  // namespace jounce::test
