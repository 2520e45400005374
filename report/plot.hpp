// SPDX-License-Identifier: BSD-3-Clause
// Plots as plain values, written as SVG that suits light and dark pages.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "report/svg.hpp"

namespace jounce::report {

struct Range {
  double min = 0;
  double max = 1;
};

struct Axis {
  std::string label = {};
  std::string unit = {};
  bool log = false;
  std::optional<Range> range = {};           ///< of the data and a little more when absent
  std::vector<std::string> categories = {};  ///< names for 0, 1, 2, ... instead of numbers
  bool reversed = false;  ///< grows leftwards or downwards, as rows of a matrix do
};

enum class Mark {
  line,          ///< one polyline, broken where a point is not finite
  scatter,       ///< a symbol at every point
  line_scatter,  ///< both
  segments,      ///< points 0-1, 2-3, 4-5, ... joined
  bar            ///< a bar from zero (log axis: from the bottom) to y; series stand side by side
};

struct Series {
  std::string name = {};  ///< in the legend, unless empty
  std::vector<double> x = {};
  std::vector<double> y = {};
  Mark mark = Mark::line;
  int colour = -1;   ///< place in the palette; negative: the series' own place in the plot
  double width = 2;  ///< of the line, in pixels
  bool dashed = false;
};

/// Values row by row; row 0 lies at y.min, column 0 at x.min. Cells that are not finite stay empty.
struct HeatMap {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> values = {};
  std::optional<Range> x = {};  ///< edges of the map; absent: cells centred on 0, 1, 2, ...
  std::optional<Range> y = {};
  Axis colour = {};        ///< label, unit, log and range of the colour bar
  bool diverging = false;  ///< two hues; the automatic range puts zero between
};

/// Text beside a point in data coordinates.
struct Note {
  double x = 0;
  double y = 0;
  std::string text = {};
};

struct Plot {
  std::string title = {};
  Axis x = {};
  Axis y = {};
  std::vector<Series> series = {};
  std::optional<HeatMap> heat_map = {};
  std::vector<Note> notes = {};
  bool equal_aspect = false;  ///< one unit is as long in x as in y; ranges grow to fill the frame
  double width = 720;         ///< in pixels
  double height = 420;
};

/// The plot as a stand-alone SVG element, equal bytes for equal input. Points that are not finite,
/// or not positive on a log axis, are left out. Throws std::invalid_argument for lengths that
/// disagree, empty ranges and log axes without positive data.
std::string to_svg(const Plot& plot);
/// Both forms of a picture: as wide as the plot says, and as a telephone is.
Svg both_widths(Plot plot);

/// Plots below each other in one SVG element.
std::string stacked_svg(const std::vector<Plot>& plots);

}  // namespace jounce::report
