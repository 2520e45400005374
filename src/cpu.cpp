// SPDX-License-Identifier: BSD-3-Clause
// Run-time choice of the instruction set.
#include <cstdlib>
#include <jounce/cpu.hpp>
#include <jounce/error.hpp>
#include <string>

#include "instruction_sets.hpp"

namespace jounce {
namespace {

Isa processor_isa() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool fma = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
  if (fma && wide) return Isa::avx512;
  if (fma) return Isa::avx2;
#endif
  return Isa::baseline;
}

#define JOUNCE_LISTED(isa) Isa::isa,
constexpr Isa built[] = {JOUNCE_EACH_ISA(JOUNCE_LISTED)};

Isa chosen_isa() {
  const Isa processor = processor_isa();
  if (built[0] > processor)
    throw InputError(std::string("this build of Jounce is for processors with ") + name(built[0]) +
                     ", this one has " + name(processor) +
                     "; build it with -DJOUNCE_INSTRUCTION_SETS=all");
  const char* asked = std::getenv("JOUNCE_ISA");
  Isa best = built[0];
  std::string known;
  for (const Isa isa : built) {
    if (isa > processor) break;
    best = isa;
    if (asked != nullptr && std::string(asked) == name(isa)) return isa;
    known += (known.empty() ? "" : ", ") + std::string(name(isa));
  }
  if (asked == nullptr) return best;
  throw InputError("JOUNCE_ISA is \"" + std::string(asked) + "\", this processor " +
                   (std::size(built) > 1 ? "has " : "and this build have ") + known);
}

}  // namespace

Isa best_isa() {
  static const Isa isa = chosen_isa();
  return isa;
}

}  // namespace jounce
