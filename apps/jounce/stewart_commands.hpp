// SPDX-License-Identifier: BSD-3-Clause
// Commands of `jounce stewart` with JSON in and out, wherever they stand.
#pragma once

#include "apps/jounce/json_input.hpp"
#include "apps/jounce/json_output.hpp"
#include "apps/jounce/reference.hpp"

namespace jounce::app {

struct StewartCommand : Reference {
  Json (*compute)(JsonObject& input);
};

/// "base" and "platform", then others.
std::vector<Key> platform_and(std::initializer_list<Key> others);
/// An example: a platform and what else it needs.
std::string on_example_platform(const char* rest);

/// residual, run, sensors, exp: the paper's formulas, one by one.
std::vector<StewartCommand> formula_commands();
/// Platform, poses, lengths and starts of the paper.
Json experiment_json(bool as_printed);

}  // namespace jounce::app
