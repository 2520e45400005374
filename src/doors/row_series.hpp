// SPDX-License-Identifier: BSD-3-Clause
// Rows of loops along a motion, block by block: loops that share no coordinate have rows of their
// own, and A is as wide as the largest block of a robot's own loops, and the contacts of a call.
#pragma once

#include <jounce/model/custom_power_series.hpp>

#include "doors/loop_numbers.hpp"

namespace jounce {

/// Rows by the coordinates that they share.
class LoopBlocks {
 public:
  /// Takes memory only for more loops than ever before.
  void list(const System<double>& s, const Loops<double>& all);

  int count() const { return int(row_at_.size()) - 1; }
  int width() const { return width_; }  ///< rows of the largest
  std::span<const int> rows(int b) const { return part(row_, row_at_, b); }
  std::span<const int> columns(int b) const { return part(column_, column_at_, b); }
  int of_column(int j) const { return of_column_[size_t(j)]; }  ///< -1: no loop moves with it
  int of_row(int r) const { return of_row_[size_t(r)]; }
  int place(int r) const { return place_[size_t(r)]; }  ///< of a row in its block

 private:
  static std::span<const int> part(const std::vector<int>& list, const std::vector<int>& at,
                                   int b) {
    return std::span(list).subspan(size_t(at[size_t(b)]),
                                   size_t(at[size_t(b) + 1] - at[size_t(b)]));
  }
  int root_of(int column) const;
  void number();
  static void sort(int blocks, const std::vector<int>& of, std::vector<int>& list,
                   std::vector<int>& at);

  int width_ = 0;
  std::vector<int> tied_to_;                     ///< [nv] another column of its block
  std::vector<int> of_column_, of_row_, place_;  ///< [nv], [rows], [rows]
  std::vector<int> row_, row_at_, column_, column_at_;
};

/// On numbers that are series, of the room that comes first.
template <class Number>
struct RowSeries : SeriesRoom<Number>, LoopNumbers<Number> {
  RowSeries(const Robot& robot, int order)
      : SeriesRoom<Number>(order), LoopNumbers<Number>(robot) {}

  /// Loops of which those of the robot come first.
  void start(const Loops<double>& all, int own, int own_rows_) {
    Loops<double> some = all;
    some.count = own, some.rows = own_rows = own_rows_;
    blocks.list(this->system, some);
    if (all.count > own) with_contacts.list(this->system, all);
    this->resize(all, blocks.width() + all.rows - own_rows, all.rows);
  }
  /// A and A a + Adot v at the state that the caller has written.
  void run_blocks(const Loops<double>& all) {
    const State<Number> x = this->move(all);
    std::fill_n(this->A.begin(), this->v.size() * size_t(this->width), Number(0));
    std::fill(this->drift.begin(), this->drift.end(), Number(0));
    for (int k = 0; k < all.count; ++k) {
      Loop<double> loop = all.loop[k];
      const int shift = loop.row - place(loop.row);
      loop.row -= shift;
      this->motion[size_t(k)] =
          one_loop_rows(this->system, loop, x, this->storage.view(),
                        {this->A.data(), this->width, this->rate.data() + shift, nullptr,
                         this->column.data(), this->time, this->drift.data() + shift},
                        loop_motion<double, double, Number>);
    }
  }
  /// Coefficient k of A.
  double coefficient(int coordinate, int row, int k) const {
    if (row < own_rows && blocks.of_column(coordinate) != blocks.of_row(row)) return 0;
    return jounce::coefficient(this->A[size_t(this->width * coordinate + place(row))], k);
  }
  /// Of a row in A: contacts lie behind all blocks.
  int place(int row) const {
    return row < own_rows ? blocks.place(row) : blocks.width() + row - own_rows;
  }

  int own_rows = 0;
  LoopBlocks blocks;         ///< of the robot's own loops
  LoopBlocks with_contacts;  ///< of all, where there are contacts
};

}  // namespace jounce
