// SPDX-License-Identifier: BSD-3-Clause
// Which build of the kernels of Gough-Stewart platforms this processor gets.
#include <jounce/cpu.hpp>

#include "stewart/kernels.hpp"

namespace jounce_baseline {
void fill_stewart_kernels(kernel_interface::StewartKernels& kernels);
}
#if defined(__x86_64__)
namespace jounce_avx2 {
void fill_stewart_kernels(kernel_interface::StewartKernels& kernels);
}
namespace jounce_avx512 {
void fill_stewart_kernels(kernel_interface::StewartKernels& kernels);
}
#endif

namespace kernel_interface {

const StewartKernels& stewart_kernels() {
  static const StewartKernels chosen = [] {
    StewartKernels kernels{};
    jounce_baseline::fill_stewart_kernels(kernels);
#if defined(__x86_64__)
    const jounce::Isa isa = jounce::best_isa();
    if (isa >= jounce::Isa::avx2) jounce_avx2::fill_stewart_kernels(kernels);
    if (isa == jounce::Isa::avx512) jounce_avx512::fill_stewart_kernels(kernels);
#endif
    return kernels;
  }();
  return chosen;
}

}  // namespace kernel_interface
