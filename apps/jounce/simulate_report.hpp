// SPDX-License-Identifier: BSD-3-Clause
// What jounce simulate says of a run, as text and as JSON.
#pragma once

#include <jounce/simulation.hpp>

#include "apps/jounce/json_output.hpp"
#include "apps/jounce/reference.hpp"

namespace jounce::app {

struct RunSummary {
  std::string model;
  SimulationOptions options;
  double start = 0;
  RunReport report;
  SimulationState state;
  std::vector<std::string> limits;  ///< the joints of report.limits
  bool interrupted = false;
  std::string stiff_joint;  ///< or nothing
};

/// The keys of the JSON, in their order: one table for the writer's help and its page.
const std::vector<Key>& summary_keys();
Json summary_json(const RunSummary& summary);
std::string summary_text(const RunSummary& summary);

}  // namespace jounce::app
