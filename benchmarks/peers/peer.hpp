// SPDX-License-Identifier: BSD-3-Clause
// Other libraries on the same robots: each gets the tree of bodies that ours computes with, so that
// all of them move the same bodies about the same axes, z of every body's frame.
//
// Plain C++17 without our headers: not every peer compiles as C++20.
#pragma once

#include <array>
#include <functional>
#include <vector>

namespace jounce::bench {

enum class PeerJoint { revolute, prismatic, free };  ///< about or along z

/// A body: how it hangs on its parent (body 0 is the ground) and its inertia. Matrices are stored
/// row by row.
struct PeerBody {
  int parent = 0;
  PeerJoint joint = PeerJoint::revolute;
  std::array<double, 9> R{};  ///< pose of the joint in the parent
  std::array<double, 3> p{};
  double mass = 0;
  std::array<double, 3> com{};
  std::array<double, 9> I_com{};  ///< about the com, in the body's axes
};

struct PeerTree {
  std::array<double, 3> gravity{};
  std::vector<PeerBody> bodies;  ///< the ground first, parents before children
};

/// What a peer computes for one robot; empty where it has no such call.
struct PeerCalls {
  std::function<void()> inverse, forward, mass, mass_inverse, coriolis;
  std::function<void()> rk4_step;  ///< of 1 ms, along a motion of half a second
  std::function<void()> inverse_derivatives, forward_derivatives, inverse_second_derivatives;
  /// Of the mass matrix at neutral, where a free base's velocity is a twist in all conventions: the
  /// same number in every library.
  double mass_trace = 0;
};

struct Peer {
  const char* library;
  PeerCalls (*load)(const PeerTree& tree);
};

PeerCalls pinocchio_calls(const PeerTree& tree);
PeerCalls dart_calls(const PeerTree& tree);
PeerCalls kdl_calls(const PeerTree& tree);
PeerCalls simbody_calls(const PeerTree& tree);
PeerCalls mujoco_calls(const PeerTree& tree);

/// The peers that this build found; the list is written by CMake.
const std::vector<Peer>& peer_libraries();

/// Writes dx/dt at time t.
using Rate = std::function<void(double t, const double* x, double* xdot)>;
/// Takes x from time 0 on.
using Solver = void (*)(const Rate& rate, std::vector<double>& x, double until, double tol);
void cvode_adams(const Rate& rate, std::vector<double>& x, double until, double tol);
/// CVODE, or none where this build has it not; written by CMake.
Solver cvode();

}  // namespace jounce::bench
