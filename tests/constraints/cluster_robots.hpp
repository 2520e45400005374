// SPDX-License-Identifier: BSD-3-Clause
// Robots with many small loops, at states that suit them, for comparing clusters with factors.
#pragma once

#include <jounce/constrained_dynamics.hpp>
#include <jounce/model/generate.hpp>

#include "constraints/mechanisms.hpp"
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
/// Bennett's linkages one on the other: their rows depend on one another in another way at every
/// state.
inline RobotDescription bennetts(int count) {
  const RobotDescription one = bennett(0.9);
  RobotDescription all;
  all.name = "bennetts_" + std::to_string(count);
  all.links = {one.links[0]};
  for (int i = 0; i < count; ++i) {
    const std::string ground = i == 0 ? "ground" : "two_" + std::to_string(i - 1);
    const auto named = [&](const std::string& name) {
      return name.empty() || name == "ground" ? ground : name + "_" + std::to_string(i);
    };
    for (size_t k = 1; k < one.links.size(); ++k) {
      all.links.push_back(one.links[k]);
      all.links.back().name = named(one.links[k].name);
    }
    for (JointDescription joint : one.joints) {
      for (std::string* name : {&joint.name, &joint.parent, &joint.child}) *name = named(*name);
      all.joints.push_back(joint);
    }
    LoopDescription loop = one.loops[0];
    for (std::string* name : {&loop.name, &loop.link_1, &loop.link_2}) *name = named(*name);
    all.loops.push_back(loop);
  }
  return all;
}
inline std::vector<Contact> feet_of_quadruped(const Robot& robot) {
  std::vector<Contact> feet;
  for (const char* foot : {"coupler_5", "coupler_6", "coupler_7", "coupler_8"})
    feet.push_back({robot.frame(foot), LoopKind::point});
  return feet;
}

/// A robot in motion, what it touches, forces, and a coordinate in three that may be prescribed.
/// The ground of one that touches it moves.
struct ClusteredState {
  ClusteredState(Robot robot_, std::vector<Contact> contacts_)
      : robot(std::move(robot_)), contacts(std::move(contacts_)), dyn(robot) {
    const int n = robot.nv();
    q = Eigen::VectorXd::Map(robot.closed().data(), robot.nq());
    v = dyn.project(q, Eigen::VectorXd::LinSpaced(n, -0.7, 0.9), contacts);
    tau = Eigen::VectorXd::LinSpaced(n, 0.6, -0.4);
    if (!contacts.empty())
      ground = {{{0.3, -0.2, 0.5}, {0.1, 0.4, -0.3}}, {{-0.6, 0.1, 0.2}, {0.7, 0.3, -0.5}}};
    flags = std::make_unique<bool[]>(size_t(n));
  }
  explicit ClusteredState(LoopedRobot&& x)
      : robot(x.robot), dyn(robot), q(x.q), v(x.v), tau(x.tau) {
    flags = std::make_unique<bool[]>(size_t(robot.nv()));
    if (x.motion.ground) ground = {x.motion.ground->V, x.motion.ground->Vdot};
  }
  Surroundings around() const {
    if (ground.empty()) return {};
    return {.ground = Ground<double>{ground[0], ground[1]}};
  }
  int rows() const { return dyn.rows() + ConstrainedDynamics::rows(contacts); }
  std::span<const bool> prescribed() const { return {flags.get(), size_t(robot.nv())}; }
  /// The cranks of some linkages.
  void prescribe_cranks(int every) {
    for (const JointInfo& joint : robot.joints())
      for (const std::string crank : {"crank_", "one_"})
        if (joint.name.starts_with(crank))
          flags[size_t(joint.v)] = std::stoi(joint.name.substr(crank.size())) % every == 0;
  }

  Robot robot;
  std::vector<Contact> contacts;
  ConstrainedDynamics dyn;
  Eigen::VectorXd q, v, tau;
  std::vector<Twist<double>> ground;  ///< V and V' where it moves, else none
  std::unique_ptr<bool[]> flags;
};

/// f for linkages in series and in branches, with and without a tip that is held, for a quadruped
/// in the air and on its feet, and for linkages whose rows depend on one another as they move.
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
  const Robot skew(bennetts(4));
  f(ClusteredState(skew, {}));
  f(ClusteredState(skew, {{skew.frame("two_3"), LoopKind::knife_edge},
                          {skew.frame("one_2"), LoopKind::knife_edge}}));
}

/// Whether x is y, of y's size.
inline testing::AssertionResult same(const Eigen::MatrixXd& x, const Eigen::MatrixXd& y,
                                     double tolerance) {
  const double off = largest(x - y), size = largest(y);
  if (off <= tolerance * size) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "off by " << off / size << " of " << size;
}

}  // namespace jounce::test
