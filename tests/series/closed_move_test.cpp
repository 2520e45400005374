// SPDX-License-Identifier: BSD-3-Clause
// What moves take of robots whose loops are closed, against differences in time, forward dynamics
// and the power balance.
#include <gtest/gtest.h>

#include <jounce/constrained_dynamics.hpp>
#include <jounce/io.hpp>
#include <jounce/model/custom_constraint.hpp>
#include <jounce/move.hpp>

namespace jounce {
namespace {

/// Which coordinates lead, from a move that goes nowhere.
std::vector<int> leading_of(const Robot& robot) {
  return along(robot, septic(robot.closed(), robot.closed(), 1), {.points = 2}).leading;
}

/// From where the file closes the loops, leading coordinates a way to one side and the other; the
/// legs of a platform less far: it turns, and locks when it has turned by a quarter.
Move short_move(const Robot& robot, double way) {
  if (robot.nv() > 10) way /= 5;
  std::vector<double> goal(size_t(robot.nq())), step(size_t(robot.nv()));
  int sign = 1;
  for (const int k : leading_of(robot)) step[size_t(k)] = way * (sign = -sign);
  robot.integrate(robot.closed(), step, goal);
  return septic(robot.closed(), goal, 2.0);
}

Robot with_motors(const Robot& robot, const std::vector<bool>& motors) {
  RobotDescription d = robot.description();
  size_t k = 0;
  for (JointDescription& joint : d.joints)
    if (joint.geometry.kind != JointKind::fixed) joint.actuated = motors[k++ % motors.size()];
  return Robot(d);
}

/// The five-bar whose left shoulder a function of time leads.
Robot driven() {
  const Robot five_bar = load("builtin:five_bar");
  RobotDescription d = five_bar.description();
  const double start = five_bar.closed()[0];
  d.name = "driven";
  LoopDescription drive{.name = "drive", .kind = LoopKind::custom};
  drive.joints = {{five_bar.joints()[0].name}};
  drive.custom = custom_constraint<1, 1>(
      [start](const auto* q, const auto& t, auto* C) { C[0] = q[0] - start - 0.1 * sin(2 * t); });
  d.loops.push_back(std::move(drive));
  return Robot(d);
}

std::vector<Robot> mechanisms() {
  const Robot five_bar = load("builtin:five_bar");
  return {load("builtin:four_bar"),
          five_bar,
          load("builtin:stewart"),
          driven(),
          with_motors(five_bar, {true}),                        // more motors than freedoms
          with_motors(five_bar, {false, false, false, true})};  // fewer
}

/// The largest difference of two columns, relative to the second one's largest entry above 1.
double apart(std::span<const double> x, std::span<const double> y) {
  double most = 0, scale = 1;
  for (size_t i = 0; i < y.size(); ++i) {
    most = std::max(most, std::abs(x[i] - y[i]));
    scale = std::max(scale, std::abs(y[i]));
  }
  return most / scale;
}
std::span<const double> column(const dense::Matrix& x, int i) {
  return {x.column(i), size_t(x.rows)};
}
std::vector<double> slope(const dense::Matrix& x, int i, double h) {
  std::vector<double> found(size_t(x.rows));
  for (int k = 0; k < x.rows; ++k) found[size_t(k)] = (x(k, i + 1) - x(k, i - 1)) / (2 * h);
  return found;
}

TEST(ClosedMove, StaysClosedAndLeadersDoWhatTheMoveSays) {
  for (const Robot& robot : mechanisms()) {
    const Move move = short_move(robot, 0.1);
    const Along run = along(robot, move, {.points = 21});
    ConstrainedDynamics dynamics(robot);
    EXPECT_EQ(int(run.leading.size()), dynamics.mobility());
    std::vector<double> q(size_t(robot.nq())), way(size_t(robot.nv()));
    dense::Matrix motion(robot.nv(), 3);
    for (int i = 0; i < 21; ++i) {
      EXPECT_LT(dynamics.closure(column(run.q, i), run.t[size_t(i)]).cwiseAbs().maxCoeff(), 1e-10);
      move.at(robot, run.t[size_t(i)], q, {motion.data(), robot.nv(), 3});
      robot.difference(q, column(run.q, i), way);
      for (const int k : run.leading) {
        EXPECT_NEAR(way[size_t(k)], 0, 1e-12) << robot.name();
        EXPECT_NEAR(run.v(k, i), motion(k, 0), 1e-12);
        EXPECT_NEAR(run.a(k, i), motion(k, 1), 1e-12);
        EXPECT_NEAR(run.jerk(k, i), motion(k, 2), 1e-11);
      }
    }
  }
}

/// Differences of step h have errors of h^2 = 4e-6 times derivatives of some tens.
TEST(ClosedMove, EveryColumnIsTheRateOfTheOneBefore) {
  for (const Robot& robot : mechanisms()) {
    const Along run = along(robot, short_move(robot, 0.1), {.points = 1001});
    const double h = run.t[1] - run.t[0];
    for (const int i : {150, 500, 722}) {
      std::vector<double> v(size_t(robot.nv()));
      robot.difference(column(run.q, i - 1), column(run.q, i + 1), v);
      for (double& x : v) x /= 2 * h;
      EXPECT_LT(apart(v, column(run.v, i)), 1e-4) << robot.name();
      EXPECT_LT(apart(slope(run.v, i, h), column(run.a, i)), 1e-4) << robot.name();
      EXPECT_LT(apart(slope(run.a, i, h), column(run.jerk, i)), 1e-4) << robot.name();
      EXPECT_LT(apart(slope(run.tau, i, h), column(run.tau_rate, i)), 1e-4) << robot.name();
    }
  }
}

TEST(ClosedMove, TheForcesGiveTheMotion) {
  for (const Robot& robot : mechanisms())
    for (const bool passive : {false, true}) {
      const Along run = along(robot, short_move(robot, 0.1), {.points = 1001, .passive = passive});
      ConstrainedDynamics dynamics(robot);
      const double h = run.t[1] - run.t[0];
      for (const int i : {1, 350, 999}) {
        const auto found = dynamics.forward(column(run.q, i), column(run.v, i), column(run.tau, i),
                                            {.passive = passive, .time = run.t[size_t(i)]});
        EXPECT_LT(apart({found.a.data(), size_t(found.a.size())}, column(run.a, i)), 1e-8)
            << robot.name();
        if (passive || robot.name() == "driven") continue;  // the drive works, too
        const auto at = size_t(i);
        double power = 0;
        for (int k = 0; k < robot.nv(); ++k) power += run.tau(k, i) * run.v(k, i);
        const double rate = (run.kinetic[at + 1] - run.kinetic[at - 1] + run.potential[at + 1] -
                             run.potential[at - 1]) /
                            (2 * h);
        EXPECT_NEAR(power, rate, 1e-4 * (1 + std::abs(power))) << robot.name();  // h^2
      }
    }
}

TEST(ClosedMove, MotorsLeadAndMoreOfThemStrainLeast) {
  const Robot all = with_motors(load("builtin:five_bar"), {true});
  const Along run = along(all, short_move(all, 0.1), {.points = 11});
  ConstrainedDynamics dynamics(all);
  for (int i = 0; i < 11; ++i) {
    const auto least = dynamics.inverse(column(run.q, i), column(run.v, i), column(run.a, i));
    EXPECT_LT(apart({least.tau.data(), size_t(least.tau.size())}, column(run.tau, i)), 1e-9);
  }
  for (const char* name : {"builtin:four_bar", "builtin:five_bar", "builtin:stewart"}) {
    const Robot robot = load(name);
    for (const int k : leading_of(robot)) EXPECT_TRUE(robot.actuated()[size_t(k)]) << name;
  }
}

/// A table of the closed motion comes back to it.
TEST(ClosedMove, TablesComeBack) {
  const Robot robot = load("builtin:five_bar");
  const Along run = along(robot, short_move(robot, 0.2), {.points = 41});
  const Along again = along(robot, read_motion(robot, write_csv(run), "table"), {.points = 41});
  for (int i = 0; i < 41; ++i)
    EXPECT_LT(apart(column(again.tau_rate, i), column(run.tau_rate, i)), 1e-8);
}

std::string refusal(const Robot& robot, const std::vector<double>& steps) {
  std::vector<double> goal(size_t(robot.nq())), step(size_t(robot.nv()));
  const std::vector<int> leading = leading_of(robot);
  for (size_t k = 0; k < leading.size(); ++k) step[size_t(leading[k])] = steps[k];
  robot.integrate(robot.closed(), step, goal);
  try {
    along(robot, septic(robot.closed(), goal, 2.0));
  } catch (const ComputationError& error) {
    return error.what();
  }
  return "";
}

TEST(ClosedMove, WhereLoopsCannotFollowIsToldWithItsTime) {
  const std::string platform = refusal(load("builtin:stewart"), {-0.1, 0.1, -0.1, 0.1, -0.1, 0.1});
  EXPECT_TRUE(platform.starts_with("along: at 1.0")) << platform;
  EXPECT_NE(platform.find("of robot \"stewart\" cannot be closed: open by"), std::string::npos);
}

}  // namespace
}  // namespace jounce
