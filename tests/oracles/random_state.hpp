// SPDX-License-Identifier: BSD-3-Clause
// A random state of a robot: coordinates within limits, velocities and accelerations in [-1, 1].
#pragma once

#include <Eigen/Core>
#include <jounce/model/robot.hpp>

#include "support/random.hpp"

namespace jounce::test {

struct RandomState {
  RandomState(const Robot& robot, std::uint64_t seed) : v(robot.nv()), a(robot.nv()) {
    const std::vector<double> numbers = robot.random(seed);
    q = Eigen::Map<const Eigen::VectorXd>(numbers.data(), robot.nq());
    Random random(seed);
    for (double& x : v) x = random.number();
    for (double& x : a) x = random.number();
  }

  Eigen::VectorXd q, v, a;
};

}  // namespace jounce::test
