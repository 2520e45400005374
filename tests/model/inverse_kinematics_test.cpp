// SPDX-License-Identifier: BSD-3-Clause
// Inverse kinematics: success rate on reachable poses, limits, several goals, preferences,
// unreachable and singular targets, velocities with two priorities.
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <jounce/group/eigen.hpp>
#include <jounce/inverse_kinematics.hpp>
#include <jounce/model/operations.hpp>

#include "support/dense.hpp"
#include "support/message.hpp"
#include "support/scale.hpp"

namespace jounce {
namespace {

using test::message;
using Vector = Eigen::VectorXd;

struct Arm {
  Robot robot = load("builtin:arm7");
  FrameId flange = robot.frame("flange");
  Kinematics kinematics{robot};
  InverseKinematics ik{robot};

  SE3<double> pose_at(const VectorArg& q) { return kinematics.at(q).pose(flange); }
  double distance(const VectorArg& q, const SE3<double>& T) {
    const Twist<double> e = log(inverse_times(pose_at(q), T));
    return std::hypot(norm(e.w), norm(e.v));
  }
  bool within_limits(const Vector& q) const {
    for (int k = 0; k < robot.nv(); ++k)
      if (q[k] < robot.limits().lower[size_t(k)] || q[k] > robot.limits().upper[size_t(k)])
        return false;
    return true;
  }
};

TEST(InverseKinematics, SolvesReachablePosesWithinLimits) {
  Arm arm;
  const int poses = std::max(100, test::scaled(10000));
  int solved = 0;
  for (int k = 0; k < poses; ++k) {
    const SE3<double> T = arm.pose_at(arm.robot.random(std::uint64_t(k)));
    const IkResult found = arm.ik.solve({{arm.flange, T}}, arm.robot.neutral());
    if (!found.converged) continue;
    ++solved;
    EXPECT_TRUE(arm.within_limits(found.q)) << k;
    EXPECT_LT(arm.distance(found.q, T), 1e-8) << k;
  }
  RecordProperty("solved", solved);
  EXPECT_GE(solved, 0.99 * poses);
}

TEST(InverseKinematics, UnreachableEndsWithTheNearestPoseFound) {
  Arm arm;
  const SE3<double> far{{}, {5, 0, 0.3}};
  const IkResult found =
      arm.ik.solve({{arm.flange, far, 0, 1}}, arm.robot.neutral());  // position only
  EXPECT_FALSE(found.converged);
  EXPECT_TRUE(found.q.allFinite());
  EXPECT_TRUE(arm.within_limits(found.q));
  const Vec3<double> p = arm.pose_at(found.q).p;
  EXPECT_NEAR(norm(p - far.p), found.residual, 1e-9);
  for (std::uint64_t seed = 0; seed < 2000; ++seed)  // no random configuration comes nearer
    EXPECT_GT(norm(arm.pose_at(arm.robot.random(seed)).p - far.p), found.residual - 1e-3);
}

TEST(InverseKinematics, SingularTargetIsReached) {
  Arm arm;
  std::vector<double> straight = arm.robot.neutral();
  const SE3<double> T = arm.pose_at(straight);
  const IkResult found = arm.ik.solve({{arm.flange, T}}, arm.robot.random(3));
  EXPECT_TRUE(found.q.allFinite());
  EXPECT_TRUE(found.converged) << found.residual;
}

TEST(InverseKinematics, TwoFeetOfAQuadruped) {
  const Robot robot = load("builtin:quadruped");
  Kinematics kinematics(robot);
  InverseKinematics ik(robot);
  std::vector<PoseGoal> goals;
  std::vector<double> target = robot.random(11);
  kinematics.at(target);
  const auto last = int(robot.description().links.size()) - 1;
  for (const FrameId frame : {FrameId(0), FrameId(last)})
    goals.push_back({frame, kinematics.pose(frame)});
  const IkResult found = ik.solve(goals, robot.neutral());
  EXPECT_TRUE(found.converged);
  kinematics.at(found.q);
  for (const PoseGoal& goal : goals) {
    const Twist<double> e = log(inverse_times(kinematics.pose(goal.frame), goal.pose));
    EXPECT_LT(norm(e.w) + norm(e.v), 1e-8);
  }
}

TEST(InverseKinematics, PreferenceMovesInTheNullSpace) {
  Arm arm;
  const SE3<double> T = arm.pose_at(arm.robot.random(8));
  const IkResult plain = arm.ik.solve({{arm.flange, T}}, arm.robot.random(9));
  ASSERT_TRUE(plain.converged);
  const Vector start = plain.q;
  IkOptions options;
  options.preferred = arm.robot.neutral();
  const IkResult preferred = arm.ik.solve({{arm.flange, T}}, start, options);
  ASSERT_TRUE(preferred.converged);
  EXPECT_LT(arm.distance(preferred.q, T), 1e-8);
  EXPECT_LT(preferred.q.norm(), start.norm() - 1e-3);
}

TEST(InverseKinematics, WeightZeroLeavesTheOrientationFree) {
  Arm arm;
  const Vec3<double> p = arm.pose_at(arm.robot.random(4)).p;
  const IkResult found = arm.ik.solve({{arm.flange, {{}, p}, 0, 1}}, arm.robot.neutral());
  ASSERT_TRUE(found.converged);
  EXPECT_LT(norm(arm.pose_at(found.q).p - p), 1e-9);
}

TEST(InverseKinematics, VelocityReachesThePrimaryTwistAndThenTheSecondary) {
  Arm arm;
  const FrameId elbow = arm.robot.frame(arm.robot.description().links[4].name);
  int regular = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::vector<double> q = arm.robot.random(seed);
    const TwistGoal first[] = {
        {arm.flange, {{0.1, 0, 0.2}, {0.1, -0.2, 0}}, Representation::hybrid}};
    const TwistGoal second[] = {{elbow, {{0, 0, 1}, {}}, Representation::hybrid}};
    const VelocityResult alone = arm.ik.velocity(q, first);
    const Vector v_alone = alone.v;
    const Eigen::MatrixXd J = arm.kinematics.at(q).jacobian_hybrid(arm.flange);
    const Eigen::MatrixXd J_T = J.transpose();
    if (test::symmetric_eigenvalues(test::product(J, J_T))[0] < 0.03 * 0.03) continue;
    ++regular;
    EXPECT_LT(alone.primary_error, 1e-9) << seed;
    const VelocityResult both = arm.ik.velocity(q, first, second);
    EXPECT_LT(both.primary_error, 1e-8) << seed;
    const Eigen::MatrixXd J_2 = arm.kinematics.jacobian_hybrid(elbow);
    const Vector wanted = to_eigen(second[0].twist);
    EXPECT_LE(both.secondary_error, (J_2 * v_alone - wanted).norm() + 1e-9) << seed;
    EXPECT_NEAR(both.secondary_error, (J_2 * both.v - wanted).norm(), 1e-9) << seed;
  }
  EXPECT_GT(regular, 10);
}

/// Three components of six: what counts is met, and nothing is spent on the rest, v = J_3^T x.
TEST(InverseKinematics, VelocityByComponents) {
  Arm arm;
  const std::vector<double> q = arm.robot.random(3);
  TwistGoal goal{arm.flange, {{9, 9, 0.3}, {0.1, 9, -0.2}}, Representation::hybrid};
  goal.components = {false, false, true, true, false, true};
  const VelocityResult found = arm.ik.velocity(q, {&goal, 1});
  const Eigen::MatrixXd J = arm.kinematics.at(q).jacobian_hybrid(arm.flange);
  const std::vector<int> rows{2, 3, 5};
  const Eigen::MatrixXd J_3 = J(rows, Eigen::all), J_T = J_3.transpose();
  const Eigen::Vector3d wanted(0.3, 0.1, -0.2);
  EXPECT_LT((J_3 * found.v - wanted).norm(), 1e-12);
  EXPECT_LT(found.primary_error, 1e-12);
  const Eigen::MatrixXd least = J_T * test::solve_positive(test::product(J_3, J_T), wanted);
  EXPECT_LT((found.v - least.col(0)).norm(), 1e-11);
}

TEST(InverseKinematics, VelocityStaysBoundedAtASingularity) {
  Arm arm;
  const std::vector<double> q = arm.robot.neutral();  // stretched: the arm cannot move outward
  const TwistGoal outward[] = {{arm.flange, {{}, {0, 0, 1}}, Representation::hybrid}};
  const VelocityResult found = arm.ik.velocity(q, outward);
  EXPECT_TRUE(found.v.allFinite());
  EXPECT_LT(found.v.norm(), 100);
}

/// A goal far outside is approached as near as a search among many configurations comes: the
/// residual is that of the way, which a turn of the flange does not change.
TEST(InverseKinematics, FarGoalsAreApproached) {
  Arm arm;
  for (const Vec3<double> direction : {Vec3<double>{1, 0, 0}, Vec3<double>{0, 1, 0},
                                       Vec3<double>{0.6, 0, 0.8}, Vec3<double>{-0.48, 0.64, -0.6}})
    for (const double distance : {10.0, 1000.0}) {
      const PoseGoal goal{arm.flange, {{}, direction * distance}};
      const IkResult found = arm.ik.solve({goal}, arm.robot.neutral());
      EXPECT_FALSE(found.converged);
      double best = 1e300;
      for (std::uint64_t k = 0; k < 3000; ++k) {
        const SE3<double> T = arm.pose_at(arm.robot.random(k));
        best = std::min(best, std::hypot(norm(log(T.R)), norm(goal.pose.p - T.p)));
      }
      EXPECT_LE(found.residual, best) << distance << ' ' << direction.x;
      EXPECT_TRUE(arm.within_limits(found.q));
    }
}

TEST(InverseKinematics, RefusesBadInput) {
  Arm arm;
  const std::vector<double> q = arm.robot.neutral(), wrong(3);
  EXPECT_EQ(message([&] {
              arm.ik.solve({{arm.flange, {{}, {0, -1e155, 0}}}}, q);
            }),
            "ik: a goal's weight times its distance is 1e+155, needs to be at most 1e+100");
  EXPECT_EQ(message([&] {
              arm.ik.solve({{arm.flange, {}, 1e200, 1}}, q);
            }),
            "ik: a goal's weight times its distance is 1e+200, needs to be at most 1e+100");
  EXPECT_EQ(message([&] {
              arm.ik.solve({{arm.flange, {{}, {0, 0, 1e99}}}}, q, {.max_restarts = 1});
            }),
            "no error");
  EXPECT_EQ(message([&] {
              arm.ik.solve({{arm.flange, {}}}, wrong);
            }),
            "ik: q_guess has 3 elements, robot \"" + arm.robot.name() + "\" needs 7");
  EXPECT_EQ(message([&] { arm.ik.solve(std::span<const PoseGoal>{}, q); }),
            "ik: no goal was given");
  EXPECT_EQ(message([&] {
              arm.ik.solve({{arm.flange, {{}, {NAN, 0, 0}}}}, q);
            }),
            "ik: the goal's pose is not finite");
  const auto scaled = [](double s) { return SO3<double>{{{{s, 0, 0}, {0, s, 0}, {0, 0, s}}}}; };
  const auto refusal = [&](const SO3<double>& R) {
    return message([&] { arm.ik.solve({{arm.flange, {R, {0.3, 0, 0.5}}}}, q); });
  };
  const std::string none = "ik: the goal's rotation is no rotation: R R^T is off by ";
  EXPECT_EQ(refusal(scaled(0)), none + "1, its determinant is 0");
  EXPECT_EQ(refusal(scaled(2)), none + "3, its determinant is 8");
  EXPECT_EQ(refusal(scaled(-1)), none + "0, its determinant is -1");
  EXPECT_EQ(refusal(scaled(NAN)), "ik: the goal's pose is not finite");
  EXPECT_EQ(refusal(scaled(1 + 2e-7)), "no error");  // rounding of a file
  EXPECT_EQ(message([&] {
              arm.ik.solve({{arm.flange, {}, -1, 1}}, q);
            }),
            "ik: weights must be finite and not negative");
  IkOptions options;
  options.max_restarts = -1;
  EXPECT_EQ(message([&] {
              arm.ik.solve({{arm.flange, {}}}, q, options);
            }),
            "ik: max_iterations and max_restarts must not be negative");
  options = {};
  options.tolerance = NAN;
  EXPECT_EQ(message([&] {
              arm.ik.solve({{arm.flange, {}}}, q, options);
            }),
            "ik: tolerance must be positive");
  EXPECT_EQ(message([&] { arm.ik.velocity(q, {}); }), "ik velocity: no goal was given");
}

}  // namespace
}  // namespace jounce
