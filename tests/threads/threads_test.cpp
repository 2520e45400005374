// SPDX-License-Identifier: BSD-3-Clause
// One robot, many threads: each with doors of its own, or clones of one, all get the same.
#include <gtest/gtest.h>

#include <jounce/constrained_dynamics.hpp>
#include <jounce/dynamics.hpp>
#include <jounce/inverse_kinematics.hpp>
#include <jounce/io.hpp>
#include <jounce/mass_factors.hpp>
#include <jounce/series.hpp>
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

/// A door and its clones give the same, each in a thread of its own.
template <class Door, class Ask>
void expect_same(Door door, const Ask& ask) {
  const Eigen::VectorXd alone = ask(door);
  std::vector<Eigen::VectorXd> found(3);
  std::vector<std::thread> pool;
  for (Eigen::VectorXd& one : found)
    pool.emplace_back([&ask, &one, own = clone(door)]() mutable { one = ask(own); });
  for (std::thread& thread : pool) thread.join();
  for (const Eigen::VectorXd& one : found) EXPECT_EQ((one - alone).norm(), 0);
}

TEST(Threads, ClonesOfDoors) {
  const Robot arm = load("builtin:arm7"), linkage = load("builtin:five_bar");
  const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(7, -1, 1), v = 2 * q, a = 3 * q;
  expect_same(Dynamics(arm), [&](Dynamics& d) -> Eigen::VectorXd { return d.forward(q, v, a); });
  expect_same(Kinematics(arm), [&](Kinematics& k) -> Eigen::VectorXd {
    return k.at(q).jacobian_body("flange").col(3);
  });
  expect_same(MassFactors(arm),
              [&](MassFactors& m) -> Eigen::VectorXd { return m.at(q).solve(v); });
  Series series(arm, 2);
  EXPECT_EQ(clone(series).order(), 2);
  const Eigen::MatrixXd motion = Eigen::MatrixXd::Random(7, 4);
  expect_same(std::move(series),
              [&](Series& s) -> Eigen::VectorXd { return s.inverse(q, motion).col(2); });
  ConstrainedDynamics closed(linkage);
  EXPECT_EQ(clone(closed).rank(), closed.rank());
  expect_same(std::move(closed), [&](ConstrainedDynamics& d) -> Eigen::VectorXd {
    const Eigen::VectorXd at = d.assemble(linkage.closed()).q;
    return d.forward(at, Eigen::VectorXd::Zero(4), Eigen::VectorXd::Ones(4)).a;
  });
}

}  // namespace
}  // namespace jounce
