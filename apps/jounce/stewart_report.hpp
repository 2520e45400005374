// SPDX-License-Identifier: BSD-3-Clause
// The experiments of [Xie] and what they lead to, as tables and figures.
#pragma once

#include <functional>
#include <jounce/stewart/estimate.hpp>
#include <jounce/stewart/xie_tables.hpp>

#include "report/page.hpp"
#include "report/plot.hpp"

namespace jounce::app {

/// Called behind each of the steps that a long experiment consists of: 2 per sample of
/// survey_blocks, branch_settings of branch_blocks.
using AfterEach = std::function<void()>;
inline constexpr int branch_settings = 12;

/// The paper's data, algorithms, tables and text, claim | found | reproduced; why cells differ, and
/// what other readings of Algorithm A1 give. draws: sets of rounded lengths that show what rounding
/// does to a cell.
std::vector<report::Block> claim_blocks(const XieExperiment& experiment, int draws);
/// Figures 1 to 9.
std::vector<report::Block> figure_blocks(const XieExperiment& experiment);
/// Success and iterations of all variants of the six methods over random geometries.
std::vector<report::Block> survey_blocks(int samples, const AfterEach& done = {});
/// Whether methods on SE(3) are caught less often, near the pose and near every other pose.
std::vector<report::Block> branch_blocks(int samples, const AfterEach& done = {});
/// How many of Dietmaier's 40 poses one more sensor leaves.
std::vector<report::Block> sensor_blocks(int places);

/// A platform and its base with the legs, seen from the front left and above.
report::Figure platform_picture(const Stewart& platform, const std::vector<SE3<double>>& poses,
                                const std::string& title, const std::string& unit);

/// 45 (42 to 48): the estimate times `factor`, with these decimals.
std::string text_of(const Estimate& estimate, double factor = 100, int decimals = 0);

}  // namespace jounce::app
