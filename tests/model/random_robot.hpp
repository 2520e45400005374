// SPDX-License-Identifier: BSD-3-Clause
// Random robots with every kind of joint, each with a random state and outside wrenches.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <jounce/dynamics.hpp>
#include <jounce/kinematics.hpp>
#include <jounce/mass_factors.hpp>
#include <jounce/model/generate.hpp>

#include "support/random.hpp"
#include "support/sound_robot.hpp"

namespace jounce::test {

/// Every third revolute joint that does not lead or follow as a circle.
inline RobotDescription with_circles(RobotDescription robot) {
  const auto leads = [&](const JointDescription& joint) {
    return std::ranges::any_of(robot.joints, [&](const JointDescription& other) {
      return other.mimic && other.mimic->leader == joint.name;
    });
  };
  int count = 0;
  for (JointDescription& joint : robot.joints) {
    if (!is_revolute(joint.geometry) || joint.mimic || leads(joint) || count++ % 3 != 0) continue;
    JointProperties& p = joint.properties;
    joint.geometry.kind = JointKind::circle;
    p.lower = p.upper = {};
    if (!p.rest.empty()) p.rest = {std::cos(p.rest[0]), std::sin(p.rest[0])};
  }
  return robot;
}

/// Drag where there is damping, from as much to three times.
inline RobotDescription with_drag(RobotDescription robot) {
  for (JointDescription& joint : robot.joints)
    for (const double damping : joint.properties.damping)
      joint.properties.drag.push_back(damping * double(1 + joint.properties.drag.size() % 3));
  return robot;
}

/// Even seeds have a free base; bodies = 0 gives 2 to 21 of them.
inline Robot random_robot(std::uint64_t seed, bool mimic = false, int bodies = 0) {
  return Robot(with_drag(with_circles(
      with_sound_composites(generate({.shape = TreeShape(seed % 4),
                                      .bodies = bodies > 0 ? bodies : 2 + int(seed % 20),
                                      .branches = 2,
                                      .kinds = all_joint_kinds(),
                                      .free_base = seed % 2 == 0,
                                      .mimic = mimic,
                                      .fixed_links = true,
                                      .child_placements = true,
                                      .passive = seed % 3 == 0,
                                      .seed = seed})))));
}

struct RobotInMotion {
  explicit RobotInMotion(std::uint64_t seed, bool mimic = false, int bodies = 0)
      : robot(random_robot(seed, mimic, bodies)),
        rng(seed),
        dynamics(robot),
        kinematics(robot),
        factors(robot) {
    const std::vector<double> start = robot.random(seed);
    q = Eigen::VectorXd::Map(start.data(), robot.nq());
    v = random(robot.nv());
    a = random(robot.nv());
    for (int k = 0; k < 3; ++k)
      external.push_back({FrameId(int(rng.uniform(0, double(robot.frames().size())))), rng.wrench(),
                          Representation(k)});
  }
  Eigen::VectorXd random(int n) {
    Eigen::VectorXd x(n);
    for (double& value : x) value = rng.uniform(-1, 1);
    return x;
  }

  Surroundings around() const {
    return {.wrenches = external, .ground = ground, .passive = passive};
  }

  Robot robot;
  Random rng;
  Dynamics dynamics;
  Kinematics kinematics;
  MassFactors factors;
  Eigen::VectorXd q, v, a;
  std::vector<OutsideWrench<double>> external;
  OptionalGround<double> ground;
  bool passive = true;
};

}  // namespace jounce::test
