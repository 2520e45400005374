// SPDX-License-Identifier: BSD-3-Clause
// Refusing plots that cannot be drawn.
#include "report/plot_check.hpp"

#include <cmath>
#include <stdexcept>

#include "report/axes.hpp"
#include "report/text.hpp"

namespace jounce::report {
namespace {

constexpr double min_width = 160;
constexpr double min_height = 120;
constexpr double max_size = 16384;

[[noreturn]] void fail(const Plot& plot, const std::string& message) {
  throw std::invalid_argument("to_svg: plot " + in_quotes(plot.title) + message);
}

void check_size(const Plot& plot) {
  const bool wide = plot.width >= min_width && plot.width <= max_size;
  const bool high = plot.height >= min_height && plot.height <= max_size;
  if (wide && high) return;
  fail(plot, ": size is " + shortest(plot.width) + " x " + shortest(plot.height) +
                 ", needs 160 x 120 to 16384 x 16384");
}

void check_range(const Plot& plot, const std::string& where, bool log, const Range& range) {
  const std::string found =
      ", " + where + ": range is [" + shortest(range.min) + ", " + shortest(range.max) + "]";
  if (!is_usable(range)) fail(plot, found + ", needs finite min < max");
  if (log && range.min <= 0) fail(plot, found + ", needs min > 0 on a log axis");
}

void check_axis(const Plot& plot, const std::string& where, const Axis& axis) {
  if (axis.range) check_range(plot, where, axis.log, *axis.range);
  if (axis.log && !axis.categories.empty()) {
    fail(plot, ", " + where + ": log with " + std::to_string(axis.categories.size()) +
                   " categories, needs a linear axis");
  }
  if (plot.equal_aspect && axis.log && where != "colour axis") {
    fail(plot, ", " + where + ": log with equal aspect, needs a linear axis");
  }
}

// Counts finite values and positive ones.
struct Signs {
  std::size_t finite = 0;
  std::size_t positive = 0;

  void add(const std::vector<double>& values) {
    for (const double value : values) {
      finite += std::isfinite(value) ? 1 : 0;
      positive += std::isfinite(value) && value > 0 ? 1 : 0;
    }
  }
};

void check_log(const Plot& plot, const std::string& where, const Axis& axis, const Signs& signs) {
  if (!axis.log || signs.finite == 0 || signs.positive > 0) return;
  fail(plot, ", " + where + ": log with " + std::to_string(signs.finite) +
                 " values, none positive, needs at least one");
}

void check_series(const Plot& plot, std::size_t place) {
  const Series& series = plot.series[place];
  const std::string where =
      ", series " + std::to_string(place) + " " + in_quotes(series.name) + ": ";
  if (series.x.size() != series.y.size()) {
    fail(plot, where + "y has " + std::to_string(series.y.size()) + " elements, needs " +
                   std::to_string(series.x.size()) + " as x has");
  }
  if (series.mark == Mark::segments && series.x.size() % 2 != 0) {
    fail(plot, where + "segments have " + std::to_string(series.x.size()) +
                   " points, need an even number");
  }
  if (!(series.width > 0 && series.width <= max_size)) {
    fail(plot, where + "width is " + shortest(series.width) + ", needs 0 < width <= 16384");
  }
}

void check_heat_map(const Plot& plot, const HeatMap& map) {
  const std::size_t size = map.values.size();
  const bool fits = map.columns == 0 || map.rows == 0
                        ? size == 0
                        : size % map.columns == 0 && size / map.columns == map.rows;
  if (!fits) {
    fail(plot, ", heat map: values has " + std::to_string(size) + " elements, needs " +
                   std::to_string(map.rows) + " rows x " + std::to_string(map.columns) +
                   " columns");
  }
  check_axis(plot, "colour axis", map.colour);
  Signs signs;
  signs.add(map.values);
  check_log(plot, "colour axis", map.colour, signs);
  if (map.diverging && map.colour.log) {
    fail(plot, ", colour axis: log with diverging colours, needs a linear axis");
  }
  if (map.x || plot.x.log) {
    check_range(plot, "heat map x edges", plot.x.log, map.x.value_or(Range{-0.5, 0.5}));
  }
  if (map.y || plot.y.log) {
    check_range(plot, "heat map y edges", plot.y.log, map.y.value_or(Range{-0.5, 0.5}));
  }
}

}  // namespace

void check(const Plot& plot) {
  check_size(plot);
  check_axis(plot, "x axis", plot.x);
  check_axis(plot, "y axis", plot.y);
  Signs x;
  Signs y;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    check_series(plot, i);
    x.add(plot.series[i].x);
    y.add(plot.series[i].y);
  }
  check_log(plot, "x axis", plot.x, x);
  check_log(plot, "y axis", plot.y, y);
  if (plot.heat_map) check_heat_map(plot, *plot.heat_map);
}

}  // namespace jounce::report
