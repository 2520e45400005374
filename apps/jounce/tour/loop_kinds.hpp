// SPDX-License-Identifier: BSD-3-Clause
// Loops that are not joints between two links, and bushings.
#pragma once

#include <string>
#include <vector>

namespace jounce::app {

/// One number of a mechanism, and what a book says.
struct KindOfLoop {
  std::string name, quantity;
  double found, exact;
};
std::vector<KindOfLoop> kinds_of_loops();

}  // namespace jounce::app
