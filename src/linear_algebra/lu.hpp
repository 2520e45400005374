// SPDX-License-Identifier: BSD-3-Clause
// Gaussian elimination of a matrix of any size with row pivoting, in memory that is taken once.
#pragma once

#include <algorithm>
#include <cmath>
#include <jounce/dense_matrix.hpp>

namespace jounce::dense {

class LuFactors {
 public:
  void resize(int n) {
    LU_ = Matrix(n, n);
    swapped_.assign(size_t(n), 0);
  }
  /// Where A goes, column by column, before `factor`.
  Matrix& matrix() { return LU_; }

  /// P A = L U in place. False where A is singular or not finite.
  bool factor() noexcept {
    const int n = LU_.rows;
    for (int k = 0; k < n; ++k) {
      double* pivots = LU_.column(k);
      const auto larger = [](double x, double y) { return std::abs(x) < std::abs(y); };
      const int best = int(std::max_element(pivots + k, pivots + n, larger) - pivots);
      if (!(std::abs(pivots[best]) > 0) || !std::isfinite(pivots[best])) return false;
      swapped_[size_t(k)] = best;
      for (int j = 0; j < n; ++j) std::swap(LU_(k, j), LU_(best, j));
      const double inverse = 1 / pivots[k];
      for (int i = k + 1; i < n; ++i) pivots[i] *= inverse;
      for (int j = k + 1; j < n; ++j) {
        double* column = LU_.column(j);
        for (int i = k + 1; i < n; ++i) column[i] -= pivots[i] * column[k];
      }
    }
    return true;
  }
  /// x := A^-1 x.
  void solve(double* x) const noexcept {
    const int n = LU_.rows;
    for (int k = 0; k < n; ++k) std::swap(x[k], x[swapped_[size_t(k)]]);
    for (int k = 0; k < n; ++k)
      for (int i = k + 1; i < n; ++i) x[i] -= LU_(i, k) * x[k];
    for (int k = n - 1; k >= 0; --k) {
      x[k] /= LU_(k, k);
      for (int i = 0; i < k; ++i) x[i] -= LU_(i, k) * x[k];
    }
  }

 private:
  Matrix LU_;
  std::vector<int> swapped_;  ///< the row that row k changed places with
};

}  // namespace jounce::dense
