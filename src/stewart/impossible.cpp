// SPDX-License-Identifier: BSD-3-Clause
// Quadrilaterals that do not close, and limits in words.
#include "stewart/impossible.hpp"

#include <algorithm>

#include "numbers.hpp"

namespace jounce::stewart_detail {
namespace {

/// By how much the longest of four sides exceeds the three others.
double excess(double a, double b, double c, double d) noexcept {
  return 2 * std::max({a, b, c, d}) - (a + b + c + d);
}

/// Lengths whose differences dwarf the platform are of another unit, in all likelihood.
constexpr double another_unit = 10;

}  // namespace

ImpossiblePair impossible_pair(const Stewart& s, const SixNumbers& L, double slack) noexcept {
  for (size_t i = 0; i < 6; ++i)
    for (size_t k = i + 1; k < 6; ++k)
      if (excess(L[i], L[k], norm(s.base()[i] - s.base()[k]),
                 norm(s.platform()[i] - s.platform()[k])) > slack)
        return {static_cast<int>(i), static_cast<int>(k)};
  return {};
}

std::string text_of(const Stewart& s, const SixNumbers& L, const ImpossiblePair& pair) {
  const auto i = static_cast<size_t>(pair.leg_1), k = static_cast<size_t>(pair.leg_2);
  const double base = norm(s.base()[i] - s.base()[k]);
  const double platform = norm(s.platform()[i] - s.platform()[k]);
  const bool unit = std::abs(L[i] - L[k]) > another_unit * (base + platform);
  return "legs " + std::to_string(i + 1) + " and " + std::to_string(k + 1) + " are " +
         short_text(L[i]) + " and " + short_text(L[k]) + " long, but their joints are " +
         short_text(base) + " apart on the base and " + short_text(platform) + " on the platform" +
         (unit ? "; are lengths and points in one unit?" : "");
}

std::string reach_text(unsigned flags) {
  constexpr const char* words[] = {"leg too short", "leg too long", "base joint", "platform joint",
                                   "singular"};
  std::string text;
  for (unsigned k = 0; k < 5; ++k)
    if ((flags >> k) & 1u) text += (text.empty() ? "" : ", ") + std::string(words[k]);
  return text;
}

}  // namespace jounce::stewart_detail
