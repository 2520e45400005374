// SPDX-License-Identifier: BSD-3-Clause
// Words for what the runs of a cell show.
#pragma once

#include <jounce/stewart/xie_claims.hpp>

namespace jounce::stewart_detail {

/// The value with this many decimals.
std::string decimals(double value, int count);
std::string percent_text(int value);
/// 0.60 to 0.84, 0.90; of Levenberg-Marquardt by the logarithm; at most `most` of them.
std::string ranges_text(const XieCell& cell, XieOutcome outcome, size_t most = 4);
/// 54 % to q_C (12.3 iterations), 28 % to T_s, 18 % nowhere
std::string shares_text(const XieCell& cell);

}  // namespace jounce::stewart_detail
