// SPDX-License-Identifier: BSD-3-Clause
// Experiments of the papers in time: the Gough-Stewart platform with legs of mass, and the aerial
// manipulator under feedforward and feedback.
#include <gtest/gtest.h>

#include "apps/jounce/tour/aerial_motion.hpp"
#include "apps/jounce/tour/stewart_motion.hpp"

namespace jounce {
namespace {

TEST(StewartMotion, AgreesWithItsOwnDynamics) {
  app::StewartMotion motion(1e-11);
  SimulationState x =
      motion.sim.start(motion.robot.closed(), std::vector<double>(size_t(motion.robot.nv()), 0.05));
  const app::PlatformMotion start = motion.platform(x);
  const RunReport report = motion.sim.run(x, 0.5);
  const app::PlatformMotion found = motion.platform(x);
  const StewartDynamics own = app::own_dynamics(motion.robot.description());
  const app::PlatformMotion expected = app::platform_alone(own, start, 0.5, 100);
  EXPECT_LT(norm(found.pose.p - expected.pose.p), 1e-8);
  EXPECT_LT(norm(found.twist.w - expected.twist.w), 1e-7);
  EXPECT_LT(norm(found.twist.v - expected.twist.v), 1e-7);
  EXPECT_GT(norm(found.pose.p - start.pose.p), 0.01) << "it moved";
  EXPECT_LT(report.constraint_violation, 1e-10);
  EXPECT_LT(report.energy_drift, 1e-7);
}

/// From the reference itself its own forces lead along it: rounding and tolerances grow to 5e-11 m
/// in the whole experiment.
TEST(AerialMotion, FollowsItsFeedforward) {
  app::AerialMotion motion({});
  Record record(motion.robot());
  const RunReport report = motion.fly(record, 0.5);
  EXPECT_LT(report.energy_drift, 1e-11);
  EXPECT_EQ(record.t().back(), 10);
  for (int i = 0; i < record.size(); ++i) {
    const auto off = motion.off(record.t()[size_t(i)], record.q(i));
    EXPECT_LT(off.position + off.attitude + off.joints, 1e-9) << record.t()[size_t(i)];
  }
}
app::AerialMotion::Off last(const app::AerialMotion& motion, const Record& record) {
  return motion.off(record.t().back(), record.q(record.size() - 1));
}
void expect_on_reference(const app::AerialFlight& flight) {
  app::AerialMotion motion(flight);
  Record record(motion.robot());
  motion.fly(record);
  const auto off = last(motion, record);
  EXPECT_LT(off.position, 2e-3);
  EXPECT_LT(off.attitude, 2e-3);
  EXPECT_LT(off.joints, 2e-3);
  if (flight.fall > 0) {
    EXPECT_GT(motion.off(0.3, record.q(15)).position, 0.3) << "it fell";
  }
}
/// Off the reference, feedforward stays off and feedback comes back.
TEST(AerialMotion, FeedbackBringsItBack) {
  expect_on_reference({.feedback = true, .off = 0.05, .duration = 3, .tol = 1e-6});
}
TEST(AerialMotion, FeedbackCatchesIt) {
  expect_on_reference({.feedback = true, .fall = 0.3, .duration = 5, .tol = 1e-6});
}
TEST(AerialMotion, FeedforwardStaysOff) {
  app::AerialMotion motion({.off = 0.05, .duration = 0.5, .tol = 1e-6});
  Record record(motion.robot());
  motion.fly(record);
  EXPECT_GT(last(motion, record).position, 0.05);
}

}  // namespace
}  // namespace jounce
