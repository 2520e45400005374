// SPDX-License-Identifier: BSD-3-Clause
// Kim's passes over the open tree against ConstrainedDynamics, which solves with other factors.
#include <gtest/gtest.h>

#include <jounce/jounce.hpp>
#include <jounce/paper/constrained_passes.hpp>

#include "constraints/mechanisms.hpp"
#include "constraints/random_loops.hpp"
#include "support/message.hpp"

namespace jounce::test {
namespace {

using Vector = Eigen::VectorXd;

double largest_of(const Vector& x) { return x.size() == 0 ? 0 : x.cwiseAbs().maxCoeff(); }
void expect_same(const Vector& found, const Vector& exact, double scale, const char* what) {
  ASSERT_EQ(found.size(), exact.size());
  EXPECT_LE(largest_of(found - exact), 1e-9 * std::max(scale, largest_of(exact))) << what;
}

struct Held {
  explicit Held(int n) : flags(std::make_unique<bool[]>(size_t(n))), size(size_t(n)) {}
  operator std::span<const bool>() const { return {flags.get(), size}; }
  std::unique_ptr<bool[]> flags;
  size_t size;
};

class PassesOnRandomLoops : public testing::TestWithParam<int> {};

TEST_P(PassesOnRandomLoops, Forward) {
  LoopedRobot x(GetParam(), 1 + GetParam() % 3);
  const Surroundings around = x.motion.around();
  const ConstrainedForward f = x.dyn.forward(x.q, x.v, x.tau, around);
  if (f.rank_margin < 1e-2) return;
  const ForwardByPasses p = ConstrainedPasses(x.robot).forward(x.q, x.v, x.tau, around);
  const double open = largest_of(x.motion.dynamics.forward(x.q, x.v, x.tau, around));
  expect_same(p.a, f.a, open, "a");
  expect_same(p.lambda, f.lambda, 0, "lambda");
  EXPECT_EQ(p.passes.full, 1);
  EXPECT_EQ(p.passes.simplified, x.dyn.rows() > 0 ? f.rank + 1 : 0);
}

TEST_P(PassesOnRandomLoops, Hybrid) {
  LoopedRobot x(GetParam(), 1 + GetParam() % 3);
  const Surroundings around = x.motion.around();
  const ConstrainedForward f = x.dyn.forward(x.q, x.v, x.tau, around);
  const int n = x.robot.nv();
  // structures do not move at all: as large as without loops
  const double open_a = largest_of(x.motion.dynamics.forward(x.q, x.v, x.tau, around));
  for (const int every : {2, 3, n + 1}) {
    Held held(n);
    for (int k = 0; k < n; ++k) held.flags[size_t(k)] = (k + GetParam()) % every == 0;
    for (const Optimum optimum : {Optimum::force, Optimum::torque}) {
      const ConstrainedHybrid h = x.dyn.hybrid(held, x.q, x.v, f.a, x.tau, around, {}, optimum);
      if (h.rank_margin < 1e-2) continue;
      const HybridByPasses p =
          ConstrainedPasses(x.robot).hybrid(held, x.q, x.v, f.a, x.tau, around, {}, optimum);
      const double open = largest_of(x.motion.dynamics.inverse(x.q, x.v, f.a, around));
      expect_same(p.a, h.a, open_a, "a");
      expect_same(p.tau, h.tau, open, "tau");
      expect_same(p.lambda, h.lambda, open, "lambda");
      EXPECT_EQ(p.free_dimension, h.free_dimension);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, PassesOnRandomLoops, testing::Range(1, 41));

TEST(Passes, FiveBarWithEveryNumberOfMotors) {
  const Robot robot = load("builtin:five_bar");
  ConstrainedDynamics dyn(robot);
  ConstrainedPasses passes(robot);
  const Vector q = Eigen::Vector4d(2, -1.0187957003519148, 1, 1.0732881017505773);
  const Vector v = Eigen::Vector4d(1.5, -2.044528394613004, -0.7, 1.669196553413427);
  const Vector a = Eigen::Vector4d(3, -3.8797164317969806, -2, 4.311665324159879);
  const Vector none = Vector::Zero(4);
  const int unique_passes[] = {3, 3, 3, 2, 1};  // the rows that count in the coordinates v, and one
  for (int motors = 0; motors <= 4; ++motors) {
    const bool held[] = {motors > 0, motors > 2, motors > 1, motors > 3};
    for (const Optimum optimum : {Optimum::force, Optimum::torque}) {
      const ConstrainedHybrid h = dyn.hybrid(held, q, v, a, none, {}, {}, optimum);
      const HybridByPasses p = passes.hybrid(held, q, v, a, none, {}, {}, optimum);
      expect_same(p.a, h.a, 0, "a");
      expect_same(p.tau, h.tau, 0, "tau");
      expect_same(p.lambda, h.lambda, 0, "lambda");
      EXPECT_EQ(p.passes.full, 1);
      EXPECT_EQ(p.passes.simplified, unique_passes[motors]);
      EXPECT_EQ(p.free_dimension, std::max(0, motors - 2));
    }
  }
  const bool three[] = {true, true, true, false};
  EXPECT_EQ(message([&] { passes.hybrid(three, q, v, Eigen::Vector4d(3, 0, -2, 0), none); }),
            "ConstrainedPasses: the prescribed accelerations contradict the loops: what is left of "
            "A a + Adot v is 1.033078, needs 0");
}

TEST(Passes, AreAsManyAsRowsWhateverTheLength) {
  for (const int links : {5, 20, 80}) {
    const Robot robot(generate(
        {.shape = TreeShape::chain, .bodies = links, .kinds = {JointKind::revolute}, .seed = 3}));
    ConstrainedDynamics dyn(robot);
    const Contact tip[] = {{robot.frame(robot.description().links.back().name), LoopKind::point}};
    const std::vector<double> q = robot.random(4);
    const Vector v = dyn.project(q, Vector::Constant(links, 0.3), tip);
    const Vector tau = Vector::Constant(links, 0.2);
    const ConstrainedForward f = dyn.forward(q, v, tau, {}, tip);
    const ForwardByPasses p = ConstrainedPasses(robot).forward(q, v, tau, {}, tip);
    expect_same(p.a, f.a, 0, "a");
    expect_same(p.lambda, f.lambda, 0, "lambda");
    EXPECT_EQ(p.passes.full, 1);
    EXPECT_EQ(p.passes.simplified, 4);
  }
}

TEST(Passes, WithoutLoopsOneIsEnough) {
  const Robot robot = load("builtin:planar_2r");
  const Vector q = Eigen::Vector2d(0.3, 0.4), tau = Eigen::Vector2d(1, 2);
  const ForwardByPasses p = ConstrainedPasses(robot).forward(q, q, tau);
  expect_same(p.a, Dynamics(robot).forward(q, q, tau), 0, "a");
  EXPECT_EQ(p.passes.full, 1);
  EXPECT_EQ(p.passes.simplified, 0);
}

TEST(Passes, RefuseWhatTheyCannotRead) {
  const Robot robot = load("builtin:five_bar");
  ConstrainedPasses passes(robot);
  const Vector q = Vector::Zero(4), short_one = Vector::Zero(3);
  EXPECT_EQ(message([&] { passes.forward(q, q, short_one); }),
            "ConstrainedPasses: tau has 3 elements, robot \"five_bar\" needs 4");
  const bool few[] = {true};
  EXPECT_EQ(message([&] { passes.hybrid(few, q, q, q, q); }),
            "ConstrainedPasses: prescribed has 1 elements, robot \"five_bar\" needs 4");
}

}  // namespace
}  // namespace jounce::test
