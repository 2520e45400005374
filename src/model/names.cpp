// SPDX-License-Identifier: BSD-3-Clause
// Suggestions for misspelt names.
#include "model/names.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "model/robot_data.hpp"

namespace jounce {

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before, last, row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    before = std::exchange(last, row);
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min({last[j] + (a[i] == b[j] ? 0 : 1), row[j] + 1, last[j + 1] + 1});
      if (i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j])
        row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
    }
  }
  return row.back();
}

std::string nearest_names(std::string_view wanted, const std::vector<std::string>& names,
                          size_t count) {
  std::vector<size_t> order(names.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::vector<size_t> distance;
  distance.reserve(names.size());
  for (const std::string& candidate : names) distance.push_back(edit_distance(wanted, candidate));
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return distance[a] < distance[b]; });
  std::string list;
  for (size_t k = 0; k < std::min(count, order.size()); ++k)
    list += (k == 0 ? "\"" : ", \"") + names[order[k]] + "\"";
  return list;
}

}  // namespace jounce
