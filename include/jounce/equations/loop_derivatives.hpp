// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of the equations of closed loops: of A a + Adot v, and of A^T lambda at fixed lambda.
//
// Seen from frame 2, a displacement of one velocity on the way of a loop moves all that lies beyond
// it by -ad_xi, xi the twist that it gives frame 2, and nothing that lies before. With V* and Vdot*
// what V and Vdot have gathered when the walk reaches what it moves (equations/loops.hpp),
//   dV = -[xi, V - V*],   dVdot = -[xi, Vdot - Vdot*] - [[xi, V*], V - V*]      by q
//   dV = xi,              dVdot = [xi, V_before + V_behind - V]                  by v
// where before and behind are on either side of the velocity itself; xi' of another velocity which
// it moves changes by -[xi, xi']. Joints of several parts are so many joints, one after the other:
// all screws are constant then but those of custom joints, for which this does not hold.
#pragma once

#include <jounce/equations/loops.hpp>

namespace jounce {

/// A twist in memory, with a spare number behind each of its vectors: kernels write registers.
template <class Real>
struct SpacedTwist {
  Vec3<Real> w{};
  Real behind_w{};
  Vec3<Real> v{};
  Real behind_v{};

  constexpr Twist<Real> get() const { return {w, v}; }
  constexpr void set(const Twist<Real>& X) { w = X.w, v = X.v; }
};
/// One velocity on the way of a loop.
template <class Real>
struct LoopStep {
  int k = 0;                  ///< of the robot
  int first_moved = 0;        ///< steps that it moves: from here on
  Real ratio{};               ///< of the joint's velocity to that
  SpacedTwist<Real> xi;       ///< what it gives frame 2
  SpacedTwist<Real> V, Vdot;  ///< V*, Vdot*
  SpacedTwist<Real> around;   ///< V_before + V_behind
};

/// Where the derivatives go, in the robot's velocities; all is added.
template <class Real>
struct LoopDerivatives {
  Real *C_q = nullptr, *C_v = nullptr;  ///< [nv][stride] of A a + Adot v
  int stride = 0;                       ///< rows, or more of them
  /// [nv][nv] of -A^T lambda by q, column by column; null where it is not wanted.
  Real* D = nullptr;
  LoopStep<Real>* step = nullptr;  ///< [longest] room
};

namespace detail::inline JOUNCE_ISA {

/// The steps of one loop whose joints have moved, and how many there are; V and Vdot of the loop.
template <class P, class Real>
constexpr int loop_steps(const System<P>& s, const Loop<P>& loop, const State<Real>& x,
                         const Workspace<Real>& w, LoopStep<Real>* step, LoopMotion<Real>& r) {
  const Model<P>& m = s.tree;
  int count = 0;
  const SE3<Real> frame_1 = walk(loop, w, [&](int i, const SE3<Real>& Y, int sign) {
    const int parts = m.part_at[i + 1] - m.part_at[i];
    for (int p = 0; p < parts; ++p) {  // those nearer to frame 2 first
      const Part<P>& part = m.part[sign > 0 ? m.part_at[i + 1] - 1 - p : m.part_at[i] + p];
      const int first = count, last = count + elementary_nv(part.kind);
      const Twist<Real> V = r.V, Vdot = r.Vdot;
      Twist<Real> c{}, e{};
      for (int t = part.v; count < last; ++t, ++count) {
        const Twist<Real> xi = Ad(Y, w.S[t]) * Plain<Real>(sign);
        c += xi * x.v[t];
        e += xi * x.a[t];
        step[count].xi.set(xi);
        with_leader(s.coupling, t, [&](int k, const P& ratio) {
          step[count].k = k;
          step[count].ratio = Real(ratio);
        });
      }
      r.Vdot += e - ad(r.V, c);
      r.V += c;
      for (int k = first; k < last; ++k) {
        step[k].V.set(sign > 0 ? r.V : V);
        step[k].Vdot.set(sign > 0 ? r.Vdot : Vdot);
        step[k].around.set(V + r.V);
        step[k].first_moved = sign > 0 ? last : first;
      }
    }
  });
  r.E = inverse(frame_1);
  return count;
}

/// The rows of a loop that move with its pose: its last, or all three of what rolls.
template <class Real>
struct MovingRows {
  int first = 0, count = 0;
  Wrench<Real> N[3]{}, rate[3]{};
};
template <class P, class Real>
constexpr MovingRows<Real> moving_rows(const Loop<P>& loop, const SE3<Real>& E,
                                       const Twist<Real>& V) {
  if (loop.kind == LoopKind::rolling) {
    const auto& [N, rate] = rolling_rows(loop.radius, E, V);
    return {0, 3, {N[0], N[1], N[2]}, {rate[0], rate[1], rate[2]}};
  }
  if (!has_moving_row(loop.kind)) return {};
  const auto& [N, rate] = moving_row(loop.kind, E, V);
  return {rows(loop.kind) - 1, 1, {N}, {rate}};
}
/// How their rates change along a displacement xi of frame 2, and dV of its twist.
template <class P, class Real>
constexpr void moving_rates(const Loop<P>& loop, const LoopMotion<Real>& r, const Twist<Real>& xi,
                            const Twist<Real>& dV, Wrench<Real> (&change)[3]) {
  if (loop.kind == LoopKind::rolling) rolling_rate_change(loop.radius, r.E, r.V, xi, dV, change);
  else change[0] = moving_row_rate(loop.kind, r.E, r.V, xi, dV);
}

/// The columns of one step in C_q and C_v.
template <class P, class Real>
constexpr void add_rate_columns(const Loop<P>& loop, const LoopMotion<Real>& r,
                                const MovingRows<Real>& row, const LoopStep<Real>& step,
                                const LoopDerivatives<Real>& to) {
  const Twist<Real> xi = step.xi.get(), V = step.V.get(), behind = r.V - V;
  const Twist<Real> dV = ad(behind, xi);
  const Twist<Real> dVdot = ad(r.Vdot - step.Vdot.get(), xi) - ad(ad(xi, V), behind);
  const Twist<Real> dVdot_v = ad(xi, step.around.get() - r.V);
  const int count = rows(loop.kind);
  Real by_q[6], by_v[6];
  forbidden_part<Real>(loop.kind, {}, dVdot, by_q);
  forbidden_part<Real>(loop.kind, {}, dVdot_v, by_v);
  if (row.count > 0) {
    const MovingRows<Real> along = moving_rows(loop, r.E, xi);
    Wrench<Real> change[3];
    moving_rates(loop, r, xi, dV, change);
    for (int i = 0; i < row.count; ++i) {
      by_q[row.first + i] = dot(row.N[i], dVdot) + dot(along.rate[i], r.Vdot) +
                            dot(row.rate[i], dV) + dot(change[i], r.V);
      by_v[row.first + i] = dot(row.N[i], dVdot_v) + dot(row.rate[i], xi) + dot(along.rate[i], r.V);
    }
  }
  Real *q = to.C_q + to.stride * step.k + loop.row, *v = to.C_v + to.stride * step.k + loop.row;
  for (int i = 0; i < count; ++i) {
    q[i] += by_q[i] * step.ratio;
    v[i] += by_v[i] * step.ratio;
  }
}

/// What every step does to A^T lambda in all that it moves, F the wrench at frame 2.
template <class P, class Real>
constexpr void add_force_columns(const System<P>& s, const Loop<P>& loop, const LoopMotion<Real>& r,
                                 const Wrench<Real>& F, const Real* lambda, int count,
                                 const LoopDerivatives<Real>& to) {
  for (int k = 0; k < count; ++k) {
    const LoopStep<Real>& step = to.step[k];
    const Twist<Real> xi = step.xi.get();
    Real* D = to.D + s.nv * step.k;
    const Wrench<Real> turned = dual_ad(xi, F) * step.ratio;
    for (int j = step.first_moved; j < count; ++j)
      D[to.step[j].k] += dot(turned, to.step[j].xi.get()) * to.step[j].ratio;
    const MovingRows<Real> along = moving_rows(loop, r.E, xi);
    if (along.count == 0) continue;
    Wrench<Real> dF{};
    for (int i = 0; i < along.count; ++i)
      dF += along.rate[i] * (lambda[loop.row + along.first + i] * step.ratio);
    for (int j = 0; j < count; ++j)
      D[to.step[j].k] -= dot(dF, to.step[j].xi.get()) * to.step[j].ratio;
  }
}

template <class P, class Real>
constexpr void one_loop_derivatives(const System<P>& s, const Loop<P>& loop, const State<Real>& x,
                                    const Workspace<Real>& w, const Real* lambda,
                                    const LoopDerivatives<Real>& to) {
  if (loop.kind == LoopKind::gear) return;
  LoopMotion<Real> r;
  const int count = loop_steps(s, loop, x, w, to.step, r);
  const MovingRows<Real> row = moving_rows(loop, r.E, r.V);
  for (int i = 0; i < count; ++i) add_rate_columns(loop, r, row, to.step[i], to);
  if (to.D == nullptr) return;
  add_force_columns(s, loop, r, loop_wrench(loop, r.E, lambda), lambda, count, to);
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// Whether there are loops that these formulas do not hold for: with custom joints on their way,
/// and functions of the user's. Rows of gears are constant.
template <class P>
constexpr bool needs_dual_numbers(const Model<P>& m, const Loops<P>& all) {
  for (int b = 0; b < all.bodies; ++b)
    if (is_custom(m, all.body[b])) return true;
  for (int k = 0; k < all.count; ++k)
    if (all.loop[k].kind == LoopKind::custom) return true;
  return false;
}

/// The derivatives of all loops at a state whose joints on their ways have moved (loop_rows).
template <class P, class Real>
constexpr void loop_derivatives(const System<P>& s, const Loops<P>& all, const State<Real>& x,
                                const Workspace<Real>& w, const Real* lambda,
                                const LoopDerivatives<Real>& to) {
  for (int k = 0; k < all.count; ++k)
    detail::one_loop_derivatives(s, all.loop[k], x, w, lambda, to);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
