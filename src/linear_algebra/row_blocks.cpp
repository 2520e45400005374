// SPDX-License-Identifier: BSD-3-Clause
#include "linear_algebra/row_blocks.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace jounce::dense {
namespace {

/// Numbers 0 to n by their blocks, ascending in each; -1 is none.
void sort_by_block(int n, int blocks, const std::vector<int>& of, std::vector<int>& list,
                   std::vector<int>& at) noexcept {
  std::fill(at.begin(), at.begin() + blocks + 1, 0);
  for (int i = 0; i < n; ++i)
    if (of[size_t(i)] >= 0) ++at[size_t(of[size_t(i)]) + 1];
  for (int b = 0; b < blocks; ++b) at[size_t(b) + 1] += at[size_t(b)];
  for (int i = 0; i < n; ++i)
    if (of[size_t(i)] >= 0) list[size_t(at[size_t(of[size_t(i)])]++)] = i;
  for (int b = blocks; b > 0; --b) at[size_t(b)] = at[size_t(b) - 1];
  at[0] = 0;
}

}  // namespace

void RowBlocks::resize(int rows, int columns) {
  count_ = 0;
  for (auto* x : {&row_, &of_row_}) x->resize(size_t(rows));
  for (auto* x : {&column_, &of_column_, &tied_to_}) x->resize(size_t(columns));
  for (auto* x : {&row_at_, &column_at_}) x->resize(size_t(rows) + 1);
}

int RowBlocks::root_of(int column) noexcept {
  int root = column;
  while (tied_to_[size_t(root)] != root) root = tied_to_[size_t(root)];
  while (tied_to_[size_t(column)] != root) column = std::exchange(tied_to_[size_t(column)], root);
  return root;
}

void RowBlocks::find(int rows, int columns, const double* A) noexcept {
  std::iota(tied_to_.begin(), tied_to_.begin() + columns, 0);
  for (int i = 0; i < rows; ++i) {
    int first = -1;
    for (int k = 0; k < columns; ++k) {
      if (A[columns * i + k] == 0) continue;
      if (first < 0) first = root_of(k);
      else if (tied_to_[size_t(k)] != first) tied_to_[size_t(root_of(k))] = first = root_of(first);
    }
    of_row_[size_t(i)] = first;
  }
  number(rows, columns);
}

void RowBlocks::number(int rows, int columns) noexcept {
  count_ = 0;
  std::fill(of_column_.begin(), of_column_.begin() + columns, -1);
  for (int i = 0; i < rows; ++i) {
    int& block = of_row_[size_t(i)];
    if (block < 0) {
      block = count_++;
      continue;
    }
    int& of_root = of_column_[size_t(root_of(block))];
    if (of_root < 0) of_root = count_++;
    block = of_root;
  }
  for (int k = 0; k < columns; ++k) of_column_[size_t(k)] = of_column_[size_t(root_of(k))];
  sort_by_block(rows, count_, of_row_, row_, row_at_);
  sort_by_block(columns, count_, of_column_, column_, column_at_);
}

}  // namespace jounce::dense
