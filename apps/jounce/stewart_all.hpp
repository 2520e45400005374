// SPDX-License-Identifier: BSD-3-Clause
// All poses of a platform for the command line: the answer as JSON, and the sweep.
#pragma once

#include <jounce/stewart/all_poses.hpp>

#include "apps/jounce/json_output.hpp"

namespace CLI {
class App;
}

namespace jounce::app {

/// {"poses": [{"position", "quaternion", "residual", "certified"}], "complex_count", "seconds"} and
/// what else is known of the search.
Json all_poses_json(const AllPoses& all);

/// `sweep`: how many of thousands of random platforms are solved completely, proved and how fast.
void add_stewart_sweep(CLI::App& stewart);

}  // namespace jounce::app
