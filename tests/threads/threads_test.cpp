// SPDX-License-Identifier: BSD-3-Clause
// One robot, many threads: each with its own Kinematics and InverseKinematics, all get the same.
#include <gtest/gtest.h>

#include <jounce/inverse_kinematics.hpp>
#include <jounce/io.hpp>
#include <thread>

namespace jounce {
namespace {

struct Outcome {
  double pose = 0, jacobian = 0, ik = 0;
  bool operator==(const Outcome&) const = default;
};

Outcome compute(const Robot& robot, std::uint64_t seed) {
  Kinematics kinematics(robot);
  InverseKinematics ik(robot);
  const FrameId flange = robot.frame("flange");
  Outcome outcome;
  for (std::uint64_t k = 0; k < 20; ++k) {
    kinematics.at(robot.random(seed + k));
    outcome.pose += kinematics.pose(flange).p.x;
    outcome.jacobian += kinematics.jacobian_space(flange).norm();
    outcome.ik += ik.solve({{flange, kinematics.pose(flange)}}, robot.neutral()).q.norm();
  }
  return outcome;
}

TEST(Threads, ShareOneRobot) {
  const Robot robot = load("builtin:arm7");
  constexpr size_t threads = 4;
  Outcome outcome[threads];
  std::vector<std::thread> pool;
  for (size_t k = 0; k < threads; ++k)
    pool.emplace_back([&, k] { outcome[k] = compute(robot, 100 * (k % 2)); });
  for (std::thread& thread : pool) thread.join();
  EXPECT_TRUE(outcome[0] == outcome[2]);
  EXPECT_TRUE(outcome[1] == outcome[3]);
  EXPECT_FALSE(outcome[0] == outcome[1]);
}

}  // namespace
}  // namespace jounce
