// SPDX-License-Identifier: BSD-3-Clause
// Loops that are not joints between two links, and bushings.
#pragma once

#include <string>
#include <vector>

#include "report/page.hpp"

namespace jounce::app {

/// One number of a mechanism, and what a book says.
struct KindOfLoop {
  std::string name, quantity;
  double found, exact;
};
std::vector<KindOfLoop> kinds_of_loops();

/// Some of them drawn, with what their loops exert.
report::Figure picture_of_a_rod();
report::Figure picture_of_gears();
report::Figure picture_of_a_wheel();

}  // namespace jounce::app
