// SPDX-License-Identifier: BSD-3-Clause
// Which kind of vector the fast forms run on in a build.
#pragma once

#include "kernels/lanes/in_registers.hpp"

namespace jounce::inline JOUNCE_ISA {

/// f of the recursion on the kind of vector that serves.
template <class F>
[[gnu::always_inline]] inline void on_vectors(const Model<double>& m, const State<double>& x,
                                              Workspace<double>& w, const KernelRoom& room, F f) {
  if constexpr (register_bytes(native_isa) >= 32)
    f(Recursion<lanes::InRegisters>{m, room.body, x, w, room.registers, room.frame});
  else f(Recursion<InNumbers>{m, {m}, x, w, room.numbers, room.frame});
}

}  // namespace jounce::inline JOUNCE_ISA
