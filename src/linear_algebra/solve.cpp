// SPDX-License-Identifier: BSD-3-Clause
// Elimination (Golub, Van Loan, sections 3.4 and 4.2 to 4.4), column by column.
#include "linear_algebra/solve.hpp"

#include <cmath>
#include <utility>

#include "linear_algebra/matrix.hpp"
#include "linear_algebra/vectors.hpp"

namespace jounce::dense {
namespace {

void swap_rows(Matrix& A, int k, int l) noexcept {
  for (int j = 0; j < A.columns && k != l; ++j) std::swap(A(k, j), A(l, j));
}

int largest_below(const Matrix& A, int k) noexcept {
  int best = k;
  for (int i = k + 1; i < A.rows; ++i)
    if (std::abs(A(i, k)) > std::abs(A(best, k))) best = i;
  return best;
}

}  // namespace

Matrix solve(Matrix A, Matrix B) {
  const int n = A.rows;
  for (int k = 0; k < n; ++k) {
    const int pivot = largest_below(A, k), below = n - k - 1;
    swap_rows(A, k, pivot);
    swap_rows(B, k, pivot);
    double* factor = A.column(k) + k + 1;
    for (int i = 0; i < below; ++i) factor[i] /= A(k, k);
    for (int j = k + 1; j < n; ++j) add_multiple(below, -A(k, j), factor, A.column(j) + k + 1);
    for (int j = 0; j < B.columns; ++j) add_multiple(below, -B(k, j), factor, B.column(j) + k + 1);
  }
  for (int j = 0; j < B.columns; ++j)
    for (int k = n; k-- > 0;) {
      B(k, j) /= A(k, k);
      add_multiple(k, -B(k, j), A.column(k), B.column(j));
    }
  return B;
}
Matrix inverse(const Matrix& A) { return solve(A, identity(A.rows)); }

std::optional<Matrix> cholesky(const Matrix& A) {
  Matrix L = A;
  const int n = A.rows;
  for (int k = 0; k < n; ++k) {
    if (!(L(k, k) > 0)) return std::nullopt;
    scale(n - k, 1 / std::sqrt(L(k, k)), L.column(k) + k);
    for (int j = k + 1; j < n; ++j) add_multiple(n - j, -L(j, k), L.column(k) + j, L.column(j) + j);
    for (int i = 0; i < k; ++i) L(i, k) = 0;
  }
  return L;
}
Matrix solve_cholesky(const Matrix& L, Matrix B) {
  const int n = L.rows;
  for (int j = 0; j < B.columns; ++j) {
    for (int k = 0; k < n; ++k) {
      B(k, j) /= L(k, k);
      add_multiple(n - k - 1, -B(k, j), L.column(k) + k + 1, B.column(j) + k + 1);
    }
    for (int k = n; k-- > 0;)
      B(k, j) = (B(k, j) - dot(n - k - 1, L.column(k) + k + 1, B.column(j) + k + 1)) / L(k, k);
  }
  return B;
}

void SymmetricFactors::resize(int n) {
  reshape(LD_, n, n);
  from_.resize(static_cast<size_t>(n));
  y_.resize(static_cast<size_t>(n));
}

void SymmetricFactors::factor(const Matrix& S) noexcept {
  const int n = S.rows;
  LD_.numbers = S.numbers;
  for (int k = 0; k < n; ++k) from_[static_cast<size_t>(k)] = k;
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(LD_(i, i)) > std::abs(LD_(best, best))) best = i;
    swap_rows(LD_, k, best);
    for (int i = 0; i < n; ++i) std::swap(LD_(i, k), LD_(i, best));
    std::swap(from_[static_cast<size_t>(k)], from_[static_cast<size_t>(best)]);
    double* below = LD_.column(k) + k + 1;
    const double by = LD_(k, k) != 0 ? 1 / LD_(k, k) : 0;
    for (int j = k + 1; j < n; ++j)
      add_multiple(n - k - 1, -LD_(j, k) * by, below, LD_.column(j) + k + 1);
    scale(n - k - 1, by, below);
  }
}

void SymmetricFactors::solve(std::span<double> x) noexcept {
  const int n = LD_.rows;
  for (int k = 0; k < n; ++k) y_[static_cast<size_t>(k)] = x[size_t(from_[size_t(k)])];
  double* y = y_.data();
  for (int k = 0; k < n; ++k) add_multiple(n - k - 1, -y[k], LD_.column(k) + k + 1, y + k + 1);
  for (int k = n; k-- > 0;) {
    y[k] = LD_(k, k) != 0 ? y[k] / LD_(k, k) : 0;
    y[k] -= dot(n - k - 1, LD_.column(k) + k + 1, y + k + 1);
  }
  for (int k = 0; k < n; ++k) x[size_t(from_[size_t(k)])] = y[k];
}

}  // namespace jounce::dense
