// SPDX-License-Identifier: BSD-3-Clause
// Which build of the pack kernels this processor gets.
#include <jounce/cpu.hpp>

#include "benchmarks/pack_kernels.hpp"

namespace jounce_baseline::bench {
void fill_pack_kernels(bench_interface::PackKernels& kernels);
}
#if defined(__x86_64__)
namespace jounce_avx2::bench {
void fill_pack_kernels(bench_interface::PackKernels& kernels);
}
namespace jounce_avx512::bench {
void fill_pack_kernels(bench_interface::PackKernels& kernels);
}
#endif

namespace bench_interface {

const PackKernels& pack_kernels() {
  static const PackKernels chosen = [] {
    PackKernels kernels{};
    const jounce::Isa isa = jounce::best_isa();
    jounce_baseline::bench::fill_pack_kernels(kernels);
#if defined(__x86_64__)
    if (isa >= jounce::Isa::avx2) jounce_avx2::bench::fill_pack_kernels(kernels);
    if (isa == jounce::Isa::avx512) jounce_avx512::bench::fill_pack_kernels(kernels);
#endif
    return kernels;
  }();
  return chosen;
}

}  // namespace bench_interface
