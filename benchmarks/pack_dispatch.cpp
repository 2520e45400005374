// SPDX-License-Identifier: BSD-3-Clause
// Which build of the pack kernels this processor gets.
#include <jounce/cpu.hpp>

#include "benchmarks/pack_kernels.hpp"

namespace jounce::bench {

// pack_kernels.cpp, once per instruction set.
namespace baseline_kernels {
PackKernels pack_kernel_table();
}
#if defined(__x86_64__)
namespace avx2_kernels {
PackKernels pack_kernel_table();
}
namespace avx512_kernels {
PackKernels pack_kernel_table();
}
#else
namespace avx2_kernels = baseline_kernels;
namespace avx512_kernels = baseline_kernels;
#endif

const PackKernels& pack_kernels() {
  static const PackKernels chosen = [] {
    const Isa isa = best_isa();
    return isa == Isa::avx512 ? avx512_kernels::pack_kernel_table()
           : isa == Isa::avx2 ? avx2_kernels::pack_kernel_table()
                              : baseline_kernels::pack_kernel_table();
  }();
  return chosen;
}

}  // namespace jounce::bench
