// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of poses, twists and Jacobians against Taylor numbers through the kinematics of order
// 0, on random trees of every kind of joint.
#include <gtest/gtest.h>

#include <jounce/algorithm/kinematics.hpp>
#include <jounce/group/matrices.hpp>
#include <jounce/kinematics.hpp>
#include <jounce/model/operations.hpp>

#include "series/series_case.hpp"
#include "support/allocation_guard.hpp"
#include "support/message.hpp"
#include "support/near.hpp"
#include "support/within.hpp"

namespace jounce {
namespace {

constexpr int order = 6;

/// Motions of a highest order.
template <int highest>
struct CaseOf {
  using Number = Taylor<double, highest + 1>;

  explicit CaseOf(std::uint64_t seed)
      : robot(test::series_robot(seed, {.bodies = 8})),
        kinematics(robot),
        series(robot, highest),
        q(robot.random(seed)),
        rng(seed),
        motion(test::random_columns(rng, robot.nv(), highest + 1)),
        state(robot.model(), q.data(), motion),
        storage(robot.model()),
        frame(FrameId(int(rng.uniform(0, double(robot.frames().size()))))) {
    series.at(q, motion);
    Workspace<Number>& w = storage.view();
    w.V[0] = {};
    forward_poses(robot.model(), state.view(), w);
    forward_twists(robot.model(), state.view(), w);
    const FrameInfo& info = robot.frame_info(frame);
    T = w.pose[info.body] * info.offset;
    V = Ad_inv(info.offset, w.V[info.body]);
  }

  Robot robot;
  Kinematics kinematics;
  KinematicSeries series;
  std::vector<double> q;
  test::Random rng;
  Eigen::MatrixXd motion;
  test::TaylorState<highest + 1> state;
  WorkspaceStorage<Number> storage;
  FrameId frame;
  SE3<Number> T;
  Twist<Number> V;
};
constexpr Representation all_kinds[] = {Representation::body, Representation::space,
                                        Representation::hybrid};
using Case = CaseOf<order>;
using Number = Case::Number;

template <class Value>
auto derivative(const Value& x, int k) {
  return test::map(x, [k](const auto& number) { return number.c[k] * test::factorial(k); });
}

/// Entries of one order differ by 1e-11 of the largest.
TEST(KinematicSeries, PosesAndTwistsEqualTaylorNumbers) {
  for (std::uint64_t seed = 1; seed < 60; ++seed) {
    const Case c(seed);
    for (int k = 0; k <= order + 1; ++k)
      EXPECT_TRUE(test::near(c.series.pose(c.frame, k), derivative(to_matrix(c.T), k), 1e-11, seed))
          << k;
    const Twist<Number> space = Ad(c.T, c.V), hybrid{c.T.R * c.V.w, c.T.R * c.V.v};
    for (int k = 0; k <= order; ++k) {
      const auto found = [&](Representation in) { return c.series.twist(c.frame, in, k); };
      EXPECT_TRUE(test::near(found(Representation::body), derivative(c.V, k), 1e-11, seed));
      EXPECT_TRUE(test::near(found(Representation::space), derivative(space, k), 1e-11, seed));
      EXPECT_TRUE(test::near(found(Representation::hybrid), derivative(hybrid, k), 1e-11, seed));
    }
  }
}

/// Relative to one metre or radian: derivatives of a constant Jacobian are zero.
TEST(KinematicSeries, JacobiansEqualTaylorNumbers) {
  for (std::uint64_t seed = 1; seed < 60; ++seed) {
    Case c(seed);
    const int nv = c.robot.nv();
    if (nv == 0) continue;
    std::vector<Number> J(size_t(6 * nv));
    for (const Representation in :
         {Representation::body, Representation::space, Representation::hybrid}) {
      const FrameInfo& info = c.robot.frame_info(c.frame);
      jacobian(c.robot.model(), c.storage.view(), info.body, info.offset, in, J.data());
      for (int k = 0; k <= order + 1; ++k) {
        Eigen::MatrixXd expected(6, nv);
        for (int n = 0; n < 6 * nv; ++n)
          expected(n % 6, n / 6) = J[size_t(n)].c[k] * test::factorial(k);
        const Eigen::MatrixXd found = c.series.jacobian(c.frame, in, k);
        const double size = test::largest(expected);
        EXPECT_TRUE(test::within(1e-11 * (1 + size), found, expected, seed));
      }
    }
  }
}

Eigen::VectorXd six(const Twist<double>& V) {
  return Eigen::Vector<double, 6>{V.w.x, V.w.y, V.w.z, V.v.x, V.v.y, V.v.z};
}

/// Of derivative k of a twist and of the pose: a twist in ground axes can be far smaller than what
/// it is a sum of, derivatives of the pose times those of the body twist.
double size_of(const Twist<double>& V, const Mat4<double>& pose) {
  double size = test::largest(six(V));
  for (int n = 0; n < 12; ++n) size = std::max(size, std::abs(pose(n / 4, n % 4)));
  return size;
}

/// In memory of another kind than lower orders.
TEST(KinematicSeries, OrdersAbove16EqualTaylorNumbersAndLowerOrders) {
  constexpr int high = 20;
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    CaseOf<high> c(seed);
    if (c.robot.nv() == 0) continue;
    KinematicSeries low(c.robot, 16);
    low.at(c.q, c.motion.leftCols(17));
    for (int k = 0; k <= high + 1; ++k) {
      const Mat4<double> pose = c.series.pose(c.frame, k);
      EXPECT_TRUE(test::near(pose, derivative(to_matrix(c.T), k), 1e-10, seed)) << k;
      if (k > 17) continue;
      EXPECT_TRUE(test::near(pose, low.pose(c.frame, k), 1e-12, seed)) << k;
    }
    const Twist<CaseOf<high>::Number> hybrid{c.T.R * c.V.w, c.T.R * c.V.v};
    for (int k = 0; k <= high; ++k) {
      const Twist<double> V = c.series.twist(c.frame, Representation::hybrid, k);
      const double size = size_of(V, c.series.pose(c.frame, k));
      EXPECT_TRUE(test::within(1e-10 * size, six(V), six(derivative(hybrid, k)), seed)) << k;
    }
    for (const Representation in : all_kinds) {
      const Eigen::MatrixXd J = c.series.jacobian(c.frame, in, 17);
      const Eigen::MatrixXd lower = low.jacobian(c.frame, in, 17);
      EXPECT_TRUE(test::within(1e-12 * (1 + test::largest(lower)), J, lower, seed));
    }
  }
}

/// V = J v, differentiated twenty times.
TEST(KinematicSeries, JacobiansAbove16GiveTwists) {
  constexpr int high = 20;
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    CaseOf<high> c(seed);
    for (const Representation in : all_kinds) {
      Eigen::VectorXd sum = Eigen::VectorXd::Zero(6);
      double choose = 1;
      for (int k = 0; k <= high; choose *= double(high - k) / (k + 1), ++k) {
        const Eigen::MatrixXd J = c.series.jacobian(c.frame, in, k);
        sum += choose * (J * c.motion.col(high - k));
      }
      const Twist<double> V = c.series.twist(c.frame, in, high);
      const double size = size_of(V, c.series.pose(c.frame, high));
      EXPECT_TRUE(test::within(1e-10 * size, sum, six(V), seed));
    }
  }
}

TEST(KinematicSeries, OrderOneIsTheRateOfTheOrdinaryCalls) {
  Case c(4);
  const Eigen::VectorXd v = c.motion.col(0), a = c.motion.col(1);
  c.kinematics.at(c.q, v, a);
  const Eigen::MatrixXd rate = c.kinematics.jacobian_space_rate(c.frame);
  const Eigen::MatrixXd found = c.series.jacobian(c.frame, Representation::space, 1);
  EXPECT_TRUE(test::within(1e-12 * test::largest(rate), rate, found));
  EXPECT_TRUE(test::near(c.series.twist(c.frame, Representation::body, 1),
                         c.kinematics.spatial_acceleration_body(c.frame), 1e-12));
}

/// A ground that moves is a free joint at the identity that is moved: a case on such a ground, and
/// the same robot on the joint, on a ground at rest.
struct CarriedCase : Case {
  explicit CarriedCase(std::uint64_t seed_)
      : Case(seed_),
        seed(seed_),
        carried(with_base(Robot(light()), JointKind::free)),
        carried_series(carried.robot(), order) {
    const Eigen::MatrixXd ground = test::random_columns(rng, 6, order + 1);
    carried_motion.resize(6 + robot.nv(), order + 1);
    carried_motion << ground, motion;
    carried_q.insert(carried_q.end(), q.begin(), q.end());
    for (int k = 0; k <= order; ++k)
      twists.push_back(
          {{ground(0, k), ground(1, k), ground(2, k)}, {ground(3, k), ground(4, k), ground(5, k)}});
    series.at(q, motion, twists);
    kinematics.at(q, motion.col(0), motion.col(1), Ground<double>{twists[0], twists[1]});
    carried_series.at(carried_q, carried_motion);
    carried.at(carried_q, carried_motion.col(0), carried_motion.col(1));
    there = carried.robot().frame(robot.frame_info(frame).name);
  }
  /// Without the mass of what is fixed to the ground.
  RobotDescription light() const {
    RobotDescription robot_ = robot.description();
    for (size_t k = 0; k < robot_.links.size(); ++k)
      if (robot.frames()[k].body == 0) robot_.links[k].mass = 0, robot_.links[k].I_com = {};
    return robot_;
  }
  template <class Value>
  void expect_same(const Value& found, const Value& needed) const {
    EXPECT_TRUE(test::near(found, needed, 1e-11, seed));
  }
  /// The columns of the robot's own joints.
  void expect_same_columns(const Eigen::MatrixXd& found, const Eigen::MatrixXd& needed) const {
    const Eigen::MatrixXd own = needed.rightCols(robot.nv());
    EXPECT_TRUE(test::within(1e-11 * (1 + test::largest(own)), found, own, seed));
  }

  std::uint64_t seed;
  std::vector<Twist<double>> twists;  ///< of the ground
  Kinematics carried;
  KinematicSeries carried_series;
  std::vector<double> carried_q = {0, 0, 0, 0, 0, 0, 1};
  Eigen::MatrixXd carried_motion;
  FrameId there{};
};

TEST(KinematicSeries, AMovingGroundIsAMovedFreeJoint) {
  for (std::uint64_t seed = 1; seed < 60; seed += 2) {  // odd: no free base of its own
    CarriedCase c(seed);
    for (int k = 0; k <= order + 1; ++k)
      c.expect_same(c.series.pose(c.frame, k), c.carried_series.pose(c.there, k));
    for (const Representation in : all_kinds) {
      for (int k = 0; k <= order; ++k)
        c.expect_same(c.series.twist(c.frame, in, k), c.carried_series.twist(c.there, in, k));
      for (int k = 0; k <= order + 1; ++k)
        c.expect_same_columns(c.series.jacobian(c.frame, in, k),
                              c.carried_series.jacobian(c.there, in, k));
    }
  }
}

TEST(KinematicSeries, RatesOnAMovingGroundAreThoseOfTheSeries) {
  for (std::uint64_t seed = 1; seed < 60; seed += 2) {
    CarriedCase c(seed);
    Kinematics &d = c.kinematics, &e = c.carried;
    KinematicSeries& s = c.series;
    for (const Representation in : all_kinds) {
      c.expect_same_columns(d.jacobian_rate(c.frame, in), e.jacobian_rate(c.there, in));
      const Eigen::MatrixXd rate = d.jacobian_rate(c.frame, in);
      c.expect_same_columns(s.jacobian(c.frame, in, 1), rate);
    }
    c.expect_same(d.spatial_acceleration_space(c.frame), e.spatial_acceleration_space(c.there));
    c.expect_same(d.spatial_acceleration_body(c.frame), s.twist(c.frame, Representation::body, 1));
    c.expect_same(d.spatial_acceleration_space(c.frame),
                  s.twist(c.frame, Representation::space, 1));
    c.expect_same(d.classical_acceleration_hybrid(c.frame),
                  s.twist(c.frame, Representation::hybrid, 1));
    if (c.robot.mass() == 0) continue;
    c.expect_same(d.com_velocity(), e.com_velocity());
    c.expect_same(d.com_acceleration(), e.com_acceleration());
  }
}

TEST(KinematicSeries, WrenchesInTheAxesOfAMovingGround) {
  for (std::uint64_t seed = 1; seed < 60; seed += 2) {
    CarriedCase c(seed);
    const std::vector<Wrench<double>> F = {c.rng.wrench(), c.rng.wrench(), c.rng.wrench()};
    for (const Representation in : all_kinds) {
      const OutsideWrenchSeries here{c.frame, F, in}, there{c.there, F, in};
      const Eigen::MatrixXd taus =
          Series(c.robot, order - 1)
              .inverse(c.q, c.motion, {.wrenches = {&here, 1}, .ground = c.twists});
      const Eigen::MatrixXd needed =
          Series(c.carried.robot(), order - 1)
              .inverse(c.carried_q, c.carried_motion, {.wrenches = {&there, 1}});
      EXPECT_LE(test::column_error(taus, needed.bottomRows(c.robot.nv())), 1e-10) << seed;
    }
  }
}

TEST(KinematicSeries, AllocatesNothing) {
  Case c(6);
  Eigen::MatrixXd J(6, c.robot.nv());
  test::NoAllocation scope;
  c.series.at(c.q, c.motion);
  c.series.pose(c.frame, order);
  c.series.twist(c.frame, Representation::space, order);
  c.series.jacobian(c.frame, Representation::body, order, into(J));
}

TEST(KinematicSeries, OrdersAbove16AllocateNothing) {
  CaseOf<20> c(6);
  test::NoAllocation scope;
  c.series.at(c.q, c.motion);
  c.series.pose(c.frame, 21);
  c.series.twist(c.frame, Representation::space, 20);
}

TEST(KinematicSeries, RefusesWhatItDoesNotKnow) {
  KinematicSeries series(load("builtin:arm7"), 1);
  const Eigen::VectorXd q = Eigen::VectorXd::Zero(7);
  const FrameId tip = series.robot().frame("flange");
  using test::message;
  EXPECT_EQ(message([&] { KinematicSeries(load("builtin:arm7"), -1); }),
            "KinematicSeries: order is -1, needs 0 or more");
  EXPECT_EQ(message([&] { series.pose(tip, 0); }), "pose: call at(q, motion) first");
  EXPECT_EQ(message([&] { series.at(q, Eigen::MatrixXd::Zero(7, 3)); }),
            "at: order is 2, above the highest there is room for, 1: make it with order 2");
  const Twist<double> ground[] = {{}, {{0, NAN, 0}, {}}};
  EXPECT_EQ(message([&] { series.at(q, Eigen::MatrixXd::Zero(7, 2), ground); }),
            "at: ground[1] is not finite");
  series.at(q, Eigen::MatrixXd::Zero(7, 2));
  EXPECT_EQ(message([&] { series.twist(tip, Representation::body, 2); }),
            "twist: order is 2, at left 0 to 1");
}

}  // namespace
}  // namespace jounce
