// SPDX-License-Identifier: BSD-3-Clause
// What a move takes, drawn: positions, forces with their limits, force rates and energy in time.
#pragma once

#include <jounce/move.hpp>
#include <string>
#include <vector>

#include "report/plot.hpp"

namespace jounce::pictures {

/// Coordinates that a plot can tell apart; of more, those with the largest forces are drawn.
inline constexpr int most_drawn = 8;

/// Positions, forces, force rates, energy. Limits are dashed lines in the colour of their joint,
/// where the data come near them: no limit widens the frame by more than a third.
std::vector<report::Plot> motion_plots(const Along& run);

/// All of them below each other in one SVG.
std::string motion_svg(const Along& run);

/// "elbow: effort -61.2 at 0.85 s, limit -56", a line for each limit that is exceeded.
std::vector<std::string> exceeded_lines(const Along& run);

}  // namespace jounce::pictures
