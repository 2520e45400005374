// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of the rows of one loop on a processor with 32-byte registers: the formulas of
// equations/loop_derivatives.hpp on columns, for loops none of whose rows moves.
#pragma once

#include <jounce/equations/loop_derivatives.hpp>

#include "kernels/lanes/loops_in_lanes.hpp"

namespace jounce {
namespace lanes::inline JOUNCE_ISA {

using Step = LoopStep<double>;

[[gnu::always_inline]] inline Screw load(const SpacedTwist<double>& X) {
  return {load(&X.w.x), load(&X.v.x)};
}
[[gnu::always_inline]] inline void store(const Screw& S, SpacedTwist<double>& X) {
  store(S.w, &X.w.x);
  store(S.v, &X.v.x);
}

/// The steps of one body, as detail::loop_steps.
[[gnu::always_inline]] inline int pass_steps(const System<double>& s, const State<double>& x,
                                             const Workspace<double>& w, int i, const Pose& Y,
                                             int sign, Gathered& sum, Step* step, int count) {
  const Model<double>& m = s.tree;
  const int parts = m.part_at[i + 1] - m.part_at[i];
  for (int p = 0; p < parts; ++p) {  // those nearer to frame 2 first
    const Part<double>& part = m.part[sign > 0 ? m.part_at[i + 1] - 1 - p : m.part_at[i] + p];
    const int first = count, last = count + elementary_nv(part.kind);
    const Gathered before = sum;
    Screw c{}, e{};
    for (int t = part.v; count < last; ++t, ++count) {
      const Screw xi = joint_screw(m, w, i, t, Y) * double(sign);
      c = c + xi * x.v[t];
      e = e + xi * x.a[t];
      store(xi, step[count].xi);
      with_leader(s.coupling, t, [&](int k, double ratio) {
        step[count].k = k;
        step[count].ratio = ratio;
      });
    }
    sum.Vdot = sum.Vdot + (e - ad(sum.V, c));
    sum.V = sum.V + c;
    const Gathered& reached = sign > 0 ? sum : before;
    for (int k = first; k < last; ++k) {
      store(reached.V, step[k].V);
      store(reached.Vdot, step[k].Vdot);
      store(before.V + sum.V, step[k].around);
      step[k].first_moved = sign > 0 ? last : first;
    }
  }
  return count;
}

/// The first three numbers of a column, added to three that a fourth may follow.
[[gnu::always_inline]] inline void add_three(const Column& x, double* to) {
  typedef long Bits __attribute__((vector_size(32)));
  const Bits first{-1, -1, -1, 0};
  store(load(to) + Column(Register(Bits(x.r) & first)), to);
}
/// Adds components of X times the step's ratio; what follows them in memory has room.
[[gnu::always_inline]] inline void add_components(const TwistComponents& fixed, const Screw& X,
                                                  double ratio, double* to) {
  const Column w = X.w * ratio, v = X.v * ratio;
  if (fixed.count == 6) return add_three(w, to), add_three(v, to + 3);
  if (fixed.count == 3 && fixed.at[0] == 3) return add_three(v, to);
  const double part[6] = {w[0], w[1], w[2], v[0], v[1], v[2]};
  for (int r = 0; r < 6; ++r)
    if (r < fixed.count) to[r] += part[fixed.at[r]];
}

/// As detail::add_rate_columns.
[[gnu::always_inline]] inline void add_rate_columns(const TwistComponents& fixed, int row,
                                                    const Gathered& r, const Step& step,
                                                    const LoopDerivatives<double>& to) {
  const Screw xi = load(step.xi), V = load(step.V), behind = r.V - V;
  const Screw by_q = ad(r.Vdot - load(step.Vdot), xi) - ad(ad(xi, V), behind);
  const Screw by_v = ad(xi, load(step.around) - r.V);
  const int at = to.stride * step.k + row;
  add_components(fixed, by_q, step.ratio, to.C_q + at);
  add_components(fixed, by_v, step.ratio, to.C_v + at);
}
/// As detail::add_force_columns.
[[gnu::always_inline]] inline void add_force_column(int nv, const Force& F, const Step* all, int k,
                                                    int count, const LoopDerivatives<double>& to) {
  double* D = to.D + nv * all[k].k;
  const Force turned = dual_ad(load(all[k].xi), F) * all[k].ratio;
  for (int j = all[k].first_moved; j < count; ++j)
    D[all[j].k] += dot(turned, load(all[j].xi)) * all[j].ratio;
}

}  // namespace lanes::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

inline void loop_derivatives_in_lanes(const System<double>& s, const Loop<double>& loop,
                                      const State<double>& x, const Workspace<double>& w,
                                      const double* lambda, const LoopDerivatives<double>& to) {
  if (loop.kind == LoopKind::gear) return;
  if (has_moving_row(loop.kind) || loop.kind == LoopKind::rolling)
    return detail::one_loop_derivatives(s, loop, x, w, lambda, to);
  lanes::Gathered sum;
  lanes::Pose Y = lanes::times_inverse({}, loop.seat_2);
  int count = 0;
  for (int k = 0; k < loop.down; ++k) {
    count = lanes::pass_steps(s, x, w, loop.way[k], Y, 1, sum, to.step, count);
    Y = lanes::times_inverse(Y, w.T[loop.way[k]]);
  }
  for (int k = loop.down; k < loop.down + loop.up; ++k) {
    Y = Y * w.T[loop.way[k]];
    count = lanes::pass_steps(s, x, w, loop.way[k], Y, -1, sum, to.step, count);
  }
  const TwistComponents fixed = forbidden(loop.kind);
  for (int k = 0; k < count; ++k) lanes::add_rate_columns(fixed, loop.row, sum, to.step[k], to);
  if (to.D == nullptr) return;
  const Wrench<double> on_frame_2 = loop_wrench<double>(loop.kind, {}, lambda + loop.row);
  const lanes::Force F{lanes::column(on_frame_2.m), lanes::column(on_frame_2.f)};
  for (int k = 0; k < count; ++k) lanes::add_force_column(s.nv, F, to.step, k, count, to);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
