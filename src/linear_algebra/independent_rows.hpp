// SPDX-License-Identifier: BSD-3-Clause
// Rows of which some depend on others, and what can be solved with them all the same.
#pragma once

#include <cstddef>
#include <vector>

namespace jounce::dense {

/// A = U B, where U has orthonormal columns, as many as the rank, and B independent rows. Takes its
/// memory in resize.
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
  double margin() const { return margin_; }  ///< the last pivot kept, of the first
  double defect() const { return defect_; }  ///< the first one left out, of the first
  int order(int k) const { return across_order_[static_cast<size_t>(k)]; }  ///< row of pivot k
  /// Column k of U; those from the rank on are the sums of rows that vanish.
  const double* mix(int k) const { return U_.data() + rows_ * k; }
  const double* B() const { return B_.data(); }  ///< [rank][columns]

  /// lambda = U nu, the shortest of all with A^T lambda = B^T nu.
  void spread(const double* nu, double* lambda) const noexcept;
  /// U^T x.
  void gather(const double* x, double* to) const noexcept;
  /// The shortest lambda of those that bring A^T lambda nearest to b; how far that is.
  double solve_transposed(const double* b, double* lambda) noexcept;

 private:
  void mix_rows() noexcept;

  int rows_ = 0, columns_ = 0, rank_ = 0;
  double first_ = 0, margin_ = 1, defect_ = 0;
  std::vector<double> across_, across_tau_;  ///< A^T P = Q R
  std::vector<double> along_, along_tau_;    ///< (R P^T)^T of as many columns as the rank = U C P
  std::vector<int> across_order_, along_order_;
  std::vector<double> U_, B_, x_;
};

}  // namespace jounce::dense
