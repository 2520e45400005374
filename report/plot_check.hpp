// SPDX-License-Identifier: BSD-3-Clause
// Refusing plots that cannot be drawn.
#pragma once

#include "report/plot.hpp"

namespace jounce::report {

/// Throws std::invalid_argument that says what is wrong, what was found, what is needed and where.
void check(const Plot& plot);

}  // namespace jounce::report
