// SPDX-License-Identifier: BSD-3-Clause
// Laws on numbers whose length is known when the program runs: orders beside one another, across
// the border to them and across the orders that have room on the stack.
#include <gtest/gtest.h>

#include <jounce/algorithm/coordinate_series.hpp>
#include <jounce/equations/bushings.hpp>
#include <jounce/series.hpp>

#include "model/random_bushings.hpp"
#include "series/series_case.hpp"
#include "support/allocation_guard.hpp"

namespace jounce {
namespace {

using Eigen::MatrixXd;
constexpr int highest = 24, borders[] = {3, 4, 5, 6, 16, 17, 23};

/// Joints of every kind, custom ones too, springs on all of them, wrenches in all axes.
struct AnyOrderCase {
  explicit AnyOrderCase(std::uint64_t seed, bool mimic)
      : robot(test::series_robot(
            seed, {.bodies = 8, .sound = true, .passive = seed % 2 == 0, .mimic = mimic})),
        q(robot.random(seed)),
        rng(seed),
        // at 0.01 rad/s friction is no step, whose derivatives would hide all others
        motion(test::random_columns(rng, robot.nv(), highest + 2) * (seed % 2 == 0 ? 0.01 : 1)) {
    for (const auto in : {Representation::body, Representation::hybrid, Representation::space}) {
      std::vector<Wrench<double>>& F = pushes.emplace_back();
      for (int k = 0; k < highest; ++k) F.push_back(rng.wrench());
      external.push_back({FrameId(int(rng.uniform(0, double(robot.frames().size())))), {}, in});
    }
    for (size_t k = 0; k < external.size(); ++k) external[k].derivatives = pushes[k];
  }

  Robot robot;
  std::vector<double> q;
  test::Random rng;
  MatrixXd motion;
  std::vector<std::vector<Wrench<double>>> pushes;
  std::vector<OutsideWrenchSeries> external;
};

/// The coefficients below do not know of those above.
TEST(AnyOrder, LowerOrdersAreTheFirstColumns) {
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    const AnyOrderCase c(seed, seed % 3 == 0);
    if (c.robot.nv() == 0) continue;
    const SeriesSurroundings around{.wrenches = c.external};
    const MatrixXd taus = Series(c.robot, highest).inverse(c.q, c.motion, around);
    for (const int order : borders) {
      const MatrixXd low =
          Series(c.robot, order).inverse(c.q, c.motion.leftCols(order + 2), around);
      EXPECT_LE(test::column_error(low, taus.leftCols(order + 1)), 1e-11) << seed << " " << order;
    }
  }
}

/// Motion that forces of high orders give, back as forces, up to rounding of the largest derivative
/// of that order that there is.
TEST(AnyOrder, ForwardAndHybridReturnTheForces) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const AnyOrderCase c(seed, seed % 3 == 0);
    const int n = c.robot.nv(), order = 20;
    if (n == 0) continue;
    Series series(c.robot, order);
    const MatrixXd motion = c.motion.leftCols(order + 2), taus = series.inverse(c.q, motion);
    const auto prescribed = std::make_unique<bool[]>(size_t(n));
    for (int j = 0; j < n; j += 2) prescribed[size_t(j)] = true;
    const HybridSeriesResult mixed =
        series.hybrid({prescribed.get(), size_t(n)}, c.q, motion, taus);
    const MatrixXd again = series.inverse(c.q, mixed.motion);
    for (int k = 0; k <= order; ++k)
      EXPECT_LE(test::largest(again.col(k) - MatrixXd(mixed.taus).col(k)),
                1e-7 * (test::largest(taus.col(k)) + test::largest(mixed.motion.col(k + 1))))
          << seed << " order " << k;
  }
}

TEST(AnyOrder, NothingIsAllocatedOnceARoomHasGrown) {
  const AnyOrderCase c(6, false);
  Series series(c.robot, highest);
  MatrixXd taus = series.inverse(c.q, c.motion, {.wrenches = c.external});
  const test::NoAllocation scope;
  series.inverse(c.q, c.motion, {.wrenches = c.external}, into(taus));
}

/// The law on Taylor numbers beside what Series adds for it.
TEST(AnyOrder, BushingsAreTheLawOnTaylorNumbers) {
  using Number = Taylor<double, highest>;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    test::RobotInMotion c(seed, seed % 4 >= 2, 2 + int(seed % 7));
    const Robot robot(test::with_bushings(c.robot, c.q, c.rng));
    const int n = robot.nv();
    const MatrixXd motion = test::random_columns(c.rng, n, highest + 2);
    const System<double>& s = robot.system();
    std::vector<Number> q(c.q.begin(), c.q.end()), v, tau(static_cast<size_t>(n));
    for (int j = 0; j < n; ++j) v.push_back(test::to_taylor<highest>(motion.row(j)));
    for (const Factor& f : factors(s))
      for (int k = 0; k < highest; ++k) extend_coordinates(f, k, v.data() + f.v, q.data() + f.q);
    BushingRoom<Number> room(s);
    add_bushing_forces<double, Number>(s, q.data(), v.data(), 1, room, tau.data());
    const MatrixXd found = Series(robot, highest).inverse(c.q, motion);
    const MatrixXd bare = Series(c.robot, highest).inverse(c.q, motion);
    for (int k = 0; k <= highest; ++k)
      for (int j = 0; j < n; ++j)
        EXPECT_NEAR(found(j, k) - bare(j, k), tau[size_t(j)].c[k] * test::factorial(k),
                    1e-9 * (1 + test::largest(found.col(k)) + test::largest(bare.col(k))))
            << seed << " order " << k;
  }
}

}  // namespace
}  // namespace jounce
