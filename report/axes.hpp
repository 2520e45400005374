// SPDX-License-Identifier: BSD-3-Clause
// Axes of a plot: 1-2-5 ticks, their labels and the map from data to pixels.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/plot.hpp"

namespace jounce::report {

struct Tick {
  double value = 0;
  std::string label = {};
};

/// An axis with its range decided.
struct Scale {
  bool log = false;
  Range range = {};
  std::vector<Tick> ticks = {};
  std::vector<double> minor = {};  ///< ticks without label
  int exponent = 0;                ///< labels are values divided by 10^exponent
  double first_pixel = 0;          ///< where range.min lies
  double last_pixel = 1;           ///< where range.max lies

  /// Pixel of a value; NaN where the axis cannot show it.
  double pixel(double value) const;

  /// Share of the range below a value: 0 at min, 1 at max.
  double share(double value) const;
};

/// Grows the range to hold the value.
void include(std::optional<Range>& range, double value);

/// Whether the range is finite, not empty, and wide enough to tell its ends apart.
bool is_usable(const Range& range);

/// The range and ticks of an axis over data. The ticks are multiples of 1, 2 or 5 powers of ten;
/// unless axis.range is given, the first and last tick enclose the data.
Scale make_scale(const Axis& axis, const std::optional<Range>& data, int tick_count);

/// "label [unit]", with the power of ten that the tick labels leave out.
std::string axis_title(const Axis& axis, const Scale& scale);

}  // namespace jounce::report
