// SPDX-License-Identifier: BSD-3-Clause
// Another door like one that is there, for another thread:
//
//   jounce::Dynamics dyn(arm);
//   std::thread([own = clone(dyn), q, v, a]() mutable { own.inverse(q, v, a); });
#pragma once

#include <jounce/scalar/isa.hpp>

namespace jounce {

/// Whether a door is made from its robot, and its order where it has one, alone.
template <class Door>
inline constexpr bool is_clonable = false;

inline namespace JOUNCE_ISA {

/// Of the same robot and order. One that answers about the state of its `at` has none yet; how many
/// rows of loops count is carried over.
template <class Door>
requires is_clonable<Door> Door clone(const Door& door) {
  if constexpr (requires { door.with_same_rank(); }) return door.with_same_rank();
  else if constexpr (requires { door.order(); }) return Door(door.robot(), door.order());
  else return Door(door.robot());
}

}  // namespace JOUNCE_ISA
}  // namespace jounce
