// SPDX-License-Identifier: BSD-3-Clause
// Inverse, forward and hybrid dynamics and the mass matrix for one instruction set; compiled once
// for each.
#include <jounce/algorithm/centroidal_matrix.hpp>
#include <jounce/algorithm/forward_dynamics.hpp>
#include <jounce/algorithm/inverse_dynamics.hpp>
#include <jounce/algorithm/mass_matrix.hpp>

#include "kernels/lanes/ltdl_in_lanes.hpp"
#include "kernels/lanes/mass_and_bias.hpp"
#include "kernels/lanes/mass_in_lanes.hpp"
#include "kernels/on_vectors.hpp"
#include "kernels/table.hpp"

namespace jounce::inline JOUNCE_ISA {
namespace {

void inverse(const Model<double>& m, const State<double>& x, Workspace<double>& w,
             const KernelRoom& room) {
  on_vectors(m, x, w, room, [](const auto& r) { inverse_dynamics(r); });
}
void inverse_with_wrenches(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                           const KernelRoom& room) {
  on_vectors(m, x, w, room, [](const auto& r) { inverse_dynamics<true>(r); });
}
void forward(const Model<double>& m, const State<double>& x, Workspace<double>& w,
             const KernelRoom& room) {
  on_vectors(m, x, w, room, [](const auto& r) { forward_dynamics(r); });
}
void hybrid(const Model<double>& m, const State<double>& x, const bool* prescribed,
            Workspace<double>& w, const KernelRoom& room) {
  on_vectors(m, x, w, room, [&](const auto& r) { hybrid_dynamics(r, prescribed); });
}
void mass(const Model<double>& m, const State<double>& x, Workspace<double>& w,
          const KernelRoom& room, double* M) {
  if constexpr (register_bytes(native_isa) >= 32)
    if (lanes::has_long_runs(m, room.run))
      return lanes::mass_by_rows(
          Recursion<lanes::InRegisters>{m, room.body, x, w, room.registers, room.frame}, room, M);
  on_vectors(m, x, w, room, [&](const auto& r) { mass_matrix(r, M); });
}
void factors(const Model<double>& m, const State<double>& x, Workspace<double>& w,
             const KernelRoom& room, const MassPattern& pattern, double* M, double* diagonal) {
  constexpr bool registers = register_bytes(native_isa) >= 32;
  const auto factor_row = [&](int k) {
    if constexpr (registers) ltdl_factor_row_in_lanes(pattern, k, M);
    else ltdl_factor_row(pattern, k, M);
  };
  if constexpr (registers)
    if (lanes::has_long_runs(m, room.run)) {
      lanes::mass_rows_of_runs(
          Recursion<lanes::InRegisters>{m, room.body, x, w, room.registers, room.frame}, room,
          pattern, M);
      for (int k = 0; k < pattern.n; ++k) diagonal[k] = M[pattern.diagonal[k]];
      return ltdl_factor_in_lanes(pattern, M);
    }
  on_vectors(m, x, w, room,
             [&](const auto& r) { mass_factors(r, pattern, M, diagonal, factor_row); });
}
void momentum_matrix(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                     const KernelRoom& room, double* A) {
  on_vectors(m, x, w, room, [&](const auto& r) { centroidal_matrix(r, A); });
}
void mass_and_bias(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                   const KernelRoom& room, double* M) {
  if constexpr (register_bytes(native_isa) >= 32)
    if (m.anchors <= 1)
      return lanes::mass_and_bias(
          Recursion<lanes::InRegisters>{m, room.body, x, w, room.registers, room.frame}, room.kept,
          M);
  inverse(m, x, w, room);
  mass(m, x, w, room, M);
}

}  // namespace

void add_dynamics_kernels(Kernels& k) {
  k.in_registers = register_bytes(native_isa) >= 32;
  k.inverse = inverse;
  k.inverse_with_wrenches = inverse_with_wrenches;
  k.forward = forward;
  k.hybrid = hybrid;
  k.mass = mass;
  k.mass_factors = factors;
  k.mass_and_bias = mass_and_bias;
  k.centroidal_matrix = momentum_matrix;
}

}  // namespace jounce::inline JOUNCE_ISA
