// SPDX-License-Identifier: BSD-3-Clause
// jounce tour and jounce orders: pages computed by a program of its own, jounce-tour. `jounce`
// knows their names and options, hence their help, and hands them over: those who only compute need
// not build that program.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "apps/jounce/pages.hpp"

namespace jounce::app {

/// Runs `jounce WORDS`: {"tour"}, {"orders", "frames"}.
using RunExperiment = std::function<void(std::span<const std::string> words, const PageOptions&)>;

/// Adds the commands; each calls `run`.
void add_experiments(CLI::App& app, const RunExperiment& run);

}  // namespace jounce::app
