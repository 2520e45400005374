// SPDX-License-Identifier: BSD-3-Clause
// Rows of a robot's states from tables, CSV or NPZ, by the names of its joints.
#pragma once

#include <jounce/model/robot.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace jounce::io {

/// One quantity of all rows: "q", "v", "a", "jerk", "tau" or "tau_rate".
struct TablePart {
  std::string name;
  std::size_t width = 0;        ///< numbers a row
  std::vector<double> numbers;  ///< row by row

  double at(std::size_t row, std::size_t k) const { return numbers[row * width + k]; }
};

struct CoordinateTable {
  std::vector<double> t;  ///< s; empty where the table has no times
  std::size_t rows = 0;
  std::vector<TablePart> parts;  ///< those that are there, in the order above

  /// The part of this name, or nullptr.
  const TablePart* find(std::string_view name) const;
};

/// CSV has columns t, q.elbow (or elbow), v.elbow, ..., of a joint with several coordinates
/// q.base:0; NPZ arrays t [T], q [T, nq], v [T, nv], ... Energies of a run are passed over.
/// InputError has the place of a column that is missing or no joint's.
CoordinateTable read_coordinates(const Robot& robot, std::string_view bytes,
                                 const std::string& origin);

}  // namespace jounce::io
