// SPDX-License-Identifier: BSD-3-Clause
// The experiments of [Xie] and the sweep over geometries as tables and figures.
#pragma once

#include <jounce/stewart/xie_tables.hpp>

#include "report/page.hpp"
#include "report/plot.hpp"

namespace jounce::app {

/// Tables 2 and 3 beside the paper's numbers, every cell that differs with its reason, figures 4
/// to 9. draws: sets of rounded lengths that show what rounding does to a cell.
std::vector<report::Block> xie_blocks(const XieExperiment& experiment, int draws);

/// Success and iterations of the six methods over 200 geometries.
std::vector<report::Block> survey_blocks(int starts);

/// A platform and its base with the legs, seen from the front left and above.
report::Figure platform_picture(const Stewart& platform, const std::vector<SE3<double>>& poses,
                                const std::string& title, const std::string& unit);

}  // namespace jounce::app
