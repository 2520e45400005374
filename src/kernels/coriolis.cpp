// SPDX-License-Identifier: BSD-3-Clause
// The Coriolis matrix and the regressor for one instruction set; compiled once for each.
#include "kernels/lanes/coriolis_in_lanes.hpp"
#include "kernels/lanes/regressor_in_lanes.hpp"
#include "kernels/table.hpp"

namespace jounce::inline JOUNCE_ISA {
namespace {

[[gnu::flatten]] void christoffel_in_registers(const Recursion<lanes::InRegisters>& r,
                                               const KernelRoom& room, double* C, double* Mdot) {
  if (lanes::has_long_runs(r.m, room.run)) lanes::christoffel_by_rows(r, room, C, Mdot);
  else if (r.m.anchors > 1) coriolis_matrix<Origins::anchors>(r, C, Mdot);
  else coriolis_matrix<Origins::centre>(r, C, Mdot);
}
[[gnu::flatten]] void coriolis_after_poses(const Model<double>& m, const State<double>& x,
                                           const Workspace<double>& w, Factorization f,
                                           SubtreeRoom<double>& subtrees, const KernelRoom& room,
                                           double* C, double* Mdot) {
  if (lanes::has_long_runs(m, room.run))
    return lanes::coriolis_by_rows(m, x, w, f, subtrees, room, C, Mdot);
  if (m.anchors > 1) coriolis<Origins::anchors>(m, x, w, f, subtrees, C, Mdot);
  else coriolis<Origins::centre>(m, x, w, f, subtrees, C, Mdot);
}
void coriolis_of(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                 Factorization f, SubtreeRoom<double>& subtrees, const KernelRoom& room, double* C,
                 double* Mdot) {
  if constexpr (register_bytes(native_isa) >= 32)
    if (f == Factorization::christoffel)
      return christoffel_in_registers({m, room.body, x, w, room.registers, room.frame}, room, C,
                                      Mdot);
  coriolis_after_poses(m, x, w, f, subtrees, room, C, Mdot);
}

}  // namespace

void add_coriolis_kernels(Kernels& k) {
  k.coriolis = coriolis_of;
  k.regressor = regressor_in_lanes;
}

}  // namespace jounce::inline JOUNCE_ISA
