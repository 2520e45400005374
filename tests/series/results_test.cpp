// SPDX-License-Identifier: BSD-3-Clause
// Results of higher order: the order that follows what is given, memory made before, what stays,
// and what is refused.
#include <gtest/gtest.h>

#include <memory>

#include "series/series_case.hpp"
#include "support/message.hpp"
#include "support/scale.hpp"
#include "support/within.hpp"

namespace jounce::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int top = 4;

struct ResultCase {
  explicit ResultCase(std::uint64_t seed)
      : robot(series_robot(seed, {.bodies = 8, .sound = true, .passive = true, .mimic = true})),
        series(robot, top),
        rng(seed),
        motion(random_columns(rng, robot.nv(), top + 2)),
        taus(random_columns(rng, robot.nv(), top + 1)),
        v(motion.col(0)),
        prescribed(std::make_unique<bool[]>(size_t(robot.nv()))) {
    const std::vector<double> start = robot.random(seed);
    q = VectorXd::Map(start.data(), robot.nq());
    for (int j = 0; j < robot.nv(); ++j) prescribed[size_t(j)] = rng.uniform() < 0.5;
  }
  std::span<const bool> flags() const { return {prescribed.get(), size_t(robot.nv())}; }

  Robot robot;
  Series series;
  Random rng;
  VectorXd q;
  MatrixXd motion, taus;
  VectorXd v;
  std::unique_ptr<bool[]> prescribed;
};

/// f(case, seed) for robots with and without mimic joints.
template <class F>
void for_each_case(F f) {
  for (std::uint64_t seed = 1; seed < scaled<std::uint64_t>(30); ++seed) {
    ResultCase c(seed);
    f(c, seed);
  }
}

/// r + 2 columns of a motion and r + 1 of forces are order r, on a door made for it and on one with
/// room for more. A derivative takes no part in those below it.
TEST(SeriesResults, OrderFollowsWhatIsGiven) {
  for_each_case([](ResultCase& c, std::uint64_t seed) {
    const MatrixXd inverse = c.series.inverse(c.q, c.motion),
                   forward = c.series.forward(c.q, c.v, c.taus);
    const HybridSeriesResult hybrid = c.series.hybrid(c.flags(), c.q, c.motion, c.taus);
    for (int r = 0; r < top; ++r) {
      Series own(c.robot, r);
      const MatrixXd motion = c.motion.leftCols(r + 2), taus = c.taus.leftCols(r + 1);
      for (Series* door : {&own, &c.series}) {
        EXPECT_TRUE(within(1e-13 * (1 + largest(inverse.leftCols(r + 1))),
                           door->inverse(c.q, motion), inverse.leftCols(r + 1), seed));
        EXPECT_TRUE(within(1e-10 * (1 + largest(forward.leftCols(r + 2))),
                           door->forward(c.q, c.v, taus), forward.leftCols(r + 2), seed));
        const HybridSeriesResult found = door->hybrid(c.flags(), c.q, motion, taus);
        EXPECT_TRUE(within(1e-10 * (1 + largest(hybrid.motion.leftCols(r + 2))), found.motion,
                           hybrid.motion.leftCols(r + 2), seed));
        EXPECT_TRUE(within(1e-10 * (1 + largest(hybrid.taus.leftCols(r + 1))), found.taus,
                           hybrid.taus.leftCols(r + 1), seed));
      }
    }
  });
}

/// Results are written after every argument has been read: one may be the other.
TEST(SeriesResults, IntoMemoryIsWhatIsReturned) {
  for_each_case([](ResultCase& c, std::uint64_t seed) {
    MatrixXd motion = c.motion, taus = c.taus;
    c.series.inverse(c.q, motion, {}, into(motion.leftCols(top + 1)));
    EXPECT_TRUE(within(0, motion.leftCols(top + 1), c.series.inverse(c.q, c.motion), seed));
    motion.leftCols(top + 1) = c.taus;
    c.series.forward(c.q, c.v, motion.leftCols(top + 1), {}, into(motion));
    EXPECT_TRUE(within(0, motion, c.series.forward(c.q, c.v, c.taus), seed));
    motion = c.motion;
    c.series.hybrid(c.flags(), c.q, motion, taus, {}, into(motion), into(taus));
    const HybridSeriesResult hybrid = c.series.hybrid(c.flags(), c.q, c.motion, c.taus);
    EXPECT_TRUE(within(0, motion, hybrid.motion, seed));
    EXPECT_TRUE(within(0, taus, hybrid.taus, seed));
  });
}

TEST(SeriesResults, StayAsTheyAre) {
  for_each_case([](ResultCase& c, std::uint64_t seed) {
    auto door = std::make_unique<Series>(c.robot, top);
    const OwnedMatrix kept = door->inverse(c.q, c.motion);
    const MatrixXd before = kept;
    door->inverse(c.q, 2 * c.motion);
    door->forward(c.q, c.v, c.taus);
    door.reset();
    EXPECT_TRUE(within(0, kept, before, seed));
  });
}

TEST(SeriesResults, OfAnotherSizeAreRefused) {
  Series series(load("builtin:arm7"), 2);
  KinematicSeries frames(series.robot(), 2);
  const VectorXd q = VectorXd::Zero(7);
  MatrixXd motion = MatrixXd::Zero(7, 4), taus = MatrixXd::Zero(7, 3), J(6, 6);
  EXPECT_EQ(message([&] { series.inverse(q, motion, {}, into(motion)); }),
            "inverse_series: into(taus) has 7 x 4, robot \"arm7\" needs 7 x 3");
  EXPECT_EQ(message([&] { series.forward(q, q, taus, {}, into(taus)); }),
            "forward_series: into(motion) has 7 x 3, robot \"arm7\" needs 7 x 4");
  const bool flags[7] = {};
  EXPECT_EQ(message([&] { series.hybrid(flags, q, motion, taus, {}, into(motion), into(motion)); }),
            "hybrid_series: into(taus) has 7 x 4, robot \"arm7\" needs 7 x 3");
  frames.at(q, motion.leftCols(3));
  EXPECT_EQ(message([&] { frames.jacobian(FrameId(3), Representation::body, 1, into(J)); }),
            "jacobian: into(J) has 6 x 6, robot \"arm7\" needs 6 x 7");
}

}  // namespace
}  // namespace jounce::test
