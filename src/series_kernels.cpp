// SPDX-License-Identifier: BSD-3-Clause
// Which build of the recursions of higher order this processor gets.
#include "kernels/series_kernels.hpp"

#include <jounce/cpu.hpp>

namespace jounce_baseline {
void fill_series_kernels(kernel_interface::SeriesKernels& kernels);
}
#if defined(__x86_64__)
namespace jounce_avx2 {
void fill_series_kernels(kernel_interface::SeriesKernels& kernels);
}
namespace jounce_avx512 {
void fill_series_kernels(kernel_interface::SeriesKernels& kernels);
}
#endif

namespace kernel_interface {
namespace {

SeriesKernels choose() {
  SeriesKernels kernels{};
#if defined(__x86_64__)
  if (jounce::best_isa() == jounce::Isa::avx512) jounce_avx512::fill_series_kernels(kernels);
  else if (jounce::best_isa() == jounce::Isa::avx2) jounce_avx2::fill_series_kernels(kernels);
  else jounce_baseline::fill_series_kernels(kernels);
#else
  jounce_baseline::fill_series_kernels(kernels);
#endif
  return kernels;
}

}  // namespace

const SeriesKernels& series_kernels() {
  static const SeriesKernels chosen = choose();
  return chosen;
}

}  // namespace kernel_interface
