// SPDX-License-Identifier: BSD-3-Clause
// Other libraries on the same robots: each gets the tree of bodies that ours computes with, so that
// all of them move the same bodies about the same axes, z of every body's frame.
//
// Plain C++17 without our headers: not every peer compiles as C++20.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace jounce::bench {

enum class PeerJoint { revolute, prismatic, free };  ///< about or along z

/// Matrices are stored row by row.
struct PeerPose {
  std::array<double, 9> R{};
  std::array<double, 3> p{};
};

/// A body: how it hangs on its parent (body 0 is the ground) and its inertia.
struct PeerBody {
  int parent = 0;
  PeerJoint joint = PeerJoint::revolute;
  PeerPose placement;  ///< of the joint in the parent
  double mass = 0;
  std::array<double, 3> com{};
  std::array<double, 9> I_com{};  ///< about the com, in the body's axes
};

/// In our order: q of a free joint is its position and the quaternion x, y, z, w; its v is the body
/// twist, angular first.
struct PeerState {
  std::vector<double> q, v, a, tau;
};

/// A frame of a body, or of the ground.
struct PeerEnd {
  int body = 0;
  PeerPose frame;
};
/// What holds one frame at another, in all directions or its point alone.
struct PeerLoop {
  PeerEnd end_1, end_2;
  bool point = false;
};

/// The first states are those in which numbers are compared.
constexpr int compared_states = 2;

struct PeerTree {
  std::array<double, 3> gravity{};
  std::vector<PeerBody> bodies;  ///< the ground first, parents before children
  int tip = 0;                   ///< the body of the frame whose Jacobians are asked for
  PeerPose tip_frame;            ///< in that body
  std::vector<PeerState> states;
  std::vector<PeerLoop> loops{};  ///< with them constrained calls alone are compared
  bool rows_depend = false;       ///< of the loops, on one another
};

/// A call of a library at one state after the other.
struct PeerCall {
  std::string name;
  std::function<void(size_t state)> run;
  /// What the last run found, in our order; none where a library has conventions of its own.
  std::function<std::vector<double>()> numbers{};
  int columns = 1;  ///< its time is told for one of so many
};

/// What a peer computes for one robot. Calls of one name are ways to the same: the fastest counts.
struct PeerCalls {
  std::vector<PeerCall> calls;
  /// Of the mass matrix at neutral, where a free base's velocity is a twist in all conventions: the
  /// same number in every library.
  double mass_trace = 0;

  /// A call that has one state of its own.
  void add(const char* name, const std::function<void()>& run) {
    calls.push_back({name, [run](size_t) { run(); }});
  }
};

struct Peer {
  const char* library;
  PeerCalls (*load)(const PeerTree& tree);
  const char* built;  ///< its version and how it was compiled, where we did
};

PeerCalls pinocchio_calls(const PeerTree& tree);
PeerCalls pinocchio_avx2_calls(const PeerTree& tree);
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
