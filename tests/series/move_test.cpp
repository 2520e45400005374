// SPDX-License-Identifier: BSD-3-Clause
// Moves of robots and what they take, against differences along them and other doors.
#include <gtest/gtest.h>

#include <jounce/dynamics.hpp>
#include <jounce/io.hpp>
#include <jounce/kinematics.hpp>
#include <jounce/model/generate.hpp>
#include <jounce/move.hpp>

namespace jounce {
namespace {

Robot random_tree(std::uint64_t seed) {
  return Robot(generate({.shape = TreeShape::random_tree,
                         .bodies = 5,
                         .kinds = {JointKind::revolute, JointKind::spherical, JointKind::planar},
                         .free_base = true,
                         .seed = seed}));
}

/// The largest difference of two columns, relative to the second one's largest entry above 1.
double difference(const double* x, const double* y, int n) {
  double most = 0, scale = 1;
  for (int i = 0; i < n; ++i) {
    most = std::max(most, std::abs(x[i] - y[i]));
    scale = std::max(scale, std::abs(y[i]));
  }
  return most / scale;
}

TEST(Move, IsItsOwnDerivativeOnEveryJoint) {
  for (std::uint64_t seed = 1; seed < 5; ++seed) {
    const Robot robot = random_tree(seed);
    const int n = robot.nv();
    const Move move = septic(robot.random(1), robot.random(2), 2.0);
    const double h = 1e-4;
    std::vector<double> q[3];
    dense::Matrix motion[3];
    for (int k = 0; k < 3; ++k) {
      q[k].resize(size_t(robot.nq()));
      motion[k] = {n, 3};
      move.at(robot, 0.7 + (k - 1) * h, q[k], {motion[k].data(), n, 3});
    }
    std::vector<double> v(size_t(robot.nv()));
    robot.difference(q[0], q[2], v);
    for (double& x : v) x /= 2 * h;
    EXPECT_LT(difference(v.data(), motion[1].column(0), n), 1e-6);  // h^2
    for (int k = 0; k < 2; ++k) {
      for (int i = 0; i < n; ++i) v[size_t(i)] = (motion[2](i, k) - motion[0](i, k)) / (2 * h);
      EXPECT_LT(difference(v.data(), motion[1].column(k + 1), n), 1e-6);
    }
  }
}

TEST(Along, ForcesAndTheirRates) {
  const Robot robot = random_tree(7);
  const Move move = septic(robot.random(1), robot.random(2), 2.0);
  const Along run = along(robot, move, {.points = 20001, .frames = {robot.frame("tool")}});
  Dynamics dynamics(robot);
  Kinematics kinematics(robot);
  const double h = run.t[1] - run.t[0];
  const int n = robot.nv();
  for (const int i : {1, 5000, 13370}) {
    const auto column = [&](const dense::Matrix& x) {
      return std::span<const double>(x.column(i), size_t(x.rows));
    };
    const Eigen::VectorXd tau = dynamics.inverse(column(run.q), column(run.v), column(run.a));
    EXPECT_LT(difference(run.tau.column(i), tau.data(), n), 1e-12);
    std::vector<double> rate(size_t(robot.nv()));
    for (int k = 0; k < n; ++k) rate[size_t(k)] = (run.tau(k, i + 1) - run.tau(k, i - 1)) / (2 * h);
    EXPECT_LT(difference(rate.data(), run.tau_rate.column(i), n), 1e-4);  // h^2 tau'''
    kinematics.at(column(run.q));
    EXPECT_EQ(norm(kinematics.pose(robot.frame("tool")).p - run.poses[size_t(i)].p), 0);
  }
}

TEST(Move, InterpolatesWhatIsGiven) {
  const std::vector<double> t = {0, 0.5, 2};
  Eigen::MatrixXd q = Eigen::MatrixXd::Random(3, 2), v = Eigen::MatrixXd::Random(3, 2),
                  a = Eigen::MatrixXd::Random(3, 2), jerk = Eigen::MatrixXd::Random(3, 2);
  const Move move = interpolate(t, q, v, a, jerk);
  for (int i = 0; i < 3; ++i) {
    dense::Matrix x(2, 4);
    move.derivatives(t[size_t(i)], {x.data(), 2, 4});
    for (int k = 0; k < 2; ++k) {
      EXPECT_NEAR(x(k, 0), q(i, k), 1e-12);
      EXPECT_NEAR(x(k, 1), v(i, k), 1e-11);
      EXPECT_NEAR(x(k, 2), a(i, k), 1e-9);
      EXPECT_NEAR(x(k, 3), jerk(i, k), 1e-8);
    }
  }
}

TEST(Along, TablesComeBackAndLimitsAreTold) {
  const Robot arm = load("builtin:arm7");
  const Along run = along(arm, septic(arm.neutral(), arm.random(3), 0.1), {.points = 21});
  EXPECT_FALSE(run.exceeded().empty());
  for (const std::string& bytes : {write_csv(run), write_npz(run)}) {
    const Along again = along(arm, read_motion(arm, bytes, "table"), {.points = 21});
    for (int i = 0; i < 21; ++i)
      EXPECT_LT(difference(again.tau_rate.column(i), run.tau_rate.column(i), 7), 1e-9);
  }
}

TEST(Move, RefusesWhatIsNone) {
  const Robot arm = load("builtin:arm7"), base = random_tree(1);
  EXPECT_THROW(septic({0, 1}, {0}, 1), InputError);
  EXPECT_THROW(septic({0, 1}, {0, 1}, -1), InputError);
  EXPECT_THROW(along(arm, septic({0, 1}, {0, 1}, 1)), InputError);
  EXPECT_THROW(along(arm, septic(arm.neutral(), arm.neutral(), 1), {.points = 1}), InputError);
  const Eigen::MatrixXd points = Eigen::MatrixXd::Zero(2, base.nq());
  EXPECT_THROW(along(base, spline({0, 1}, points)), InputError);
  EXPECT_THROW(spline({0, 1, 2}, points), InputError);
  EXPECT_THROW(read_motion(arm, "a,b\n1,2\n", "table"), InputError);
}

}  // namespace
}  // namespace jounce
