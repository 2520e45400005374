// SPDX-License-Identifier: BSD-3-Clause
// Tour, chapter "Closed loops", pictures of loops that are no joints: a rod between two pendulums,
// wheels with teeth, a wheel that rolls; each with the force that keeps it together.
#include <cmath>
#include <jounce/constrained_dynamics.hpp>
#include <jounce/kinematics.hpp>

#include "apps/jounce/tour/loop_drawing.hpp"
#include "apps/jounce/tour/loop_kinds.hpp"
#include "report/text.hpp"

namespace jounce::app {
namespace {

using Vector = Eigen::VectorXd;

constexpr double body_mass = 0.4;  // kg, of each body

/// A body that turns about y, its axis at a place of the ground's x axis.
void add_turning_body(RobotDescription& robot, const char* name, double x, double inertia,
                      const Vec3<double>& com, double closed) {
  LinkDescription link;
  link.name = name;
  link.mass = body_mass;
  link.com = com;
  link.I_com = {inertia / 2, 0, inertia, 0, 0, inertia / 2};
  JointDescription joint;
  joint.name = joint.child = name;
  joint.parent = "ground";
  joint.geometry.kind = JointKind::revolute;
  joint.geometry.placement.p = {x, 0, 0};
  joint.geometry.axes = {{0, 1, 0}};
  joint.closed = {closed};
  robot.links.push_back(link);
  robot.joints.push_back(joint);
}
RobotDescription bare_ground(const char* name) {
  RobotDescription robot;
  robot.name = name;
  robot.links.emplace_back().name = "ground";
  return robot;
}

/// A wheel in the plane of x and z, with a spoke.
void draw_wheel(LoopDrawing& to, const SE3<double>& centre, double size) {
  constexpr int corners = 48;
  const auto rim = [&](int k) {
    const double angle = 2 * M_PI * k / corners;
    return centre.p + Vec3<double>{size * std::cos(angle), 0, size * std::sin(angle)};
  };
  for (int k = 0; k < corners; ++k) to.bar(rim(k), rim(k + 1));
  to.bar(centre.p, centre * Vec3<double>{size, 0, 0});
}
/// With a further line, where there is one.
report::Figure loop_figure(const char* title, const LoopDrawing& drawing,
                           const std::string& caption, const report::Series& line = {}) {
  report::Plot plot{.title = title,
                    .x = {.label = "", .unit = "m"},
                    .y = {.label = "", .unit = "m"},
                    .series = {drawing.bars, drawing.forces, drawing.cuts},
                    .equal_aspect = true,
                    .width = 520,
                    .height = 320};
  if (!line.x.empty()) plot.series.push_back(line);
  return {report::to_svg(plot), caption};
}

constexpr double pendulum = 0.3, incline = 0.2, wheel_radius = 0.1;  // m, rad, m
const Vec3<double> pendulum_end{0, 0, -pendulum};

/// Two pendulums side by side, their ends 0.45 m apart.
Robot rod_between_pendulums() {
  RobotDescription made = bare_ground("rod");
  const double inertia = body_mass * pendulum * pendulum / 12;
  add_turning_body(made, "left", 0, inertia, pendulum_end * 0.5, 0.5);
  add_turning_body(made, "right", 0.4, inertia, pendulum_end * 0.5, 0.3);
  LoopDescription rod;
  rod.name = "rod";
  rod.kind = LoopKind::distance;
  rod.link_1 = "left", rod.link_2 = "right";
  rod.placement_1.p = rod.placement_2.p = pendulum_end;
  rod.length = 0.45;
  made.loops = {rod};
  return Robot(made);
}
/// A disc that rolls on the plane z = 0, down along x.
Robot wheel_on_a_slope() {
  RobotDescription made = bare_ground("wheel");
  const double inertia = body_mass * wheel_radius * wheel_radius / 2;
  LinkDescription wheel;
  wheel.name = "wheel";
  wheel.mass = body_mass;
  wheel.I_com = {inertia / 2, 0, inertia / 2, 0, 0, inertia};
  JointDescription free;
  free.name = free.child = "wheel";
  free.parent = "ground";
  free.geometry.kind = JointKind::free;
  free.closed = {0, 0, wheel_radius, M_SQRT1_2, 0, 0, M_SQRT1_2};  // upright
  made.links.push_back(wheel);
  made.joints = {free};
  LoopDescription rolls;
  rolls.name = "rolls";
  rolls.kind = LoopKind::rolling;
  rolls.link_1 = "ground", rolls.link_2 = "wheel";
  rolls.radius = wheel_radius;
  made.loops = {rolls};
  made.gravity = {9.81 * std::sin(incline), 0, -9.81 * std::cos(incline)};
  return Robot(made);
}

}  // namespace

report::Figure picture_of_a_rod() {
  const Robot robot = rod_between_pendulums();
  ConstrainedDynamics dyn(robot);
  const Vector q = dyn.assemble(robot.closed()).q, still = Vector::Zero(2);
  const ConstrainedForward f = dyn.forward(q, still, still);
  const Wrench<double> on_right =
      dyn.loop_wrenches(q, std::span(f.lambda.data(), size_t(f.lambda.size())))[0];
  Kinematics kinematics(robot);
  kinematics.at(q);
  LoopDrawing drawing{.planar = true};
  drawing.cuts.name = "ends of the rod";
  report::Series rod{.name = "rod", .mark = report::Mark::line, .colour = 4, .dashed = true};
  for (const char* name : {"left", "right"}) {
    const SE3<double> arm = kinematics.pose(robot.frame(name));
    drawing.bar(arm.p, arm * pendulum_end);
    for (report::Series* to : {&drawing.cuts, &rod})
      LoopDrawing::point(*to, drawing.seen(arm * pendulum_end));
  }
  const SE3<double> right = kinematics.pose(robot.frame("right"));
  const double force = norm(on_right.f);
  drawing.forces.name = "force on the right pendulum";
  drawing.arrow(right * pendulum_end, right.R * on_right.f * (0.12 / force));
  return loop_figure("rod: a distance that is kept", drawing,
                     "Two pendulums that are let go from rest; the rod of 0.45 m between them "
                     "carries " +
                         report::significant(force, 3) + " N.",
                     rod);
}

report::Figure picture_of_gears() {
  constexpr double small = 0.1, large = 0.2, torque = 0.5;
  RobotDescription made = bare_ground("gears");
  add_turning_body(made, "driver", 0, body_mass * small * small / 2, {}, 0);
  add_turning_body(made, "driven", small + large, body_mass * large * large / 2, {}, 0);
  LoopDescription teeth;
  teeth.name = "teeth";
  teeth.kind = LoopKind::gear;
  teeth.joints = {{"driver", small}, {"driven", large}};  // metres of teeth that pass
  made.loops = {teeth};
  const Robot robot(made);
  ConstrainedDynamics dyn(robot);
  const Vector still = Vector::Zero(2);
  const ConstrainedForward f = dyn.forward(still, still, Eigen::Vector2d(torque, 0));
  LoopDrawing drawing{.planar = true};
  draw_wheel(drawing, {}, small);
  draw_wheel(drawing, {{}, {small + large, 0, 0}}, large);
  drawing.cuts.name = "teeth";
  LoopDrawing::point(drawing.cuts, drawing.seen({small, 0, 0}));
  // turning about y carries the driven wheel's tooth, at -x of its axis, along +z
  const double force = f.lambda[0];
  drawing.forces.name = "force on the driven wheel";
  drawing.arrow({small, 0, 0}, Vec3<double>{0, 0, 0.12} * (force < 0 ? -1.0 : 1.0));
  return loop_figure("gear: wheels with teeth", drawing,
                     "A motor turns the small wheel with 0.5 N m; the teeth press with " +
                         report::significant(std::abs(force), 3) +
                         " N, and the large wheel gains " +
                         report::significant(std::abs(f.a[1]), 3) + " rad/s².");
}

report::Figure picture_of_a_wheel() {
  const Robot robot = wheel_on_a_slope();
  ConstrainedDynamics dyn(robot);
  const Vector still = Vector::Zero(6);
  const ConstrainedForward f = dyn.forward(robot.closed(), still, still);
  // the picture is turned so that gravity points down
  const SO3<double> level = exp(Vec3<double>{0, incline, 0});
  LoopDrawing drawing{.planar = true};
  draw_wheel(drawing, {level, level * Vec3<double>{0, 0, wheel_radius}}, wheel_radius);
  drawing.bar(level * Vec3<double>{-0.25, 0, 0}, level * Vec3<double>{0.35, 0, 0});
  drawing.cuts.name = "where it touches";
  LoopDrawing::point(drawing.cuts, {0, 0, 0});
  const Vec3<double> force{f.lambda[0], f.lambda[1], f.lambda[2]};
  drawing.forces.name = "force of the ground";
  drawing.arrow({}, level * force * (0.18 / norm(force)));
  return loop_figure(
      "wheel that rolls", drawing,
      "A disc on a slope of 0.2 rad that does not slip: the ground holds it up with " +
          report::significant(force.z, 3) + " N and back with " + report::significant(-force.x, 3) +
          " N.");
}

}  // namespace jounce::app
