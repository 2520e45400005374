// SPDX-License-Identifier: BSD-3-Clause
// Columns of da/dq one by one: what the zeros of [Kim] (92) are worth.
#pragma once

#include <jounce/model/robot.hpp>

#include "benchmarks/bench.hpp"

namespace jounce::bench {

/// All columns, without and with the zeros of (92) in Table 6, and by Table 5 and a solve.
std::vector<Row> derivative_columns(const std::string& name, const Robot& robot);

}  // namespace jounce::bench
