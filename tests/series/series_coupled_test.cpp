// SPDX-License-Identifier: BSD-3-Clause
// Forward and hybrid dynamics of any order with mimic joints: order 0 against the ordinary calls,
// all orders against Newton-Euler on Taylor numbers.
#include <gtest/gtest.h>

#include <memory>

#include "series/series_case.hpp"
#include "support/allocation_guard.hpp"
#include "support/message.hpp"
#include "support/scale.hpp"
#include "support/within.hpp"

namespace jounce {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::largest;

constexpr int order = 4;

struct Case {
  explicit Case(std::uint64_t seed)
      : robot(test::series_robot(seed, {.bodies = 8, .sound = true, .mimic = true})),
        dynamics(robot),
        series(robot, order),
        rng(seed) {
    const std::vector<double> start = robot.random(seed);
    q = VectorXd::Map(start.data(), robot.nq());
    motion = test::random_columns(rng, robot.nv(), order + 2);
    taus = test::random_columns(rng, robot.nv(), order + 1);
    torques = test::random_columns(rng, robot.nv(), 2);
    for (int k = 0; k <= order; ++k) wrenches.push_back(rng.wrench());
    external = {FrameId(int(rng.uniform(0, double(robot.frames().size())))), wrenches,
                Representation(seed % 3)};
    prescribed = std::make_unique<bool[]>(size_t(robot.nv()));
    for (int j = 0; j < robot.nv(); ++j) prescribed[size_t(j)] = rng.uniform() < 0.5;
  }
  std::span<const bool> flags() const { return {prescribed.get(), size_t(robot.nv())}; }

  /// tau, tau', ... of a motion: the tree's by Newton-Euler on Taylor numbers, then shared.
  MatrixXd by_taylor(const MatrixXd& of) const {
    using Real = Taylor<double, order>;
    const Model<double>& m = robot.model();
    const Coupling<double>& c = robot.system().coupling;
    VectorXd tree_q(m.nq);
    MatrixXd tree(m.nv, of.cols());
    for (int j = 0; j < m.nq; ++j)
      tree_q[j] = c.q_ratio[size_t(j)] * q[c.q_source[size_t(j)]] + c.q_offset[size_t(j)];
    for (int j = 0; j < m.nv; ++j)
      tree.row(j) = c.v_ratio[size_t(j)] * of.row(c.v_source[size_t(j)]);
    const test::TaylorState<order> state(m, tree_q.data(), tree);
    WorkspaceStorage<Real> storage(m);
    storage.view().V[0] = {};
    storage.view().Vdot[0] = minus_gravity<Real>(m);
    rnea(m, state.view(), storage.view());
    MatrixXd found = MatrixXd::Zero(robot.nv(), order + 1);
    for (int j = 0; j < m.nv; ++j)
      for (int k = 0; k <= order; ++k)
        found(c.v_source[size_t(j)], k) +=
            c.v_ratio[size_t(j)] * storage.view().tau[j].c[k] * test::factorial(k);
    return found;
  }

  Robot robot;
  Dynamics dynamics;
  Series series;
  test::Random rng;
  VectorXd q;
  MatrixXd motion, taus, torques;
  std::vector<Wrench<double>> wrenches;
  OutsideWrenchSeries external;
  std::unique_ptr<bool[]> prescribed;
};

/// f(case, seed) for robots that have mimic joints.
template <class F>
void for_each_case(F f) {
  for (std::uint64_t seed = 0; seed < test::scaled<std::uint64_t>(60); ++seed) {
    Case c(seed);
    if (c.robot.has_mimic()) f(c, seed);
  }
}

TEST(SeriesCoupled, OrderZeroIsTheOrdinaryCalls) {
  for_each_case([](Case& c, std::uint64_t seed) {
    const Twist<double> ground[] = {c.rng.twist(), c.rng.twist()};
    const Ground<double> moving{ground[0], ground[1]};
    const OutsideWrench<double> now{c.external.frame, c.wrenches[0], c.external.in};
    const VectorXd v = c.motion.col(0), a = c.motion.col(1), tau = c.taus.col(0);
    const VectorXd forward =
        c.dynamics.forward(c.q, v, tau, {.wrenches = {&now, 1}, .ground = moving});
    const SeriesSurroundings around{.wrenches = {&c.external, 1}, .ground = ground};
    const MatrixXd motion = c.series.forward(c.q, v, c.taus.leftCols(1), around);
    EXPECT_TRUE(test::within(0, motion.col(0), v));
    EXPECT_TRUE(test::within(1e-10 * largest(forward), motion.col(1), forward, seed));
    const HybridResult hybrid =
        c.dynamics.hybrid(c.flags(), c.q, v, a, tau, {.wrenches = {&now, 1}, .ground = moving});
    const HybridSeriesResult series =
        c.series.hybrid(c.flags(), c.q, c.motion.leftCols(2), c.taus.leftCols(1), around);
    EXPECT_TRUE(test::within(1e-10 * largest(hybrid.a), series.motion.col(1), hybrid.a, seed));
    EXPECT_TRUE(test::within(1e-10 * largest(hybrid.tau), series.taus.col(0), hybrid.tau, seed));
  });
}

/// The motion found, run through Newton-Euler on Taylor numbers, gives the forces back. The scale
/// is the motion's, which grows with the order where a robot is light.
TEST(SeriesCoupled, MotionGivesTheForcesBackInTaylorNumbers) {
  for_each_case([](Case& c, std::uint64_t seed) {
    const VectorXd v = c.motion.col(0);
    const MatrixXd forward = c.series.forward(c.q, v, c.taus);
    const MatrixXd forces = c.by_taylor(forward);
    const HybridSeriesResult found = c.series.hybrid(c.flags(), c.q, c.motion, c.taus);
    const MatrixXd motion = found.motion, taus = found.taus, again = c.by_taylor(motion);
    for (int k = 0; k <= order; ++k) {
      EXPECT_LE(largest((forces - c.taus).col(k)), 1e-12 * (1 + largest(forward.leftCols(k + 2))))
          << seed << " order " << k;
      EXPECT_LE(largest((again - taus).col(k)),
                1e-12 * (1 + largest(motion.leftCols(k + 2)) + largest(taus.leftCols(k + 1))))
          << seed << " order " << k;
      for (int j = 0; j < c.robot.nv(); ++j) {
        if (c.prescribed[size_t(j)]) EXPECT_DOUBLE_EQ(motion(j, k + 1), c.motion(j, k + 1));
        else EXPECT_DOUBLE_EQ(taus(j, k), c.taus(j, k));
      }
    }
  });
}

/// Wrenches and torques from outside, damping and springs, on a moving ground: by the residual of
/// Series::inverse, which has them in its own test.
TEST(SeriesCoupled, OutsideForcesAndPassiveJointsSatisfyInverse) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Case c(seed);
    RobotDescription description = c.robot.description();
    for (JointDescription& joint : description.joints)
      if (joint.geometry.kind == JointKind::revolute)
        joint.properties = {.armature = {0.1}, .damping = {0.3}, .stiffness = {2.0}};
    const Robot robot(description);
    if (!robot.has_mimic()) continue;
    Series series(robot, order);
    std::vector<Twist<double>> base;
    for (int k = 0; k < order + 2; ++k) base.push_back(c.rng.twist());
    const SeriesSurroundings around{
        .wrenches = {&c.external, 1}, .ground = base, .joint_torques = c.torques};
    const HybridSeriesResult found = series.hybrid(c.flags(), c.q, c.motion, c.taus, around);
    const MatrixXd motion = found.motion, taus = found.taus;
    const MatrixXd again = series.inverse(c.q, motion, around);
    for (int k = 0; k <= order; ++k)
      EXPECT_LE(largest((again - taus).col(k)),
                1e-12 * (1 + largest(motion.leftCols(k + 2)) + largest(taus.leftCols(k + 1))))
          << seed << " order " << k;
  }
}

TEST(SeriesCoupled, AllocatesNothing) {
  for_each_case([](Case& c, std::uint64_t) {
    const VectorXd v = c.motion.col(0);
    MatrixXd motion = c.motion, taus = c.taus;
    const test::NoAllocation scope;
    const SeriesSurroundings around{.wrenches = {&c.external, 1}, .joint_torques = c.torques};
    c.series.forward(c.q, v, c.taus, around, into(motion));
    c.series.hybrid(c.flags(), c.q, c.motion, c.taus, around, into(motion), into(taus));
  });
}

TEST(SeriesCoupled, NamesTheJointThatMovesNoMass) {
  RobotDescription light = generate_chain(3);
  light.joints[1].mimic = Mimic{light.joints[0].name, 1, 0};
  light.links.back() = {.name = light.links.back().name};
  Series series{Robot(light), 0};
  const VectorXd two = VectorXd::Zero(2);
  EXPECT_EQ(test::message([&] { series.forward(two, two, MatrixXd::Zero(2, 1)); }),
            "forward_series: joint \"joint_3\" moves link \"" + light.links.back().name +
                "\", which has no mass");
}

}  // namespace
}  // namespace jounce
