// SPDX-License-Identifier: BSD-3-Clause
// A complete orthogonal decomposition (Golub, Van Loan, section 5.4.7): A^T P = Q R tells which
// rows are independent, and a second one of the rows that are left of R which sums of them.
#include "linear_algebra/independent_rows.hpp"

#include <algorithm>
#include <cmath>

#include "linear_algebra/pivoted_qr.hpp"
#include "linear_algebra/vectors.hpp"

namespace jounce::dense {
void IndependentRows::resize(int rows, int columns) {
  const int most = std::max(rows, columns);
  across_.resize(size_t(columns) * size_t(rows));
  along_.resize(size_t(rows) * size_t(rows));
  U_.resize(along_.size());
  B_.resize(across_.size());
  for (auto* x : {&across_tau_, &along_tau_, &x_}) x->resize(size_t(most));
  for (auto* x : {&across_order_, &along_order_}) x->resize(size_t(rows));
}

void IndependentRows::reduce(int rows, int columns, const double* A, int rank,
                             double smallest) noexcept {
  rows_ = rows, columns_ = columns;
  std::copy(A, A + rows * columns, across_.begin());
  pivoted_qr(columns, rows, across_.data(), across_tau_.data(), across_order_.data());
  const int pivots = std::min(rows, columns);
  const auto pivot = [&](int k) { return std::abs(across_[size_t((columns + 1) * k)]); };
  first_ = pivots > 0 ? pivot(0) : 0;
  rank_ = std::min(rank, pivots);
  if (rank < 0)
    for (rank_ = 0; rank_ < pivots && pivot(rank_) > smallest;) ++rank_;
  margin_ = rank_ > 0 && first_ > 0 ? pivot(rank_ - 1) / first_ : 1;
  defect_ = rank_ < pivots && first_ > 0 ? pivot(rank_) / first_ : 0;
  mix_rows();
  std::fill(B_.begin(), B_.begin() + rank_ * columns, 0.0);
  for (int k = 0; k < rank_; ++k)
    for (int j = 0; j < rows; ++j)
      add_multiple(columns, mix(k)[j], A + columns * j, B_.data() + columns * k);
}

/// U, all of its columns.
void IndependentRows::mix_rows() noexcept {
  std::fill(along_.begin(), along_.begin() + rows_ * rank_, 0.0);
  for (int j = 0; j < rows_; ++j)
    for (int i = 0; i < std::min(rank_, j + 1); ++i)
      along_[size_t(rows_ * i + across_order_[size_t(j)])] = across_[size_t(columns_ * j + i)];
  pivoted_qr(rows_, rank_, along_.data(), along_tau_.data(), along_order_.data());
  std::fill(U_.begin(), U_.begin() + rows_ * rows_, 0.0);
  for (int k = 0; k < rows_; ++k) {
    U_[size_t((rows_ + 1) * k)] = 1;
    times_q(rows_, rank_, along_.data(), along_tau_.data(), U_.data() + rows_ * k);
  }
}

void IndependentRows::spread(const double* nu, double* lambda) const noexcept {
  std::fill(lambda, lambda + rows_, 0.0);
  for (int k = 0; k < rank_; ++k) add_multiple(rows_, nu[k], mix(k), lambda);
}
void IndependentRows::gather(const double* x, double* to) const noexcept {
  for (int k = 0; k < rank_; ++k) to[k] = dot(rows_, mix(k), x);
}

double IndependentRows::solve_transposed(const double* b, double* lambda) noexcept {
  double* x = x_.data();
  std::copy(b, b + columns_, x);
  times_q_transposed(columns_, rank_, across_.data(), across_tau_.data(), x);
  const double left = norm(columns_ - rank_, x + rank_);
  for (int k = 0; k < rows_; ++k) lambda[k] = 0;
  for (int j = 0; j < rank_; ++j) {  // C^T y = P^T Q^T b
    double y = x[along_order_[size_t(j)]];
    for (int i = 0; i < j; ++i) y -= along_[size_t(rows_ * j + i)] * lambda[i];
    lambda[j] = y / along_[size_t((rows_ + 1) * j)];
  }
  times_q(rows_, rank_, along_.data(), along_tau_.data(), lambda);
  return left;
}

}  // namespace jounce::dense
