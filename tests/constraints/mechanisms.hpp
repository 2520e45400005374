// SPDX-License-Identifier: BSD-3-Clause
// Small mechanisms with known mobility, made from bars and hinges.
#pragma once

#include <cmath>
#include <jounce/jounce.hpp>

namespace jounce::test {

inline LinkDescription bar(const std::string& name, double length) {
  LinkDescription link;
  link.name = name;
  link.mass = 0.5 + length;
  link.com = {length / 2, 0, 0};
  link.I_com = {0.002, 0, 0.01, 0, 0, 0.011};
  return link;
}
inline JointDescription joint_about_z(const std::string& name, JointKind kind,
                                      const std::string& parent, const std::string& child,
                                      const SE3<double>& placement, double closed = 0) {
  JointDescription joint;
  joint.name = name;
  joint.parent = parent;
  joint.child = child;
  joint.geometry.kind = kind;
  joint.geometry.axes = {{0, 0, 1}};
  joint.geometry.placement = placement;
  joint.closed = {closed};
  return joint;
}
inline SE3<double> at(double x, double y = 0, double z = 0) { return {{}, {x, y, z}}; }

/// Hinges along z: bars of 0.1 (crank) and 0.1 (rocker) on pins 0.3 apart, joined by one of 0.3.
/// With all bars in line, at angle zero, two branches of its motion meet.
inline RobotDescription parallelogram(double angle) {
  RobotDescription robot;
  robot.name = "parallelogram";
  robot.links = {bar("ground", 0.3), bar("crank", 0.1), bar("coupler", 0.3), bar("rocker", 0.1)};
  const JointKind hinge = JointKind::revolute;
  robot.joints = {joint_about_z("crank", hinge, "ground", "crank", {}, angle),
                  joint_about_z("coupler", hinge, "crank", "coupler", at(0.1), -angle),
                  joint_about_z("rocker", hinge, "ground", "rocker", at(0.3), angle)};
  robot.loops = {{"pin", "coupler", "rocker", at(0.3), at(0.1), LoopKind::revolute, 0}};
  return robot;
}

/// A crank of 0.1, a rod of 0.3 and a slider along x: prismatic joints slide along z, so its frame
/// is turned.
inline RobotDescription slider_crank(double angle) {
  RobotDescription robot;
  robot.name = "slider_crank";
  robot.links = {bar("ground", 0.3), bar("crank", 0.1), bar("rod", 0.3), bar("slider", 0.05)};
  const double tilt = -std::asin(0.1 * std::sin(angle) / 0.3);
  const double reach = 0.1 * std::cos(angle) + 0.3 * std::cos(tilt);
  const SE3<double> along_x = exp(Twist<double>{{0, M_PI / 2, 0}, {}});
  robot.joints = {
      joint_about_z("crank", JointKind::revolute, "ground", "crank", {}, angle),
      joint_about_z("rod", JointKind::revolute, "crank", "rod", at(0.1), tilt - angle),
      joint_about_z("slider", JointKind::prismatic, "ground", "slider", along_x, reach)};
  robot.loops = {{"pin", "rod", "slider", at(0.3), inverse(along_x), LoopKind::revolute, 0}};
  return robot;
}

/// Bennett's linkage: four hinges that are neither parallel nor meet in a point, and move all the
/// same, because a sin(beta) = b sin(alpha). The fourth hinge is the loop.
inline RobotDescription bennett(double angle) {
  const double a = 0.3, alpha = 0.7, beta = 1.2, b = a * std::sin(beta) / std::sin(alpha);
  const auto link = [](double length, double twist) {
    return at(length) * exp(Twist<double>{{twist, 0, 0}, {}});
  };
  const double ratio = std::sin((beta + alpha) / 2) / std::sin((beta - alpha) / 2);
  const double second = 2 * std::atan(ratio / std::tan(angle / 2));
  RobotDescription robot;
  robot.name = "bennett";
  robot.links = {bar("ground", b), bar("one", a), bar("two", b), bar("three", a)};
  const JointKind hinge = JointKind::revolute;
  robot.joints = {joint_about_z("one", hinge, "ground", "one", {}, angle),
                  joint_about_z("two", hinge, "one", "two", link(a, alpha), second),
                  joint_about_z("three", hinge, "two", "three", link(b, beta), -angle)};
  robot.loops = {
      {"four", "", "three", inverse(link(b, beta)), link(a, alpha), LoopKind::revolute, 0}};
  return robot;
}

}  // namespace jounce::test
