// SPDX-License-Identifier: BSD-3-Clause
// Tour, chapter "Closed loops", other kinds: a gear, a disc that rolls, a function of the user's, a
// bushing, each against what a book says.
#include "apps/jounce/tour/loop_kinds.hpp"

#include <cmath>
#include <jounce/constrained_dynamics.hpp>
#include <jounce/model/custom_constraint.hpp>
#include <jounce/simulation.hpp>

namespace jounce::app {
namespace {

using Vector = Eigen::VectorXd;

constexpr double mass = 0.4, radius = 0.1, about_axis = mass * radius * radius / 2;  // a disc

LinkDescription disc(const std::string& name) {
  LinkDescription link;
  link.name = name;
  link.mass = mass;
  link.I_com = {about_axis / 2, 0, about_axis / 2, 0, 0, about_axis};
  return link;
}
JointDescription on_ground(const std::string& link, JointKind kind) {
  JointDescription joint;
  joint.name = link;
  joint.child = link;
  joint.parent = "ground";
  joint.geometry.kind = kind;
  if (kind != JointKind::free) joint.geometry.axes = {{0, 0, 1}};
  return joint;
}
/// Discs that each hang on the ground.
RobotDescription discs(std::initializer_list<const char*> names, JointKind kind) {
  RobotDescription robot;
  robot.name = "discs";
  robot.links.emplace_back().name = "ground";
  for (const char* name : names) {
    robot.links.push_back(disc(name));
    robot.joints.push_back(on_ground(name, kind));
  }
  return robot;
}

/// The first turns twice as fast as the second: I + I / 4 resists at its axis.
KindOfLoop gear_of_two_wheels() {
  RobotDescription robot = discs({"one", "two"}, JointKind::revolute);
  LoopDescription gear;
  gear.name = "gear";
  gear.kind = LoopKind::gear;
  gear.joints = {{"one", 1}, {"two", -2}};
  robot.loops = {gear};
  ConstrainedDynamics dyn{Robot(robot)};
  const Vector still = Vector::Zero(2);
  const double found = dyn.forward(still, still, Eigen::Vector2d(0.01, 0)).a[0];
  return {"gear 2 : 1", "acceleration of the driven wheel, rad/s²", found,
          0.01 / (1.25 * about_axis)};
}

/// A disc on the plane z = 0 that turns about its own z.
Robot rolling_disc(const Vec3<double>& gravity) {
  RobotDescription robot = discs({"disc"}, JointKind::free);
  robot.gravity = gravity;
  LoopDescription rolls;
  rolls.name = "rolls";
  rolls.kind = LoopKind::rolling;
  rolls.link_1 = "ground";
  rolls.link_2 = "disc";
  rolls.radius = radius;
  robot.loops = {rolls};
  robot.joints[0].closed = {0, 0, radius, M_SQRT1_2, 0, 0, M_SQRT1_2};  // upright
  return Robot(robot);
}
KindOfLoop disc_down_a_slope() {
  constexpr double slope = 0.2;
  ConstrainedDynamics dyn(rolling_disc({9.81 * std::sin(slope), 0, -9.81 * std::cos(slope)}));
  const Vector still = Vector::Zero(6);
  const Vector a = dyn.forward(dyn.robot().closed(), still, still).a;
  return {"disc that rolls", "acceleration down a slope of 0.2 rad, m/s²",
          std::hypot(a[3], a[4], a[5]), 9.81 * std::sin(slope) * 2 / 3};
}

/// A joint that follows sin(2 t) / 2: lambda is the motor's force.
KindOfLoop driven_joint() {
  RobotDescription robot = discs({"one"}, JointKind::revolute);
  robot.links[1].com = {0.05, 0, 0};
  robot.gravity = {0, -9.81, 0};
  LoopDescription drive;
  drive.name = "drive";
  drive.kind = LoopKind::custom;
  drive.joints = {{"one"}};
  drive.custom = custom_constraint<1, 1>(
      [](const auto* q, const auto& t, auto* C) { C[0] = q[0] - 0.5 * sin(2.0 * t); });
  robot.loops = {drive};
  ConstrainedDynamics dyn{Robot(robot)};
  const double t = 0.3, q = 0.5 * std::sin(2 * t), v = std::cos(2 * t), a = -2 * std::sin(2 * t);
  const std::vector<double> at{q}, speed{v}, none{0};
  const ConstrainedForward f = dyn.forward(at, speed, none, {.time = t});
  return {"C(q, t) = q - sin(2 t)/2", "its force at t = 0.3 s, N m", f.lambda[0],
          (about_axis + mass * 0.05 * 0.05) * a + mass * 9.81 * 0.05 * std::cos(q)};
}

/// A disc on a spring along z, after one period.
KindOfLoop disc_on_a_bushing() {
  RobotDescription robot = discs({"disc"}, JointKind::prismatic);
  robot.gravity = {0, 0, 0};
  BushingDescription bushing;
  bushing.name = "bushing";
  bushing.link_1 = "ground";
  bushing.link_2 = "disc";
  bushing.stiffness = {1, 1, 1, 200, 200, 90};
  robot.bushings = {bushing};
  Simulation sim(Robot(robot), {.tol = 1e-12});
  const std::vector<double> aside{0.03}, still{0};
  SimulationState x = sim.start(aside, still);
  sim.run(x, 2 * M_PI / std::sqrt(90 / mass), {.energy = false});
  return {"bushing", "displacement after one period, m", x.q[0], 0.03};
}

}  // namespace

std::vector<KindOfLoop> kinds_of_loops() {
  return {gear_of_two_wheels(), disc_down_a_slope(), driven_joint(), disc_on_a_bushing()};
}

}  // namespace jounce::app
