// SPDX-License-Identifier: BSD-3-Clause
// Which build of the kernels this processor gets.
#include <jounce/cpu.hpp>

#include "kernels/kernels.hpp"

namespace jounce_baseline {
void fill_kernels(kernel_interface::Kernels& kernels);
void fill_coriolis_kernel(kernel_interface::Kernels& kernels);
void fill_derivative_kernels(kernel_interface::Kernels& kernels);
}  // namespace jounce_baseline
#if defined(__x86_64__)
namespace jounce_avx2 {
void fill_kernels(kernel_interface::Kernels& kernels);
void fill_coriolis_kernel(kernel_interface::Kernels& kernels);
void fill_derivative_kernels(kernel_interface::Kernels& kernels);
}  // namespace jounce_avx2
namespace jounce_avx512 {
void fill_kernels(kernel_interface::Kernels& kernels);
void fill_coriolis_kernel(kernel_interface::Kernels& kernels);
void fill_derivative_kernels(kernel_interface::Kernels& kernels);
}  // namespace jounce_avx512
#endif

namespace kernel_interface {
namespace {

Kernels choose() {
  Kernels kernels{};
#if defined(__x86_64__)
  if (jounce::best_isa() == jounce::Isa::avx512) {
    jounce_avx512::fill_kernels(kernels);
    jounce_avx512::fill_coriolis_kernel(kernels);
    jounce_avx512::fill_derivative_kernels(kernels);
    return kernels;
  }
  if (jounce::best_isa() == jounce::Isa::avx2) {
    jounce_avx2::fill_kernels(kernels);
    jounce_avx2::fill_coriolis_kernel(kernels);
    jounce_avx2::fill_derivative_kernels(kernels);
    return kernels;
  }
#endif
  jounce_baseline::fill_kernels(kernels);
  jounce_baseline::fill_coriolis_kernel(kernels);
  jounce_baseline::fill_derivative_kernels(kernels);
  return kernels;
}

}  // namespace

const Kernels& kernels() {
  static const Kernels chosen = choose();
  return chosen;
}

}  // namespace kernel_interface
