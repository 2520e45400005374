// SPDX-License-Identifier: BSD-3-Clause
// The instruction sets that this build has kernels for and this processor runs.
#pragma once

#include <jounce/cpu.hpp>
#include <vector>

#include "instruction_sets.hpp"

namespace jounce::test {

/// What the build has, the lowest first, whatever JOUNCE_ISA says.
inline std::vector<Isa> compiled_sets() {
#define JOUNCE_LISTED(isa) Isa::isa,
  return {JOUNCE_EACH_ISA(JOUNCE_LISTED)};
#undef JOUNCE_LISTED
}
/// Those of them that the processor runs; JOUNCE_ISA may not be set.
inline std::vector<Isa> built_sets() {
  std::vector<Isa> all = compiled_sets();
  std::erase_if(all, [](Isa isa) { return isa > best_isa(); });
  return all;
}

}  // namespace jounce::test
