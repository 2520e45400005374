// SPDX-License-Identifier: BSD-3-Clause
// How far names are from each other.
#pragma once

#include <cstddef>
#include <string_view>

namespace jounce {

/// Insertions, deletions, replacements and exchanges of neighbours that turn a into b (Damerau's
/// distance, optimal alignment).
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace jounce
