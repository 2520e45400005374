// SPDX-License-Identifier: BSD-3-Clause
// Plots as plain values, written as SVG that suits light and dark pages.
#include "report/plot.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "report/axes.hpp"
#include "report/marks.hpp"
#include "report/palette.hpp"
#include "report/plot_check.hpp"
#include "report/text.hpp"

namespace jounce::report {
namespace {

constexpr double padding = 16;           // around everything
constexpr double row_height = 20;        // height of a line of text
constexpr double tick_gap = 8;           // from axis to tick label
constexpr double colour_bar_width = 14;  // width of the colour bar
constexpr double key_width = 26;         // width of a legend key with its gap
constexpr double letter_width = 6.4;     // mean width of a letter
constexpr double title_letter = 9;       // the same of titles, which are bold and larger
constexpr double filled_share = 0.92;    // share of the frame that an equal aspect fills
constexpr double slant = 0.6;            // height over length of slanted tick labels

double text_width(std::string_view text) {
  return letter_width * static_cast<double>(columns(text));
}

// A title in as many lines as it needs.
std::vector<std::string> title_lines(const Plot& plot) {
  const auto room =
      static_cast<std::size_t>(std::max((plot.width - 2 * padding) / title_letter, 1.0));
  std::vector<std::string> lines;
  std::istringstream words(one_line(plot.title));
  for (std::string word; words >> word;) {
    if (lines.empty() || columns(lines.back()) + 1 + columns(word) > room) lines.push_back(word);
    else lines.back() += " " + word;
  }
  return lines;
}

double title_height(const Plot& plot) {
  const std::size_t lines = title_lines(plot).size();
  return lines == 0 ? 0 : row_height * static_cast<double>(lines) + 6;
}

double widest(const Scale& scale) {
  double width = 0;
  for (const Tick& tick : scale.ticks) width = std::max(width, text_width(tick.label));
  return width;
}

struct Frame {
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;
};

// A plot on its way to SVG.
struct Picture {
  const Plot& plot;
  Scale x;
  Scale y;
  std::optional<Scale> colour;
  Frame frame;
  bool slanted = false;  // tick labels of x
};

// Where the data of the series and bars lie; heat maps fix the ranges by themselves.
struct Extent {
  std::optional<Range> x;
  std::optional<Range> y;
};

bool is_shown(const Axis& axis, double value) {
  return std::isfinite(value) && (value > 0 || !axis.log);
}

void include_bars(const Plot& plot, Extent& extent) {
  std::vector<double> places;
  for (const Series& series : plot.series) {
    if (series.mark != Mark::bar) continue;
    for (const double value : series.x) {
      if (is_shown(plot.x, value)) places.push_back(plot.x.log ? std::log10(value) : value);
    }
  }
  if (places.empty()) return;
  if (!plot.y.log) include(extent.y, 0);
  std::sort(places.begin(), places.end());
  double gap = places.back() - places.front();
  if (gap == 0) gap = 1;
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (places[i] > places[i - 1]) gap = std::min(gap, places[i] - places[i - 1]);
  }
  for (const double end : {places.front() - gap / 2, places.back() + gap / 2}) {
    include(extent.x, plot.x.log ? std::pow(10, end) : end);
  }
}

Extent extent_of(const Plot& plot) {
  Extent extent;
  for (const Series& series : plot.series) {
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (!is_shown(plot.x, series.x[i]) || !is_shown(plot.y, series.y[i])) continue;
      include(extent.x, series.x[i]);
      include(extent.y, series.y[i]);
    }
  }
  include_bars(plot, extent);
  return extent;
}

Scale colour_scale(const HeatMap& map) {
  Axis axis = map.colour;
  std::optional<Range> values = value_range(map);
  if (map.diverging && values) {
    const double size = std::max(std::abs(values->min), std::abs(values->max));
    values = Range{-size, size};
  }
  if (!axis.range && values && is_usable(*values)) axis.range = values;
  return make_scale(axis, values, 6);
}

Picture with_scales(const Plot& plot) {
  Picture picture{plot, {}, {}, {}, {}};
  const Extent extent = extent_of(plot);
  Axis x = plot.x;
  Axis y = plot.y;
  if (plot.heat_map) {
    if (!x.range) x.range = x_edges(*plot.heat_map);
    if (!y.range) y.range = y_edges(*plot.heat_map);
    picture.colour = colour_scale(*plot.heat_map);
  }
  picture.x = make_scale(x, extent.x, std::clamp(static_cast<int>(plot.width / 90), 3, 10));
  picture.y = make_scale(y, extent.y, std::clamp(static_cast<int>(plot.height / 65), 3, 10));
  return picture;
}

// Legend entries with the pixel of their left end; row 0 lies under the title.
struct Entry {
  std::size_t series = 0;
  double x = 0;
  int row = 0;
};

std::vector<Entry> legend_of(const Plot& plot, double left) {
  std::vector<Entry> entries;
  double x = left;
  int row = 0;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    if (plot.series[i].name.empty()) continue;
    const double width = key_width + text_width(one_line(plot.series[i].name)) + 14;
    if (x > left && x + width > plot.width - padding) {
      x = left;
      ++row;
    }
    entries.push_back({i, x, row});
    x += width;
  }
  return entries;
}

double left_margin(const Picture& picture) {
  const double label = axis_title(picture.plot.y, picture.y).empty() ? 0 : row_height;
  const double spare = picture.plot.equal_aspect ? 2 * letter_width : 0;  // its ticks come later
  return padding + label + widest(picture.y) + spare + tick_gap;
}

void place_frame(Picture& picture) {
  const Plot& plot = picture.plot;
  Frame& frame = picture.frame;
  frame.left = std::min(left_margin(picture), plot.width / 2);
  frame.right = plot.width - padding - 4;
  if (picture.colour)
    frame.right -= colour_bar_width + 3 * tick_gap + widest(*picture.colour) + row_height;
  frame.right = std::max(frame.right, frame.left + 20);
  const std::vector<Entry> legend = legend_of(plot, frame.left);
  frame.top = padding + title_height(plot);
  if (!legend.empty()) frame.top += row_height * (legend.back().row + 1) + 4;
  const auto slots = static_cast<double>(std::max<std::size_t>(picture.x.ticks.size(), 1));
  picture.slanted = widest(picture.x) + 6 > (frame.right - frame.left) / slots;
  frame.bottom = plot.height - padding - row_height;
  if (picture.slanted) frame.bottom -= slant * widest(picture.x);
  if (!axis_title(plot.x, picture.x).empty()) frame.bottom -= row_height;
  frame.bottom = std::max(frame.bottom, frame.top + 20);
}

void place_scales(Picture& picture) {
  const Frame& frame = picture.frame;
  picture.x.first_pixel = picture.plot.x.reversed ? frame.right : frame.left;
  picture.x.last_pixel = picture.plot.x.reversed ? frame.left : frame.right;
  picture.y.first_pixel = picture.plot.y.reversed ? frame.top : frame.bottom;
  picture.y.last_pixel = picture.plot.y.reversed ? frame.bottom : frame.top;
}

// Lets one unit be as long in x as in y: the range with room to spare grows about its centre.
void equalise(Picture& picture) {
  const Frame& frame = picture.frame;
  const double width = frame.right - frame.left;
  const double height = frame.bottom - frame.top;
  const Range& x = picture.x.range;
  const Range& y = picture.y.range;
  const double unit = std::min(width / (x.max - x.min), height / (y.max - y.min)) * filled_share;
  const auto grown = [&](const Range& range, double pixels) {
    const double centre = range.min / 2 + range.max / 2;
    return Range{centre - pixels / unit / 2, centre + pixels / unit / 2};
  };
  const double spacing = 60 / unit;  // data units between two ticks, about, on either axis
  const auto rescale = [&](Axis axis, const Range& range) {
    axis.range = range;
    return make_scale(axis, {}, std::max(2, static_cast<int>((range.max - range.min) / spacing)));
  };
  picture.x = rescale(picture.plot.x, grown(x, width));
  picture.y = rescale(picture.plot.y, grown(y, height));
}

std::string line(std::string_view kind, double x1, double y1, double x2, double y2) {
  return "<line" + attribute("class", kind) + attribute("x1", x1) + attribute("y1", y1) +
         attribute("x2", x2) + attribute("y2", y2) + "/>\n";
}

std::string draw_x_axis(const Picture& picture) {
  const Frame& frame = picture.frame;
  std::string out;
  for (const double value : picture.x.minor) {
    const double x = picture.x.pixel(value);
    out += line("axis", x, frame.bottom, x, frame.bottom + 3);
  }
  for (const Tick& tick : picture.x.ticks) {
    const double x = picture.x.pixel(tick.value);
    if (picture.plot.x.categories.empty()) out += line("grid", x, frame.top, x, frame.bottom);
    if (picture.slanted) {
      out += "<text class=\"tick\" text-anchor=\"end\" transform=\"translate(" + trimmed(x + 4, 2) +
             " " + trimmed(frame.bottom + 14, 2) + ")rotate(-35)\">" + escape(tick.label) +
             "</text>\n";
    } else {
      out += text_element("tick", x, frame.bottom + 17, "middle", tick.label);
    }
  }
  const double middle = (frame.left + frame.right) / 2;
  const std::string title = axis_title(picture.plot.x, picture.x);
  if (!title.empty())
    out += text_element("label", middle, picture.plot.height - padding + 3, "middle", title);
  return out;
}

std::string turned_text(double x, double y, std::string_view text) {
  return "<text class=\"label\" text-anchor=\"middle\" transform=\"translate(" + trimmed(x, 2) +
         " " + trimmed(y, 2) + ")rotate(-90)\">" + escape(text) + "</text>\n";
}

std::string draw_y_axis(const Picture& picture) {
  const Frame& frame = picture.frame;
  std::string out;
  for (const double value : picture.y.minor) {
    const double y = picture.y.pixel(value);
    out += line("axis", frame.left - 3, y, frame.left, y);
  }
  for (const Tick& tick : picture.y.ticks) {
    const double y = picture.y.pixel(tick.value);
    if (picture.plot.y.categories.empty()) out += line("grid", frame.left, y, frame.right, y);
    out += text_element("tick", frame.left - tick_gap, y + 4, "end", tick.label);
  }
  const std::string title = axis_title(picture.plot.y, picture.y);
  if (!title.empty()) out += turned_text(padding + 8, (frame.top + frame.bottom) / 2, title);
  return out;
}

std::string draw_frame_lines(const Picture& picture) {
  const Frame& f = picture.frame;
  const double zero = picture.y.log ? f.bottom : picture.y.pixel(0);
  std::string out = line("axis", f.left, f.bottom, f.right, f.bottom);
  out += line("axis", f.left, f.top, f.left, f.bottom);
  const bool inside = zero > f.top && zero < f.bottom;
  if (inside && !picture.colour && picture.plot.y.categories.empty()) {
    out += line("axis", f.left, zero, f.right, zero);
  }
  return out;
}

std::string draw_title(const Picture& picture) {
  const std::vector<std::string> lines = title_lines(picture.plot);
  const double right = picture.plot.width - padding;
  const bool fits = std::all_of(lines.begin(), lines.end(), [&](const std::string& line) {
    return picture.frame.left + title_letter * static_cast<double>(columns(line)) <= right;
  });
  std::string out;
  for (std::size_t k = 0; k < lines.size(); ++k)
    out += text_element("title", fits ? picture.frame.left : padding,
                        padding + 14 + row_height * static_cast<double>(k), "start", lines[k]);
  return out;
}

std::string draw_legend(const Picture& picture) {
  std::string out;
  const double top = padding + title_height(picture.plot);
  for (const Entry& entry : legend_of(picture.plot, picture.frame.left)) {
    const Series& series = picture.plot.series[entry.series];
    const double y = top + row_height * entry.row + 8;
    out += "<g" + attribute("class", colour_class(series, entry.series)) + ">";
    if (series.mark == Mark::bar) {
      out += "<rect class=\"bar\" width=\"14\" height=\"10\" rx=\"2\"" +
             attribute("x", entry.x + 3) + attribute("y", y - 5) + "/>";
    } else if (series.mark != Mark::scatter) {
      out += "<path class=\"line\"" + attribute("stroke-width", std::min(series.width, 6.0)) +
             (series.dashed ? attribute("stroke-dasharray", "7 5") : "") +
             attribute("d", "M" + trimmed(entry.x + 1, 2) + " " + trimmed(y, 2) + "h18") + "/>";
    }
    if (series.mark == Mark::scatter || series.mark == Mark::line_scatter) {
      out += symbol(entry.series, entry.x + 10, y);
    }
    out += "</g>";
    out += text_element("label", entry.x + key_width, y + 4, "start", one_line(series.name));
  }
  return out;
}

std::string draw_colour_bar(const Picture& picture) {
  if (!picture.colour) return {};
  constexpr int steps = 64;
  const HeatMap& map = *picture.plot.heat_map;
  const Frame& frame = picture.frame;
  Scale scale = *picture.colour;
  scale.first_pixel = frame.bottom;
  scale.last_pixel = frame.top;
  const double left = frame.right + 2 * tick_gap;
  const double height = (frame.bottom - frame.top) / steps;
  std::string out = "<g class=\"cells\">\n";
  for (int i = 0; i < steps; ++i) {
    out += "<rect" + attribute("x", left) + attribute("y", frame.bottom - (i + 1) * height) +
           attribute("width", colour_bar_width) + attribute("height", height + 0.5) +
           attribute("fill", map_colour((i + 0.5) / steps, map.diverging)) + "/>\n";
  }
  out += "</g>\n";
  const double right = left + colour_bar_width;
  for (const Tick& tick : scale.ticks) {
    const double y = scale.pixel(tick.value);
    out += line("axis", right, y, right + 4, y);
    out += text_element("tick", right + tick_gap, y + 4, "start", tick.label);
  }
  const std::string title = axis_title(map.colour, scale);
  const double middle = (frame.top + frame.bottom) / 2;
  return title.empty() ? out : out + turned_text(picture.plot.width - padding + 2, middle, title);
}

// The data, cut at the frame: a nested svg clips without an id that could clash on a page.
std::string draw_data(const Picture& picture) {
  const Frame& f = picture.frame;
  const double width = f.right - f.left;
  const double height = f.bottom - f.top;
  std::string out = "<svg class=\"data\"" + attribute("x", f.left) + attribute("y", f.top) +
                    attribute("width", width) + attribute("height", height) +
                    attribute("viewBox", trimmed(f.left, 2) + " " + trimmed(f.top, 2) + " " +
                                             trimmed(width, 2) + " " + trimmed(height, 2)) +
                    " overflow=\"hidden\" preserveAspectRatio=\"none\">\n";
  if (picture.colour) {
    out += draw_heat_map(*picture.plot.heat_map, picture.x, picture.y, *picture.colour);
  }
  out += draw_series(picture.plot, picture.x, picture.y);
  return out + "</svg>\n";
}

std::string svg_head(const Plot& plot) {
  const std::string width = trimmed(plot.width, 2);
  const std::string height = trimmed(plot.height, 2);
  const std::string name = escape(one_line(plot.title));
  const char* kind = plot.equal_aspect ? "jounce-plot jounce-drawing" : "jounce-plot";
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("class", kind) +
                    attribute("width", width) + attribute("height", height) +
                    attribute("viewBox", "0 0 " + width + " " + height) + " role=\"img\"" +
                    attribute("aria-label", name) + ">\n<style>" + std::string(plot_style()) +
                    "</style>\n<rect class=\"surface\" rx=\"8\"" + attribute("width", width) +
                    attribute("height", height) + "/>\n";
  return out;
}

}  // namespace

std::string to_svg(const Plot& plot) {
  check(plot);
  Picture picture = with_scales(plot);
  place_frame(picture);
  if (plot.equal_aspect) equalise(picture);
  place_scales(picture);
  std::string out = svg_head(plot);
  out += draw_title(picture);
  out += draw_legend(picture) + draw_x_axis(picture) + draw_y_axis(picture);
  out += draw_data(picture) + draw_frame_lines(picture);
  out += draw_symbols(plot, picture.x, picture.y);
  out += draw_notes(plot, picture.x, picture.y) + draw_colour_bar(picture);
  return out + "</svg>\n";
}

Svg both_widths(Plot plot) {
  constexpr double narrow = 360;
  std::string wide = to_svg(plot);
  if (plot.width <= narrow) return wide;
  // with an equal aspect about as high for its width, beside what text takes
  const double text = 100, scaled = plot.height * narrow / plot.width + text;
  plot.height = std::min(plot.height, plot.equal_aspect ? std::min(narrow, scaled) : 300.0);
  plot.width = narrow;
  return {std::move(wide), to_svg(plot)};
}

std::string stacked_svg(const std::vector<Plot>& plots) {
  double width = 0, height = 0;
  std::string inside;
  for (const Plot& plot : plots) {
    std::string one = to_svg(plot);
    one.insert(4, attribute("y", height));  // behind "<svg"
    inside += one;
    width = std::max(width, plot.width);
    height += plot.height;
  }
  const std::string size = trimmed(width, 2) + " " + trimmed(height, 2);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("width", width) +
         attribute("height", height) + attribute("viewBox", "0 0 " + size) + " role=\"img\">\n" +
         inside + "</svg>\n";
}

}  // namespace jounce::report
