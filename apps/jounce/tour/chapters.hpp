// SPDX-License-Identifier: BSD-3-Clause
// The chapters of the tour: each computes, checks and draws what its part of the library does.
#pragma once

#include "report/page.hpp"

namespace jounce::app {

report::Chapter tour_first();
report::Chapter tour_numbers();
report::Chapter tour_groups();
report::Chapter tour_robots();
report::Chapter tour_tables();
report::Chapter tour_dynamics();
report::Chapter tour_closed_loops();
report::Chapter tour_geometry();
report::Chapter tour_motion();
report::Chapter tour_stewart();
report::Chapter tour_any_order();
report::Chapter tour_sensitivities();
/// Of all papers; gathers what the chapters before it found.
report::Chapter tour_verdict(const std::vector<report::Chapter>& before);

}  // namespace jounce::app
