// SPDX-License-Identifier: BSD-3-Clause
// Dynamics of any order: order 0 against the ordinary calls, higher orders
// against samples of them along the motion, passive forces against Taylor numbers.
#include <gtest/gtest.h>

#include <functional>
#include <jounce/algorithm/inverse_series.hpp>
#include <memory>

#include "series/series_case.hpp"
#include "support/allocation_guard.hpp"
#include "support/dense.hpp"
#include "support/message.hpp"
#include "support/within.hpp"

namespace jounce {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::factorial;
using test::largest;
using test::message;

struct Case {
  Case(std::uint64_t seed, int order_, test::SeriesOptions options)
      : robot(test::series_robot(seed, options)),
        dynamics(robot),
        series(robot, order_),
        order(order_),
        rng(seed) {
    const std::vector<double> start = robot.random(seed);
    q = VectorXd::Map(start.data(), robot.nq());
    motion = test::random_columns(rng, robot.nv(), order + 2);
    taus = test::random_columns(rng, robot.nv(), order + 1);
    for (int k = 0; k < 3; ++k) {
      for (int n = 0; n <= order; ++n) wrenches[k].push_back(rng.wrench());
      external.push_back({FrameId(int(rng.uniform(0, double(robot.frames().size())))), wrenches[k],
                          Representation(k)});
    }
    if (seed % 4 != 0) external.resize(1);  // in body axes alone
    prescribed = std::make_unique<bool[]>(size_t(robot.nv()));
    for (int j = 0; j < robot.nv(); ++j) prescribed[size_t(j)] = rng.uniform() < 0.5;
  }
  std::span<const bool> flags() const { return {prescribed.get(), size_t(robot.nv())}; }
  std::vector<OutsideWrench<double>> external_at(double t) const {
    std::vector<OutsideWrench<double>> now;
    for (const OutsideWrenchSeries& one : external) {
      Wrench<double> F{};
      for (int k = 0; k < int(one.derivatives.size()); ++k)
        F += one.derivatives[size_t(k)] * (std::pow(t, k) / factorial(k));
      now.push_back({one.frame, F, one.in});
    }
    return now;
  }

  Robot robot;
  Dynamics dynamics;
  Series series;
  int order;
  test::Random rng;
  VectorXd q;
  MatrixXd motion, taus;
  std::vector<Wrench<double>> wrenches[3];
  std::vector<OutsideWrenchSeries> external;
  std::unique_ptr<bool[]> prescribed;
};

TEST(SeriesDynamics, OrderZeroIsTheOrdinaryCalls) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Case c(seed, 0, {.sound = true, .passive = seed % 2 == 0, .mimic = seed % 5 == 0});
    if (c.robot.nv() == 0) continue;
    const Twist<double> ground[] = {c.rng.twist(), c.rng.twist()};
    const std::vector<OutsideWrench<double>> wrenches = c.external_at(0);
    const Surroundings now{.wrenches = wrenches, .ground = Ground<double>{ground[0], ground[1]}};
    const SeriesSurroundings around{.wrenches = c.external, .ground = ground};
    const VectorXd v = c.motion.col(0), a = c.motion.col(1), tau = c.taus.col(0);
    const VectorXd expected = c.dynamics.inverse(c.q, v, a, now);
    const VectorXd found = c.series.inverse(c.q, c.motion, around).col(0);
    EXPECT_TRUE(test::within(1e-12 * largest(expected), found, expected, seed));
    if (c.robot.has_mimic()) continue;
    const VectorXd by_forward = c.dynamics.forward(c.q, v, tau, now);
    const MatrixXd motion = c.series.forward(c.q, v, c.taus, around);
    EXPECT_TRUE(test::within(0, motion.col(0), v));
    EXPECT_TRUE(test::within(1e-9 * largest(by_forward), motion.col(1), by_forward, seed));
    const HybridResult hybrid = c.dynamics.hybrid(c.flags(), c.q, v, a, tau, now);
    const HybridSeriesResult series = c.series.hybrid(c.flags(), c.q, c.motion, c.taus, around);
    EXPECT_TRUE(test::within(1e-9 * largest(hybrid.a), series.motion.col(1), hybrid.a, seed));
    EXPECT_TRUE(test::within(1e-9 * largest(hybrid.tau), series.taus.col(0), hybrid.tau, seed));
  }
}

RobotDescription without_friction(RobotDescription robot) {
  for (JointDescription& joint : robot.joints) joint.properties.friction.clear();
  return robot;
}

/// x(t) of a series of derivatives.
VectorXd at(const MatrixXd& derivatives, double t) {
  VectorXd x = VectorXd::Zero(derivatives.rows());
  for (Eigen::Index k = 0; k < derivatives.cols(); ++k)
    x += derivatives.col(k) * (std::pow(t, k) / factorial(int(k)));
  return x;
}

/// Derivatives of what `call` gives at time t, by a polynomial through 13 samples.
MatrixXd derivatives_by_sampling(int rows, int order, const std::function<VectorXd(double)>& call) {
  constexpr int nodes = 13;
  constexpr double width = 0.1;
  MatrixXd powers(nodes, nodes), samples(nodes, rows);
  for (int n = 0; n < nodes; ++n) {
    const double x = std::cos(test::pi * (n + 0.5) / nodes);
    for (int k = 0; k < nodes; ++k) powers(n, k) = std::pow(x, k);
    samples.row(n) = call(width * x).transpose();
  }
  const MatrixXd coefficients = test::solve(powers, samples);
  MatrixXd found(rows, order + 1);
  for (int k = 0; k <= order; ++k)
    found.col(k) = coefficients.row(k).transpose() * (factorial(k) / std::pow(width, k));
  return found;
}

/// Tree coordinates as functions of time, with quaternions brought back to unit length.
struct Path {
  Path(const Robot& robot, const VectorXd& q, const MatrixXd& motion)
      : robot_(robot), state_(robot.model(), q.data(), motion) {}
  VectorXd operator()(double t) const {
    VectorXd q(robot_.nq());
    for (int j = 0; j < robot_.nq(); ++j) {
      q[j] = 0;
      for (int k = 14; k >= 0; --k) q[j] = q[j] * t + state_.q[size_t(j)].c[k];
    }
    robot_.normalize({q.data(), size_t(q.size())});
    return q;
  }

 private:
  const Robot& robot_;
  test::TaylorState<14> state_;
};

/// Springs on every manifold, damping, armature, wrenches in all three frames. The samples see none
/// of the recursions of higher order; 13 nodes over 0.2 s leave 1e-9 at order 0 and lose a factor
/// 30 per derivative.
TEST(SeriesDynamics, EqualsSamplesOfInverseAlongTheMotion) {
  constexpr int order = 4;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Case c(seed, order, {.bodies = 6, .passive = true});
    const Robot robot(without_friction(c.robot.description()));
    if (robot.nv() == 0) continue;
    Dynamics dynamics(robot);
    const Path q(robot, c.q, c.motion);
    const MatrixXd found = Series(robot, order).inverse(c.q, c.motion, {.wrenches = c.external});
    const MatrixXd accelerations = c.motion.rightCols(order + 1);
    const MatrixXd expected = derivatives_by_sampling(robot.nv(), order, [&](double t) {
      const std::vector<OutsideWrench<double>> wrenches = c.external_at(t);
      return VectorXd(
          dynamics.inverse(q(t), at(c.motion, t), at(accelerations, t), {.wrenches = wrenches}));
    });
    for (int k = 0; k <= order; ++k)
      EXPECT_TRUE(test::within(2e-9 * std::pow(30, k) * largest(expected.col(k)), found.col(k),
                               expected.col(k)))
          << "seed " << seed << " order " << k;
  }
}

TEST(SeriesDynamics, MimicJointsShareForcesWithTheirLeader) {
  constexpr int order = 3;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Case c(seed, order, {.mimic = true});
    if (!c.robot.has_mimic()) continue;
    RobotDescription uncoupled = c.robot.description();
    for (JointDescription& joint : uncoupled.joints) joint.mimic.reset();
    const Robot tree(uncoupled);
    const Coupling<double>& coupling = c.robot.system().coupling;
    VectorXd q(tree.nq());
    MatrixXd motion(tree.nv(), order + 2), folded = MatrixXd::Zero(c.robot.nv(), order + 1);
    for (int j = 0; j < tree.nq(); ++j)
      q[j] = coupling.q_ratio[size_t(j)] * c.q[coupling.q_source[size_t(j)]] +
             coupling.q_offset[size_t(j)];
    for (int j = 0; j < tree.nv(); ++j)
      motion.row(j) = coupling.v_ratio[size_t(j)] * c.motion.row(coupling.v_source[size_t(j)]);
    const MatrixXd taus = Series(tree, order).inverse(q, motion);
    for (int j = 0; j < tree.nv(); ++j)
      folded.row(coupling.v_source[size_t(j)]) += coupling.v_ratio[size_t(j)] * taus.row(j);
    EXPECT_LE(test::column_error(c.series.inverse(c.q, c.motion), folded), 1e-12) << seed;
  }
}

/// f tanh(v / 0.01) by Taylor numbers; the rest of tau does not change with friction.
TEST(SeriesDynamics, FrictionIsTheSeriesOfTanh) {
  constexpr int order = 6;
  RobotDescription description = generate_chain(3);
  for (JointDescription& joint : description.joints)
    joint.properties = {.damping = {0.3}, .friction = {0.2}};
  Series series(Robot(description), order);
  test::Random rng(3);
  MatrixXd motion = test::random_columns(rng, 3, order + 2) * 0.01;
  const VectorXd q = VectorXd::Constant(3, 0.4);
  const MatrixXd with = series.inverse(q, motion);
  const MatrixXd without = series.inverse(q, motion, {.passive = false});
  for (int j = 0; j < 3; ++j) {
    const auto v = test::to_taylor<order>(motion.row(j));
    const auto expected = v * 0.3 + tanh(v / 0.01) * 0.2;
    for (int k = 0; k <= order; ++k)
      EXPECT_NEAR(with(j, k) - without(j, k), expected.c[k] * factorial(k),
                  1e-12 * (1 + std::abs(with(j, k))))
          << j << " " << k;
  }
}

/// Forward and hybrid undo inverse, passive forces and wrenches included: by the residual.
TEST(SeriesDynamics, ForwardAndHybridSatisfyInverse) {
  constexpr int order = 5;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Case c(seed, order, {.bodies = 5, .sound = true, .passive = seed % 2 == 0});
    const Robot robot(without_friction(c.robot.description()));
    if (robot.nv() == 0) continue;
    Series series(robot, order);
    std::vector<Twist<double>> base;
    for (int k = 0; k < order + 2; ++k) base.push_back(c.rng.twist());
    const SeriesSurroundings around{.wrenches = c.external, .ground = base};
    const MatrixXd forward = series.forward(c.q, c.motion.col(0), c.taus, around);
    const MatrixXd taus = series.inverse(c.q, forward, around);
    const HybridSeriesResult hybrid = series.hybrid(c.flags(), c.q, c.motion, c.taus, around);
    const MatrixXd motion = hybrid.motion, mixed = hybrid.taus;
    const MatrixXd again = series.inverse(c.q, motion, around);
    for (int k = 0; k <= order; ++k) {
      const double size = 1 + largest(forward.leftCols(k + 2)),
                   mix = 1 + largest(motion.leftCols(k + 2));
      EXPECT_TRUE(test::within(1e-11 * size, taus.col(k), c.taus.col(k), seed)) << "order " << k;
      EXPECT_TRUE(test::within(1e-11 * (mix + largest(mixed)), again.col(k), mixed.col(k), seed))
          << "order " << k;
      for (int j = 0; j < robot.nv(); ++j)
        EXPECT_DOUBLE_EQ(c.prescribed[size_t(j)] ? motion(j, k + 1) : 0,
                         c.prescribed[size_t(j)] ? c.motion(j, k + 1) : 0);
    }
  }
}

/// A torque about the axis of planar_2r's first joint is a wrench on its link, which the ground
/// answers; what is not given is zero.
TEST(SeriesDynamics, JointTorqueIsAWrenchAboutTheAxis) {
  constexpr int order = 3;
  Series series(load("builtin:planar_2r"), order);
  const Robot& robot = series.robot();
  const JointInfo& joint = robot.joints()[0];
  test::Random rng(7);
  const MatrixXd motion = test::random_columns(rng, 2, order + 2);
  MatrixXd torques = MatrixXd::Zero(2, order);
  std::vector<Wrench<double>> wrenches;
  const Vec3<double> axis = robot.description().joints[0].geometry.axes[0];
  for (int k = 0; k < order; ++k) {
    torques(joint.v, k) = rng.uniform(-1, 1);
    wrenches.push_back({axis * torques(joint.v, k), {}});
  }
  const OutsideWrenchSeries on_link{robot.frame(robot.description().joints[0].child), wrenches};
  const VectorXd q{{0.3, -0.8}};
  const MatrixXd expected = series.inverse(q, motion, {.wrenches = {&on_link, 1}});
  const MatrixXd found = series.inverse(q, motion, {.joint_torques = torques});
  EXPECT_LE(test::column_error(found, expected), 1e-13);
  EXPECT_GT(largest(found - series.inverse(q, motion)), 0.1);
}

/// They add to what the actuators give, in every one of the three.
TEST(SeriesDynamics, JointTorquesHelpTheActuators) {
  constexpr int order = 4;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Case c(seed, order, {.bodies = 6, .sound = true, .passive = seed % 2 == 0});
    const int nv = c.robot.nv();
    if (nv == 0) continue;
    Series& s = c.series;
    const MatrixXd torques = test::random_columns(c.rng, nv, 1 + int(seed % 5));
    MatrixXd all = MatrixXd::Zero(nv, order + 1);
    all.leftCols(torques.cols()) = torques;
    const VectorXd v = c.motion.col(0);
    const SeriesSurroundings outside{.wrenches = c.external},
        around{.wrenches = c.external, .joint_torques = torques};
    const MatrixXd without = s.inverse(c.q, c.motion, outside);
    const MatrixXd with = s.inverse(c.q, c.motion, around);
    const MatrixXd alone = s.forward(c.q, v, c.taus + all, outside);
    const MatrixXd helped = s.forward(c.q, v, c.taus, around);
    const HybridSeriesResult one = s.hybrid(c.flags(), c.q, c.motion, c.taus + all, outside);
    const MatrixXd motion = one.motion, taus = one.taus - all;
    const HybridSeriesResult two = s.hybrid(c.flags(), c.q, c.motion, c.taus, around);
    for (int k = 0; k <= order; ++k) {  // orders build on one another: rounding grows with them
      const double tolerance = 1e-13 * std::pow(30, k);
      const auto scale = [&](const MatrixXd& x) {
        return tolerance * (1 + largest(x.leftCols(k + 1)));
      };
      EXPECT_TRUE(test::within(scale(without), with.col(k), (without - all).col(k), seed));
      EXPECT_LE(largest((helped - alone).col(k + 1)), scale(alone.rightCols(order + 1))) << seed;
      EXPECT_LE(largest((two.motion - motion).col(k + 1)), scale(motion.rightCols(order + 1)));
      EXPECT_LE(largest((two.taus - taus).col(k)), scale(taus)) << seed;
    }
  }
}

/// In lanes and by the reference, to the highest order; order 8 and below are unrolled, 9 is not.
/// Rounding grows by about a half per order: 2e-11 at order 13.
TEST(SeriesDynamics, LanesEqualTheReference) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const int order = int(seed % 17);
    Case c(seed, order, {});
    const Model<double>& m = c.robot.model();
    SeriesStorage<double> storage(m, order);
    SeriesWorkspace<double>& w = storage.view();
    for (int k = 0; k <= order + 1; ++k)
      for (int j = 0; j < m.nv; ++j) w.v[k][j] = c.motion(j, k) / factorial(k);
    start_series(m, c.q.data(), w);
    start_ground<double, double>(m, nullptr, order, w);
    inverse_series(m, c.q.data(), order, w);
    MatrixXd expected(m.nv, order + 1);
    for (int k = 0; k <= order; ++k)
      for (int j = 0; j < m.nv; ++j) expected(j, k) = w.tau[k][j] * factorial(k);
    const MatrixXd found = c.series.inverse(c.q, c.motion);
    EXPECT_LE(test::column_error(found, expected), order <= 8 ? 1e-11 : 1e-9) << seed;
  }
}

TEST(SeriesDynamics, AllocatesNothing) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Case c(seed, 6, {.sound = true, .passive = true});
    const VectorXd v = c.motion.col(0);
    MatrixXd motion = c.motion, taus = c.taus;
    test::NoAllocation scope;
    const SeriesSurroundings around{.wrenches = c.external, .joint_torques = c.taus};
    c.series.inverse(c.q, c.motion, around, into(taus));
    c.series.forward(c.q, v, c.taus, around, into(motion));
    c.series.hybrid(c.flags(), c.q, c.motion, c.taus, around, into(motion), into(taus));
  }
}

/// Orders without an end: of an arm of revolute joints, whose coordinates are sums of powers,
/// against rnea on Taylor numbers; forward dynamics undoes it. Derivatives grow with the order, so
/// that errors are of each order's own size; the worst of forward is off by its conditioning.
TEST(SeriesDynamics, HighOrdersEqualTaylorNumbers) {
  constexpr int order = 24;
  using Number = Taylor<double, order>;
  const Robot arm = load("builtin:arm7");
  const Model<double>& m = arm.model();
  test::Random rng(3);
  const std::vector<double> start = arm.random(3);
  const VectorXd q = VectorXd::Map(start.data(), 7);
  const MatrixXd motion = test::random_columns(rng, 7, order + 2);
  std::vector<Number> x(7), v(7), a(7), zero(7);
  for (size_t j = 0; j < 7; ++j) {
    x[j] = Number(q[Eigen::Index(j)]);
    for (int k = 0; k <= order; ++k) {
      const auto at = [&](int l) { return motion(Eigen::Index(j), l) / factorial(l); };
      v[j].c[k] = at(k);
      a[j].c[k] = (k + 1) * at(k + 1);
      if (k < order) x[j].c[k + 1] = at(k) / (k + 1);
    }
  }
  std::vector<Wrench<Number>> none(size_t(m.bodies));
  WorkspaceStorage<Number> storage(m);
  storage.view().V[0] = {};
  storage.view().Vdot[0] = {{}, -detail::as<Number>(m.gravity)};
  rnea(m, State<Number>{x.data(), v.data(), a.data(), zero.data(), none.data()}, storage.view());
  Series series(arm, order);
  const MatrixXd taus = series.inverse(q, motion, {.passive = false});
  for (int k = 0; k <= order; ++k)
    for (int j = 0; j < 7; ++j)
      EXPECT_NEAR(taus(j, k), storage.view().tau[j].c[k] * factorial(k),
                  1e-11 * largest(VectorXd(taus.col(k))))
          << j << " " << k;
  const MatrixXd again = series.forward(q, motion.col(0), taus, {.passive = false});
  const MatrixXd forces = series.inverse(q, again, {.passive = false});
  for (int k = 0; k <= order; ++k)
    EXPECT_TRUE(test::within(1e-8 * largest(VectorXd(taus.col(k))), forces.col(k), taus.col(k)))
        << k;
}

TEST(SeriesDynamics, RefusesBadInput) {
  const Robot arm = load("builtin:arm7");
  EXPECT_EQ(message([&] { Series(arm, -1); }), "Series: order is -1, needs 0 or more");
  Series series(arm, 2);
  EXPECT_EQ(series.order(), 2);
  const VectorXd q = VectorXd::Zero(7);
  MatrixXd motion = MatrixXd::Zero(7, 4);
  const MatrixXd taus = MatrixXd::Zero(7, 3);
  EXPECT_EQ(
      message([&] { series.inverse(q, MatrixXd::Zero(7, 5)); }),
      "inverse_series: order is 3, above the highest there is room for, 2: make it with order 3");
  EXPECT_EQ(message([&] { series.inverse(q, MatrixXd::Zero(7, 1)); }),
            "inverse_series: motion has 1 column, needs 2 or more");
  EXPECT_EQ(
      message([&] { series.forward(q, q, MatrixXd::Zero(7, 4)); }),
      "forward_series: order is 3, above the highest there is room for, 2: make it with order 3");
  EXPECT_EQ(message([&] { series.forward(q, q, MatrixXd::Zero(6, 3)); }),
            "forward_series: taus has 6 rows, robot \"arm7\" needs 7");
  EXPECT_EQ(message([&] { series.hybrid({}, q, motion, taus); }),
            "hybrid_series: prescribed has 0 elements, robot \"arm7\" needs 7");
  const std::vector<Twist<double>> base(5);
  EXPECT_EQ(message([&] { series.inverse(q, motion, {.ground = base}); }),
            "inverse_series: ground has 5 derivatives, there is room for 4");
  motion(2, 1) = NAN;
  EXPECT_EQ(message([&] { series.inverse(q, motion); }), "inverse_series: motion(2, 1) is NaN");
  EXPECT_EQ(message([&] {
              series.inverse(q, MatrixXd::Zero(7, 2), {.joint_torques = MatrixXd::Zero(6, 1)});
            }),
            "inverse_series: joint_torques has 6 rows, robot \"arm7\" needs 7");
  EXPECT_EQ(message([&] { series.forward(q, q, taus, {.joint_torques = motion}); }),
            "forward_series: joint_torques(2, 1) is NaN");
  const Wrench<double> bad{{INFINITY, 0, 0}, {}};
  const OutsideWrenchSeries external{FrameId(0), {&bad, 1}};
  EXPECT_EQ(message([&] {
              series.inverse(q, MatrixXd::Zero(7, 2), {.wrenches = {&external, 1}});
            }),
            "inverse_series: wrenches[0] on \"" + arm.frames()[0].name +
                "\", derivative 0, is not finite");
  RobotDescription massless = generate_chain(2);
  massless.links.back() = {.name = massless.links.back().name};
  Series light{Robot(massless), 0};
  const VectorXd two = VectorXd::Zero(2);
  EXPECT_EQ(message([&] { light.forward(two, two, MatrixXd::Zero(2, 1)); }),
            "forward_series: joint \"joint_2\" moves link \"" + massless.links.back().name +
                "\", which has no mass");
}

}  // namespace
}  // namespace jounce
