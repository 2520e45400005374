// SPDX-License-Identifier: BSD-3-Clause
// Rows of a matrix by the columns that they share: those of different blocks have none in common.
#pragma once

#include <span>
#include <vector>

namespace jounce::dense {

/// Takes its memory in resize.
class RowBlocks {
 public:
  /// For matrices of up to so many rows and columns.
  void resize(int rows, int columns);
  /// Those of A, its rows one after the other, by where it is not zero. A row of zeros is a block.
  void find(int rows, int columns, const double* A) noexcept;

  int count() const { return count_; }
  /// Of block b, ascending.
  std::span<const int> rows(int b) const { return part(row_, row_at_, b); }
  std::span<const int> columns(int b) const { return part(column_, column_at_, b); }
  int first_row(int b) const { return row_at_[static_cast<size_t>(b)]; }

 private:
  static std::span<const int> part(const std::vector<int>& list, const std::vector<int>& at,
                                   int b) {
    const auto first = static_cast<size_t>(at[static_cast<size_t>(b)]);
    return std::span(list).subspan(first,
                                   static_cast<size_t>(at[static_cast<size_t>(b) + 1]) - first);
  }
  int root_of(int column) noexcept;
  void number(int rows, int columns) noexcept;

  int count_ = 0;
  std::vector<int> tied_to_;             ///< [columns] another column of its block
  std::vector<int> of_row_, of_column_;  ///< their blocks; of a row at first a column
  std::vector<int> row_, row_at_, column_, column_at_;
};

}  // namespace jounce::dense
