// SPDX-License-Identifier: BSD-3-Clause
// Lengths that no pose has, proved by two legs.
//
// Legs i and k and the lines between their ends close a quadrilateral, a_i a_k on the base, b_i b_k
// on the platform: none of its four sides is longer than the three others together.
#pragma once

#include <jounce/stewart/stewart.hpp>
#include <string>

namespace jounce::stewart_detail {

struct ImpossiblePair {
  int leg_1 = -1, leg_2 = -1;
  bool found() const noexcept { return leg_1 >= 0; }
};

/// The first two legs that cannot have these lengths together, by more than `slack`.
ImpossiblePair impossible_pair(const Stewart& s, const SixNumbers& L, double slack) noexcept;

/// legs 2 and 5 are 12 and 55 long, but their joints are 10 apart on the base and 4 on the platform
std::string text_of(const Stewart& s, const SixNumbers& L, const ImpossiblePair& pair);

/// leg too short, leg too long, ...: the words for a sum of reach::.
std::string reach_text(unsigned flags);

}  // namespace jounce::stewart_detail
