// SPDX-License-Identifier: BSD-3-Clause
// Which build of the pack kernels this processor gets.
#include <jounce/cpu.hpp>

#include "benchmarks/pack_kernels.hpp"
#include "instruction_sets.hpp"

namespace jounce::bench {

// pack_kernels.cpp, once per instruction set.
#define JOUNCE_DECLARE_PACKS(isa)    \
  namespace isa##_kernels {          \
    PackKernels pack_kernel_table(); \
  }
JOUNCE_EACH_ISA(JOUNCE_DECLARE_PACKS)

namespace {

PackKernels table_for(Isa chosen) {
#define JOUNCE_CHOOSE_PACKS(isa) \
  if (chosen == Isa::isa) return isa##_kernels::pack_kernel_table();
  JOUNCE_EACH_ISA(JOUNCE_CHOOSE_PACKS)
  __builtin_unreachable();  // best_isa() names one that this build has
}

}  // namespace

const PackKernels& pack_kernels() {
  static const PackKernels chosen = table_for(best_isa());
  return chosen;
}

}  // namespace jounce::bench
