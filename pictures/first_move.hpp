// SPDX-License-Identifier: BSD-3-Clause
// The move that is drawn where a user names only some of it: within the robot's limits.
#pragma once

#include <jounce/move.hpp>
#include <optional>
#include <vector>

namespace jounce::pictures {

inline constexpr double usual_duration = 2;

/// From rest to rest. What is not given is chosen: from where the file closes its loops, of a tree
/// from 0 or the nearest that limits of positions allow; to a configuration drawn at random within
/// these, with loops every motor 0.1 rad or m on; in 2 s, or as many more as limits of velocities
/// ask for, in tenths.
struct FirstMove {
  std::optional<std::vector<double>> from = {}, to = {};
  std::optional<double> duration = {};
};
Along first_run(const Robot& robot, const FirstMove& given, const AlongOptions& options = {});

}  // namespace jounce::pictures
