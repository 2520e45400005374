// SPDX-License-Identifier: BSD-3-Clause
// Rows of closed loops and the equations with them for one instruction set; compiled once for each.
#include <jounce/algorithm/constrained_solve.hpp>
#include <jounce/equations/loops.hpp>

#include "kernels/table.hpp"

namespace jounce::inline JOUNCE_ISA {

void add_loop_kernels(Kernels& k) {
  k.loop_rows = loop_rows<double, double>;
  k.constrained_factor = constrained_factor<double>;
  k.constrained_solve = constrained_solve<double>;
}

}  // namespace jounce::inline JOUNCE_ISA
