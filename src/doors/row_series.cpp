// SPDX-License-Identifier: BSD-3-Clause
#include "doors/row_series.hpp"

#include <algorithm>
#include <numeric>

namespace jounce {

int LoopBlocks::root_of(int column) const {
  while (tied_to_[size_t(column)] != column) column = tied_to_[size_t(column)];
  return column;
}

void LoopBlocks::list(const System<double>& s, const Loops<double>& all) {
  tied_to_.resize(size_t(s.nv));
  of_row_.resize(size_t(all.rows)), place_.resize(of_row_.size());
  std::iota(tied_to_.begin(), tied_to_.end(), 0);
  of_column_.assign(tied_to_.size(), -1);
  for (const Loop<double>& loop : jounce::list(all)) {
    int first = -1;
    for_each_velocity(s, loop, [&](int k, double) {
      of_column_[size_t(k)] = 0;
      const int one = root_of(first < 0 ? k : first), two = root_of(k);
      tied_to_[size_t(std::max(one, two))] = std::min(one, two);
      first = k;
    });
    std::fill_n(of_row_.begin() + loop.row, jounce::rows(loop), first);
  }
  number();
}

/// Columns and rows by their blocks. Until now rows name a column of theirs.
void LoopBlocks::number() {
  int blocks = 0;
  for (int k = 0; k < int(tied_to_.size()); ++k)  // the first column of a block is its root
    if (of_column_[size_t(k)] >= 0)
      of_column_[size_t(k)] = root_of(k) == k ? blocks++ : of_column_[size_t(root_of(k))];
  for (int& b : of_row_) b = of_column_[size_t(b)];
  sort(blocks, of_column_, column_, column_at_);
  sort(blocks, of_row_, row_, row_at_);
  width_ = 0;
  for (int b = 0; b < blocks; ++b) {
    const std::span<const int> own = rows(b);
    for (size_t i = 0; i < own.size(); ++i) place_[size_t(own[i])] = int(i);
    width_ = std::max(width_, int(own.size()));
  }
}

/// What has a block, by blocks.
void LoopBlocks::sort(int blocks, const std::vector<int>& of, std::vector<int>& list,
                      std::vector<int>& at) {
  at.assign(size_t(blocks) + 1, 0);
  for (const int b : of)
    if (b >= 0) ++at[size_t(b)];
  std::partial_sum(at.begin(), at.end(), at.begin());
  list.resize(size_t(at.back()));
  for (int k = int(of.size()); k-- > 0;)  // ends become beginnings
    if (const int b = of[size_t(k)]; b >= 0) list[size_t(--at[size_t(b)])] = k;
}

}  // namespace jounce
