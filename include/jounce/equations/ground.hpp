// SPDX-License-Identifier: BSD-3-Clause
// The ground that carries the tree, V_0 and Vdot_0 of [Park] 1995, (24), (25). Gravity is a ground
// that accelerates upwards: Vdot_0 = (0, -g).
#pragma once

#include <jounce/algorithm/rnea.hpp>
#include <jounce/equations/surroundings.hpp>

namespace jounce::inline JOUNCE_ISA {

template <class Real>
constexpr void set_ground(const OptionalGround<Real>& ground, Workspace<Real>& w) {
  const auto& [V, Vdot] = ground.value_or(Ground<Real>{});
  w.V[0] = V;
  w.Vdot[0] = Vdot;
}
/// The same, with gravity.
template <class P, class Real>
constexpr void set_ground(const Model<P>& m, const OptionalGround<Real>& ground,
                          Workspace<Real>& w) {
  set_ground(ground, w);
  w.Vdot[0] += minus_gravity<Real>(m);
}

}  // namespace jounce::inline JOUNCE_ISA
