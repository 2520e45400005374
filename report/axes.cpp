// SPDX-License-Identifier: BSD-3-Clause
// Axes of a plot: 1-2-5 ticks, their labels and the map from data to pixels.
#include "report/axes.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "report/text.hpp"

namespace jounce::report {
namespace {

constexpr double largest_end = 1e300;     // keeps sums and differences of ends finite
constexpr double smallest_span = 1e-290;  // spans below are zero
constexpr double tick_slack = 1e-9;       // of a step: rounding in the data adds no tick
constexpr double far_away = 1e6;          // pixels; beyond, the exact place cannot matter

// mantissa * 10^exponent, correctly rounded.
double decimal(long long mantissa, int exponent) {
  const std::string text = std::to_string(mantissa) + "e" + std::to_string(exponent);
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// digit * 10^exponent with digit 1, 2 or 5.
struct Step {
  int digit = 1;
  int exponent = 0;
  double value() const { return decimal(digit, exponent); }
};

Step next(Step step) {
  if (step.digit == 5) return {1, step.exponent + 1};
  return {step.digit == 1 ? 2 : 5, step.exponent};
}

// The largest step at or below a positive value.
Step step_below(double value) {
  Step step{1, static_cast<int>(std::floor(std::log10(value))) - 1};
  while (next(step).value() <= value * (1 + tick_slack)) step = next(step);
  return step;
}

// The step that cuts the span into about count parts.
Step nice_step(double span, int count) {
  const double ideal = span / count;
  const Step step = step_below(ideal);
  return ideal / step.value() > next(step).value() / ideal ? next(step) : step;
}

double clamp(double value) { return std::clamp(value, -largest_end, largest_end); }

// A usable range around data of any kind, also none and constant ones.
Range widened(const std::optional<Range>& data) {
  if (!data) return {0, 1};
  const Range range{clamp(data->min), clamp(data->max)};
  if (is_usable(range)) return range;
  const double size = std::max(std::abs(range.min), std::abs(range.max));
  if (size < smallest_span) return {-1, 1};
  return {range.min - size / 2, range.max + size / 2};
}

Range widened_log(const std::optional<Range>& data) {
  if (!data) return {1, 10};
  const Range range{std::clamp(data->min, smallest_span, largest_end),
                    std::clamp(data->max, smallest_span, largest_end)};
  if (range.max > range.min * (1 + tick_slack)) return range;
  return {range.min / 2, range.max * 2};
}

// The power of ten to leave out of labels of this size, a multiple of three.
int shared_exponent(double size) {
  if (size == 0 || (size >= 1e-2 && size < 1e5)) return 0;
  return static_cast<int>(std::floor(std::log10(size) / 3 + tick_slack)) * 3;
}

std::string with_minus_sign(std::string text) {
  if (text.front() == '-') text.replace(0, 1, "−");
  return text;
}

void add_linear_ticks(Scale& scale, Step step) {
  const double width = step.value();
  const auto first = static_cast<long long>(std::ceil(scale.range.min / width - tick_slack));
  const auto last = static_cast<long long>(std::floor(scale.range.max / width + tick_slack));
  const double size = std::max(std::abs(scale.range.min), std::abs(scale.range.max));
  scale.exponent = shared_exponent(size);
  const int decimals = std::max(0, scale.exponent - step.exponent);
  for (long long i = first; i <= last; ++i) {
    const double label = decimal(i * step.digit, step.exponent - scale.exponent);
    scale.ticks.push_back(
        {decimal(i * step.digit, step.exponent), with_minus_sign(fixed(label, decimals))});
  }
}

void make_linear(Scale& scale, bool automatic, int tick_count) {
  const Step step = nice_step(scale.range.max - scale.range.min, tick_count);
  if (automatic) {
    const double width = step.value();
    scale.range.min = std::floor(scale.range.min / width + tick_slack) * width;
    scale.range.max = std::ceil(scale.range.max / width - tick_slack) * width;
  }
  add_linear_ticks(scale, step);
  if (automatic) scale.range = {scale.ticks.front().value, scale.ticks.back().value};
}

std::string log_label(const Step& step) {
  if (step.exponent >= -2 && step.exponent <= 3) return trimmed(step.value(), 2);
  const std::string power = "10" + superscript(step.exponent);
  return step.digit == 1 ? power : std::to_string(step.digit) + "·" + power;
}

// Grows the range to steps: 1, 2 or 5 of a decade.
void round_to_steps(Range& range) {
  range.min = step_below(range.min).value();
  Step last = step_below(range.max);
  if (last.value() < range.max * (1 - tick_slack)) last = next(last);
  range.max = last.value();
}

// Grows the range to powers of ten.
void round_to_decades(Range& range) {
  range.min = decimal(1, static_cast<int>(std::floor(std::log10(range.min) + tick_slack)));
  range.max = decimal(1, static_cast<int>(std::ceil(std::log10(range.max) - tick_slack)));
}

// Ticks at 1, 2 and 5 of every decade.
void add_short_log_ticks(Scale& scale) {
  Step step = step_below(scale.range.min);
  if (step.value() < scale.range.min * (1 - tick_slack)) step = next(step);
  for (; step.value() <= scale.range.max * (1 + tick_slack); step = next(step)) {
    scale.ticks.push_back({step.value(), log_label(step)});
  }
}

// Ticks at powers of ten, every stride decades.
void add_long_log_ticks(Scale& scale, int stride) {
  const auto first = static_cast<int>(std::ceil(std::log10(scale.range.min) / stride - tick_slack));
  const auto last = static_cast<int>(std::floor(std::log10(scale.range.max) / stride + tick_slack));
  for (int i = first; i <= last; ++i) {
    const Step step{1, i * stride};
    scale.ticks.push_back({step.value(), "10" + superscript(step.exponent)});
  }
}

void add_log_minor(Scale& scale) {
  const int first = static_cast<int>(std::floor(std::log10(scale.range.min)));
  const int last = static_cast<int>(std::ceil(std::log10(scale.range.max)));
  for (int decade = first; decade < last; ++decade) {
    for (int digit = 2; digit < 10; ++digit) {
      const double value = decimal(digit, decade);
      if (value >= scale.range.min && value <= scale.range.max) scale.minor.push_back(value);
    }
  }
}

void make_log(Scale& scale, bool automatic, int tick_count) {
  const double decades = std::log10(scale.range.max) - std::log10(scale.range.min);
  const int stride = std::max(1, static_cast<int>(std::ceil(decades / tick_count - tick_slack)));
  if (automatic && stride == 1) round_to_steps(scale.range);
  if (automatic && stride > 1) round_to_decades(scale.range);
  if (decades * 3 <= tick_count) {
    add_short_log_ticks(scale);
  } else {
    add_long_log_ticks(scale, stride);
  }
  if (scale.ticks.size() < 2) {
    scale.ticks.clear();
    add_linear_ticks(scale, nice_step(scale.range.max - scale.range.min, tick_count));
  } else if (stride == 1) {
    add_log_minor(scale);
  }
}

}  // namespace

double Scale::share(double value) const {
  if (!std::isfinite(value) || (log && value <= 0)) return std::numeric_limits<double>::quiet_NaN();
  if (log) {
    const double low = std::log(range.min);
    return (std::log(value) - low) / (std::log(range.max) - low);
  }
  return (clamp(value) - range.min) / (range.max - range.min);
}

double Scale::pixel(double value) const {
  const double place = first_pixel + (last_pixel - first_pixel) * share(value);
  return std::isnan(place) ? place : std::clamp(place, -far_away, far_away);
}

void include(std::optional<Range>& range, double value) {
  if (!range) range = Range{value, value};
  range->min = std::min(range->min, value);
  range->max = std::max(range->max, value);
}

bool is_usable(const Range& range) {
  const double size = std::max(std::abs(range.min), std::abs(range.max));
  return size <= largest_end && range.max - range.min > std::max(1e-12 * size, smallest_span);
}

Scale make_scale(const Axis& axis, const std::optional<Range>& data, int tick_count) {
  Scale scale;
  scale.log = axis.log;
  if (!axis.categories.empty()) {
    scale.range = {-0.5, static_cast<double>(axis.categories.size()) - 0.5};
    for (const std::string& name : axis.categories) {
      scale.ticks.push_back({static_cast<double>(scale.ticks.size()), one_line(name)});
    }
  } else if (axis.log) {
    scale.range = axis.range ? *axis.range : widened_log(data);
    make_log(scale, !axis.range, tick_count);
  } else {
    scale.range = axis.range ? *axis.range : widened(data);
    make_linear(scale, !axis.range, tick_count);
  }
  return scale;
}

std::string axis_title(const Axis& axis, const Scale& scale) {
  std::string unit = one_line(axis.unit);
  if (scale.exponent != 0) {
    unit = "10" + superscript(scale.exponent) + (unit.empty() ? "" : " ") + unit;
  }
  std::string label = one_line(axis.label);
  if (unit.empty()) return label;
  return label + (label.empty() ? "[" : " [") + unit + "]";
}

}  // namespace jounce::report
