// SPDX-License-Identifier: BSD-3-Clause
// The same measurements on other instruction sets: a process chooses its kernels once.
#pragma once

#include <string>
#include <vector>

#include "benchmarks/bench.hpp"

namespace jounce::bench {

/// The sets that this program runs on here, besides the one that it has chosen.
std::vector<std::string> other_sets();

/// What this program measures with the arguments on another set.
std::vector<Row> rows_on(const std::string& isa, const std::vector<std::string>& arguments);

}  // namespace jounce::bench
