// SPDX-License-Identifier: BSD-3-Clause
// What inverse_dynamics, forward_dynamics and mass_matrix share: how motions and forces pass a
// joint, on any kind of vector, and memory.
//
// A revolute joint turns about z by an angle whose sine and cosine are known. A joint of any other
// kind is moved by model/joint.hpp, out of line and without what the sweeps carry along: what has
// its address taken would be kept in memory on every path.
#pragma once

#include <jounce/algorithm/outside_wrench.hpp>
#include <jounce/algorithm/three_numbers.hpp>
#include <vector>

namespace jounce {

/// Angular velocity and acceleration, and the acceleration of the origin as a point.
template <class Vector>
struct PointMotion {
  Vector w, alpha, a;
};

/// What is kept of a branching point: how it moves, and the sums of what hangs on it, which are
/// zero between calls.
template <class Kind>
struct Branch {
  PointMotion<typename Kind::Vector> motion;
  typename Kind::Screw acceleration;
  typename Kind::BlockInertia articulated;
  typename Kind::CompositeInertia composite;
  typename Kind::Force outside;  ///< a wrench from outside on its way to its body
};

/// What is kept of a body for the Coriolis matrix: how it moves, and more such sums.
template <class Kind>
struct MovingBranch {
  typename Kind::Screw twist;
  typename Kind::CompositeInertia composite_rate;
  typename Kind::Force momentum;
};

/// Memory of the fast forms.
template <class Kind>
struct Room {
  Branch<Kind>* branch = nullptr;         ///< [bodies]
  typename Kind::Force* force = nullptr;  ///< [bodies]
  typename Kind::Screw* screw = nullptr;  ///< [nv]
  typename Kind::Pose* pose = nullptr;    ///< [bodies]
  typename Kind::Cut* cut = nullptr;      ///< [bodies]
  int* path = nullptr;                    ///< [bodies] those that carry a frame
  // Made by make_rates:
  typename Kind::Screw* screw_rate = nullptr;  ///< [nv]
  MovingBranch<Kind>* moving = nullptr;        ///< [bodies]
};

/// Owns a Room; make one per thread.
template <class Kind>
class RoomStorage {
 public:
  RoomStorage() = default;
  explicit RoomStorage(const Model<typename Kind::P>& m)
      : branch_(static_cast<size_t>(m.bodies)),
        force_(branch_.size()),
        screw_(static_cast<size_t>(m.nv)),
        pose_(branch_.size()),
        cut_(branch_.size()),
        path_(branch_.size()) {}

  /// Room for the Coriolis matrix; takes memory once.
  void make_rates() {
    screw_rate_.resize(screw_.size());
    moving_.resize(branch_.size());
  }
  Room<Kind> view() {
    return {branch_.data(), force_.data(), screw_.data(),      pose_.data(),
            cut_.data(),    path_.data(),  screw_rate_.data(), moving_.data()};
  }

 private:
  std::vector<Branch<Kind>> branch_;
  std::vector<typename Kind::Force> force_;
  std::vector<typename Kind::Screw> screw_, screw_rate_;
  std::vector<MovingBranch<Kind>> moving_;
  std::vector<typename Kind::Pose> pose_;
  std::vector<typename Kind::Cut> cut_;
  std::vector<int> path_;
};

/// What a recursion reads and writes.
template <class Kind>
struct Recursion {
  using Real = typename Kind::Real;

  const Model<typename Kind::P>& m;
  typename Kind::Bodies body;
  const State<Real>& x;
  Workspace<Real>& w;
  Room<Kind> room;
  const FrameSeat<typename Kind::P>* frame = nullptr;  ///< by FrameId; where wrenches act
};

namespace detail::inline JOUNCE_ISA {

/// alpha x r + w x (w x r): what turning adds to the acceleration of a point at r.
template <class Vector, class Position>
constexpr Vector turning(const PointMotion<Vector>& x, const Position& r) {
  return cross_sum(x.alpha, r, x.w, cross(x.w, r));
}
/// What a body's motion takes.
template <class Force, class Inertia, class Vector>
constexpr Force force(const Inertia& G, const PointMotion<Vector>& x) {
  return {G.I * x.alpha + cross_sum(G.h, x.a, x.w, G.I * x.w), x.a * G.mass + turning(x, G.h)};
}
/// A force on a body, on its parent.
template <class Matrix, class Position, class Force>
constexpr Force on_parent(const Matrix& R, const Position& p, const Force& F) {
  const auto f = R * F.f;
  return {R * F.m + cross(p, f), f};
}

template <class P, class Real>
[[gnu::noinline]] constexpr void move_any(const Model<P>& m, const State<Real>& x, int i,
                                          Workspace<Real>& w) {
  move_joint(m, x, i, w);
}
/// T, S and Sdot v of the joints that are not revolute. Not one by one where they are used: what
/// reads fresh numbers by the register waits for their stores.
template <class Kind>
constexpr void move_other_joints(const Recursion<Kind>& r) {
  for (int i = 1; i < r.m.bodies; ++i)
    if (r.body[i].angle < 0) move_any(r.m, r.x, i, r.w);
}
/// The motion of body i, given its parent's; without the joint's own acceleration where that is not
/// known. turn(R^T, p) for what else passes the joint.
template <bool accelerated, class Kind, class Turn>
constexpr PointMotion<typename Kind::Vector> motion_behind(
    const Recursion<Kind>& r, int i, const PointMotion<typename Kind::Vector>& parent, Turn turn) {
  using Vector = typename Kind::Vector;
  const auto& body = r.body[i];
  if (body.angle < 0) {
    const auto V = joint_twist(r.m, r.w, i, r.x.v);
    auto A = r.w.Sdot_v[i];
    if constexpr (accelerated) A += joint_twist(r.m, r.w, i, r.x.a);
    const auto Rt = Kind::transposed(r.w.T[i].R.m);
    turn(Rt, Kind::vector(r.w.T[i].p));
    const Vector w_r = Kind::vector(V.w), carried = Rt * parent.w, w = carried + w_r;
    return {w, Rt * parent.alpha + cross(w, w_r) + Kind::vector(A.w),
            Rt * (parent.a + turning(parent, Kind::vector(r.w.T[i].p))) +
                cross(w + carried, Kind::vector(V.v)) + Kind::vector(A.v)};
  }
  const auto& v = r.x.v[r.m.v_at[i]];
  const auto Rt = body.inverse_rotation(r.w.sin[body.angle], r.w.cos[body.angle]);
  turn(Rt, body.position());
  const Vector carried = Rt * parent.w;
  Vector alpha = plus_cross_z(Rt * parent.alpha, carried, v);
  if constexpr (accelerated) alpha = plus_z(alpha, r.x.a[r.m.v_at[i]]);
  return {plus_z(carried, v), alpha, Rt * (parent.a + turning(parent, body.position()))};
}

/// The screws of joint i, whose body has the pose U.
template <class Kind>
constexpr void write_screws(const Recursion<Kind>& r, int i, const typename Kind::Pose& U) {
  const int k = r.m.v_at[i];
  if (r.body[i].angle >= 0) {
    const auto z = z_axis(U);
    r.room.screw[k] = {z, cross(U.p, z)};
    return;
  }
  for (int j = k; j < r.m.v_at[i + 1]; ++j) r.room.screw[j] = Ad(U, r.w.S[j]);
}

/// The motion of the ground, which the caller set as twists.
template <class Kind>
constexpr PointMotion<typename Kind::Vector> ground_motion(
    const Workspace<typename Kind::Real>& w) {
  return {Kind::vector(w.V[0].w), Kind::vector(w.Vdot[0].w),
          Kind::vector(w.Vdot[0].v + cross(w.V[0].w, w.V[0].v))};
}
/// A wrench seen from a body whose pose is (R, p): about its origin, or about what moves along.
template <class Matrix, class Position, class Force>
constexpr Force seen_from(const Matrix& Rt, const Position& p, bool moves, const Force& F) {
  return {Rt * (moves ? F.m : F.m - cross(p, F.f)), Rt * F.f};
}
/// A wrench given in ground axes, about the ground's origin or where it acts, in those of a body.
template <class Kind>
constexpr typename Kind::Force turned_to_body(const Recursion<Kind>& r, int body, bool moves,
                                              typename Kind::Force F) {
  int count = 0;
  for (int i = body; i > 0; i = r.m.parent[i]) r.room.path[count++] = i;
  while (count-- > 0) {
    const int i = r.room.path[count], angle = r.body[i].angle;
    if (angle >= 0)
      F = seen_from(r.body[i].inverse_rotation(r.w.sin[angle], r.w.cos[angle]),
                    r.body[i].position(), moves, F);
    else F = seen_from(Kind::transposed(r.w.T[i].R.m), Kind::vector(r.w.T[i].p), moves, F);
  }
  return F;
}
/// A wrench from outside in the axes of its body, after the joints were moved. Only the joints that
/// carry the body are asked for its axes.
template <class Kind>
constexpr typename Kind::Force outside_force(const Recursion<Kind>& r,
                                             const OutsideWrench<typename Kind::Real>& one) {
  const auto& [body, offset] = r.frame[static_cast<int>(one.frame)];
  const bool moves = one.in == Representation::hybrid;
  typename Kind::Force F =
      one.in == Representation::body
          ? Kind::force(dual_Ad_inv(offset, one.wrench))
          : turned_to_body(r, body, moves, typename Kind::Force(Kind::force(one.wrench)));
  if (moves) F.m = F.m + cross(Kind::constant(offset.p), F.f);
  return F;
}
/// The first of them, found before the bodies' own forces: the processor does both at a time.
template <class Kind>
struct EarlyOutside {
  static constexpr int few = 4;
  typename Kind::Force force[few];

  [[gnu::noinline]] constexpr void load(const Recursion<Kind>& r) {
    for (int k = 0; k < few && k < r.x.outsides; ++k) force[k] = outside_force(r, r.x.outside[k]);
  }
  /// Takes all of them off the forces of the bodies they act on.
  [[gnu::noinline]] constexpr void take(const Recursion<Kind>& r) const {
    for (int k = 0; k < r.x.outsides; ++k) {
      const OutsideWrench<typename Kind::Real>& one = r.x.outside[k];
      const int body = r.frame[static_cast<int>(one.frame)].body;
      if (body == 0) continue;  // what pushes the ground moves nothing
      typename Kind::Force& F = r.room.force[body];
      F = F - (k < few ? force[k] : outside_force(r, one));
    }
  }
};
/// Whether there is but one, in ground axes: it is turned with the motions, joint by joint.
template <class Kind>
constexpr bool carried_along(const Recursion<Kind>& r) {
  return r.x.outsides == 1 && r.x.outside->in != Representation::body;
}
/// Passes all bodies up to the one it acts on, and takes it off the force of that; returns the next
/// body.
template <class Kind, class Pass>
[[gnu::always_inline]] constexpr int carry_outside(const Recursion<Kind>& r, Pass pass) {
  const OutsideWrench<typename Kind::Real>& one = *r.x.outside;
  const auto& [body, offset] = r.frame[static_cast<int>(one.frame)];
  const bool moves = one.in == Representation::hybrid;
  typename Kind::Force F = Kind::force(one.wrench);
  r.room.branch[0].outside = F;
  for (int i = 1; i <= body; ++i) {
    if (r.m.parent[i] != i - 1) F = r.room.branch[r.m.parent[i]].outside;
    pass(
        i, [&](const auto& Rt, const auto& p)
               __attribute__((always_inline)) { F = seen_from(Rt, p, moves, F); });
    if (r.m.branching[i]) r.room.branch[i].outside = F;
  }
  if (body == 0) return 1;  // what pushes the ground moves nothing
  if (moves) F.m = F.m + cross(Kind::constant(offset.p), F.f);
  r.room.force[body] = r.room.force[body] - F;
  return body + 1;
}
/// Outwards: the forces that the motions of all bodies take, less those from outside.
template <bool accelerated, class Kind>
constexpr void sweep_forces(const Recursion<Kind>& r) {
  const Room<Kind>& room = r.room;
  move_angles(r.m, r.x, r.w);
  move_other_joints(r);
  const bool one = carried_along(r);
  EarlyOutside<Kind> early;
  if (r.x.outsides > 0 && !one) early.load(r);
  PointMotion<typename Kind::Vector> at = ground_motion<Kind>(r.w);
  room.branch[0].motion = at;
  room.force[0] = {};
  const auto pass = [&](int i, auto turn) __attribute__((always_inline)) {
    if (r.m.parent[i] != i - 1) at = room.branch[r.m.parent[i]].motion;
    at = motion_behind<accelerated>(r, i, at, turn);
    if (r.m.branching[i]) room.branch[i].motion = at;
    room.force[i] = force<typename Kind::Force>(r.body[i].inertia(), at);
  };
  int i = 1;
  if (one) i = carry_outside(r, pass);
  for (; i < r.m.bodies; ++i) pass(i, [](const auto&, const auto&) {});
  if (r.x.outsides > 0 && !one) early.take(r);
}

}  // namespace detail::inline JOUNCE_ISA

}  // namespace jounce
