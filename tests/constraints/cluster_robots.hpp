// SPDX-License-Identifier: BSD-3-Clause
// Robots with many small loops, at states that suit them, for comparing clusters with factors.
#pragma once

#include <jounce/constrained_dynamics.hpp>
#include <jounce/model/generate.hpp>

#include "constraints/random_loops.hpp"
#include "support/largest.hpp"

namespace jounce::test {

/// A body that floats on four legs of two four-bars each; the last couplers are the feet.
inline RobotDescription four_bar_quadruped() {
  RobotDescription made = generate_four_bars(8, 4);
  made.name = "four_bar_quadruped";
  JointDescription floating;
  floating.name = "floating";
  floating.child = "base";
  floating.parent = "world";
  floating.geometry.kind = JointKind::free;
  LinkDescription world;
  world.name = "world";
  made.links.insert(made.links.begin(), world);
  made.joints.push_back(floating);
  return made;
}
inline std::vector<Contact> feet_of_quadruped(const Robot& robot) {
  std::vector<Contact> feet;
  for (const char* foot : {"coupler_5", "coupler_6", "coupler_7", "coupler_8"})
    feet.push_back({robot.frame(foot), LoopKind::point});
  return feet;
}

/// A robot in motion, what it touches, forces, and a coordinate in three that may be prescribed.
struct ClusteredState {
  ClusteredState(Robot robot_, std::vector<Contact> contacts_)
      : robot(std::move(robot_)), contacts(std::move(contacts_)), dyn(robot) {
    const int n = robot.nv();
    q = Eigen::VectorXd::Map(robot.closed().data(), robot.nq());
    v = dyn.project(q, Eigen::VectorXd::LinSpaced(n, -0.7, 0.9), contacts);
    tau = Eigen::VectorXd::LinSpaced(n, 0.6, -0.4);
    flags = std::make_unique<bool[]>(size_t(n));
  }
  explicit ClusteredState(LoopedRobot&& x)
      : robot(x.robot), dyn(robot), q(x.q), v(x.v), tau(x.tau) {
    flags = std::make_unique<bool[]>(size_t(robot.nv()));
  }
  std::span<const bool> prescribed() const { return {flags.get(), size_t(robot.nv())}; }
  /// The cranks of some linkages.
  void prescribe_cranks(int every) {
    for (const JointInfo& joint : robot.joints())
      if (joint.name.substr(0, 6) == "crank_")
        flags[size_t(joint.v)] = std::stoi(joint.name.substr(6)) % every == 0;
  }

  Robot robot;
  std::vector<Contact> contacts;
  ConstrainedDynamics dyn;
  Eigen::VectorXd q, v, tau;
  std::unique_ptr<bool[]> flags;
};

/// f for linkages in series and in branches, with and without a tip that is held, and for a
/// quadruped in the air and on its feet.
template <class F>
void on_clustered_robots(std::initializer_list<int> linkages, F f) {
  for (const int n : linkages)
    for (const int branches : {1, 2}) {
      if (branches > n) continue;
      const Robot robot(generate_four_bars(n, branches));
      const FrameId tip = robot.frame("coupler_" + std::to_string(n));
      f(ClusteredState(robot, {}));
      if (n > 2) f(ClusteredState(robot, {{tip, LoopKind::knife_edge}}));
    }
  const Robot quadruped(four_bar_quadruped());
  f(ClusteredState(quadruped, {}));
  f(ClusteredState(quadruped, feet_of_quadruped(quadruped)));
}

/// Whether x is y, of y's size.
inline testing::AssertionResult same(const Eigen::MatrixXd& x, const Eigen::MatrixXd& y,
                                     double tolerance) {
  const double off = largest(x - y), size = largest(y);
  if (off <= tolerance * size) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "off by " << off / size << " of " << size;
}

}  // namespace jounce::test
