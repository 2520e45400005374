// SPDX-License-Identifier: BSD-3-Clause
// The way from one body of a tree to another.
#pragma once

#include <vector>

namespace jounce {

/// From the second body down to the last one that carries both, which is left out, and from there
/// up to the first.
struct BodyWay {
  int down = 0, up = 0;
};

/// Adds the bodies of the way to the end of a list; takes memory only where that is full.
BodyWay add_way(const int* parent, int body_1, int body_2, std::vector<int>& bodies);

}  // namespace jounce
