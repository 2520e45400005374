// SPDX-License-Identifier: BSD-3-Clause
// Factors and inverses of the mass matrix for one instruction set; compiled once for each.
#include <jounce/algorithm/ltdl.hpp>

#include "kernels/lanes/articulated_inverse.hpp"
#include "kernels/table.hpp"

namespace jounce::inline JOUNCE_ISA {

void add_mass_kernels(Kernels& k) {
  k.ltdl_factor = ltdl_factor<double>;
  k.ltdl_inverse = ltdl_inverse<double>;
  k.factor_articulated = factor_articulated<double, double>;
  k.articulated_solve = articulated_solve<double, double>;
  k.articulated_inverse = articulated_inverse;
}

}  // namespace jounce::inline JOUNCE_ISA
