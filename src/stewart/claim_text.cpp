// SPDX-License-Identifier: BSD-3-Clause
// Shares and ranges of a cell in words.
#include "stewart/claim_text.hpp"

#include <cmath>
#include <cstdio>

namespace jounce::stewart_detail {

std::string decimals(double value, int count) {
  char text[64];
  std::snprintf(text, sizeof(text), "%.*f", count, value);
  return text;
}

std::string percent_text(int value) { return std::to_string(value) + " %"; }

std::string ranges_text(const XieCell& cell, XieOutcome outcome, size_t most) {
  const bool newton = cell.method == StewartMethod::gauss_newton;
  const auto factor = [newton](double x) { return decimals(newton ? x : std::log10(x), 2); };
  const std::vector<FactorRange> all = cell.ranges(outcome);
  std::string text;
  for (size_t k = 0; k < all.size() && k < most; ++k) {
    text += (k == 0 ? "" : ", ") + factor(all[k].first);
    if (all[k].runs > 1) text += " to " + factor(all[k].last);
  }
  if (all.size() > most) text += " and " + std::to_string(all.size() - most) + " more";
  return text.empty() ? "none" : text;
}

std::string shares_text(const XieCell& cell) {
  constexpr std::pair<XieOutcome, const char*> outcomes[] = {
      {XieOutcome::true_pose, " to q_C"},
      {XieOutcome::branch, " to T_s"},
      {XieOutcome::other_pose, " to another pose"},
      {XieOutcome::nowhere, " nowhere"}};
  std::string text;
  for (const auto& [outcome, words] : outcomes) {
    const int percent = cell.percent(outcome);
    if (percent == 0 && outcome != XieOutcome::true_pose) continue;
    text += (text.empty() ? "" : ", ") + percent_text(percent) + words;
    if (percent > 0 && outcome != XieOutcome::nowhere)
      text += " (" + decimals(cell.mean_iterations(outcome), 1) + " iterations)";
  }
  return text;
}

}  // namespace jounce::stewart_detail
