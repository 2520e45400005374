// SPDX-License-Identifier: BSD-3-Clause
// Which build of the kernels this processor gets.
#include <jounce/cpu.hpp>

#include "instruction_sets.hpp"
#include "kernels/table.hpp"

namespace jounce {

// table.cpp, once per instruction set.
#define JOUNCE_DECLARE(isa)     \
  namespace isa##_kernels {     \
    KernelTable kernel_table(); \
  }
JOUNCE_EACH_ISA(JOUNCE_DECLARE)

namespace {

KernelTable table_for(Isa chosen) {
#define JOUNCE_CHOOSE(isa) \
  if (chosen == Isa::isa) return isa##_kernels::kernel_table();
  JOUNCE_EACH_ISA(JOUNCE_CHOOSE)
  __builtin_unreachable();  // best_isa() names one that this build has
}

const KernelTable& table() {
  static const KernelTable chosen = table_for(best_isa());
  return chosen;
}

}  // namespace

const Kernels& kernels() { return table().tree; }
const SeriesKernels& series_kernels() { return table().series; }
const GeometryKernels& geometry_kernels() { return table().geometry; }
const StewartKernels& stewart_kernels() { return table().stewart; }

}  // namespace jounce
