// SPDX-License-Identifier: BSD-3-Clause
// Where a robot's mass matrix is not zero.
#pragma once

#include <jounce/algorithm/ltdl.hpp>
#include <jounce/model/robot.hpp>

namespace jounce {

/// The lists behind a MassPattern. With mimic joints it is that of the coupled matrix, filled to
/// the pattern of its factor L.
struct MassPatternLists {
  explicit MassPatternLists(const Robot& robot);
  MassPattern view() const {
    return {n, padded_row(n), at.data(), column.data(), below_at.data(), below.data()};
  }
  int n;
  std::vector<int> at, column, below_at, below;
};

/// How many entries L has below its diagonal, without lists: those of a tree.
long entries_of_factor(const Robot& robot);

}  // namespace jounce
