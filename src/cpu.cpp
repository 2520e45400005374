// SPDX-License-Identifier: BSD-3-Clause
// Run-time choice of the instruction set.
#include <cstdlib>
#include <jounce/cpu.hpp>
#include <jounce/error.hpp>
#include <string>

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

Isa chosen_isa() {
  const Isa best = processor_isa();
  const char* asked = std::getenv("JOUNCE_ISA");
  if (asked == nullptr) return best;
  std::string known;
  for (const Isa isa : {Isa::baseline, Isa::avx2, Isa::avx512}) {
    if (isa > best) break;
    if (std::string(asked) == name(isa)) return isa;
    known += (known.empty() ? "" : ", ") + std::string(name(isa));
  }
  throw InputError("JOUNCE_ISA is \"" + std::string(asked) + "\", this processor has " + known);
}

}  // namespace

Isa best_isa() {
  static const Isa isa = chosen_isa();
  return isa;
}

}  // namespace jounce
