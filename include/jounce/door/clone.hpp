// SPDX-License-Identifier: BSD-3-Clause
// Another door like one that is there, for another thread:
//
//   jounce::Dynamics dyn(arm);
//   std::thread([own = clone(dyn), q, v, a]() mutable { own.inverse(q, v, a); });
#pragma once

#include <jounce/scalar/isa.hpp>

namespace jounce {

/// Whether clone makes another one of it.
template <class Door>
inline constexpr bool is_clonable = false;

inline namespace JOUNCE_ISA {

/// Of the same robot, order, parameters and options. One that answers about the state of its `at`,
/// or about what it ran, has none yet; how many rows of loops count is carried over.
template <class Door>
requires is_clonable<Door> Door clone(const Door& door) {
  if constexpr (requires { door.another(); }) return door.another();
  else if constexpr (requires { door.order(); }) return Door(door.robot(), door.order());
  else return Door(door.robot());
}

}  // namespace JOUNCE_ISA
}  // namespace jounce
