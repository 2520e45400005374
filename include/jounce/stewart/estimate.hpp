// SPDX-License-Identifier: BSD-3-Clause
// What a sample tells: a value with its 95 % confidence interval.
#pragma once

#include <span>
#include <vector>

namespace jounce {

struct Estimate {
  double value = 0;
  double low = 0, high = 0;  ///< of the interval
  int count = 0;             ///< independent samples behind it

  /// Whether the interval leaves out zero.
  bool below_zero() const noexcept { return count > 0 && high < 0; }
  bool above_zero() const noexcept { return count > 0 && low > 0; }
};

/// A share of independent trials (Wilson 1927); no trials: between 0 and 1.
Estimate share_of(int successes, int trials);
/// A mean of independent values, by their variance; below two values the interval is the value.
Estimate mean_of(std::span<const double> values);
/// The slopes of y against all columns at once, by least squares: the change of y per standard
/// deviation of a column with the others held. Intervals allow for errors of unequal size (White
/// 1980). Columns that do not vary, or follow from others, get zeros.
std::vector<Estimate> slopes_of(const std::vector<std::vector<double>>& columns,
                                std::span<const double> y);
/// Pearson's; 0 where one of the two does not vary.
double correlation_of(std::span<const double> x, std::span<const double> y);

}  // namespace jounce
