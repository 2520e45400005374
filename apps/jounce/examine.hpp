// SPDX-License-Identifier: BSD-3-Clause
// What can be wrong with a robot that loads: joints that move no mass, centres of mass outside
// their links.
#pragma once

#include "apps/jounce/model_options.hpp"

namespace jounce::app {

/// Findings beyond those of the reader; places are those of the file that the robot was loaded
/// from.
std::vector<Finding> examine(const Robot& robot, const Loaded& loaded);

}  // namespace jounce::app
