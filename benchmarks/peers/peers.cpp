// SPDX-License-Identifier: BSD-3-Clause
// Jounce and its peers in turn on the same robots; the ratio is of times in the same minute.
#include <cmath>
#include <functional>
#include <jounce/derivatives.hpp>
#include <jounce/dynamics.hpp>
#include <jounce/io.hpp>
#include <jounce/second_derivatives.hpp>
#include <jounce/simulation.hpp>

#include "benchmarks/bench.hpp"
#include "benchmarks/peers/peer.hpp"

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

PeerBody body_of(const Robot& robot, int i) {
  const Model<double>& m = robot.model();
  const Inertia<double>& G = m.G[i];
  const Vec3<double> c = G.h * (1 / G.mass);
  const SE3<double>& T = m.part[m.part_at[i]].placement;
  const double xx = G.I.xx - G.mass * (c.y * c.y + c.z * c.z), xy = G.I.xy + G.mass * c.x * c.y;
  const double yy = G.I.yy - G.mass * (c.x * c.x + c.z * c.z), xz = G.I.xz + G.mass * c.x * c.z;
  const double zz = G.I.zz - G.mass * (c.x * c.x + c.y * c.y), yz = G.I.yz + G.mass * c.y * c.z;
  const auto& [x, y, z] = T.R.m.row;
  return {.parent = m.parent[i],
          .joint = joint_of(robot, i),
          .R = {x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z},
          .p = {T.p.x, T.p.y, T.p.z},
          .mass = G.mass,
          .com = {c.x, c.y, c.z},
          .I_com = {xx, xy, xz, xy, yy, yz, xz, yz, zz}};
}

PeerTree tree_of(const Robot& robot) {
  const Vec3<double> g = robot.gravity();
  PeerTree tree{{g.x, g.y, g.z}, {PeerBody{}}};
  for (int i = 1; i < robot.model().bodies; ++i) tree.bodies.push_back(body_of(robot, i));
  return tree;
}

struct Algorithm {
  const char* name;
  std::function<void()> ours;
  std::function<void()> PeerCalls::*theirs;
};

/// The trace without rotors, which are ours alone.
double mass_trace(Dynamics& dynamics) {
  const Model<double>& m = dynamics.robot().model();
  double trace = dynamics.mass(dynamics.robot().neutral()).trace();
  for (int k = 0; k < m.nv; ++k) trace -= m.armature[k];
  return trace;
}

void measure(const std::string& name, std::vector<Row>& rows) {
  Dynamics dynamics(load("builtin:" + name));
  const Robot& robot = dynamics.robot();
  Derivatives first(robot);
  SecondDerivatives second(robot);
  MassMatrix M(robot);
  MassInverse M_inverse(robot);
  CoriolisMatrices C(robot);
  InverseDerivatives of_inverse(robot);
  ForwardDerivatives of_forward(robot);
  InverseSecondDerivatives tensors(robot);
  const std::vector<double> q = robot.random(1), v(static_cast<size_t>(robot.nv()), 0.1);
  std::vector<double> found(v);
  constexpr Factorization christoffel = Factorization::christoffel;
  Simulation sim(robot, {.integrator = Integrator::rk4, .step = 1e-3, .passive = false});
  const SimulationState start = sim.start(robot.neutral(), v);
  SimulationState x = start;
  const auto rk4_step = [&] {
    if (x.t > 0.5) x = start;
    sim.step(x, 1e-3);
  };
  const Algorithm all[] = {
      {"rk4-step", rk4_step, &PeerCalls::rk4_step},
      {"inverse", [&] { dynamics.inverse(q, v, v, into(found)); }, &PeerCalls::inverse},
      {"forward", [&] { dynamics.forward(q, v, v, into(found)); }, &PeerCalls::forward},
      {"mass", [&] { dynamics.mass(q, into(M)); }, &PeerCalls::mass},
      {"mass-inverse", [&] { dynamics.mass_inverse(q, into(M_inverse)); },
       &PeerCalls::mass_inverse},
      {"coriolis", [&] { dynamics.coriolis(q, v, christoffel, into(C)); }, &PeerCalls::coriolis},
      {"inverse-derivatives", [&] { first.inverse(q, v, v, into(of_inverse)); },
       &PeerCalls::inverse_derivatives},
      {"forward-derivatives", [&] { first.forward(q, v, v, into(of_forward)); },
       &PeerCalls::forward_derivatives},
      {"inverse-second-derivatives", [&] { second.inverse(q, v, v, into(tensors)); },
       &PeerCalls::inverse_second_derivatives}};
  const double trace = mass_trace(dynamics);
  const PeerTree tree = tree_of(robot);
  for (const Peer& peer : peer_libraries()) {
    const PeerCalls calls = peer.load(tree);
    if (!(std::abs(calls.mass_trace - trace) <= 1e-9 * trace))
      throw ComputationError(std::string("peers: ") + peer.library + " has another robot than \"" +
                             name + "\": trace of its mass matrix " +
                             std::to_string(calls.mass_trace) + ", ours " + std::to_string(trace));
    for (const Algorithm& one : all) {
      if (!(calls.*one.theirs)) continue;
      const double before = nanoseconds(one.ours), theirs = nanoseconds(calls.*one.theirs);
      const double ours = std::min(before, nanoseconds(one.ours));
      rows.push_back({.robot = name,
                      .algorithm = one.name,
                      .library = peer.library,
                      .ns = theirs,
                      .ratio = theirs / ours});
    }
  }
}

}  // namespace

std::vector<Row> peers() {
  std::vector<Row> rows;
  if (peer_libraries().empty()) return rows;
  for (const char* name : {"arm7", "quadruped", "humanoid"}) measure(name, rows);
  return rows;
}

}  // namespace jounce::bench
