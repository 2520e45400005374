// SPDX-License-Identifier: BSD-3-Clause
// Series of robots with many small loops: by clusters, and by factors of the whole.
#include <gtest/gtest.h>

#include <jounce/constrained_series.hpp>

#include "constraints/cluster_robots.hpp"

namespace jounce::test {
namespace {

using Matrix = Eigen::MatrixXd;

Matrix forces(int n, int order) {
  Matrix taus(n, order + 1);
  for (int k = 0; k <= order; ++k) taus.col(k) = Eigen::VectorXd::LinSpaced(n, 0.3, 0.1 * k - 0.2);
  return taus;
}
void expect_same_series(const ConstrainedSeriesResult& x, const ConstrainedSeriesResult& y,
                        double tolerance, const std::string& what) {
  for (int k = 0; k < Matrix(y.taus).cols(); ++k) {
    EXPECT_TRUE(same(x.motion.col(k + 1), y.motion.col(k + 1), tolerance)) << what << k;
    EXPECT_TRUE(same(x.taus.col(k), y.taus.col(k), tolerance)) << what << k;
    EXPECT_TRUE(same(x.lambdas.col(k), y.lambdas.col(k), tolerance)) << what << k;
  }
}
/// Forward dynamics, and hybrid dynamics with some cranks prescribed, on both paths; and whether
/// numbers tell that paths differ.
bool expect_same_on_both_paths(const ClusteredState& x, int order, double tolerance) {
  const Matrix taus = forces(x.robot.nv(), order);
  ConstrainedSeries series(x.robot, order);
  const auto run = [&] {
    const SeriesSurroundings around = x.world.around_series();
    const ConstrainedSeriesResult forward = series.forward(x.q, x.v, taus, around, x.contacts);
    return std::pair(forward, series.hybrid(x.prescribed(), x.q, Matrix(forward.motion) * 0.9, taus,
                                            around, x.contacts));
  };
  const auto found = run();
  series.set_path(ConstrainedPath::factors);
  const auto exact = run();
  const std::string name = x.robot.name() + ", contacts " + std::to_string(x.contacts.size());
  expect_same_series(found.first, exact.first, tolerance, name + ", forward, order ");
  expect_same_series(found.second, exact.second, tolerance, name + ", hybrid, order ");
  return largest(found.first.motion - exact.first.motion) > 0 &&
         largest(found.second.motion - exact.second.motion) > 0;
}

TEST(ClusterSeries, AreThoseOfFactors) {
  on_clustered_robots({1, 4, 16}, [](ClusteredState x) {
    x.prescribe_cranks(3);
    EXPECT_TRUE(expect_same_on_both_paths(x, 4, 1e-9)) << x.robot.name();
  });
}
/// Where forward dynamics itself is known to 1e-9: the two are 1e-8 apart at the second order.
TEST(ClusterSeries, OfManyLinkages) {
  for (const int branches : {1, 2}) {
    ClusteredState x(Robot(generate_four_bars(64, branches)), {});
    x.prescribe_cranks(3);
    EXPECT_TRUE(expect_same_on_both_paths(x, 2, 1e-7));
  }
}
TEST(ClusterSeries, OfRandomLoops) {
  expect_clusters_of_all_kinds(
      [](ClusteredState& x) { return expect_same_on_both_paths(x, 3, 1e-9); });
}

/// A contact whose point moves in only two ways, and coordinates that strain loops.
TEST(ClusterSeries, LeaveWhatDependsOnLoopsToTheFactors) {
  const Robot robot(generate_four_bars(5, 2));
  ClusteredState held(robot, {{robot.frame("rocker_5"), LoopKind::point}});
  EXPECT_FALSE(expect_same_on_both_paths(held, 3, 1e-12));
  ClusteredState strained(robot, {});
  for (const JointInfo& joint : robot.joints()) strained.flags[size_t(joint.v)] = joint.v < 3;
  const Matrix taus = forces(robot.nv(), 2);
  ConstrainedSeries series(robot, 2);
  const auto motion = series.forward(strained.q, strained.v, taus).motion;
  const auto found = series.hybrid(strained.prescribed(), strained.q, motion, taus);
  series.set_path(ConstrainedPath::factors);
  const auto exact = series.hybrid(strained.prescribed(), strained.q, motion, taus);
  expect_same_series(found, exact, 0, "strained, order ");
}

}  // namespace
}  // namespace jounce::test
