// SPDX-License-Identifier: BSD-3-Clause
// A robot as plain views: its tree, and what a tree does not know.
//
// The tree has coordinates for every joint. The robot's own are fewer where mimic joints follow
// others: tree velocities are A v, A constant, and forces of the tree are A^T times smaller in the
// robot's (equations/coupling.hpp). Passive forces, limits and results speak of the robot's own.
#pragma once

#include <jounce/model/joint_properties.hpp>
#include <jounce/model/model.hpp>
#include <span>

namespace jounce {

/// How tree coordinates follow the robot's: tree k is ratio[k] own[source[k]] + offset[k].
/// Everything but a mimic joint has ratio 1 and offset 0.
template <class P>
struct Coupling {
  bool identity = true;          ///< no mimic joint: the tree's coordinates are the robot's
  int tree_nq = 0, tree_nv = 0;  ///< of all joints
  int nq = 0, nv = 0;            ///< of the robot
  const int* q_source = nullptr;
  const int* v_source = nullptr;
  const P* q_ratio = nullptr;
  const P* q_offset = nullptr;
  const P* v_ratio = nullptr;
};

/// A spring and damper between two frames, BushingDescription, on its way through the tree: from
/// frame 2 down to the last body that carries both frames, which it leaves out, and from there up
/// to frame 1.
template <class P>
struct Bushing {
  SE3<P> seat_1, seat_2;  ///< the frames in their bodies' frames
  int body_1 = 0, body_2 = 0;
  P stiffness[6]{}, damping[6]{};
  const int* way = nullptr;  ///< [down + up] bodies
  int down = 0, up = 0;
};
/// All of them.
template <class P>
struct Bushings {
  const Bushing<P>* bushing = nullptr;
  int count = 0;
  const int* body = nullptr;  ///< [bodies] those on the way of any
  int bodies = 0;
  const int* velocity = nullptr;  ///< [velocities] of the robot that move any
  int velocities = 0;
  int longest = 0;  ///< velocities of the tree on the way of one
};

/// What acts in the joints, per velocity of the robot; what mimic joints add is in their leaders'
/// numbers.
template <class P>
struct Passive {
  const P* resistance[std::size(resistances)] = {};  ///< [Resistance][nv]
  const P* stiffness = nullptr;
  const P* rest = nullptr;         ///< [nq] where springs are free
  const Factor* spring = nullptr;  ///< [springs] the factors that a spring holds
  int springs = 0;
  Bushings<P> bushings;
  bool any = false;  ///< resistance, springs or bushings anywhere
};

/// A link or frame by number; get one from Robot::frame. The number belongs to that robot: another
/// robot has another frame under it, or refuses it where it has fewer.
enum class FrameId : int {};

/// Where a link or frame sits.
template <class P>
struct FrameSeat {
  int body = 0;
  SE3<P> offset;  ///< pose in the body's internal frame
};

template <class P>
struct System {
  Model<P> tree;
  int nq = 0, nv = 0;  ///< of the robot
  int factors = 0;
  int frames = 0;
  Coupling<P> coupling;
  Passive<P> passive;
  const Factor* factor = nullptr;       ///< [factors] of the configuration manifold
  const FrameSeat<P>* frame = nullptr;  ///< [frames] by FrameId
};

inline namespace JOUNCE_ISA {

/// The factors of the robot's configuration manifold; mimic joints have none.
template <class P>
constexpr std::span<const Factor> factors(const System<P>& s) {
  return {s.factor, static_cast<std::size_t>(s.factors)};
}
/// Those that a spring holds.
template <class P>
constexpr std::span<const Factor> springs(const Passive<P>& passive) {
  return {passive.spring, static_cast<std::size_t>(passive.springs)};
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
