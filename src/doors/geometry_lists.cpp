// SPDX-License-Identifier: BSD-3-Clause
// Lists of coordinates that carry one another.
#include "doors/geometry_lists.hpp"

#include <algorithm>
#include <set>

namespace jounce {

PathStorage::PathStorage(const Model<double>& m)
    : part(size_t(m.nv)),
      straight(std::make_unique<bool[]>(size_t(m.nv))),
      before(std::make_unique<bool[]>(size_t(m.nv) * size_t(m.nv))) {
  at.push_back(0);
  for (int i = 1; i < m.bodies; ++i) {
    std::vector<int> carriers;
    for (int b = m.parent[i]; b > 0; b = m.parent[b])
      for (int k = m.v_at[b]; k < m.v_at[b + 1]; ++k) carriers.push_back(k);
    std::sort(carriers.begin(), carriers.end());
    for (int r = m.part_at[i]; r < m.part_at[i + 1]; ++r) {
      const detail::PartRange range = detail::part_range(m, i, m.part[r]);
      for (int k = range.first; k < range.last; ++k) {
        part[size_t(k)] = range.first;
        path.insert(path.end(), carriers.begin(), carriers.end());
        middle.push_back(int(path.size()));
        for (int own = range.first; own < range.last; ++own) path.push_back(own);
        const int length = int(path.size()) - at.back();
        straight[size_t(k)] = path.back() - path[size_t(at.back())] == length - 1;
        at.push_back(int(path.size()));
      }
      for (int k = range.first; k < range.last; ++k) carriers.push_back(k);
    }
  }
  for (int b = 0; b < m.nv; ++b)
    for (int s = at[size_t(b)]; s < at[size_t(b) + 1]; ++s)
      before[size_t(path[size_t(s)]) * size_t(m.nv) + size_t(b)] = true;
}

PairStorage::PairStorage(int n_, const std::vector<std::pair<int, int>>& pairs)
    : n(n_), at(size_t(n_) + 1), of(size_t(n_) * size_t(n_), -1) {
  for (const auto& [a, b] : pairs) {
    of[size_t(a) * size_t(n) + size_t(b)] = of[size_t(b) * size_t(n) + size_t(a)] =
        int(first.size());
    first.push_back(a);
    second.push_back(b);
    at[size_t(b) + 1] = int(first.size());
  }
  for (int b = 0; b < n; ++b) at[size_t(b) + 1] = std::max(at[size_t(b)], at[size_t(b) + 1]);
}

PairStorage::PairStorage(const PathStorage& paths)
    : PairStorage(int(paths.part.size()), [&] {
        std::vector<std::pair<int, int>> pairs;
        for (int b = 0; b < int(paths.part.size()); ++b)
          for (int s = paths.at[size_t(b)]; s < paths.at[size_t(b) + 1]; ++s)
            if (paths.path[size_t(s)] <= b) pairs.emplace_back(paths.path[size_t(s)], b);
        return pairs;
      }()) {}

std::vector<std::pair<int, int>> PairFold::own_pairs(const Coupling<double>& c,
                                                     const PairStorage& tree) {
  std::set<std::pair<int, int>> later_first;
  for (size_t p = 0; p < tree.first.size(); ++p) {
    const int a = c.v_source[tree.first[p]], b = c.v_source[tree.second[p]];
    later_first.emplace(std::max(a, b), std::min(a, b));
  }
  std::vector<std::pair<int, int>> pairs;
  pairs.reserve(later_first.size());
  for (const auto& [b, a] : later_first) pairs.emplace_back(a, b);
  return pairs;
}

PairFold::PairFold(const Coupling<double>& c, const PairStorage& tree)
    : own(c.nv, own_pairs(c, tree)) {
  for (size_t p = 0; p < tree.first.size(); ++p) {
    const int i = tree.first[p], j = tree.second[p];
    const int a = c.v_source[i], b = c.v_source[j];
    to.push_back(own.of[size_t(a) * size_t(c.nv) + size_t(b)]);
    const double both = a == b && i != j ? 2 : 1;  // X_i X_j and X_j X_i
    ratio.push_back(both * c.v_ratio[i] * c.v_ratio[j]);
  }
}

}  // namespace jounce
