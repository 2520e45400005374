// SPDX-License-Identifier: BSD-3-Clause
// The equations of closed loops: A v = 0, A a + Adot v = 0  ([Kim] (54), (55)).
//
// Along the way of a loop from frame 2 to frame 1 every body adds c = +-Ad_Y S v to the twist V of
// frame 2 relative to frame 1, Y the pose of the body seen from frame 2. Those between it and frame
// 2 have added W so far, and Ad_Y turns by -W, so that
//   V = sum c,   Vdot = sum +-Ad_Y (S a + Sdot v) - ad_W c.
// What carries both frames does not occur: rows do not depend on where the loop is, nor on gravity.
// A loop's own numbers, of the type Own, may be of another kind than those of the tree.
#pragma once

#include <jounce/equations/coupling.hpp>
#include <jounce/equations/tied_rows.hpp>
#include <jounce/equations/way.hpp>
#include <jounce/model/loop.hpp>

namespace jounce {

/// All loops of a robot.
template <class P>
struct Loops {
  const Loop<P>* loop = nullptr;
  int count = 0, rows = 0;
  const int* body = nullptr;  ///< [bodies] those that lie on the way of any loop
  int bodies = 0;
  int longest = 0;  ///< velocities of the tree on the way of one loop
};

/// Frame 2 of a loop as frame 1 sees it, and how it moves, in frame 2.
template <class Real>
struct LoopMotion {
  SE3<Real> E;
  Twist<Real> V{}, Vdot{};
};

/// Where the rows of all loops go.
template <class Real>
struct LoopRows {
  Real* A = nullptr;                   ///< [nv][stride] in the robot's velocities
  int stride = 0;                      ///< rows, or more of them
  Real* rate = nullptr;                ///< [rows] A a + Adot v
  LoopMotion<Real>* motion = nullptr;  ///< [loops]
  Twist<Real>* column = nullptr;       ///< [longest] room
  Real time{};                         ///< the instant, for rows that depend on it
  Real* drift = nullptr;               ///< [rows] what time adds to A v, where it is wanted
  bool turned = false;                 ///< whether the sines of all angles are there
};

inline namespace JOUNCE_ISA {

template <class P>
constexpr std::span<const Loop<P>> list(const Loops<P>& all) {
  return {all.loop, static_cast<size_t>(all.count)};
}

/// Moves the joints on the ways of all loops; `turned`: the sines of all angles are there.
template <class P, class Own, class Real>
constexpr void move_loops(const Model<P>& m, const Loops<Own>& all, const State<Real>& x,
                          Workspace<Real>& w, bool turned = false) {
  if (!turned) move_angles(m, x, w);
  for (int k = 0; k < all.bodies; ++k) move_joint(m, x, all.body[k], w);
}

/// The motion of a loop whose joints have moved, and the twist of frame 2 for each velocity on its
/// way, in order.
template <class P, class Own, class Real>
constexpr LoopMotion<Real> loop_motion(const Model<P>& m, const Loop<Own>& loop,
                                       const State<Real>& x, const Workspace<Real>& w,
                                       Twist<Real>* column) {
  LoopMotion<Real> r;
  const SE3<Real> frame_1 = walk(loop, w, [&](int i, const SE3<Real>& Y, int sign) {
    const Plain<Real> s(sign);
    Twist<Real> c{}, e{};
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k, ++column) {
      *column = Ad(Y, w.S[k]) * s;
      c += *column * x.v[k];
      e += *column * x.a[k];
    }
    if (!m.constant_screws(i)) e += Ad(Y, w.Sdot_v[i]) * s;
    r.Vdot += e - ad(r.V, c);
    r.V += c;
  });
  r.E = inverse(frame_1);
  return r;
}

/// Adds the rows of one loop to A: part(X, y) are those of the twist X of frame 2, for every twist
/// that loop_motion found.
template <class P, class Own, class Real, class Part>
constexpr void add_rows(const System<P>& s, const Loop<Own>& loop, Part part,
                        const LoopRows<Real>& to) {
  const Twist<Real>* column = to.column;
  const int count = rows(loop.kind);
  for_each_velocity(s, loop, [&](int k, const P& ratio) {
    Real y[6];
    part(*column++, y);
    Real* entry = to.A + to.stride * k + loop.row;
    for (int r = 0; r < 6; ++r)
      if (r < count) entry[r] += y[r] * ratio;
  });
}

/// The same where all components of the twists are rows.
template <class P, class Own, class Real>
constexpr void add_all_rows(const System<P>& s, const Loop<Own>& loop, const LoopRows<Real>& to) {
  const Twist<Real>* column = to.column;
  for_each_velocity(s, loop, [&](int k, const P& ratio) {
    Real* entry = to.A + to.stride * k + loop.row;
    const auto [w, v] = *column++;  // not what is written meanwhile
    entry[0] += w.x * ratio, entry[1] += w.y * ratio, entry[2] += w.z * ratio;
    entry[3] += v.x * ratio, entry[4] += v.y * ratio, entry[5] += v.z * ratio;
  });
}

/// The rows of a loop between frames with this motion.
template <class P, class Own, class Real>
constexpr void frame_rows(const System<P>& s, const Loop<Own>& loop, const LoopMotion<Real>& motion,
                          const LoopRows<Real>& to) {
  const MovingRow<Real> moving = moving_row(loop.kind, motion.E, motion.V);
  const TwistComponents fixed = forbidden(loop.kind);
  const auto part = [&](const Twist<Real>& X, Real* y) {
    forbidden_part(loop.kind, fixed, moving, X, y);
  };
  if (loop.kind == LoopKind::fixed) add_all_rows(s, loop, to);
  else add_rows(s, loop, part, to);
  part(motion.Vdot, to.rate + loop.row);
  if (has_moving_row(loop.kind))
    to.rate[loop.row + rows(loop.kind) - 1] += dot(moving.rate, motion.V);
}
/// The same of a disc that rolls.
template <class P, class Own, class Real>
constexpr void add_rolling_rows(const System<P>& s, const Loop<Own>& loop,
                                const LoopMotion<Real>& motion, const LoopRows<Real>& to) {
  const RollingRows<Real> rolling = rolling_rows(loop.radius, motion.E, motion.V);
  add_rows(
      s, loop,
      [&](const Twist<Real>& X, Real* y) {
        for (int i = 0; i < 3; ++i) y[i] = dot(rolling.N[i], X);
      },
      to);
  for (int i = 0; i < 3; ++i)
    to.rate[loop.row + i] = dot(rolling.N[i], motion.Vdot) + dot(rolling.rate[i], motion.V);
}

/// Adds the rows of one loop, at a state of the tree whose joints have moved; how it moves.
/// `walked` is loop_motion, or does as it.
template <class P, class Own, class Real, class Walked>
constexpr LoopMotion<Real> one_loop_rows(const System<P>& s, const Loop<Own>& loop,
                                         const State<Real>& x, const Workspace<Real>& w,
                                         const LoopRows<Real>& to, Walked walked) {
  if (!has_frames(loop.kind)) {
    tied_rows(s, loop, x, to);
    return {};
  }
  LoopMotion<Real> motion = walked(s.tree, loop, x, w, to.column);
  if (loop.kind == LoopKind::rolling) add_rolling_rows(s, loop, motion, to);
  else frame_rows(s, loop, motion, to);
  return motion;
}

/// A and A a + Adot v of all loops.
template <class P, class Own, class Real, class Walked>
constexpr void moved_loop_rows(const System<P>& s, const Loops<Own>& all, const State<Real>& x,
                               const Workspace<Real>& w, const LoopRows<Real>& to, Walked walked) {
  std::fill(to.A, to.A + s.nv * to.stride, Real(0));
  for (int k = 0; k < all.count; ++k)
    to.motion[k] = one_loop_rows(s, all.loop[k], x, w, to, walked);
}
template <class P, class Own, class Real>
constexpr void moved_loop_rows(const System<P>& s, const Loops<Own>& all, const State<Real>& x,
                               const Workspace<Real>& w, const LoopRows<Real>& to) {
  moved_loop_rows(s, all, x, w, to, loop_motion<P, Own, Real>);
}
/// The same, and moves the joints.
template <class P, class Own, class Real, class Walked>
constexpr void loop_rows(const System<P>& s, const Loops<Own>& all, const State<Real>& x,
                         Workspace<Real>& w, const LoopRows<Real>& to, Walked walked) {
  move_loops(s.tree, all, x, w, to.turned);
  moved_loop_rows(s, all, x, w, to, walked);
}
template <class P, class Own, class Real>
constexpr void loop_rows(const System<P>& s, const Loops<Own>& all, const State<Real>& x,
                         Workspace<Real>& w, const LoopRows<Real>& to) {
  loop_rows(s, all, x, w, to, loop_motion<P, Own, Real>);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
