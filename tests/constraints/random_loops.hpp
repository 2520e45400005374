// SPDX-License-Identifier: BSD-3-Clause
// Random robots with random loops of every kind, closed at a random configuration.
#pragma once

#include <jounce/constrained_dynamics.hpp>
#include <jounce/equations/coupling.hpp>
#include <jounce/model/custom_constraint.hpp>

#include "model/random_bushings.hpp"
#include "support/dense.hpp"

namespace jounce::test {

inline constexpr int loop_kinds = int(LoopKind::custom) + 1;

inline constexpr double disc_radius = 0.4;

/// A smooth function of some coordinates that is zero where they are now.
inline std::shared_ptr<const CustomConstraint> smooth_constraint(const std::vector<double>& now) {
  const auto f = [&](const auto& q) {
    auto sum = q[0] * q[q.size() - 1];
    for (size_t k = 0; k < q.size(); ++k) sum += sin(q[k] + 0.3 * double(k)) * (1.0 + double(k));
    return sum;
  };
  Recorder recorder;
  std::vector<Recorded> q;
  for (size_t k = 0; k < now.size(); ++k) q.push_back(recorder.input());
  recorder.input();  // time
  const Recorded values[] = {f(q) - f(now)};
  return std::make_shared<const CustomConstraint>(int(now.size()), recorder, values);
}

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
    case LoopKind::knife_edge:
      return exp(Twist<double>{{angle, way, 0.4}, {way, angle, 0.5}});
    case LoopKind::rolling: {
      const SO3<double> R = exp(Vec3<double>{1.2 + way, angle, 0.4});
      const Vec3<double>& n = R.m.row[2];
      return {R, {way, angle, disc_radius * std::sqrt(n.x * n.x + n.y * n.y)}};
    }
    case LoopKind::fixed:
    case LoopKind::gear:
    case LoopKind::custom:
      break;
  }
  return {};
}

/// The robot of a seed with loops between random links, and its state on them. The ground of every
/// third one moves.
struct LoopedRobot {
  explicit LoopedRobot(std::uint64_t seed, int loops = 2, bool mimic = false, int bodies = 0)
      : motion(bushed(RobotInMotion(seed, mimic, bodies), seed)),
        robot(with_loops(seed, loops)),
        dyn(robot) {
    q = Eigen::VectorXd::Map(robot.closed().data(), robot.nq());
    v = dyn.project(q, motion.v);
    tau = motion.random(robot.nv());
    if (seed % 3 == 1) motion.ground = {motion.rng.twist(), motion.rng.twist()};
  }

  /// Every fourth robot has bushings.
  static RobotInMotion bushed(RobotInMotion motion, std::uint64_t seed) {
    if (seed % 4 != 0) return motion;
    motion.robot = Robot(with_bushings(motion.robot, motion.q, motion.rng));
    motion.dynamics = Dynamics(motion.robot);
    return motion;
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
      LoopDescription loop;
      loop.name = "loop_" + std::to_string(robot_.loops.size());
      loop.kind = LoopKind((seed + robot_.loops.size()) % loop_kinds);
      if (loop.kind == LoopKind::gear || loop.kind == LoopKind::custom) {
        if (tie_joints(loop)) robot_.loops.push_back(loop);
        continue;
      }
      if (frames[one].body == frames[two].body) continue;
      loop.link_1 = robot_.links[one].name;
      loop.link_2 = robot_.links[two].name;
      loop.placement_1 = exp(motion.rng.twist());
      const SE3<double> E = allowed_pose(loop.kind, motion.rng);
      const SE3<double> T_1 = kin.pose(FrameId(int(one))), T_2 = kin.pose(FrameId(int(two)));
      loop.placement_2 = inverse_times(T_2, T_1 * loop.placement_1 * E);
      loop.length = loop.kind == LoopKind::distance ? norm(E.p) : 0;
      loop.radius = loop.kind == LoopKind::rolling ? disc_radius : 0;
      robot_.loops.push_back(loop);
    }
    return Robot(robot_);
  }

  /// Two joints that a gear or a function ties; a robot of one joint has none.
  bool tie_joints(LoopDescription& loop) {
    const auto joints = motion.robot.joints();
    const JointInfo& one = joints[size_t(motion.rng.uniform(0, double(joints.size())))];
    const JointInfo& two = joints[size_t(motion.rng.uniform(0, double(joints.size())))];
    const bool gear = loop.kind == LoopKind::gear;
    if (one.v == two.v || (gear && (one.nv != 1 || two.nv != 1))) return false;
    std::vector<double> now;
    const std::vector<double> tree = tree_coordinates();
    for (const JointInfo* joint : {&one, &two}) {
      const double* q_ = tree.data() + motion.robot.model().q_at[joint->body];
      loop.joints.push_back({joint->name, 0.25 * std::floor(motion.rng.uniform(2, 9))});
      const double angle = joint->nq == 2 ? std::atan2(q_[1], q_[0]) : q_[0];
      loop.offset += gear ? loop.joints.back().ratio * angle : 0;
      now.insert(now.end(), q_, q_ + joint->nq);
    }
    if (!gear) loop.custom = smooth_constraint(now);
    return true;
  }
  /// Of a robot with a free base the ground holds the last link: without, its base needs a motor.
  std::vector<Contact> feet() const {
    for (const JointInfo& joint : robot.joints())
      if (joint.kind == JointKind::free)
        return {{robot.frame(robot.description().links.back().name), LoopKind::fixed}};
    return {};
  }
  /// Coordinates of all joints, mimic joints included.
  std::vector<double> tree_coordinates() const {
    std::vector<double> all(size_t(motion.robot.model().nq));
    expand_positions(motion.robot.system().coupling, motion.q.data(), all.data());
    return all;
  }

  RobotInMotion motion;  ///< of the open tree
  Robot robot;
  ConstrainedDynamics dyn;
  Eigen::VectorXd q, v, tau;
};

/// The robot without motors where their columns of A are independent, so that the others can move
/// it as they like; of those every third has one all the same. A free base has none.
inline Robot with_motors(const Robot& robot, const Eigen::MatrixXd& A) {
  RobotDescription made = robot.description();
  Eigen::MatrixXd passive(A.rows(), 0);
  int independent = 0;
  for (const JointInfo& joint : robot.joints()) {
    if (joint.mimic) continue;
    Eigen::MatrixXd more(A.rows(), passive.cols() + joint.nv);
    more << passive, A.middleCols(joint.v, joint.nv);
    const bool can_be_passive =
        more.cols() <= A.rows() && singular_values(more).minCoeff() > 0.05 * largest(A);
    const bool motor = joint.kind != JointKind::free && (!can_be_passive || ++independent % 3 == 0);
    made.joints[size_t(joint.description)].actuated = motor;
    if (!motor) passive = more;
  }
  return Robot(made);
}

}  // namespace jounce::test
