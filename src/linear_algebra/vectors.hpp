// SPDX-License-Identifier: BSD-3-Clause
// Sums over n numbers in a row.
#pragma once

#include <algorithm>
#include <cmath>

namespace jounce::dense {

/// Four sums, so that one addition need not wait for the other.
inline double dot(int n, const double* x, const double* y) noexcept {
  double sum[4] = {};
  int i = 0;
  for (; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; ++k) sum[k] += x[i + k] * y[i + k];
  for (; i < n; ++i) sum[0] += x[i] * y[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}
inline double norm(int n, const double* x) noexcept { return std::sqrt(dot(n, x, x)); }
/// The norm of the longest row of a matrix, its rows one after the other.
inline double longest_row(int rows, int n, const double* A) noexcept {
  double longest = 0;
  for (int i = 0; i < rows; ++i) longest = std::max(longest, norm(n, A + n * i));
  return longest;
}

/// y += s x.
inline void add_multiple(int n, double s, const double* x, double* y) noexcept {
  for (int i = 0; i < n; ++i) y[i] += s * x[i];
}
inline void scale(int n, double s, double* x) noexcept {
  for (int i = 0; i < n; ++i) x[i] *= s;
}

}  // namespace jounce::dense
