// SPDX-License-Identifier: BSD-3-Clause
// Cutting a graph whose faults are told all at once.
#pragma once

#include <jounce/model/cut_loops.hpp>

namespace jounce {

struct RefusedCut {
  std::string joint, what;
};

/// As cut_loops; joints that cannot be cut are left out and listed.
CutGraph cut_loops(RobotDescription graph, std::vector<RefusedCut>& refused);

}  // namespace jounce
