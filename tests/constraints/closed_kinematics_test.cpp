// SPDX-License-Identifier: BSD-3-Clause
// Jacobians of closed mechanisms against differences of assemblies, their singular configurations
// where geometry tells them, and inverse kinematics on loops.
#include <gtest/gtest.h>

#include <jounce/jounce.hpp>

#include "constraints/mechanisms.hpp"
#include "constraints/random_loops.hpp"
#include "constraints/vectors.hpp"
#include "support/message.hpp"

namespace jounce::test {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

Robot five_bar_with_tip() {
  RobotDescription robot = read_robot("builtin:five_bar").robot;
  robot.frames.push_back({"tip", robot.loops[0].link_1, robot.loops[0].placement_1});
  return Robot(robot);
}
const Vector five_bar_q = Eigen::Vector4d(2, -1.0187957003519148, 1, 1.0732881017505773);

/// The body twist of a frame while one driven coordinate moves and the loops close again.
Vector twist_by_differences(const Robot& robot, const Vector& q, FrameId frame, int driven,
                            std::span<const bool> kept) {
  ConstrainedDynamics dyn(robot);
  Kinematics kin(robot);
  const double h = 1e-5;
  SE3<double> pose[2];
  for (int k = 0; k < 2; ++k) {
    Vector moved(robot.nq());
    const Vector step = Vector::Unit(robot.nv(), driven) * (k == 0 ? -h : h);
    robot.integrate(numbers(q), numbers(step), {moved.data(), size_t(moved.size())});
    const Assembly closed = dyn.assemble(moved, kept);
    EXPECT_TRUE(closed.converged);
    kin.at(closed.q);
    pose[k] = kin.pose(frame);
  }
  return to_eigen(log(inverse_times(pose[0], pose[1]))) / (2 * h);
}

TEST(ClosedKinematics, JacobiansAreDifferencesOfAssemblies) {
  struct Case {
    Robot robot;
    std::string frame;
    Vector q;
  };
  std::vector<Case> cases;
  const auto closed = [](const Robot& robot) {
    return Vector(ConstrainedDynamics(robot).assemble(robot.closed()).q);
  };
  cases.push_back({five_bar_with_tip(), "tip", five_bar_q});
  RobotDescription crank = slider_crank(0.7), spatial = bennett(0.9);
  crank.joints[0].actuated = spatial.joints[0].actuated = true;
  cases.push_back({Robot(crank), "slider", closed(Robot(crank))});
  cases.push_back({Robot(spatial), "two", closed(Robot(spatial))});
  const Robot stewart = load("builtin:stewart");
  cases.push_back({stewart, "platform", closed(stewart)});
  for (const Case& one : cases) {
    ClosedKinematics kin(one.robot);
    const FrameId frame = one.robot.frame(one.frame);
    const Matrix motion = kin.motion(one.q), J = kin.jacobian(one.q, frame);
    const std::span<const bool> motors = one.robot.actuated();
    ASSERT_EQ(J.cols(), std::count(motors.begin(), motors.end(), true));
    const Matrix A = ConstrainedDynamics(one.robot).jacobian(one.q);
    EXPECT_LE((A * motion).cwiseAbs().maxCoeff(), 1e-13) << one.robot.name();
    for (int k = 0, column = 0; k < one.robot.nv(); ++k) {
      if (!motors[size_t(k)]) continue;
      for (int j = 0, other = 0; j < one.robot.nv(); ++j)
        if (motors[size_t(j)]) {
          EXPECT_NEAR(motion(j, column), other++ == column ? 1 : 0, 1e-13);
        }
      const Vector twist = twist_by_differences(one.robot, one.q, frame, k, motors);
      EXPECT_LE((J.col(column) - twist).cwiseAbs().maxCoeff(), 1e-8 * (1 + J.cwiseAbs().maxCoeff()))
          << one.robot.name() << ", coordinate " << k;
      ++column;
    }
  }
}

TEST(ClosedKinematics, AnyIndependentCoordinatesMayDrive) {
  const Robot robot = five_bar_with_tip();
  ClosedKinematics kin(robot);
  const FrameId tip = robot.frame("tip");
  const bool elbows[] = {false, true, false, true}, three[] = {true, true, true, false};
  const bool one[] = {true, false, false, false}, none[] = {false, false, false, false};
  const Matrix by_motors = kin.jacobian(five_bar_q, tip),
               by_elbows = kin.jacobian(five_bar_q, tip, Representation::body, elbows);
  const Matrix motion = kin.motion(five_bar_q, elbows);
  Matrix shoulders(2, 2);  // velocities of the motors for those of the elbows
  shoulders << motion.row(0), motion.row(2);
  EXPECT_LE((by_motors * shoulders - by_elbows).cwiseAbs().maxCoeff(), 1e-12);
  // three depend on one another: velocities that suit the loops are kept
  const Matrix all = kin.motion(five_bar_q, three), two = kin.motion(five_bar_q);
  Matrix driven(3, 2);
  driven << two.row(0), two.row(1), two.row(2);
  EXPECT_LE((all * driven - two).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_EQ(message([&] { kin.jacobian(five_bar_q, tip, Representation::body, one); }),
            "closed_jacobian: the driven coordinates of robot \"five_bar\" determine 1 of its 2 "
            "degrees of freedom");
  EXPECT_EQ(message([&] { kin.motion(five_bar_q, none); }),
            "motion: the driven coordinates of robot \"five_bar\" determine 0 of its 2 degrees of "
            "freedom");
  EXPECT_EQ(message([&] { kin.motion(five_bar_q, std::span(one, 2)); }),
            "motion: driven has 2 elements, robot \"five_bar\" needs 4");
}

/// Bars in line: at a change point, of the passive pair, of one arm.
TEST(ClosedKinematics, ThreeWaysToBeSingular) {
  RobotDescription flat = parallelogram(0.5);
  flat.joints[0].actuated = true;
  ClosedKinematics line{Robot(flat)};
  const FrameId coupler = line.robot().frame("coupler");
  const Singularity regular = line.singularity(Eigen::Vector3d(0.5, -0.5, 0.5), coupler);
  EXPECT_EQ(regular.mobility, 1);
  EXPECT_EQ(regular.instantaneous, 1);
  EXPECT_GT(regular.rows, 0.05);
  EXPECT_GT(regular.passive, 0.05);
  EXPECT_GT(regular.frame, 0.01);
  const Singularity change = line.singularity(Eigen::Vector3d(0, 0, 0), coupler);
  EXPECT_EQ(change.mobility, 1);
  EXPECT_EQ(change.instantaneous, 2);
  EXPECT_LE(change.rows, 1e-15);

  const Robot robot = five_bar_with_tip();
  ConstrainedDynamics dyn(robot);
  ClosedKinematics kin(robot);
  const FrameId tip = robot.frame("tip");
  const Singularity usual = kin.singularity(five_bar_q, tip);
  EXPECT_EQ(usual.instantaneous, 2);
  EXPECT_GT(usual.rows, 0.1);
  EXPECT_GT(usual.passive, 0.1);
  EXPECT_GT(usual.frame, 0.01);
  EXPECT_GT(usual.position, 0.01);
  // coupler and rocker in line, so that the crank cannot tell which way they bend
  RobotDescription wide = parallelogram(0.5);
  wide.joints[2].geometry.placement = at(0.45);
  const double angle = std::acos((0.01 + 0.45 * 0.45 - 0.16) / 0.09);  // 0.4 from crank to pin
  ClosedKinematics stretched{Robot(wide)};
  ConstrainedDynamics closing(stretched.robot());
  const bool crank[] = {true, false, false};
  const Assemblies once = assemblies(closing, {angle, 0, 0}, crank);
  ASSERT_FALSE(once.q.empty());
  const Singularity lost =
      stretched.singularity(once.q[0], stretched.robot().frame("coupler"), crank);
  EXPECT_LE(lost.passive, 1e-7);
  EXPECT_GT(lost.rows, 0.1);
  EXPECT_EQ(lost.mobility, 1);
  EXPECT_EQ(lost.instantaneous, 1);
  // the left arm straight: its tip cannot go further out
  const bool left[] = {true, true, false, false};
  const Assemblies straight = assemblies(dyn, {1.1, 0, 1, 1}, left);
  ASSERT_FALSE(straight.q.empty());
  const Singularity stuck = kin.singularity(straight.q[0], tip);
  EXPECT_LE(stuck.position, 1e-9);
  EXPECT_GT(stuck.frame, 0.01) << "its link turns on";
  EXPECT_GT(stuck.rows, 0.1);
}

TEST(ClosedKinematics, ColumnsAreRefusedWhereMotorsLoseControl) {
  ClosedKinematics kin{Robot(slider_crank(0.7))};
  const Vector dead_centre = Eigen::Vector3d(0, 0, 0.4);
  const bool crank[] = {true, false, false}, slider[] = {false, false, true};
  EXPECT_NEAR(kin.motion(dead_centre, crank)(2, 0), 0, 1e-15);
  EXPECT_EQ(message([&] { kin.motion(dead_centre, slider); }),
            "motion: the driven coordinates of robot \"slider_crank\" determine 0 of its 1 degrees "
            "of freedom here: it is singular");
  EXPECT_LE(kin.singularity(dead_centre, kin.robot().frame("rod"), slider).passive, 1e-15);
}

TEST(ClosedKinematics, InverseKinematicsOfAFiveBar) {
  const Robot robot = five_bar_with_tip();
  ClosedKinematics kin(robot);
  ConstrainedDynamics dyn(robot);
  Kinematics open(robot);
  open.at(five_bar_q);
  PoseGoal goal{robot.frame("tip"), open.pose(robot.frame("tip")), 0, 1};
  const Vec3<double> start = goal.pose.p;
  for (const Vec3<double>& way : {Vec3<double>{0.03, 0, 0.02}, {-0.05, 0, 0.01}, {0, 0, -0.06}}) {
    goal.pose.p = start + way;
    const ClosedIkResult found = kin.solve({goal}, five_bar_q);
    EXPECT_TRUE(found.converged) << name(found.end);
    EXPECT_EQ(found.end, ClosedIkEnd::converged);
    EXPECT_EQ(found.restarts, 0);
    EXPECT_LE(found.residual, 1e-9);
    EXPECT_LE(dyn.closure(found.q).cwiseAbs().maxCoeff(), 1e-12);
    open.at(found.q);
    EXPECT_LE(norm(open.pose(goal.frame).p - goal.pose.p), 1e-9);
    // it is one of the working modes
    bool known = false;
    for (const std::vector<double>& mode : working_modes(dyn, 0, goal.pose.p, five_bar_q).q)
      known = known || (Vector::Map(mode.data(), 4) - found.q).cwiseAbs().maxCoeff() < 1e-6;
    EXPECT_TRUE(known);
  }
  goal.pose.p = start + Vec3<double>{0, 0, 5};
  const ClosedIkResult far = kin.solve({goal}, five_bar_q, {.max_restarts = 3});
  EXPECT_FALSE(far.converged);
  EXPECT_EQ(far.end, ClosedIkEnd::out_of_reach);
  EXPECT_EQ(far.restarts, 3);
  EXPECT_GT(far.residual, 3);
  EXPECT_LE(dyn.closure(far.q).cwiseAbs().maxCoeff(), 1e-12) << "closed all the same";
  goal.pose.p = start + Vec3<double>{0.03, 0, 0.02};
  EXPECT_EQ(kin.solve({goal}, five_bar_q, {.max_iterations = 1, .max_restarts = 0}).end,
            ClosedIkEnd::iterations);
}

TEST(ClosedKinematics, InverseKinematicsOfAPlatform) {
  const Robot robot = load("builtin:stewart");
  ClosedKinematics kin(robot);
  ConstrainedDynamics dyn(robot);
  const FrameId platform = robot.frame("platform");
  const Vector start = dyn.assemble(robot.closed()).q;
  Kinematics open(robot);
  open.at(start);
  const SE3<double> target =
      open.pose(platform) * exp(Twist<double>{{0.1, -0.15, 0.2}, {0.05, 0.03, 0.08}});
  const ClosedIkResult found =
      kin.solve({{platform, target}}, start, {.max_restarts = 0, .respect_limits = false});
  EXPECT_TRUE(found.converged) << name(found.end) << " " << found.residual;
  EXPECT_LE(dyn.closure(found.q).cwiseAbs().maxCoeff(), 1e-12);
  open.at(found.q);
  const SE3<double> off = inverse_times(open.pose(platform), target);
  EXPECT_LE(norm(off.p) + norm(log(off.R)), 1e-9);
}

TEST(ClosedKinematics, InverseKinematicsTellsWhatStoppedIt) {
  RobotDescription limited = parallelogram(0.5);
  limited.joints[0].properties.lower = {0.2};
  limited.joints[0].properties.upper = {0.6};
  ClosedKinematics kin{Robot(limited)};
  ConstrainedDynamics dyn(kin.robot());
  PoseGoal goal{kin.robot().frame("coupler"), {}, 0, 1};
  goal.pose.p = {0.1 * std::cos(0.9), 0.1 * std::sin(0.9), 0};  // the crank's end at 0.9 rad
  const Vector q = Eigen::Vector3d(0.5, -0.5, 0.5);
  const ClosedIkResult stopped = kin.solve({goal}, q, {.max_restarts = 0});
  EXPECT_FALSE(stopped.converged);
  EXPECT_EQ(stopped.end, ClosedIkEnd::limits);
  EXPECT_NEAR(stopped.q[0], 0.6, 1e-3);
  EXPECT_LE(stopped.q[0], 0.6 + 1e-9);
  const ClosedIkResult through = kin.solve({goal}, q, {.max_restarts = 0, .respect_limits = false});
  EXPECT_TRUE(through.converged);
  EXPECT_NEAR(through.q[0], 0.9, 1e-8);

  RobotDescription apart = parallelogram(0.5);
  apart.joints[2].geometry.placement = at(3);  // never closes
  ClosedKinematics open{Robot(apart)};
  EXPECT_EQ(message([&] { open.mobility(); }).substr(0, 40),
            "mobility: the rank of the loops is not k");
  const ClosedIkResult never = open.solve({goal}, q, {.max_restarts = 1});
  EXPECT_FALSE(never.converged);
  EXPECT_EQ(never.end, ClosedIkEnd::open_loops);
  EXPECT_FALSE(never.assembly.converged);
  EXPECT_EQ(never.assembly.worst_loop, 0);
}

}  // namespace
}  // namespace jounce::test
