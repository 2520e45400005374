// SPDX-License-Identifier: BSD-3-Clause
// Rows of loops that tie the coordinates of joints: gears, and functions of the user's.
//
//   gear     sum ratio_k q_k = offset:    A v = sum ratio_k v_k,   A a + Adot v = sum ratio_k a_k
//   custom   C(q, t) = 0:                 A v + dC/dt = 0,         A a + Adot v = d2C/dt2
// Coordinates that are not flat move by dq/dt = B(q) v (rate, model/manifold.hpp): A = dC/dq B, and
// d2q/dt2 = B a + Bdot v is the rate of B v, on dual numbers. Time makes A v a number that is not
// zero; Adot v stands for all that a is not in.
#pragma once

#include <jounce/equations/coupling.hpp>
#include <jounce/model/loop.hpp>
#include <jounce/model/manifold.hpp>

namespace jounce {

namespace detail::inline JOUNCE_ISA {

/// f(factor, at): the parts of the joints that a loop ties; their coordinates start at `at` of all.
template <class P, class Own, class F>
constexpr void for_each_tied(const Model<P>& m, const Loop<Own>& loop, F f) {
  int at = 0;
  for (int b = 0; b < loop.down; ++b)
    for (int p = m.part_at[loop.way[b]]; p < m.part_at[loop.way[b] + 1]; ++p) {
      const Factor factor = part_factor(m, loop.way[b], p);
      f(factor, at);
      at += factor.nq;
    }
}
/// The one coordinate of a joint: of a circle its angle.
template <class Real>
Real tied_coordinate(const Factor& f, const Real* q) {
  return is_circle(f) ? atan2(q[f.q + 1], q[f.q]) : q[f.q];
}

/// sum ratio_k q_k - offset. Joints that are circles return after a full turn, so that the sum is
/// known up to full turns of each: up to those of a circle with the common measure of the ratios.
template <class P, class Own, class Real>
Real gear_residual(const System<P>& s, const Loop<Own>& loop, const State<Real>& x) {
  Real sum(-loop.offset);
  P turn(0);
  int joint = 0;
  for_each_tied(s.tree, loop, [&](const Factor& f, int) {
    const Own& ratio = loop.ratio[joint++];
    sum += tied_coordinate(f, x.q) * ratio;
    if (is_circle(f)) turn = common_measure(P(value_of(ratio)), turn);
  });
  return turn == P(0) ? sum : principal_angle(Real(sum / turn)) * turn;
}
/// How large the terms of that sum are.
template <class P, class Own, class Real>
Real gear_size(const System<P>& s, const Loop<Own>& loop, const State<Real>& x) {
  Real sum(std::abs(loop.offset));
  int joint = 0;
  for_each_tied(s.tree, loop, [&](const Factor& f, int) {
    sum += abs(tied_coordinate(f, x.q)) * std::abs(loop.ratio[joint++]);
  });
  return sum;
}
template <class P, class Own, class Real, class To>
void gear_row(const System<P>& s, const Loop<Own>& loop, const State<Real>& x, const To& to) {
  Real sum(0);
  for (int b = 0; b < loop.down; ++b) {
    const int t = s.tree.v_at[loop.way[b]];
    sum += x.a[t] * loop.ratio[b];
    with_leader(s.coupling, t, [&](int k, const P& ratio) {
      to.A[to.stride * k + loop.row] += Real(loop.ratio[b] * ratio);
    });
  }
  to.rate[loop.row] = sum;
}

/// How the joints of a user's constraint move: q, dq/dt, d2q/dt2.
template <class Real>
struct TiedMotion {
  Real q[CustomConstraint::most_coordinates], qdot[CustomConstraint::most_coordinates],
      qddot[CustomConstraint::most_coordinates];
};
template <class P, class Own, class Real>
TiedMotion<Real> tied_motion(const Model<P>& m, const Loop<Own>& loop, const State<Real>& x) {
  using Moved = Dual<Real, 1>;
  TiedMotion<Real> all;
  for_each_tied(m, loop, [&](const Factor& f, int at) {
    rate(f, x.q + f.q, x.v + f.v, all.qdot + at);
    Moved q[7], v[6], qdot[7];
    for (int j = 0; j < f.nq; ++j) {
      all.q[at + j] = x.q[f.q + j];
      q[j].a = x.q[f.q + j], q[j].d[0] = all.qdot[at + j];
    }
    for (int j = 0; j < f.nv; ++j) v[j].a = x.v[f.v + j], v[j].d[0] = x.a[f.v + j];
    rate(f, q, v, qdot);
    for (int j = 0; j < f.nq; ++j) all.qddot[at + j] = qdot[j].d[0];
  });
  return all;
}
/// Adds dC/dq B to the columns of one part's velocities.
template <class P, class Own, class Real, class To>
void add_custom_columns(const System<P>& s, const Loop<Own>& loop, const State<Real>& x,
                        const Factor& f, int at, const CustomRows<Real>& C, const To& to) {
  for_each_unit<Real>(f, [&](int j, const Real* unit) {
    Real moved[7];
    rate(f, x.q + f.q, unit, moved);
    with_leader(s.coupling, f.v + j, [&](int k, const P& ratio) {
      for (int r = 0; r < C.rows; ++r) {
        Real sum(0);
        for (int i = 0; i < f.nq; ++i) sum += C.by_q(r, at + i) * moved[i];
        to.A[to.stride * k + loop.row + r] += sum * ratio;
      }
    });
  });
}
template <class P, class Own, class Real, class To>
void custom_rows(const System<P>& s, const Loop<Own>& loop, const State<Real>& x, const To& to) {
  const TiedMotion<Real> all = tied_motion(s.tree, loop, x);
  run_rows(*loop.custom, all.q, all.qdot, to.time, [&](const CustomRows<Real>& C) {
    for (int r = 0; r < C.rows; ++r) {
      Real sum = C.bend(r);
      for (int k = 0; k < C.coordinates; ++k) sum += C.by_q(r, k) * all.qddot[k];
      to.rate[loop.row + r] = sum;
      if (to.drift != nullptr) to.drift[loop.row + r] = C.by_time(r);
    }
    for_each_tied(s.tree, loop,
                  [&](const Factor& f, int at) { add_custom_columns(s, loop, x, f, at, C, to); });
  });
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// Adds the rows of a loop without frames to A, and writes A a + Adot v and where there is room for
/// it what time adds to A v.
template <class P, class Own, class Real, class To>
void tied_rows(const System<P>& s, const Loop<Own>& loop, const State<Real>& x, const To& to) {
  if (loop.kind == LoopKind::gear) detail::gear_row(s, loop, x, to);
  else detail::custom_rows(s, loop, x, to);
}
/// How far it is from closed.
template <class P, class Own, class Real>
void tied_residual(const System<P>& s, const Loop<Own>& loop, const State<Real>& x,
                   const Real& time, Real* y) {
  if (loop.kind == LoopKind::gear) {
    y[0] = detail::gear_residual(s, loop, x);
    return;
  }
  const auto all = detail::tied_motion(s.tree, loop, x);
  run_rows(*loop.custom, all.q, all.qdot, time, [&](const CustomRows<Real>& C) {
    for (int r = 0; r < C.rows; ++r) y[r] = C.value(r);
  });
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
