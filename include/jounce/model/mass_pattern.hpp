// SPDX-License-Identifier: BSD-3-Clause
// Where a robot's mass matrix is not zero.
#pragma once

#include <jounce/algorithm/ltdl.hpp>
#include <jounce/model/robot.hpp>

namespace jounce {

/// The lists behind a MassPattern. With mimic joints it is that of the coupled matrix, filled to
/// the pattern of its factor L and of L^-1: rows are then nested as those of a tree.
struct MassPatternLists {
  explicit MassPatternLists(const Robot& robot);
  MassPattern view() const {
    return {n,          padded_row(n),  at.data(), column.data(), below_at.data(), below.data(),
            row.data(), diagonal.data()};
  }
  /// How many numbers the rows have.
  size_t size() const { return static_cast<size_t>(row.back()); }
  int n;
  std::vector<int> at, column, below_at, below, row, diagonal;
};

/// How many entries L has below its diagonal, without lists: those of a tree.
long entries_of_factor(const Robot& robot);

}  // namespace jounce
