// SPDX-License-Identifier: BSD-3-Clause
// Robots whose bodies are far apart, or that stand far from the ground's origin. All their numbers
// are exact in binary, so that compiling them adds no error.
#pragma once

#include <jounce/model/robot.hpp>

namespace jounce::test {

/// Three bodies of a metre's size behind revolute joints; the second and third stand `distance`
/// metres from the first, which hangs on the link `base`. Names start with `prefix`.
inline void add_arm(double distance, const std::string& base, const std::string& prefix,
                    RobotDescription& robot) {
  robot.links.push_back({prefix + "near",
                         2.5,
                         {0.25, -0.125, 0.5},
                         {0.5, 0.03125, 0.625, -0.0625, 0.015625, 0.375},
                         {},
                         {}});
  robot.links.push_back({prefix + "far",
                         1.5,
                         {0.125, 0.25, -0.0625},
                         {0.25, -0.015625, 0.1875, 0.03125, 0.0078125, 0.21875},
                         {},
                         {}});
  robot.links.push_back({prefix + "tip",
                         0.75,
                         {-0.0625, 0.125, 0.1875},
                         {0.0625, 0.00390625, 0.078125, -0.0078125, 0.001953125, 0.046875},
                         {},
                         {}});
  const auto join = [&](const char* name, const std::string& parent, const char* child,
                        const Vec3<double>& p, const Vec3<double>& axis) {
    robot.joints.push_back(
        {prefix + name, parent, prefix + child, {JointKind::revolute, {{}, p}, {axis}}});
  };
  join("first", base, "near", {0, 0, 0.5}, {0, 0, 1});
  join("second", prefix + "near", "far", {distance, 0.5, 0.25}, {0, 1, 0});
  join("third", prefix + "far", "tip", {0.375, 0.125, -0.25}, {1, 0, 0});
}

/// The arm on the ground, its outer bodies far from its first.
inline Robot far_arm(double distance) {
  RobotDescription robot{.name = "far_arm"};
  add_arm(distance, "", "", robot);
  return Robot(std::move(robot));
}

/// The arm, its bodies near each other, on joints of the given kinds, one after another along the
/// x, y and z axes, each with a body of its own; the first stands at `p`.
inline Robot carried_arm(const std::vector<JointKind>& kinds, const Vec3<double>& p = {}) {
  RobotDescription robot{.name = "carried_arm"};
  std::string parent;
  for (size_t k = 0; k < kinds.size(); ++k) {
    const std::string name = "carrier_" + std::to_string(k);
    const Vec3<double> axis{k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
    const bool has_axis = kinds[k] != JointKind::fixed && kinds[k] != JointKind::free &&
                          kinds[k] != JointKind::translational;
    robot.links.push_back({name, 4, {}, {1, 0, 1, 0, 0, 1}, {}, {}});
    robot.joints.push_back({name,
                            parent,
                            name,
                            {kinds[k],
                             {{}, k == 0 ? p : Vec3<double>{}},
                             has_axis ? std::vector{axis} : std::vector<Vec3<double>>{}}});
    parent = name;
  }
  add_arm(1, parent, "", robot);
  return Robot(std::move(robot));
}

}  // namespace jounce::test
