// SPDX-License-Identifier: BSD-3-Clause
// A robot of ours as peers get it.
#include <algorithm>
#include <jounce/error.hpp>
#include <jounce/model/model.hpp>
#include <random>

#include "benchmarks/peers/ours.hpp"

namespace jounce::bench {
namespace {

PeerJoint joint_of(const Robot& robot, int i) {
  const Model<double>& m = robot.model();
  const bool one = m.part_at[i + 1] - m.part_at[i] == 1;
  if (one && m.kind[i] == JointKind::revolute) return PeerJoint::revolute;
  if (one && m.kind[i] == JointKind::prismatic) return PeerJoint::prismatic;
  if (one && m.kind[i] == JointKind::free) return PeerJoint::free;
  throw InputError("peers: robot \"" + robot.name() + "\" has joints of other kinds");
}

PeerPose pose_of(const SE3<double>& T) {
  const auto& [x, y, z] = T.R.m.row;
  return {{x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z}, {T.p.x, T.p.y, T.p.z}};
}

PeerBody body_of(const Robot& robot, int i) {
  const Model<double>& m = robot.model();
  const Inertia<double>& G = m.G[i];
  const Vec3<double> c = G.h * (1 / G.mass);
  const double xx = G.I.xx - G.mass * (c.y * c.y + c.z * c.z), xy = G.I.xy + G.mass * c.x * c.y;
  const double yy = G.I.yy - G.mass * (c.x * c.x + c.z * c.z), xz = G.I.xz + G.mass * c.x * c.z;
  const double zz = G.I.zz - G.mass * (c.x * c.x + c.y * c.y), yz = G.I.yz + G.mass * c.y * c.z;
  return {.parent = m.parent[i],
          .joint = joint_of(robot, i),
          .placement = pose_of(m.part[m.part_at[i]].placement),
          .mass = G.mass,
          .com = {c.x, c.y, c.z},
          .I_com = {xx, xy, xz, xy, yy, yz, xz, yz, zz}};
}

/// Fewer for large robots, whose results would leave the cache.
std::vector<PeerState> states_of(const Robot& robot) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto numbers = [&] {
    std::vector<double> x(size_t(robot.nv()));
    for (double& one : x) one = number(random);
    return x;
  };
  std::vector<PeerState> states(robot.nv() > 110 ? 8 : 32);
  for (size_t k = 0; k < states.size(); ++k)
    states[k] = {robot.random(k + 1), numbers(), numbers(), numbers()};
  return states;
}

PeerEnd end_of(const Robot& robot, const std::string& link, const SE3<double>& placement) {
  if (link.empty()) return {0, pose_of(placement)};
  const FrameInfo& frame = robot.frame_info(robot.frame(link));
  return {frame.body, pose_of(frame.offset * placement)};
}

/// Where a hinge ties a linkage that is planar anyway, its point alone says as much.
bool is_point(const Robot& robot, LoopKind kind) {
  if (kind == LoopKind::fixed) return false;
  if (kind == LoopKind::point || kind == LoopKind::spherical || kind == LoopKind::revolute)
    return true;
  throw InputError("peers: robot \"" + robot.name() + "\" has loops of other kinds");
}

/// A configuration that closes the loops, a small step from the robot's own.
std::vector<double> closed_near(ConstrainedDynamics& dynamics, std::vector<double> step) {
  const Robot& robot = dynamics.robot();
  for (double& one : step) one *= 0.1;
  std::vector<double> guess = robot.closed();
  robot.integrate(robot.closed(), step, guess);
  const Assembly found = dynamics.assemble(guess);
  if (!found.converged)
    throw ComputationError("peers: robot \"" + robot.name() + "\" cannot be closed near its own");
  return {found.q.begin(), found.q.end()};
}

}  // namespace

PeerTree tree_of(const Robot& robot) {
  const Vec3<double> g = robot.gravity();
  const FrameInfo& tip = robot.frame_info(tip_of(robot));
  PeerTree tree{.gravity = {g.x, g.y, g.z},
                .bodies = {PeerBody{}},
                .tip = tip.body,
                .tip_frame = pose_of(tip.offset),
                .states = states_of(robot)};
  for (int i = 1; i < robot.model().bodies; ++i) tree.bodies.push_back(body_of(robot, i));
  return tree;
}

PeerTree tree_of(const HeldRobot& held) {
  const Robot& robot = held.robot;
  PeerTree tree = tree_of(robot);
  for (const LoopDescription& loop : robot.loops())
    tree.loops.push_back({.end_1 = end_of(robot, loop.link_1, loop.placement_1),
                          .end_2 = end_of(robot, loop.link_2, loop.placement_2),
                          .point = is_point(robot, loop.kind)});
  for (const Contact& contact : held.contacts) {
    const FrameInfo& frame = robot.frame_info(contact.frame);
    tree.loops.push_back({.end_1 = {frame.body, pose_of(frame.offset)},
                          .end_2 = {0, pose_of({})},
                          .point = is_point(robot, contact.kind)});
  }
  ConstrainedDynamics dynamics(robot);
  tree.rows_depend = dynamics.rank() < dynamics.rows();
  for (PeerState& x : tree.states) {
    if (!robot.loops().empty()) x.q = closed_near(dynamics, x.v);
    x.v = dynamics.project<std::vector<double>>(x.q, x.v, held.contacts);
  }
  // Where numbers are compared, at rest: of points that start to slip, in columns of derivatives,
  // peers hold the acceleration in fixed axes, and we in those of the body.
  if (!tree.rows_depend && std::ranges::any_of(tree.loops, &PeerLoop::point))
    for (PeerState& x : std::span(tree.states).first(compared_states)) std::ranges::fill(x.v, 0.0);
  return tree;
}

}  // namespace jounce::bench
