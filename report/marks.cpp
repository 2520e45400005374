// SPDX-License-Identifier: BSD-3-Clause
// What a plot draws in data coordinates: series, heat map, notes, and the pieces of SVG they share.
#include "report/marks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/palette.hpp"
#include "report/text.hpp"

namespace jounce::report {
namespace {

constexpr int colour_levels = 63;  // of a colour map; equal neighbours become one rectangle
constexpr double max_bar_width = 64;

struct Point {
  double x = 0;
  double y = 0;
};

bool is_shown(const Point& point) { return !std::isnan(point.x) && !std::isnan(point.y); }

std::vector<Point> to_pixels(const Series& series, const Scale& x, const Scale& y) {
  std::vector<Point> points(series.x.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i] = {x.pixel(series.x[i]), y.pixel(series.y[i])};
  }
  return points;
}

// Adds the points that a run inside one pixel column needs to look the same: its first, lowest,
// highest and last, in their order.
void add_run(const std::vector<Point>& points, std::size_t first, std::size_t last,
             std::vector<Point>& out) {
  const auto begin = points.begin() + static_cast<std::ptrdiff_t>(first);
  const auto end = points.begin() + static_cast<std::ptrdiff_t>(last);
  if (end - begin <= 4) {
    out.insert(out.end(), begin, end);
    return;
  }
  const auto by_y = [](const Point& a, const Point& b) { return a.y < b.y; };
  auto [low, high] = std::minmax_element(begin, end, by_y);
  if (high < low) std::swap(low, high);
  out.insert(out.end(), {*begin, *low, *high, *(end - 1)});
}

// The same picture with at most four consecutive points in a pixel column.
std::vector<Point> thinned(const std::vector<Point>& points) {
  std::vector<Point> out;
  const auto column = [&](std::size_t i) { return std::floor(points[i].x); };
  for (std::size_t first = 0; first < points.size();) {
    std::size_t last = first + 1;
    if (is_shown(points[first])) {
      while (last < points.size() && is_shown(points[last]) && column(last) == column(first))
        ++last;
    }
    add_run(points, first, last, out);
    first = last;
  }
  return out;
}

std::string coordinates(const Point& point) {
  return trimmed(point.x, 1) + " " + trimmed(point.y, 1);
}

// Path data: a gap in the points starts a new stroke; a lone point is a stroke of no length.
std::string polyline_path(const std::vector<Point>& all) {
  const std::vector<Point> points = thinned(all);
  std::string path;
  bool pen_down = false;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (is_shown(points[i])) {
      const bool alone = !pen_down && (i + 1 == points.size() || !is_shown(points[i + 1]));
      path += (pen_down ? "L" : "M") + coordinates(points[i]) + (alone ? "h0" : "");
    }
    pen_down = is_shown(points[i]);
  }
  return path;
}

std::string segments_path(const std::vector<Point>& points) {
  std::string path;
  for (std::size_t i = 0; i + 1 < points.size(); i += 2) {
    if (!is_shown(points[i]) || !is_shown(points[i + 1])) continue;
    path += "M" + coordinates(points[i]) + "L" + coordinates(points[i + 1]);
  }
  return path;
}

std::string stroke(const Series& series, const std::string& path) {
  if (path.empty()) return {};
  const std::string dash = series.dashed ? attribute("stroke-dasharray", "7 5") : "";
  return "<path class=\"line\"" + attribute("stroke-width", series.width) + dash +
         attribute("d", path) + "/>\n";
}

bool is_within(const Scale& scale, double pixel) {
  const auto [low, high] = std::minmax(scale.first_pixel, scale.last_pixel);
  return pixel >= low - 0.01 && pixel <= high + 0.01;
}

bool is_bar(const Series& series) { return series.mark == Mark::bar; }

// Room for one group of bars: the smallest distance between two of them, in pixels.
double group_room(const Plot& plot, const Scale& x) {
  std::vector<double> places;
  for (const Series& series : plot.series) {
    if (!is_bar(series)) continue;
    for (const double value : series.x) {
      if (const double place = x.pixel(value); !std::isnan(place)) places.push_back(place);
    }
  }
  std::sort(places.begin(), places.end());
  double room = std::abs(x.last_pixel - x.first_pixel);
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (const double gap = places[i] - places[i - 1]; gap > 0.5) room = std::min(room, gap);
  }
  return room;
}

// Bars of one series, the given place among count bar series.
std::string bars(const Series& series, const Plot& plot, const Scale& x, const Scale& y,
                 std::size_t place) {
  const auto count =
      static_cast<double>(std::count_if(plot.series.begin(), plot.series.end(), is_bar));
  const double width = std::min(0.8 * group_room(plot, x) / count, max_bar_width);
  const double shift = (static_cast<double>(place) - count / 2) * width;
  const double base = y.pixel(y.log ? y.range.min : std::clamp(0.0, y.range.min, y.range.max));
  const double gap = std::min(1.5, width / 8);
  std::string out;
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    const Point end{x.pixel(series.x[i]), y.pixel(series.y[i])};
    if (!is_shown(end)) continue;
    out += "<rect class=\"bar\"" + attribute("x", end.x + shift + gap / 2) +
           attribute("y", std::min(end.y, base)) + attribute("width", width - gap) +
           attribute("height", std::abs(end.y - base)) + "><title>" +
           escape(series.name + (series.name.empty() ? "" : ": ")) + significant(series.y[i], 6) +
           "</title></rect>\n";
  }
  return out;
}

// Level 0..colour_levels of a value; -1 where it cannot be shown.
int level(const Scale& colour, double value) {
  const double share = colour.share(value);
  if (std::isnan(share)) return -1;
  return static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * colour_levels));
}

std::string box_path(const Point& a, const Point& b) {
  return "M" + coordinates(a) + "H" + trimmed(b.x, 2) + "V" + trimmed(b.y, 2) + "H" +
         trimmed(a.x, 2) + "z";
}

double edge(const Range& range, std::size_t index, std::size_t count) {
  const double share = static_cast<double>(index) / static_cast<double>(count);
  return range.min * (1 - share) + range.max * share;
}

}  // namespace

std::string attribute(std::string_view name, double value) {
  return attribute(name, std::string_view(trimmed(value, 2)));
}

std::string attribute(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + std::string(value) + "\"";
}

std::string text_element(std::string_view kind, double x, double y, std::string_view anchor,
                         std::string_view text) {
  return "<text" + attribute("class", kind) + attribute("x", x) + attribute("y", y) +
         attribute("text-anchor", anchor) + ">" + escape(text) + "</text>\n";
}

std::string colour_class(const Series& series, std::size_t place) {
  const int own = static_cast<int>(place % series_colours);
  return "c" + std::to_string(series.colour < 0 ? own : series.colour % series_colours);
}

std::optional<Range> value_range(const HeatMap& map) {
  std::optional<Range> range;
  for (const double value : map.values) {
    if (std::isfinite(value) && (value > 0 || !map.colour.log)) include(range, value);
  }
  return range;
}

Range x_edges(const HeatMap& map) {
  return map.x.value_or(
      Range{-0.5, static_cast<double>(std::max<std::size_t>(map.columns, 1)) - 0.5});
}

Range y_edges(const HeatMap& map) {
  return map.y.value_or(Range{-0.5, static_cast<double>(std::max<std::size_t>(map.rows, 1)) - 0.5});
}

std::string symbol(std::size_t place, double x, double y) {
  const std::string at = "M" + coordinates({x, y});
  switch (place % 4) {
    case 1:
      return "<path class=\"dot\"" + attribute("d", at + "m-3.4-3.4h6.8v6.8h-6.8z") + "/>\n";
    case 2:
      return "<path class=\"dot\"" + attribute("d", at + "m0-4.6 4.4 7.8h-8.8z") + "/>\n";
    case 3:
      return "<path class=\"dot\"" + attribute("d", at + "m0-5 5 5-5 5-5-5z") + "/>\n";
    default:
      return "<circle class=\"dot\"" + attribute("cx", x) + attribute("cy", y) +
             attribute("r", "3.8") + "/>\n";
  }
}

std::string draw_series(const Plot& plot, const Scale& x, const Scale& y) {
  std::string out;
  std::size_t bar_place = 0;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    const Series& series = plot.series[i];
    const std::vector<Point> points = to_pixels(series, x, y);
    out += "<g" + attribute("class", "series " + colour_class(series, i)) + ">\n";
    if (series.mark == Mark::bar) out += bars(series, plot, x, y, bar_place++);
    if (series.mark == Mark::segments) out += stroke(series, segments_path(points));
    if (series.mark == Mark::line || series.mark == Mark::line_scatter) {
      out += stroke(series, polyline_path(points));
    }
    out += "</g>\n";
  }
  return out;
}

std::string draw_symbols(const Plot& plot, const Scale& x, const Scale& y) {
  std::string out;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    const Series& series = plot.series[i];
    if (series.mark != Mark::scatter && series.mark != Mark::line_scatter) continue;
    out += "<g" + attribute("class", "symbols " + colour_class(series, i)) + ">\n";
    for (const Point& point : to_pixels(series, x, y)) {
      if (is_within(x, point.x) && is_within(y, point.y)) out += symbol(i, point.x, point.y);
    }
    out += "</g>\n";
  }
  return out;
}

std::string draw_heat_map(const HeatMap& map, const Scale& x, const Scale& y, const Scale& colour) {
  std::vector<std::string> paths(colour_levels + 1);
  for (std::size_t row = 0; row < map.rows; ++row) {
    const double* values = map.values.data() + row * map.columns;
    const double y0 = y.pixel(edge(y_edges(map), row, map.rows));
    const double y1 = y.pixel(edge(y_edges(map), row + 1, map.rows));
    for (std::size_t first = 0, last = 0; first < map.columns; first = last) {
      const int shade = level(colour, values[first]);
      while (last < map.columns && level(colour, values[last]) == shade) ++last;
      if (shade < 0) continue;
      const double x0 = x.pixel(edge(x_edges(map), first, map.columns));
      const double x1 = x.pixel(edge(x_edges(map), last, map.columns));
      paths[static_cast<std::size_t>(shade)] += box_path({x0, y0}, {x1, y1});
    }
  }
  std::string out = "<g class=\"cells\">\n";
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (paths[i].empty()) continue;
    const double share = static_cast<double>(i) / colour_levels;
    out += "<path" + attribute("fill", map_colour(share, map.diverging)) +
           attribute("d", paths[i]) + "/>\n";
  }
  return out + "</g>\n";
}

std::string draw_notes(const Plot& plot, const Scale& x, const Scale& y) {
  std::string out;
  for (const Note& note : plot.notes) {
    const Point at{x.pixel(note.x), y.pixel(note.y)};
    if (is_shown(at)) out += text_element("note", at.x + 7, at.y - 6, "start", one_line(note.text));
  }
  return out;
}

}  // namespace jounce::report
