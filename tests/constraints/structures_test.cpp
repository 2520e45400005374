// SPDX-License-Identifier: BSD-3-Clause
// What does not move: a truss, whose member forces are known.
#include <gtest/gtest.h>

#include <jounce/constrained_dynamics.hpp>

#include "constraints/mechanisms.hpp"
#include "constraints/vectors.hpp"
#include "support/largest.hpp"

namespace jounce::test {
namespace {

using Vector = Eigen::VectorXd;

/// A roof truss: two rafters and a tie, hinged to each other, on a pin and a roller. A load P on
/// the apex leaves the rafters with P / (2 sin(slope)) and the tie with P cot(slope) / 2.
RobotDescription roof(double half_width, double height) {
  RobotDescription robot;
  robot.name = "roof";
  robot.gravity = {};
  const double slope = std::atan2(height, half_width), rafter = std::hypot(height, half_width);
  robot.links = {bar("ground", 0.3), bar("left", rafter), bar("right", rafter),
                 bar("tie", 2 * half_width)};
  const JointKind hinge = JointKind::revolute;
  robot.joints = {joint_about_z("left", hinge, "ground", "left", {}, slope),
                  joint_about_z("right", hinge, "left", "right", at(rafter), -2 * slope),
                  joint_about_z("tie", hinge, "ground", "tie", {})};
  LoopDescription rod{"rod", "", "tie", at(2 * half_width, -0.4), at(2 * half_width)};
  rod.kind = LoopKind::distance, rod.length = 0.4;
  robot.loops = {{"eaves", "tie", "right", at(2 * half_width), at(rafter), LoopKind::revolute, 0},
                 rod};
  return robot;
}

/// It carries its load without motors and does not move; with motors, forces are a choice.
TEST(Structures, ARoofCarriesItsLoad) {
  const double half_width = 0.8, height = 0.5, load = 7, slope = std::atan2(height, half_width);
  const Robot robot(roof(half_width, height));
  ConstrainedDynamics dyn(robot);
  EXPECT_EQ(dyn.rank(), 3);
  EXPECT_EQ(dyn.mobility(), 0);
  const Vector q = vector(robot.closed()), none = Vector::Zero(3);
  const OutsideWrench<double> push{
      robot.frame("right"), {{}, {0, -load, 0}}, Representation::hybrid};
  const Surroundings around{.wrenches = {&push, 1}};
  const auto expect_carried = [&](const Vector& lambda) {
    const auto F = dyn.loop_wrenches(q, numbers(lambda));
    // on the right rafter, in its axes: pushed up along itself
    EXPECT_NEAR(F[0].f.x, -load / (2 * std::sin(slope)), 1e-13);
    EXPECT_NEAR(F[0].f.y, 0, 1e-13);
    EXPECT_NEAR(F[1].f.y, load / 2, 1e-13) << "the rod pushes";
    const double tie = F[0].f.x * std::cos(slope);  // along x of the ground
    EXPECT_NEAR(tie, -load / std::tan(slope) / 2, 1e-13);
  };
  const ConstrainedForward f = dyn.forward(q, none, none, around);
  EXPECT_LE(largest(f.a), 1e-12 * load);
  expect_carried(f.lambda);
  const Vector still = dyn.forward(q, none, none).a;
  EXPECT_EQ(largest(still), 0);
  const InverseFamily all = dyn.inverse_family(q, none, none, around);
  EXPECT_EQ(all.tau_free.cols(), 3);
  EXPECT_LE(largest(all.lambda), 1e-13 * load) << "motors carry it all";
  EXPECT_GT(largest(all.tau), 0.1 * load);
  const ConstrainedInverse least = dyn.inverse(q, none, none, around, {}, Optimum::torque);
  EXPECT_EQ(least.free_dimension, 3);
  EXPECT_LE(largest(least.tau), 1e-12 * load);
  expect_carried(least.lambda);
}

}  // namespace
}  // namespace jounce::test
