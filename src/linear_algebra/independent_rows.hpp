// SPDX-License-Identifier: BSD-3-Clause
// Rows of which some depend on others, and what can be solved with them all the same.
#pragma once

#include <jounce/door/owned.hpp>
#include <vector>

#include "linear_algebra/row_blocks.hpp"

namespace jounce::dense {

/// A = U B, where U has orthonormal columns, as many as the rank, and B independent rows. Rows that
/// have no columns in common are taken apart by themselves, in time that grows with the cubes of
/// such blocks. Takes its memory in resize.
class IndependentRows {
 public:
  /// For matrices of up to so many rows and columns.
  void resize(int rows, int columns);
  /// Takes A apart, its rows one after the other. `rank` of them are independent; where that is
  /// negative, as many as pivots are longer than `smallest`.
  void reduce(int rows, int columns, const double* A, int rank, double smallest = 0) noexcept;

  int rank() const { return rank_; }
  int rows() const { return rows_; }
  double largest_pivot() const { return first_; }
  double margin() const { return margin_; }  ///< the smallest pivot kept, of the largest
  double defect() const { return defect_; }  ///< the largest one left out, of the largest
  int order(int k) const { return order_[static_cast<size_t>(k)]; }  ///< row of a pivot kept
  /// Column k of U; those from the rank on are the sums of rows that vanish.
  const double* mix(int k) const { return U_.data() + rows_ * k; }
  const double* B() const { return B_.data(); }  ///< [rank][columns]

  /// lambda = U nu, the shortest of all with A^T lambda = B^T nu.
  void spread(const double* nu, double* lambda) const noexcept;
  /// U^T x.
  void gather(const double* x, double* to) const noexcept;
  /// The shortest lambda of those that bring A^T lambda nearest to b.
  void solve_transposed(const double* b, double* lambda) noexcept;
  /// The shortest x of those that bring A x nearest to r.
  void solve(const double* r, double* x) noexcept;
  /// The shortest x with B x = nu.
  void solve_sums(const double* nu, double* x) noexcept;

 private:
  /// Factors of one block: A^T P = Q R, and (R P^T)^T of as many columns as its rank = V C P'.
  struct Block {
    int rows = 0, columns = 0, rank = 0;
    int first_kept = 0, first_left = 0;  ///< columns of U
    double *across = nullptr, *across_tau = nullptr, *along = nullptr, *along_tau = nullptr;
    int *across_order = nullptr, *along_order = nullptr;

    int pivots() const { return rows < columns ? rows : columns; }
    double pivot(int k) const;
  };

  void forget() noexcept;
  void factor_blocks(const double* A) noexcept;
  void take_largest(int rank) noexcept;
  void judge() noexcept;
  void mix_rows(int b) noexcept;
  void multiply_rows(int b, const double* A) noexcept;

  int rows_ = 0, columns_ = 0, rank_ = 0;
  double first_ = 0, margin_ = 1, defect_ = 0;
  RowBlocks blocks_;
  std::vector<Block> block_;
  jounce::detail::ZeroNumbers<double> across_, along_;  ///< of all blocks
  jounce::detail::ZeroNumbers<double> U_, B_;           ///< zero but for the last blocks
  std::vector<double> across_tau_, along_tau_, x_, y_, r_;
  std::vector<int> across_order_, along_order_, order_;
};

}  // namespace jounce::dense
