// SPDX-License-Identifier: BSD-3-Clause
// Gaussian elimination of a small matrix with row pivoting, for systems solved at every tick.
#pragma once

#include <cmath>
#include <utility>

namespace jounce::dense {

/// P A = L U in place. Rows are moved, so the inner loops run over plain memory.
template <int N = 6>
struct Elimination {
  double a[N][N];
  int from[N];  ///< row k of P A is row from[k] of A
  double determinant = 0;

  /// Factors of any N x N matrix with entries A(i, j).
  template <class Square>
  explicit Elimination(const Square& A) noexcept {
    for (int i = 0; i < N; ++i) {
      from[i] = i;
      for (int j = 0; j < N; ++j) a[i][j] = A(i, j);
    }
    factorise();
  }

  /// x with A x = b; only where determinant is not zero.
  void solve(const double (&b)[N], double (&x)[N]) const noexcept {
    for (int i = 0; i < N; ++i) {
      double sum = b[from[i]];
      for (int j = 0; j < i; ++j) sum -= a[i][j] * x[j];
      x[i] = sum;
    }
    for (int i = N - 1; i >= 0; --i) {
      for (int j = i + 1; j < N; ++j) x[i] -= a[i][j] * x[j];
      x[i] *= inverse_pivot[i];
    }
  }

  /// The inverse, column by column; only where determinant is not zero.
  void inverse(double* columns) const noexcept {
    for (int k = 0; k < N; ++k) {
      double unit[N] = {}, x[N];
      unit[k] = 1;
      solve(unit, x);
      for (int i = 0; i < N; ++i) columns[N * k + i] = x[i];
    }
  }

  /// x with A^T x = b.
  void solve_transposed(const double (&b)[N], double (&x)[N]) const noexcept {
    double y[N];
    for (int i = 0; i < N; ++i) {
      y[i] = b[i];
      for (int j = 0; j < i; ++j) y[i] -= a[j][i] * y[j];
      y[i] *= inverse_pivot[i];
    }
    for (int i = N - 1; i >= 0; --i)
      for (int j = i + 1; j < N; ++j) y[i] -= a[j][i] * y[j];
    for (int i = 0; i < N; ++i) x[from[i]] = y[i];
  }

 private:
  double inverse_pivot[N];

  void factorise() noexcept {
    determinant = 1;
    for (int k = 0; k < N; ++k) {
      int best = k;
      for (int i = k + 1; i < N; ++i)
        if (std::abs(a[i][k]) > std::abs(a[best][k])) best = i;
      if (best != k) {
        for (int j = 0; j < N; ++j) std::swap(a[k][j], a[best][j]);
        std::swap(from[k], from[best]);
        determinant = -determinant;
      }
      determinant *= a[k][k];
      inverse_pivot[k] = a[k][k] != 0 ? 1 / a[k][k] : 0;
      for (int i = k + 1; i < N; ++i) {
        a[i][k] *= inverse_pivot[k];
        for (int j = k + 1; j < N; ++j) a[i][j] -= a[i][k] * a[k][j];
      }
    }
  }
};

}  // namespace jounce::dense
