// SPDX-License-Identifier: BSD-3-Clause
// The pattern of a mass matrix: a coordinate and those that carry it.
//
// Without mimic joints a factor L^T D L fills nothing. A mimic joint adds what its follower touches
// to its leader's row: nothing new where the leader carries the follower, else a few entries, found
// by eliminating symbolically until nothing is added.
#include <algorithm>
#include <jounce/model/mass_pattern.hpp>

namespace jounce {
namespace {

using RowMarks = std::vector<std::vector<bool>>;  // [k][j], j < k

/// Calls f(k, j) for every pair of tree velocities j < k of which j carries k.
template <class F>
void for_each_pair(const Model<double>& m, F f) {
  for (int i = 1; i < m.bodies; ++i)
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k)
      for (int b = i; b > 0; b = m.parent[b])
        for (int j = m.v_at[b]; j < m.v_at[b + 1] && j < k; ++j) f(k, j);
}

/// Adds what L and L^-1 need: eliminating k joins the columns of its row, and a row of L^-1 has the
/// columns of the rows that it adds up. Trees have both already.
bool fill(RowMarks& rows) {
  bool changed = false;
  const auto mark = [&](size_t i, size_t j) {
    changed |= !rows[i][j];
    rows[i][j] = true;
  };
  for (size_t k = rows.size(); k-- > 0;)
    for (size_t i = 0; i < k; ++i)
      for (size_t j = 0; rows[k][i] && j < i; ++j) {
        if (rows[k][j]) mark(i, j);
        if (rows[i][j]) mark(k, j);
      }
  return changed;
}

}  // namespace

MassPatternLists::MassPatternLists(const Robot& robot) : n(robot.nv()) {
  const size_t size = size_t(n);
  RowMarks rows(size);
  for (size_t k = 0; k < size; ++k) rows[k].resize(k);
  const int* source = robot.system().coupling.v_source;
  for_each_pair(robot.model(), [&](int k, int j) {
    if (robot.has_mimic()) k = source[k], j = source[j];
    if (k != j) rows[size_t(std::max(k, j))][size_t(std::min(k, j))] = true;
  });
  while (robot.has_mimic() && fill(rows)) {
  }
  at.push_back(0);
  below_at.push_back(0);
  row.push_back(0);
  for (size_t k = 0; k < size; ++k) {
    for (size_t j = 0; j < k; ++j)
      if (rows[k][j]) column.push_back(int(j));
    for (size_t i = k + 1; i < size; ++i)
      if (rows[i][k]) below.push_back(int(i));
    at.push_back(int(column.size()));
    below_at.push_back(int(below.size()));
    diagonal.push_back(row.back() + at[k + 1] - at[k]);
    row.push_back(diagonal.back() / 8 * 8 + 8);
  }
}

long entries_of_factor(const Robot& robot) {
  const Model<double>& m = robot.model();
  long entries = 0;
  std::vector<int> carrying(size_t(m.bodies));  // velocities of all joints that carry a body
  for (int i = 1; i < m.bodies; ++i) {
    const int before = carrying[size_t(m.parent[i])], own = m.v_at[i + 1] - m.v_at[i];
    carrying[size_t(i)] = before + own;
    entries += long(before) * own + own * (own - 1) / 2;
  }
  return entries;
}

}  // namespace jounce
