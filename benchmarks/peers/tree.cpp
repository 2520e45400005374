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

}  // namespace

FrameId tip_of(const Robot& robot) {
  int link = int(robot.description().links.size()) - 1;
  while (robot.frame_info(FrameId(link)).body != robot.model().bodies - 1) --link;
  return FrameId(link);
}

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

}  // namespace jounce::bench
