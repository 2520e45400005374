// SPDX-License-Identifier: BSD-3-Clause
// Random robots with random loops of every kind, closed at a random configuration.
#pragma once

#include <jounce/constrained_dynamics.hpp>

#include "model/random_robot.hpp"

namespace jounce::test {

inline constexpr int loop_kinds = int(LoopKind::distance) + 1;

/// A pose that a joint of this kind allows, frame 2 seen from frame 1.
inline SE3<double> allowed_pose(LoopKind kind, Random& rng) {
  const double angle = rng.uniform(-1, 1), way = rng.uniform(-0.3, 0.3);
  const Twist<double> turn{{0, 0, angle}, {}}, slide{{}, {0, 0, way}};
  switch (kind) {
    case LoopKind::revolute:
      return exp(turn);
    case LoopKind::prismatic:
      return exp(slide);
    case LoopKind::cylindrical:
      return exp(turn) * exp(slide);
    case LoopKind::planar:
      return exp(turn) * exp(Twist<double>{{}, {way, 0.2, 0}});
    case LoopKind::universal:
      return exp(turn) * exp(Twist<double>{{way, 0, 0}, {}});
    case LoopKind::spherical:
    case LoopKind::point:
      return exp(Twist<double>{{angle, way, 0.4}, {}});
    case LoopKind::orientation:
      return exp(Twist<double>{{}, {angle, way, 0.4}});
    case LoopKind::distance:
      return exp(Twist<double>{{angle, way, 0.4}, {way, angle, 0.5}});
    case LoopKind::fixed:
      break;
  }
  return {};
}

/// The robot of a seed with loops between random links, and its state on them.
struct LoopedRobot {
  explicit LoopedRobot(std::uint64_t seed, int loops = 2, bool mimic = false, int bodies = 0)
      : motion(seed, mimic, bodies), robot(with_loops(seed, loops)), dyn(robot) {
    q = Eigen::VectorXd::Map(robot.closed().data(), robot.nq());
    v = dyn.project(q, motion.v);
    tau = motion.random(robot.nv());
  }

  Robot with_loops(std::uint64_t seed, int loops) {
    RobotDescription robot_ = motion.robot.description();
    for (const JointInfo& joint : motion.robot.joints())
      if (!joint.mimic)
        robot_.joints[size_t(joint.description)].closed.assign(
            motion.q.data() + joint.q, motion.q.data() + joint.q + joint.nq);
    Kinematics kin(motion.robot);
    kin.at(motion.q);
    const auto frames = motion.robot.frames();
    for (int tries = 0; int(robot_.loops.size()) < loops && tries < 100; ++tries) {
      const auto one = size_t(motion.rng.uniform(0, double(robot_.links.size())));
      const auto two = size_t(motion.rng.uniform(0, double(robot_.links.size())));
      if (frames[one].body == frames[two].body) continue;
      LoopDescription loop;
      loop.name = "loop_" + std::to_string(robot_.loops.size());
      loop.link_1 = robot_.links[one].name;
      loop.link_2 = robot_.links[two].name;
      loop.kind = LoopKind((seed + robot_.loops.size()) % loop_kinds);
      loop.placement_1 = exp(motion.rng.twist());
      const SE3<double> E = allowed_pose(loop.kind, motion.rng);
      const SE3<double> T_1 = kin.pose(FrameId(int(one))), T_2 = kin.pose(FrameId(int(two)));
      loop.placement_2 = inverse_times(T_2, T_1 * loop.placement_1 * E);
      loop.length = loop.kind == LoopKind::distance ? norm(E.p) : 0;
      robot_.loops.push_back(loop);
    }
    return Robot(robot_);
  }

  RobotInMotion motion;  ///< of the open tree
  Robot robot;
  ConstrainedDynamics dyn;
  Eigen::VectorXd q, v, tau;
};

}  // namespace jounce::test
