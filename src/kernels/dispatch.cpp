// SPDX-License-Identifier: BSD-3-Clause
// Which build of the kernels this processor gets.
#include <jounce/cpu.hpp>

#include "kernels/table.hpp"

namespace jounce {

// table.cpp, once per instruction set.
namespace baseline_kernels {
KernelTable kernel_table();
}
#if defined(__x86_64__)
namespace avx2_kernels {
KernelTable kernel_table();
}
namespace avx512_kernels {
KernelTable kernel_table();
}
#else
namespace avx2_kernels = baseline_kernels;
namespace avx512_kernels = baseline_kernels;
#endif

namespace {

const KernelTable& table() {
  static const KernelTable chosen = [] {
    const Isa isa = best_isa();
    return isa == Isa::avx512 ? avx512_kernels::kernel_table()
           : isa == Isa::avx2 ? avx2_kernels::kernel_table()
                              : baseline_kernels::kernel_table();
  }();
  return chosen;
}

}  // namespace

const Kernels& kernels() { return table().tree; }
const SeriesKernels& series_kernels() { return table().series; }
const GeometryKernels& geometry_kernels() { return table().geometry; }
const StewartKernels& stewart_kernels() { return table().stewart; }

}  // namespace jounce
