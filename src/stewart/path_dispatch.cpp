// SPDX-License-Identifier: BSD-3-Clause
// Which build of the path tracker this processor gets.
#include <jounce/cpu.hpp>

#include "stewart/path_kernel.hpp"

namespace jounce_baseline {
void track_paths(const void* homotopy, const void* options, void* paths, int count);
}
#if defined(__x86_64__)
namespace jounce_avx2 {
void track_paths(const void* homotopy, const void* options, void* paths, int count);
}
namespace jounce_avx512 {
void track_paths(const void* homotopy, const void* options, void* paths, int count);
}
#endif

namespace kernel_interface {

TrackPaths track_paths() {
#if defined(__x86_64__)
  if (jounce::best_isa() == jounce::Isa::avx512) return jounce_avx512::track_paths;
  if (jounce::best_isa() == jounce::Isa::avx2) return jounce_avx2::track_paths;
#endif
  return jounce_baseline::track_paths;
}

}  // namespace kernel_interface
