// SPDX-License-Identifier: BSD-3-Clause
// When a number along a motion passes through zero.
#pragma once

#include <jounce/simulation.hpp>

namespace jounce::test {

/// The next time at which g(x) changes its sign: steps up to it, then secants of runs from the
/// state before it. x is left there.
template <class G>
double next_zero(Simulation& sim, SimulationState& x, double longest_step, G g) {
  SimulationState before = x;
  double at_start = g(x);
  do {
    before = x;
    at_start = g(before);
    sim.step(x, longest_step);
  } while (at_start == 0 || at_start * g(x) > 0);
  double low = before.t, high = x.t, g_low = at_start, g_high = g(x), t = low;
  for (int i = 0; i < 60 && high - low > 1e-14 * high; ++i) {
    t = i % 3 == 2 ? (low + high) / 2 : (low * g_high - high * g_low) / (g_high - g_low);
    x = before;
    if (t > x.t) sim.run(x, t, {.energy = false});
    const double now = g(x);
    if (now == 0) break;
    if (now * g_low > 0) low = t, g_low = now;
    else high = t, g_high = now;
  }
  return t;
}

}  // namespace jounce::test
