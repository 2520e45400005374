// SPDX-License-Identifier: BSD-3-Clause
// The instruction sets that this build has kernels for and this processor runs.
#pragma once

#include <jounce/cpu.hpp>
#include <vector>

#include "instruction_sets.hpp"

namespace jounce::test {

/// The lowest first; JOUNCE_ISA may not be set.
inline std::vector<Isa> built_sets() {
#define JOUNCE_LISTED(isa) Isa::isa,
  std::vector<Isa> all{JOUNCE_EACH_ISA(JOUNCE_LISTED)};
#undef JOUNCE_LISTED
  std::erase_if(all, [](Isa isa) { return isa > best_isa(); });
  return all;
}

}  // namespace jounce::test
