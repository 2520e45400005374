// SPDX-License-Identifier: BSD-3-Clause
// A complete orthogonal decomposition (Golub, Van Loan, section 5.4.7): A^T P = Q R tells which
// rows are independent, and a second one of the rows that are left of R which sums of them. Pivots
// of all blocks together are those that the whole matrix would have.
#include "linear_algebra/independent_rows.hpp"

#include <algorithm>
#include <cmath>

#include "linear_algebra/pivoted_qr.hpp"

namespace jounce::dense {

void IndependentRows::resize(int rows, int columns) {
  const int most = std::max(rows, columns);
  blocks_.resize(rows, columns);
  block_.resize(size_t(rows));
  rows_ = columns_ = rank_ = 0;
  for (auto* x : {&across_, &B_})
    *x = jounce::detail::ZeroNumbers<double>(size_t(columns) * size_t(rows));
  for (auto* x : {&along_, &U_})
    *x = jounce::detail::ZeroNumbers<double>(size_t(rows) * size_t(rows));
  for (auto* x : {&across_tau_, &along_tau_, &x_, &y_, &r_}) x->resize(size_t(most));
  for (auto* x : {&across_order_, &along_order_, &order_}) x->resize(size_t(rows));
}

double IndependentRows::Block::pivot(int k) const { return std::abs(across[(columns + 1) * k]); }

/// What the last matrix has left in U and B.
void IndependentRows::forget() noexcept {
  for (int b = 0; b < blocks_.count(); ++b) {
    const Block& one = block_[size_t(b)];
    for (int k = 0; k < one.rows; ++k) {
      const int column = k < one.rank ? one.first_kept + k : one.first_left + k - one.rank;
      for (const int j : blocks_.rows(b)) U_.data()[rows_ * column + j] = 0;
    }
    for (int k = one.first_kept; k < one.first_kept + one.rank; ++k)
      for (const int c : blocks_.columns(b)) B_.data()[columns_ * k + c] = 0;
  }
}

void IndependentRows::factor_blocks(const double* A) noexcept {
  blocks_.find(rows_, columns_, A);
  double *across = across_.data(), *along = along_.data();
  for (int b = 0; b < blocks_.count(); ++b) {
    const std::span<const int> rows = blocks_.rows(b), columns = blocks_.columns(b);
    Block& to = block_[size_t(b)];
    const int first = blocks_.first_row(b);
    to = {int(rows.size()), int(columns.size())};
    to.across = across, across += to.rows * to.columns;
    to.along = along, along += to.rows * to.rows;
    to.across_tau = across_tau_.data() + first, to.along_tau = along_tau_.data() + first;
    to.across_order = across_order_.data() + first, to.along_order = along_order_.data() + first;
    for (int i = 0; i < to.rows; ++i)
      for (int k = 0; k < to.columns; ++k)
        to.across[to.columns * i + k] = A[columns_ * rows[size_t(i)] + columns[size_t(k)]];
    pivoted_qr(to.columns, to.rows, to.across, to.across_tau, to.across_order);
  }
}

/// As many pivots as the rank says, the largest of all.
void IndependentRows::take_largest(int rank) noexcept {
  while (rank_ < rank) {
    Block* best = nullptr;
    for (int b = 0; b < blocks_.count(); ++b) {
      Block& one = block_[size_t(b)];
      if (one.rank < one.pivots() &&
          (best == nullptr || one.pivot(one.rank) > best->pivot(best->rank)))
        best = &one;
    }
    if (best == nullptr) return;
    ++best->rank, ++rank_;
  }
}

void IndependentRows::judge() noexcept {
  double smallest = 0, left = 0;
  bool kept = false;
  first_ = 0;
  for (int b = 0; b < blocks_.count(); ++b) {
    const Block& one = block_[size_t(b)];
    if (one.pivots() > 0) first_ = std::max(first_, one.pivot(0));
    if (one.rank > 0) {
      const double last = one.pivot(one.rank - 1);
      smallest = kept ? std::min(smallest, last) : last;
      kept = true;
    }
    if (one.rank < one.pivots()) left = std::max(left, one.pivot(one.rank));
  }
  margin_ = kept && first_ > 0 ? smallest / first_ : 1;
  defect_ = first_ > 0 ? left / first_ : 0;
}

void IndependentRows::reduce(int rows, int columns, const double* A, int rank,
                             double smallest) noexcept {
  forget();
  rows_ = rows, columns_ = columns, rank_ = 0;
  factor_blocks(A);
  if (rank >= 0) take_largest(rank);
  for (int b = 0; b < blocks_.count() && rank < 0; ++b) {
    Block& one = block_[size_t(b)];
    while (one.rank < one.pivots() && one.pivot(one.rank) > smallest) ++one.rank;
    rank_ += one.rank;
  }
  judge();
  if (rank_ < rank) margin_ = 0;  // rows that should count have vanished altogether
  for (int b = 0, kept = 0, left = rank_; b < blocks_.count(); ++b) {
    Block& one = block_[size_t(b)];
    one.first_kept = kept, one.first_left = left;
    kept += one.rank, left += one.rows - one.rank;
    mix_rows(b);
    multiply_rows(b, A);
  }
}

/// The columns of U of one block.
void IndependentRows::mix_rows(int b) noexcept {
  const Block& one = block_[size_t(b)];
  const std::span<const int> rows = blocks_.rows(b);
  const int m = one.rows;
  std::fill(one.along, one.along + m * one.rank, 0.0);
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < std::min(one.rank, j + 1); ++i)
      one.along[m * i + one.across_order[j]] = one.across[one.columns * j + i];
  pivoted_qr(m, one.rank, one.along, one.along_tau, one.along_order);
  for (int k = 0; k < m; ++k) {
    const int column = k < one.rank ? one.first_kept + k : one.first_left + k - one.rank;
    if (k < one.rank) order_[size_t(column)] = rows[size_t(one.across_order[k])];
    std::fill(x_.begin(), x_.begin() + m, 0.0);
    x_[size_t(k)] = 1;
    times_q(m, one.rank, one.along, one.along_tau, x_.data());
    for (int i = 0; i < m; ++i) U_.data()[rows_ * column + rows[size_t(i)]] = x_[size_t(i)];
  }
}
/// Its rows of B.
void IndependentRows::multiply_rows(int b, const double* A) noexcept {
  const Block& one = block_[size_t(b)];
  const std::span<const int> columns = blocks_.columns(b);
  for (int k = one.first_kept; k < one.first_kept + one.rank; ++k)
    for (const int j : blocks_.rows(b))
      for (const int c : columns) B_.data()[columns_ * k + c] += mix(k)[j] * A[columns_ * j + c];
}

void IndependentRows::spread(const double* nu, double* lambda) const noexcept {
  for (int b = 0; b < blocks_.count(); ++b) {
    const Block& one = block_[size_t(b)];
    for (const int j : blocks_.rows(b)) {
      double sum = 0;
      for (int k = one.first_kept; k < one.first_kept + one.rank; ++k) sum += nu[k] * mix(k)[j];
      lambda[j] = sum;
    }
  }
}
void IndependentRows::gather(const double* x, double* to) const noexcept {
  for (int b = 0; b < blocks_.count(); ++b) {
    const Block& one = block_[size_t(b)];
    for (int k = one.first_kept; k < one.first_kept + one.rank; ++k) {
      to[k] = 0;
      for (const int j : blocks_.rows(b)) to[k] += mix(k)[j] * x[j];
    }
  }
}

void IndependentRows::solve_transposed(const double* b, double* lambda) noexcept {
  for (int block = 0; block < blocks_.count(); ++block) {
    const Block& one = block_[size_t(block)];
    const std::span<const int> rows = blocks_.rows(block), columns = blocks_.columns(block);
    double *x = x_.data(), *y = y_.data();
    for (int k = 0; k < one.columns; ++k) x[k] = b[columns[size_t(k)]];
    times_q_transposed(one.columns, one.rank, one.across, one.across_tau, x);
    std::fill(y, y + one.rows, 0.0);
    for (int j = 0; j < one.rank; ++j) {  // C^T y = P'^T Q^T b
      double sum = x[one.along_order[j]];
      for (int i = 0; i < j; ++i) sum -= one.along[one.rows * j + i] * y[i];
      y[j] = sum / one.along[(one.rows + 1) * j];
    }
    times_q(one.rows, one.rank, one.along, one.along_tau, y);
    for (int i = 0; i < one.rows; ++i) lambda[rows[size_t(i)]] = y[i];
  }
}

void IndependentRows::solve(const double* r, double* found) noexcept {
  std::fill(found, found + columns_, 0.0);
  for (int block = 0; block < blocks_.count(); ++block) {
    const Block& one = block_[size_t(block)];
    const std::span<const int> rows = blocks_.rows(block), columns = blocks_.columns(block);
    double *x = x_.data(), *y = y_.data();
    for (int i = 0; i < one.rows; ++i) y[i] = r[rows[size_t(i)]];
    times_q_transposed(one.rows, one.rank, one.along, one.along_tau, y);
    std::fill(x, x + one.columns, 0.0);
    for (int j = one.rank; j-- > 0;) {  // C P'^T Q^T x = V^T r
      double sum = y[j];
      for (int i = j + 1; i < one.rank; ++i) sum -= one.along[one.rows * i + j] * y[i];
      y[j] = sum / one.along[(one.rows + 1) * j];
      x[one.along_order[j]] = y[j];
    }
    times_q(one.columns, one.rank, one.across, one.across_tau, x);
    for (int k = 0; k < one.columns; ++k) found[columns[size_t(k)]] = x[k];
  }
}

/// A = U B, so that B x = nu where A x = U nu.
void IndependentRows::solve_sums(const double* nu, double* x) noexcept {
  spread(nu, r_.data());
  solve(r_.data(), x);
}

}  // namespace jounce::dense
