// SPDX-License-Identifier: BSD-3-Clause
// Configurations as dual numbers, for derivatives along velocities of the robot.
#pragma once

#include <jounce/model/manifold.hpp>
#include <jounce/model/system.hpp>
#include <span>

namespace jounce::inline JOUNCE_ISA {

/// Coordinates that move along the velocities `along` of the robot, one direction each.
template <class P, class Real, class Number>
void seed_positions(const System<P>& s, const Real* q, std::span<const int> along, Number* to) {
  for (const Factor& f : factors(s)) {
    Number by[6];
    for (int k = 0; k < f.nv; ++k) by[k] = Number(0);
    bool moves = false;
    for (size_t d = 0; d < along.size(); ++d)
      if (along[d] >= f.v && along[d] < f.v + f.nv) {
        by[along[d] - f.v].d[d] = Real(1);
        moves = true;
      }
    if (moves) integrate(f, q + f.q, by, to + f.q);
    else
      for (int k = f.q; k < f.q + f.nq; ++k) to[k] = Number(q[k]);
  }
}

}  // namespace jounce::inline JOUNCE_ISA
