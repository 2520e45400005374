// SPDX-License-Identifier: BSD-3-Clause
// What a robot is (Model), what it is doing (State) and where an algorithm writes (Workspace).
//
// All three are plain views that own nothing: the same structs serve a CPU core, a SIMD lane and a
// GPU thread. Body 0 is the ground; bodies are numbered so that parent[i] < i, and joint i joins
// body i to its parent. Links that fixed joints hold together are one body.
//
// A joint is a product of elementary parts, each a constant placement followed by a motion along or
// about z: a revolute joint is one part, a universal joint two, an Euler ball three, a composite as
// many as it has. A joint of one part has a constant screw matrix S in its body's frame; with more
// parts, S depends on q. Body frames are chosen so that every axis is z: S v is then one addition.
#pragma once

#include <jounce/group/inertia.hpp>
#include <jounce/model/description.hpp>

namespace jounce {

/// One elementary factor of a joint: revolute, prismatic, helical, cylindrical, planar,
/// translational, spherical, free or circle.
template <class P>
struct Part {
  JointKind kind = JointKind::revolute;
  SE3<P> placement;  ///< in the frame before it
  P pitch{};
  int q = 0, v = 0;  ///< its first coordinate
  int angle = -1;    ///< its place in the table of sines and cosines, if it has an angle
};

/// A joint, or a part of one, as a factor of a configuration manifold: where its coordinates are. A
/// custom joint is one factor.
struct Factor {
  JointKind kind = JointKind::revolute;  ///< elementary or custom
  int q = 0, v = 0;                      ///< its first coordinate and velocity
  int nq = 0, nv = 0;
  int joint = 0;  ///< of a robot: in Robot::joints(); of a tree: the body
};

/// Constant data of a tree; P is the kind of number of its constants.
template <class P>
struct Model {
  int bodies = 1;                   ///< with the ground
  int nq = 0, nv = 0;               ///< coordinates and velocities of all joints
  int angles = 0;                   ///< entries of angle_q
  const int* parent = nullptr;      ///< [bodies]
  const JointKind* kind = nullptr;  ///< [bodies] elementary; composite or custom where S moves
  const bool* branching = nullptr;  ///< [bodies] whether a body other than i + 1 hangs on it
  const int* anchor = nullptr;      ///< [bodies] the body whose origin serves it (origins.hpp)
  int anchors = 0;                  ///< how many bodies serve
  int centre = 0;                   ///< the one that serves most mass
  const int* part_at = nullptr;     ///< [bodies + 1] parts of joint i: part_at[i]..[i+1]
  const int* v_at = nullptr;        ///< [bodies + 1] velocities of joint i
  const int* q_at = nullptr;        ///< [bodies + 1] coordinates of joint i
  const int* angle_q = nullptr;     ///< [angles] the coordinate that is this angle
  const Part<P>* part = nullptr;
  const CustomJoint* const* custom = nullptr;  ///< [bodies] null where the joint has parts
  const Inertia<P>* G = nullptr;               ///< [bodies] inertia in the body's frame
  const P* armature = nullptr;                 ///< [nv] rotor inertia seen at the joint
  Vec3<P> gravity{};                           ///< in the ground frame

  [[gnu::always_inline]] constexpr bool constant_screws(int i) const {
    return kind[i] < JointKind::composite;
  }
  [[gnu::always_inline]] constexpr bool is_anchor(int i) const { return anchor[i] == i; }
  /// Whether body i and what carries it have different anchors.
  [[gnu::always_inline]] constexpr bool is_cut(int i) const {
    return anchor[i] == i && parent[i] > 0;
  }
};

inline namespace JOUNCE_ISA {

template <class P>
constexpr bool is_custom(const Model<P>& m, int i) {
  return m.kind[i] == JointKind::custom;
}
template <class P>
constexpr bool is_revolute(const Model<P>& m, int i) {
  return m.kind[i] == JointKind::revolute;
}
template <class P>
constexpr bool is_prismatic(const Model<P>& m, int i) {
  return m.kind[i] == JointKind::prismatic;
}
/// Whether body i hangs on the ground by a free joint.
template <class P>
constexpr bool is_free_base(const Model<P>& m, int i) {
  return m.parent[i] == 0 && m.kind[i] == JointKind::free;
}

}  // namespace JOUNCE_ISA

template <class Real>
struct OutsideWrench;

/// A state of the caller's; what is absent points to zeros.
template <class Real>
struct State {
  const Real* q = nullptr;
  const Real* v = nullptr;
  const Real* a = nullptr;
  const Real* tau = nullptr;
  const Wrench<Real>* F_ext = nullptr;  ///< [bodies] on each body, in its frame; the fast forms
  const OutsideWrench<Real>* outside = nullptr;  ///< have these instead, as they were given
  int outsides = 0;
};

/// Everything that is computed; one per thread.
template <class Real>
struct Workspace {
  Real* sin = nullptr;  ///< [angles + 7] sines and cosines of the angles
  Real* cos = nullptr;
  SE3<Real>* T = nullptr;         ///< [bodies] pose in the parent
  SE3<Real>* pose = nullptr;      ///< [bodies] pose in the ground
  Vec3<Real>* near = nullptr;     ///< [bodies] position from the parent's anchor, ground axes
  Vec3<Real>* central = nullptr;  ///< [bodies] position from the model's centre, ground axes
  Twist<Real>* S = nullptr;       ///< [nv] screws, in the body's frame
  Twist<Real>* Sdot = nullptr;    ///< [nv] their time derivatives
  Twist<Real>* Sdot_v = nullptr;  ///< [bodies] sum of Sdot v over a joint
  Twist<Real>* V = nullptr;       ///< [bodies] body twist
  Twist<Real>* Vdot = nullptr;    ///< [bodies] its derivative, component by component
  Wrench<Real>* F = nullptr;      ///< [bodies] wrench through the joint, on the body
  Twist<Real>* eta = nullptr;     ///< [bodies] acceleration known before a is
  ArticulatedInertia<Real>* IA = nullptr;  ///< [bodies] articulated inertia
  Wrench<Real>* U = nullptr;               ///< [nv] IA S
  Real* D = nullptr;                       ///< [6 nv] factors of S^T IA S + armature
  Real* a = nullptr;                       ///< [nv] accelerations found
  Real* tau = nullptr;                     ///< [nv] forces found
};

}  // namespace jounce
