// SPDX-License-Identifier: BSD-3-Clause
// The path tracker for one instruction set; compiled once for each.
#include "kernels/table.hpp"
#include "stewart/tracker.hpp"

namespace jounce::inline JOUNCE_ISA {
namespace {

void track_paths(const stewart_detail::Homotopy& homotopy,
                 const stewart_detail::TrackOptions& options, stewart_detail::Path* paths,
                 int count) {
  constexpr int lanes = register_bytes(native_isa) / int(sizeof(double));
  stewart_detail::Tracker<lanes>(homotopy, options).run(paths, count);
}

}  // namespace

void add_stewart_paths(StewartKernels& k) { k.track_paths = track_paths; }

}  // namespace jounce::inline JOUNCE_ISA
