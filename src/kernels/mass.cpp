// SPDX-License-Identifier: BSD-3-Clause
// Factors and inverses of the mass matrix for one instruction set; compiled once for each.
#include "kernels/lanes/articulated_columns.hpp"
#include "kernels/lanes/ltdl_in_lanes.hpp"
#include "kernels/lanes/six_by_qr.hpp"
#include "kernels/table.hpp"

namespace jounce::inline JOUNCE_ISA {

void add_mass_kernels(Kernels& k) {
  k.ltdl_factor = register_bytes(native_isa) >= 32 ? ltdl_factor_in_lanes : ltdl_factor<double>;
  k.ltdl_solve = ltdl_solve<double>;
  k.ltdl_solve_beside = ltdl_solve_beside;
  k.ltdl_inverse = ltdl_inverse_in_lanes;
  k.six_by_qr = six_by_qr;
  k.six_by_six = six_by_six;
  k.factor_articulated = factor_articulated<double, double>;
  k.articulated_solve = articulated_solve<double, double>;
  k.turn_joints = turn_joints;
  k.articulated_inverse = articulated_inverse;
  k.articulated_beside = articulated_beside;
  k.articulated_times = articulated_times;
}

}  // namespace jounce::inline JOUNCE_ISA
