// SPDX-License-Identifier: BSD-3-Clause
// The way between two frames of a tree: from frame 2 down to the last body that carries both, which
// it leaves out, and from there up to frame 1. Loops and bushings have one.
#pragma once

#include <jounce/algorithm/jacobian.hpp>
#include <jounce/algorithm/three_numbers.hpp>
#include <jounce/equations/coupling.hpp>

namespace jounce::inline JOUNCE_ISA {

/// f(i, Y, sign) for every body i on the way of a loop or a bushing; the pose of frame 1 seen from
/// frame 2.
template <template <class> class Way, class P, class Real, class F>
constexpr SE3<Real> walk(const Way<P>& loop, const Workspace<Real>& w, F f) {
  const SE3<P> start = inverse(loop.seat_2);
  SE3<Real> Y{detail::constant<P, Real>(start.R), detail::as<Real>(start.p)};
  for (int k = 0; k < loop.down; ++k) {
    const int i = loop.way[k];
    f(i, Y, 1);
    Y = times_inverse(Y, w.T[i]);
  }
  for (int k = loop.down; k < loop.down + loop.up; ++k) {
    const int i = loop.way[k];
    Y = Y * w.T[i];
    f(i, Y, -1);
  }
  return Y * loop.seat_1;
}

/// f(k, ratio) for every velocity of the tree on the way, in order: velocity k of the robot moves
/// it by `ratio`.
template <template <class> class Way, class P, class Own, class F>
constexpr void for_each_velocity(const System<P>& s, const Way<Own>& loop, F f) {
  for (int b = 0; b < loop.down + loop.up; ++b)
    for (int t = s.tree.v_at[loop.way[b]]; t < s.tree.v_at[loop.way[b] + 1]; ++t)
      with_leader(s.coupling, t, f);
}

}  // namespace jounce::inline JOUNCE_ISA
