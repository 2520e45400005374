// SPDX-License-Identifier: BSD-3-Clause
// The path tracker for one instruction set; compiled once for each, in a namespace of its own.
#include "stewart/tracker.hpp"

namespace jounce {

void track_paths(const void* homotopy, const void* options, void* paths, int count) {
  using namespace stewart_detail;
  constexpr int lanes = register_bytes(native_isa) / int(sizeof(double));
  Tracker<lanes>(*static_cast<const Homotopy*>(homotopy),
                 *static_cast<const TrackOptions*>(options))
      .run(static_cast<Path*>(paths), count);
}

}  // namespace jounce
