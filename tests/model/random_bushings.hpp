// SPDX-License-Identifier: BSD-3-Clause
// Random bushings on random robots.
#pragma once

#include "model/random_robot.hpp"

namespace jounce::test {

inline SE3<double> random_pose(Random& rng) {
  return exp(Twist<double>{{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)},
                           {rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)}});
}

/// A robot with bushings between random links, and one to the world; at q they turn by less than
/// half a turn.
inline RobotDescription with_bushings(const Robot& robot, const Eigen::VectorXd& q, Random& rng,
                                      int count = 2) {
  RobotDescription more = robot.description();
  Kinematics kin(robot);
  kin.at(q);
  const auto pose = [&](const std::string& link) {
    return link.empty() ? SE3<double>{} : kin.pose(robot.frame(link));
  };
  const auto any_link = [&] {
    return more.links[size_t(rng.uniform(0, double(more.links.size())))].name;
  };
  for (int tries = 0; int(more.bushings.size()) < count && tries < 50; ++tries) {
    BushingDescription one;
    one.name = "bushing " + std::to_string(tries);
    one.link_1 = tries == 0 ? "" : any_link();
    one.link_2 = any_link();
    if (one.link_1 == one.link_2) continue;
    one.placement_2 = random_pose(rng);
    one.placement_1 = inverse(pose(one.link_1)) * pose(one.link_2) * one.placement_2 *
                      exp(Twist<double>{{0.4, -0.7, 0.9}, {0.2, 0.5, -0.3}});
    for (double& k : one.stiffness) k = rng.uniform(1, 9);
    for (double& d : one.damping) d = rng.uniform(0.5, 3);
    more.bushings.push_back(one);
  }
  return more;
}

}  // namespace jounce::test
