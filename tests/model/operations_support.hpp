// SPDX-License-Identifier: BSD-3-Clause
// Robots for the tests of operations, where their links are, and the message of an error.
#pragma once

#include <gtest/gtest.h>

#include <jounce/algorithm/kinematics.hpp>
#include <jounce/model/generate.hpp>
#include <jounce/model/operations.hpp>
#include <jounce/model/workspace.hpp>

#include "support/near.hpp"
#include "support/random.hpp"

namespace jounce::test {

/// Poses in the world and body twists of all links, then frames, as Robot::frames orders them.
struct Snapshot {
  std::vector<std::string> names;
  std::vector<SE3<double>> pose;
  std::vector<Twist<double>> twist;

  size_t at(const std::string& name) const {
    const auto found = std::find(names.begin(), names.end(), name);
    EXPECT_NE(found, names.end()) << name;
    return static_cast<size_t>(found - names.begin());
  }
  const SE3<double>& pose_of(const std::string& name) const { return pose[at(name)]; }
  /// Of b in a.
  SE3<double> relative(size_t a, size_t b) const { return inverse_times(pose[a], pose[b]); }
  /// The twist of b as a sees it, in b.
  Twist<double> relative_twist(size_t a, size_t b) const {
    return twist[b] - Ad_inv(relative(a, b), twist[a]);
  }
};

inline Snapshot snapshot(const Robot& robot, const std::vector<double>& q,
                         std::vector<double> v = {}) {
  const Model<double>& m = robot.model();
  const Coupling<double>& c = robot.system().coupling;
  v.resize(size_t(robot.nv()), 0.0);
  std::vector<double> tree_q, tree_v;
  for (size_t k = 0; k < size_t(m.nq); ++k)
    tree_q.push_back(c.q_ratio[k] * q.at(size_t(c.q_source[k])) + c.q_offset[k]);
  for (size_t k = 0; k < size_t(m.nv); ++k)
    tree_v.push_back(c.v_ratio[k] * v.at(size_t(c.v_source[k])));
  WorkspaceStorage<double> storage(m);
  Workspace<double>& w = storage.view();
  const State<double> x{tree_q.data(), tree_v.data(), nullptr};
  forward_poses(m, x, w);
  w.V[0] = {};
  forward_twists(m, x, w);
  Snapshot all;
  for (const FrameInfo& frame : robot.frames()) {
    all.names.push_back(frame.name);
    all.pose.push_back(w.pose[frame.body] * frame.offset);
    all.twist.push_back(Ad_inv(frame.offset, w.V[frame.body]));
  }
  return all;
}

/// Of all links together, those on the ground too, in the frame of a link (or the world's).
inline Inertia<double> total_inertia(const Robot& robot, const Snapshot& s,
                                     const SE3<double>& seen_from = {}) {
  Inertia<double> sum;
  for (size_t k = 0; k < robot.description().links.size(); ++k)
    sum = sum + push_forward(inverse_times(seen_from, s.pose[k]),
                             link_inertia(robot.description().links[k]));
  return sum;
}

/// Trees of seven links and all kinds of joint, with mimics, brackets and offset links.
inline RobotDescription random_tree(std::uint64_t seed, bool with_custom = true,
                                    bool free_base = false) {
  GeneratorOptions options;
  options.shape = TreeShape::random_tree;
  options.bodies = 7;
  options.kinds = all_joint_kinds(true, with_custom);
  options.free_base = free_base;
  options.mimic = options.fixed_links = options.child_placements = true;
  options.seed = seed;
  return generate(options);
}

inline std::vector<double> random_v(const Robot& robot, std::uint64_t seed) {
  Random rng(seed);
  std::vector<double> v;
  for (int k = 0; k < robot.nv(); ++k) v.push_back(rng.number());
  return v;
}

/// The coordinates of one joint.
inline std::vector<double> values_of(const JointInfo& joint, const std::vector<double>& q) {
  return {q.begin() + joint.q, q.begin() + joint.q + joint.nq};
}

/// What an InputError says; empty where there is none.
template <class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// A link, a body of one kilogram; a joint on z between two links.
inline LinkDescription link_named(const std::string& name) {
  return {name, 1, {0.1, 0, 0}, {0.1, 0, 0.1, 0, 0, 0.1}, {}, {}};
}
inline JointDescription joint_named(const std::string& name, const std::string& parent,
                                    const std::string& child,
                                    JointKind kind = JointKind::revolute) {
  JointDescription joint{name, parent, child};
  joint.geometry.kind = kind;
  joint.geometry.placement.p = {0, 0, 1};
  if (kind != JointKind::fixed && kind != JointKind::spherical) joint.geometry.axes = {{0, 0, 1}};
  return joint;
}

/// base - shoulder - upper - elbow - fore - wrist (fixed) - hand, with two fingers on the hand, of
/// which the right one mimics the left, and a camera on a ball joint at the base.
inline RobotDescription gripper_arm() {
  RobotDescription robot;
  robot.name = "arm";
  for (const char* name : {"base", "upper", "fore", "hand", "left", "right", "camera"})
    robot.links.push_back(link_named(name));
  robot.joints = {joint_named("shoulder", "base", "upper"),
                  joint_named("elbow", "upper", "fore"),
                  joint_named("wrist", "fore", "hand", JointKind::fixed),
                  joint_named("grip", "hand", "left", JointKind::prismatic),
                  joint_named("grip_2", "hand", "right", JointKind::prismatic),
                  joint_named("neck", "base", "camera", JointKind::spherical)};
  robot.joints[4].mimic = Mimic{"grip", -1, 0.1};
  robot.frames = {{"tool", "hand", {{}, {0, 0, 0.2}}}, {"eye", "camera", {{}, {0.1, 0, 0}}}};
  robot.loops = {{"hold", "left", "right", {}, {}, LoopKind::prismatic},
                 {"cable", "base", "fore", {}, {}, LoopKind::spherical}};
  return robot;
}

}  // namespace jounce::test
