// SPDX-License-Identifier: BSD-3-Clause
// The path tracker, compiled once per instruction set and chosen at run time.
#pragma once

namespace kernel_interface {

/// homotopy: stewart_detail::Homotopy, options: stewart_detail::TrackOptions, paths:
/// stewart_detail::Path[count].
using TrackPaths = void (*)(const void* homotopy, const void* options, void* paths, int count);

/// The tracker for this processor.
TrackPaths track_paths();

}  // namespace kernel_interface
