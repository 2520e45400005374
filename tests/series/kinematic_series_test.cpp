// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of poses, twists and Jacobians against Taylor numbers through the kinematics of order
// 0, on random trees of every kind of joint.
#include <gtest/gtest.h>

#include <jounce/algorithm/kinematics.hpp>
#include <jounce/group/matrices.hpp>

#include "series/series_case.hpp"
#include "support/allocation_guard.hpp"
#include "support/near.hpp"

namespace jounce {
namespace {

constexpr int order = 6;
using Number = Taylor<double, order + 1>;

struct Case {
  explicit Case(std::uint64_t seed)
      : robot(test::series_robot(seed, {.bodies = 8})),
        dynamics(robot),
        q(robot.random(seed)),
        rng(seed),
        motion(test::random_columns(rng, robot.nv(), order + 1)),
        state(robot.model(), q.data(), motion),
        storage(robot.model()),
        frame(FrameId(int(rng.uniform(0, double(robot.frames().size()))))) {
    dynamics.set_max_order(order);
    dynamics.kinematics_series(q, motion, order);
    Workspace<Number>& w = storage.view();
    w.V[0] = {};
    forward_poses(robot.model(), state.view(), w);
    forward_twists(robot.model(), state.view(), w);
    const FrameInfo& info = robot.frame_info(frame);
    T = w.pose[info.body] * info.offset;
    V = Ad_inv(info.offset, w.V[info.body]);
  }

  Robot robot;
  Dynamics dynamics;
  std::vector<double> q;
  test::Random rng;
  Eigen::MatrixXd motion;
  test::TaylorState<order + 1> state;
  WorkspaceStorage<Number> storage;
  FrameId frame;
  SE3<Number> T;
  Twist<Number> V;
};

template <class Value>
auto derivative(const Value& x, int k) {
  return test::map(x, [k](const Number& number) { return number.c[k] * test::factorial(k); });
}

/// Entries of one order differ by 1e-11 of the largest.
TEST(KinematicSeries, PosesAndTwistsEqualTaylorNumbers) {
  for (std::uint64_t seed = 1; seed < 60; ++seed) {
    const Case c(seed);
    for (int k = 0; k <= order + 1; ++k)
      EXPECT_TRUE(test::near(c.dynamics.pose_derivative(c.frame, k), derivative(to_matrix(c.T), k),
                             1e-11, seed))
          << k;
    const Twist<Number> space = Ad(c.T, c.V), hybrid{c.T.R * c.V.w, c.T.R * c.V.v};
    for (int k = 0; k <= order; ++k) {
      const auto found = [&](Representation in) {
        return c.dynamics.twist_derivative(c.frame, in, k);
      };
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
        const Eigen::MatrixXd found = c.dynamics.jacobian_derivative(c.frame, in, k);
        const double size = test::largest(expected);
        EXPECT_LE(test::largest(found - expected), 1e-11 * (1 + size)) << seed;
      }
    }
  }
}

TEST(KinematicSeries, OrderOneIsTheRateOfTheOrdinaryCalls) {
  Case c(4);
  const Eigen::VectorXd v = c.motion.col(0), a = c.motion.col(1);
  c.dynamics.kinematics(c.q, v, a);
  const Eigen::MatrixXd rate = c.dynamics.jacobian_space_rate(c.frame);
  const Eigen::MatrixXd found = c.dynamics.jacobian_derivative(c.frame, Representation::space, 1);
  EXPECT_LE(test::largest(rate - found), 1e-12 * test::largest(rate));
  EXPECT_TRUE(test::near(c.dynamics.twist_derivative(c.frame, Representation::body, 1),
                         c.dynamics.spatial_acceleration_body(c.frame), 1e-12));
}

TEST(KinematicSeries, AllocatesNothing) {
  Case c(6);
  test::NoAllocation scope;
  c.dynamics.kinematics_series(c.q, c.motion, order);
  c.dynamics.pose_derivative(c.frame, order);
  c.dynamics.twist_derivative(c.frame, Representation::space, order);
  c.dynamics.jacobian_derivative(c.frame, Representation::body, order);
}

TEST(KinematicSeries, RefusesWhatItDoesNotKnow) {
  Dynamics dynamics(load("builtin:arm7"));
  const Eigen::VectorXd q = Eigen::VectorXd::Zero(7);
  const FrameId tip = dynamics.robot().frame("flange");
  const auto message = [](auto call) -> std::string {
    try {
      call();
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message([&] { dynamics.pose_derivative(tip, 0); }),
            "pose_derivative: no kinematics_series since the last call that used its memory");
  EXPECT_EQ(message([&] { dynamics.kinematics_series(q, Eigen::MatrixXd::Zero(7, 2), 2); }),
            "kinematics_series: motion has 2 columns, order 2 needs 3");
  dynamics.kinematics_series(q, Eigen::MatrixXd::Zero(7, 2), 1);
  EXPECT_EQ(message([&] { dynamics.twist_derivative(tip, Representation::body, 2); }),
            "twist_derivative: order is 2, kinematics_series left 0 to 1");
  dynamics.inverse_series(q, Eigen::MatrixXd::Zero(7, 2));
  EXPECT_EQ(message([&] { dynamics.jacobian_derivative(tip, Representation::body, 0); }),
            "jacobian_derivative: no kinematics_series since the last call that used its memory");
}

}  // namespace
}  // namespace jounce
