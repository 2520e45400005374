// SPDX-License-Identifier: BSD-3-Clause
// Shares, means and slopes with their confidence intervals.
#include <cmath>
#include <jounce/error.hpp>
#include <jounce/stewart/estimate.hpp>

namespace jounce {
namespace {

constexpr double normal_quantile = 1.959963984540054;  // of 97.5 %

struct Moments {
  double mean = 0, deviation = 0;
};

Moments moments_of(std::span<const double> x) {
  Moments m;
  for (const double value : x) m.mean += value / double(x.size());
  for (const double value : x) m.deviation += (value - m.mean) * (value - m.mean);
  m.deviation = x.size() > 1 ? std::sqrt(m.deviation / double(x.size() - 1)) : 0;
  return m;
}

using SquareRows = std::vector<std::vector<double>>;

/// A^-1 of a symmetric positive matrix by Gauss-Jordan; rows that depend on earlier ones get zeros.
SquareRows inverse_of(SquareRows A) {
  const size_t n = A.size();
  SquareRows inverse(n, std::vector<double>(n));
  std::vector<bool> used(n);
  for (size_t k = 0; k < n; ++k) inverse[k][k] = 1;
  for (size_t k = 0; k < n; ++k) {
    used[k] = A[k][k] > 1e-9;  // columns have length one
    if (!used[k]) continue;
    const double pivot = A[k][k];
    for (size_t j = 0; j < n; ++j) A[k][j] /= pivot, inverse[k][j] /= pivot;
    for (size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = A[i][k];
      for (size_t j = 0; j < n; ++j) {
        A[i][j] -= factor * A[k][j];
        inverse[i][j] -= factor * inverse[k][j];
      }
    }
  }
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j)
      if (!used[i] || !used[j]) inverse[i][j] = 0;
  return inverse;
}

/// Columns with mean zero and variance one; zero where they do not vary.
SquareRows standardised(const SquareRows& columns) {
  SquareRows z = columns;
  for (std::vector<double>& column : z) {
    const Moments m = moments_of(column);
    for (double& x : column)
      x = m.deviation > 1e-12 * std::abs(m.mean) ? (x - m.mean) / m.deviation : 0;
  }
  return z;
}

/// X^T diag(w) X / n.
SquareRows weighted_gram(const SquareRows& z, std::span<const double> w) {
  SquareRows A(z.size(), std::vector<double>(z.size()));
  for (size_t i = 0; i < z.size(); ++i)
    for (size_t j = 0; j < z.size(); ++j)
      for (size_t k = 0; k < w.size(); ++k) A[i][j] += z[i][k] * z[j][k] * w[k] / double(w.size());
  return A;
}

}  // namespace

Estimate share_of(int successes, int trials) {
  if (trials <= 0) return {0, 0, 1, 0};
  const double n = trials, p = successes / n, q = normal_quantile * normal_quantile;
  const double centre = (p + q / (2 * n)) / (1 + q / n);
  const double half = normal_quantile / (1 + q / n) * std::sqrt(p * (1 - p) / n + q / (4 * n * n));
  return {p, centre - half, centre + half, trials};
}

Estimate mean_of(std::span<const double> values) {
  if (values.empty()) return {};
  const Moments m = moments_of(values);
  const double half = normal_quantile * m.deviation / std::sqrt(double(values.size()));
  return {m.mean, m.mean - half, m.mean + half, static_cast<int>(values.size())};
}

std::vector<Estimate> slopes_of(const std::vector<std::vector<double>>& columns,
                                std::span<const double> y) {
  for (const std::vector<double>& column : columns)
    if (column.size() != y.size()) throw InputError("slopes_of: columns of unequal length");
  const size_t n = columns.size(), count = y.size();
  std::vector<Estimate> slopes(n);
  if (count < n + 2) return slopes;
  const SquareRows z = standardised(columns);
  const SquareRows inverse = inverse_of(weighted_gram(z, std::vector<double>(count, 1)));
  const double mean = moments_of(y).mean;
  std::vector<double> error2(y.begin(), y.end());
  std::vector<double> along(n);
  for (size_t i = 0; i < n; ++i)
    for (size_t k = 0; k < count; ++k) along[i] += z[i][k] * (y[k] - mean) / double(count);
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j) slopes[i].value += inverse[i][j] * along[j];
  for (size_t k = 0; k < count; ++k) {
    double e = y[k] - mean;
    for (size_t i = 0; i < n; ++i) e -= slopes[i].value * z[i][k];
    error2[k] = e * e;
  }
  const SquareRows middle = weighted_gram(z, error2);
  for (size_t i = 0; i < n; ++i) {
    double variance = 0;
    for (size_t j = 0; j < n; ++j)
      for (size_t k = 0; k < n; ++k) variance += inverse[i][j] * middle[j][k] * inverse[k][i];
    const double half = normal_quantile * std::sqrt(variance / double(count));
    slopes[i] = {slopes[i].value, slopes[i].value - half, slopes[i].value + half,
                 static_cast<int>(count)};
  }
  return slopes;
}

double correlation_of(std::span<const double> x, std::span<const double> y) {
  if (x.size() != y.size()) throw InputError("correlation_of: columns of unequal length");
  const Moments a = moments_of(x), b = moments_of(y);
  double sum = 0;
  for (size_t k = 0; k < x.size(); ++k) sum += (x[k] - a.mean) * (y[k] - b.mean);
  const auto varies = [](const Moments& m) { return m.deviation > 1e-12 * std::abs(m.mean); };
  if (!varies(a) || !varies(b)) return 0;
  return sum / (a.deviation * b.deviation * (double(x.size()) - 1));
}

}  // namespace jounce
