// SPDX-License-Identifier: BSD-3-Clause
// Inverse and forward dynamics and the mass matrix for one instruction set; compiled once for each.
#include <jounce/algorithm/forward_dynamics.hpp>
#include <jounce/algorithm/inverse_dynamics.hpp>
#include <jounce/algorithm/mass_matrix.hpp>

#include "kernels/lanes/mass_and_bias.hpp"
#include "kernels/lanes/mass_in_lanes.hpp"
#include "kernels/table.hpp"

namespace jounce::inline JOUNCE_ISA {
namespace {

/// f of the recursion on the kind of vector that serves.
template <class F>
void on_vectors(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                const KernelRoom& room, F f) {
  if constexpr (register_bytes(native_isa) >= 32)
    f(Recursion<lanes::InRegisters>{m, room.body, x, w, room.registers});
  else f(Recursion<InNumbers>{m, {m}, x, w, room.numbers});
}
void inverse(const Model<double>& m, const State<double>& x, Workspace<double>& w,
             const KernelRoom& room) {
  on_vectors(m, x, w, room, [](const auto& r) { inverse_dynamics(r); });
}
void forward(const Model<double>& m, const State<double>& x, Workspace<double>& w,
             const KernelRoom& room) {
  on_vectors(m, x, w, room, [](const auto& r) { forward_dynamics(r); });
}
void mass(const Model<double>& m, const State<double>& x, Workspace<double>& w,
          const KernelRoom& room, double* M) {
  if constexpr (register_bytes(native_isa) >= 32)
    if (lanes::has_long_runs(m, room.run))
      return lanes::mass_by_rows(Recursion<lanes::InRegisters>{m, room.body, x, w, room.registers},
                                 room, M);
  on_vectors(m, x, w, room, [&](const auto& r) { mass_matrix(r, M); });
}

void mass_and_bias(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                   const KernelRoom& room, double* M) {
  if constexpr (register_bytes(native_isa) >= 32)
    if (m.anchors <= 1)
      return lanes::mass_and_bias(Recursion<lanes::InRegisters>{m, room.body, x, w, room.registers},
                                  M);
  inverse(m, x, w, room);
  mass(m, x, w, room, M);
}

}  // namespace

void add_dynamics_kernels(Kernels& k) {
  k.in_registers = register_bytes(native_isa) >= 32;
  k.inverse = inverse;
  k.forward = forward;
  k.mass = mass;
  k.mass_and_bias = mass_and_bias;
}

}  // namespace jounce::inline JOUNCE_ISA
