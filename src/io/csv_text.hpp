// SPDX-License-Identifier: BSD-3-Clause
// Tables of numbers as comma-separated values (RFC 4180): a line of names, then lines of numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/source_text.hpp"

namespace jounce::io {

/// A name, in quotes where it needs them.
std::string csv_name(std::string_view name);

struct CsvTable {
  std::vector<std::string> names;
  std::vector<std::size_t> name_offsets;
  std::vector<double> values;            ///< row by row
  std::vector<std::size_t> row_offsets;  ///< where each row begins in the text

  int rows() const { return static_cast<int>(row_offsets.size()); }
  double at(int row, int column) const {
    return values[std::size_t(row) * names.size() + std::size_t(column)];
  }
  /// The column of a name, or -1.
  int column(std::string_view name) const;
};

/// Fails with the place where a row has another number of cells than there are names, a cell is no
/// number, or a name appears twice. Empty lines are passed over.
CsvTable read_csv(const SourceText& source);

}  // namespace jounce::io
