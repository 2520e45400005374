// SPDX-License-Identifier: BSD-3-Clause
// Robots with many small loops, at states that suit them, for comparing clusters with factors.
#pragma once

#include <jounce/constrained_dynamics.hpp>
#include <jounce/model/generate.hpp>
#include <jounce/model/loop.hpp>
#include <jounce/series_surroundings.hpp>
#include <set>

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

/// What resists and pulls in every joint.
inline Robot with_passive_forces(RobotDescription made) {
  for (JointDescription& joint : made.joints) {
    if (joint.geometry.kind != JointKind::revolute) continue;
    joint.properties.damping = {0.2}, joint.properties.friction = {0.1};
    joint.properties.stiffness = {0.4}, joint.properties.rest = {0.3};
  }
  return Robot(made);
}

/// Wrenches in every kind of axes, on links from the first to the last, and a ground that moves.
struct MovingWorld {
  explicit MovingWorld(const Robot& robot) {
    using enum Representation;
    const Wrench<double> F{{0.3, -0.2, 0.5}, {-0.4, 0.6, 0.2}};
    const int last = int(robot.frames().size()) - 1;
    for (const auto& [in, frame] : {std::pair(body, last), {space, last / 2}, {hybrid, 1}})
      pushes.push_back({FrameId(frame), F, in});
    rates = {F, F * -2.0};
    for (const OutsideWrench<double>& one : pushes) series.push_back({one.frame, rates, one.in});
  }
  Surroundings around() const {
    return {.wrenches = pushes,
            .ground = Ground<double>{ground[0], ground[1]},
            .passive = acts,
            .gravity = acts};
  }
  SeriesSurroundings around_series() const {
    return {.wrenches = series, .ground = ground, .passive = acts, .gravity = acts};
  }

  std::vector<OutsideWrench<double>> pushes;
  std::vector<Wrench<double>> rates;
  std::vector<OutsideWrenchSeries> series;
  std::vector<Twist<double>> ground{{{0.2, -0.3, 0.1}, {0.4, 0.1, -0.2}},
                                    {{-0.5, 0.2, 0.3}, {0.1, -0.6, 0.7}},
                                    {{0.1, 0.3, -0.2}, {-0.3, 0.2, 0.1}}};
  bool acts = true;  ///< whether passive forces and gravity do
};

/// A robot in motion, what it touches and what surrounds it, forces, and a coordinate in three that
/// may be prescribed.
struct ClusteredState {
  ClusteredState(Robot robot_, std::vector<Contact> contacts_)
      : robot(std::move(robot_)), contacts(std::move(contacts_)), dyn(robot), world(robot) {
    const int n = robot.nv();
    q = Eigen::VectorXd::Map(robot.closed().data(), robot.nq());
    v = dyn.project(q, Eigen::VectorXd::LinSpaced(n, -0.7, 0.9), contacts);
    tau = Eigen::VectorXd::LinSpaced(n, 0.6, -0.4);
    flags = std::make_unique<bool[]>(size_t(n));
  }
  explicit ClusteredState(LoopedRobot&& x)
      : robot(x.robot), dyn(robot), world(robot), q(x.q), v(x.v), tau(x.tau) {
    flags = std::make_unique<bool[]>(size_t(robot.nv()));
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
  MovingWorld world;
  Eigen::VectorXd q, v, tau;
  std::unique_ptr<bool[]> flags;
};

/// f for linkages in series and in branches, with and without a tip that is held, for a quadruped
/// in the air and on its feet, and for linkages whose rows depend on one another as they move; with
/// and without passive forces and gravity.
template <class F>
void on_clustered_robots(std::initializer_list<int> linkages, F f) {
  const auto run = [&](const Robot& robot, const std::vector<Contact>& contacts) {
    for (const bool acts : {true, false}) {
      ClusteredState x(robot, contacts);
      x.world.acts = acts;
      f(std::move(x));
    }
  };
  for (const int n : linkages)
    for (const int branches : {1, 2}) {
      if (branches > n) continue;
      const Robot robot = with_passive_forces(generate_four_bars(n, branches));
      const FrameId tip = robot.frame("coupler_" + std::to_string(n));
      run(robot, {});
      if (n > 2) run(robot, {{tip, LoopKind::knife_edge}});
    }
  const Robot quadruped = with_passive_forces(four_bar_quadruped());
  run(quadruped, {});
  run(quadruped, feet_of_quadruped(quadruped));
  const Robot skew = with_passive_forces(bennetts(4));
  run(skew, {});
  run(skew,
      {{skew.frame("two_3"), LoopKind::knife_edge}, {skew.frame("one_2"), LoopKind::knife_edge}});
}

/// The kinds of loops that clusters take.
inline std::set<LoopKind> kinds_of_clusters() {
  std::set<LoopKind> kinds;
  for (int k = 0; k < loop_kinds; ++k)
    if (has_frames(LoopKind(k)) && LoopKind(k) != LoopKind::rolling) kinds.insert(LoopKind(k));
  return kinds;
}
/// Whether states on random loops go by clusters, as `by_clusters` tells, for each of their kinds.
template <class F>
void expect_clusters_of_all_kinds(F by_clusters) {
  std::set<LoopKind> left = kinds_of_clusters();
  for (int seed = 1; seed <= 80; ++seed) {
    LoopedRobot looped(std::uint64_t(seed), 3, false, 16);
    if (looped.dyn.mobility() == 0) continue;
    if (looped.dyn.forward(looped.q, looped.v, looped.tau).rank_margin < 1e-2) continue;
    ClusteredState x(std::move(looped));
    if (!by_clusters(x)) continue;
    for (const LoopDescription& loop : x.robot.description().loops) left.erase(loop.kind);
  }
  for (const LoopKind kind : left) ADD_FAILURE() << "no cluster has a loop of kind " << int(kind);
}

/// Whether x is y, of y's size.
inline testing::AssertionResult same(const Eigen::MatrixXd& x, const Eigen::MatrixXd& y,
                                     double tolerance) {
  const double off = largest(x - y), size = largest(y);
  if (off <= tolerance * size) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "off by " << off / size << " of " << size;
}

}  // namespace jounce::test
