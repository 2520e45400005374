// SPDX-License-Identifier: BSD-3-Clause
// Tests of the SVG plots: pixels read back from the picture, bad data and bad input.
#include "report/plot.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <locale>
#include <map>
#include <stdexcept>

#include "report/text.hpp"
#include "xml.hpp"

namespace jounce::report {
namespace {

using testing::Element;
using testing::read_xml;
using testing::Xml;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

double number(std::string_view text) {
  double value = nan;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  EXPECT_TRUE(error == std::errc() && end == text.data() + text.size()) << "'" << text << "'";
  return value;
}

double at(const Element& element, const std::string& name) {
  return number(element.attributes.at(name));
}

// The numbers of a path, without its letters.
std::vector<double> numbers_of(std::string path) {
  std::vector<double> out;
  for (char& c : path) {
    if (c == 'M' || c == 'L' || c == 'H' || c == 'V' || c == 'z') c = ' ';
  }
  for (std::size_t start = 0; (start = path.find_first_not_of(' ', start)) != path.npos;) {
    const std::size_t end = std::min(path.find(' ', start), path.size());
    out.push_back(number(std::string_view(path).substr(start, end - start)));
    start = end;
  }
  return out;
}

Xml drawn(const Plot& plot) {
  const std::string svg = to_svg(plot);
  Xml xml = read_xml(svg);
  EXPECT_EQ(xml.error, "");
  for (const Element& element : xml.elements) {
    for (const auto& [name, value] : element.attributes) {
      if (name == "aria-label" || name == "xmlns") continue;
      EXPECT_EQ(value.find("nan"), value.npos) << element.name << " " << name << "=" << value;
      EXPECT_EQ(value.find("inf"), value.npos) << element.name << " " << name << "=" << value;
    }
  }
  return xml;
}

std::string message_of(const Plot& plot) {
  try {
    to_svg(plot);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "nothing was thrown";
}

// Labels of ticks: minus sign, powers of ten, plain numbers.
double tick_value(std::string text) {
  const std::string minus = "−";
  if (text.starts_with(minus)) text.replace(0, minus.size(), "-");
  for (int k = -320; k <= 320; ++k) {
    if (text == "10" + superscript(k)) return std::pow(10, k);
  }
  return number(text);
}

// The line through (pixel, value) of the ticks along x or y, found from the picture alone.
struct Ruler {
  double slope = 0;
  double offset = 0;
  double value(double pixel) const { return slope * pixel + offset; }
};

Ruler ruler(const Xml& xml, bool along_x, bool log) {
  std::vector<std::pair<double, double>> ticks;
  for (const Element& element : xml.with("text", "tick")) {
    if ((element.attributes.at("text-anchor") == "middle") != along_x) continue;
    const double value = tick_value(element.text);
    const double pixel = along_x ? at(element, "x") : at(element, "y") - 4;
    ticks.emplace_back(pixel, log ? std::log10(value) : value);
  }
  EXPECT_GE(ticks.size(), 2U);
  const auto [p0, v0] = ticks.front();
  const auto [p1, v1] = ticks.back();
  EXPECT_GT(std::abs(p1 - p0), 20);
  const double slope = (v1 - v0) / (p1 - p0);
  for (const auto& [pixel, value] : ticks) {
    EXPECT_NEAR(pixel, p0 + (value - v0) / slope, 0.02);
  }
  return {slope, v0 - slope * p0};
}

TEST(Plot, PutsPointsWhereTheTicksSay) {
  const std::vector<double> x{-3, 0.5, 2, 7.25};
  const std::vector<double> y{12, -4.5, 0, 31};
  const Xml xml = drawn({.series = {{.x = x, .y = y}}});
  const Ruler rx = ruler(xml, true, false);
  const Ruler ry = ruler(xml, false, false);
  const std::vector<Element> lines = xml.with("path", "line");
  ASSERT_EQ(lines.size(), 1U);
  const std::vector<double> path = numbers_of(lines[0].attributes.at("d"));
  ASSERT_EQ(path.size(), 8U);
  for (std::size_t i = 0; i < 4; ++i) {  // lines have tenths of a pixel, axes hundredths
    EXPECT_NEAR(rx.value(path[2 * i]), x[i], 0.06 * std::abs(rx.slope));
    EXPECT_NEAR(ry.value(path[2 * i + 1]), y[i], 0.06 * std::abs(ry.slope));
  }
  EXPECT_GT(rx.slope, 0);
  EXPECT_LT(ry.slope, 0);  // up is positive
}

TEST(Plot, PutsPointsOnLogAxesWhereTheTicksSay) {
  const std::vector<double> x{1e-4, 3e-3, 0.2};
  const std::vector<double> y{2e-9, 5e3, 1e-2};
  const Xml xml = drawn({.x = {.log = true},
                         .y = {.log = true},
                         .series = {{.x = x, .y = y, .mark = Mark::scatter}}});
  const Ruler rx = ruler(xml, true, true);
  const Ruler ry = ruler(xml, false, true);
  const std::vector<Element> dots = xml.with("circle", "dot");
  ASSERT_EQ(dots.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(rx.value(at(dots[i], "cx")), std::log10(x[i]), 0.02 * std::abs(rx.slope));
    EXPECT_NEAR(ry.value(at(dots[i], "cy")), std::log10(y[i]), 0.02 * std::abs(ry.slope));
  }
}

TEST(Plot, ReversedAxesGrowTheOtherWay) {
  const Xml xml = drawn(
      {.x = {.reversed = true}, .y = {.reversed = true}, .series = {{.x = {0, 1}, .y = {0, 1}}}});
  EXPECT_LT(ruler(xml, true, false).slope, 0);
  EXPECT_GT(ruler(xml, false, false).slope, 0);
}

TEST(Plot, EqualAspectMakesOneUnitEquallyLong) {
  for (const double height : {200.0, 420.0, 1600.0}) {
    const Xml xml =
        drawn({.series = {{.x = {0, 10}, .y = {-1, 1}}}, .equal_aspect = true, .height = height});
    const Ruler rx = ruler(xml, true, false);
    const Ruler ry = ruler(xml, false, false);
    EXPECT_NEAR(rx.slope, -ry.slope, 1e-3 * rx.slope);
    const Element frame = xml.with("svg", "data").at(0);
    EXPECT_NEAR(rx.value(at(frame, "x") + at(frame, "width") / 2), 5, 0.05);
    EXPECT_NEAR(ry.value(at(frame, "y") + at(frame, "height") / 2), 0, 0.05);
  }
}

TEST(Plot, ExplicitRangesAreKeptAndOutsideSymbolsLeftOut) {
  const Xml xml = drawn({.x = {.range = Range{0, 4}},
                         .y = {.range = Range{0, 4}},
                         .series = {{.x = {1, 2, 9}, .y = {1, 9, 1}, .mark = Mark::scatter}}});
  ASSERT_EQ(xml.with("circle", "dot").size(), 1U);
  const Element frame = xml.with("svg", "data").at(0);
  const Ruler rx = ruler(xml, true, false);
  EXPECT_NEAR(rx.value(at(frame, "x")), 0, 0.01);
  EXPECT_NEAR(rx.value(at(frame, "x") + at(frame, "width")), 4, 0.01);
}

TEST(Plot, BreaksLinesAtPointsThatAreNotFinite) {
  const Series series{.x = {0, 1, 2, 3, infinite, 5, 6}, .y = {0, 1, nan, 3, 4, -infinite, 6}};
  const std::string d = drawn({.series = {series}}).with("path", "line").at(0).attributes.at("d");
  EXPECT_EQ(std::count(d.begin(), d.end(), 'M'), 3);  // 0-1, then 3 alone, then 6 alone
  EXPECT_EQ(std::count(d.begin(), d.end(), 'L'), 1);
  EXPECT_EQ(std::count(d.begin(), d.end(), 'h'), 2);
}

TEST(Plot, LeavesOutWhatALogAxisCannotShow) {
  const Xml xml =
      drawn({.y = {.log = true},
             .series = {{.x = {0, 1, 2, 3}, .y = {1, 0, -5, 10}, .mark = Mark::scatter}}});
  EXPECT_EQ(xml.with("circle", "dot").size(), 2U);
}

TEST(Plot, SegmentsJoinPairsAndSkipBrokenOnes) {
  const Series series{.x = {0, 1, 2, 3, 4, 5}, .y = {0, 1, nan, 1, 0, 1}, .mark = Mark::segments};
  const std::string d = drawn({.series = {series}}).with("path", "line").at(0).attributes.at("d");
  EXPECT_EQ(std::count(d.begin(), d.end(), 'M'), 2);
  EXPECT_EQ(std::count(d.begin(), d.end(), 'L'), 2);
}

TEST(Plot, BarsStandOnZeroSideBySide) {
  const Xml xml = drawn({.series = {{.x = {0, 1}, .y = {2, -4}, .mark = Mark::bar},
                                    {.x = {0, 1}, .y = {1, nan}, .mark = Mark::bar}}});
  const std::vector<Element> bars = xml.with("rect", "bar");
  ASSERT_EQ(bars.size(), 3U);
  const Ruler ry = ruler(xml, false, false);
  EXPECT_NEAR(ry.value(at(bars[0], "y")), 2, 0.05);
  EXPECT_NEAR(ry.value(at(bars[0], "y") + at(bars[0], "height")), 0, 0.05);
  EXPECT_NEAR(ry.value(at(bars[1], "y")), 0, 0.05);
  EXPECT_NEAR(ry.value(at(bars[1], "y") + at(bars[1], "height")), -4, 0.05);
  EXPECT_GE(at(bars[2], "x"), at(bars[0], "x") + at(bars[0], "width"));
  EXPECT_LE(at(bars[2], "x") + at(bars[2], "width"), at(bars[1], "x"));
}

TEST(Plot, HeatMapCellsLieInTheirPlaceWithTheirColour) {
  const HeatMap map{.rows = 2,
                    .columns = 3,
                    .values = {0, 1, 2, nan, 4, 8},
                    .x = Range{0, 6},
                    .y = Range{10, 30}};
  const std::string svg = to_svg({.heat_map = map});
  const Xml xml = drawn({.heat_map = map});
  std::map<std::string, std::vector<double>> cells;
  for (const Element& e : xml.elements) {
    if (e.name == "path" && e.attributes.contains("fill")) {
      cells[e.attributes.at("fill")] = numbers_of(e.attributes.at("d"));
    }
  }
  EXPECT_EQ(cells.size(), 5U);  // the NaN is left out
  const Element frame = xml.with("svg", "data").at(0);
  const double left = at(frame, "x");
  const double bottom = at(frame, "y") + at(frame, "height");
  const std::vector<double> first = cells.at("#440154");  // the lowest of viridis
  ASSERT_EQ(first.size(), 5U);                            // M x y H x V y H x
  EXPECT_NEAR(first[0], left, 0.02);
  EXPECT_NEAR(first[1], bottom, 0.02);
  EXPECT_NEAR(first[2], left + at(frame, "width") / 3, 0.02);
  EXPECT_NEAR(first[3], bottom - at(frame, "height") / 2, 0.02);
  const std::vector<double> last = cells.at("#fde725");  // the highest
  EXPECT_NEAR(last[2], left + at(frame, "width"), 0.02);
  EXPECT_NEAR(last[3], at(frame, "y"), 0.02);
}

TEST(Plot, ThinsLongLinesWithoutLosingExtremes) {
  Series series;
  for (int i = 0; i < 200000; ++i) {
    series.x.push_back(i);
    series.y.push_back(i == 123456 ? 50 : i == 34567 ? -30 : std::sin(i * 0.37));
  }
  const Plot plot{.series = {series}};
  EXPECT_LT(to_svg(plot).size(), 100000U);
  const Xml xml = drawn(plot);
  const Ruler ry = ruler(xml, false, false);
  const auto path = numbers_of(xml.with("path", "line").at(0).attributes.at("d"));
  double low = infinite;
  double high = -infinite;
  for (std::size_t i = 1; i < path.size(); i += 2) {
    low = std::min(low, ry.value(path[i]));
    high = std::max(high, ry.value(path[i]));
  }
  EXPECT_NEAR(high, 50, 0.01);
  EXPECT_NEAR(low, -30, 0.01);
}

TEST(Plot, IsSaneForEmptyConstantAndExtremeData) {
  const std::vector<std::vector<double>> cases{{},
                                               {0, 0},
                                               {5, 5},
                                               {-3e-7, -3e-7},
                                               {nan, nan},
                                               {infinite, -infinite},
                                               {1e308, 0},
                                               {1e308, -1e308},
                                               {5e-324, 0},
                                               {1e-310, 1e-310},
                                               {1e300, 1e300},
                                               {1, 1 + 1e-15},
                                               {1e6, 1e6 + 1e-3}};
  for (const auto& values : cases) {
    for (const Mark mark : {Mark::line, Mark::scatter, Mark::segments, Mark::bar}) {
      const Xml xml = drawn({.series = {{.x = values, .y = values, .mark = mark}}});
      EXPECT_GE(xml.with("text", "tick").size(), 4U);
      EXPECT_LE(xml.with("text", "tick").size(), 40U);
    }
    drawn({.heat_map = HeatMap{.rows = 1, .columns = values.size(), .values = values}});
  }
  drawn({});
  drawn({.x = {.log = true}, .y = {.log = true}});
  drawn({.y = {.log = true}, .series = {{.x = {1, 2}, .y = {5e-324, 1e308}}}});
  drawn({.x = {.log = true}, .series = {{.x = {7}, .y = {7}, .mark = Mark::bar}}});
  drawn({.heat_map = HeatMap{}, .equal_aspect = true});
}

TEST(Plot, EscapesAllText) {
  const std::string evil = "<b>&\"'\x01\xff\n";
  const Plot plot{.title = evil,
                  .x = {.label = evil, .unit = evil, .categories = {evil, evil}},
                  .y = {.label = evil},
                  .series = {{.name = evil, .x = {0}, .y = {1}, .mark = Mark::bar}},
                  .notes = {{0, 0, evil}, {nan, 0, "never shown"}}};
  const Xml xml = drawn(plot);
  EXPECT_EQ(xml.with("text", "title").at(0).text, "&lt;b&gt;&amp;&quot;&#39;\uFFFD\uFFFD");
  EXPECT_EQ(to_svg(plot).find("never shown"), std::string::npos);
}

TEST(Plot, LongTitlesTakeSeveralLines) {
  const Series line{.name = "line", .x = {0, 1}, .y = {0, 1}};
  const Plot plot{.title = "Torque derivatives to order 3, far from the inertial origin",
                  .series = {line},
                  .width = 360,
                  .height = 300};
  const Xml xml = drawn(plot);
  const std::vector<Element> titles = xml.with("text", "title");
  ASSERT_EQ(titles.size(), 2U);
  EXPECT_EQ(titles[0].text + " " + titles[1].text, plot.title);
  for (const Element& one : titles)  // nine pixels a letter: as wide as the usual fonts are
    EXPECT_LE(at(one, "x") + 9 * static_cast<double>(columns(one.text)), 360 - 16);
  EXPECT_LT(at(titles[1], "y"), at(xml.with("text", "label").at(0), "y"));  // the legend's
  const Xml wide = drawn({.title = plot.title, .series = {line}});
  EXPECT_EQ(wide.with("text", "title").size(), 1U);
}

TEST(Plot, ShowsLabelUnitAndLegend) {
  const Xml xml = drawn({.title = "Torque",
                         .x = {.label = "time", .unit = "s"},
                         .y = {.label = "torque", .unit = "N m"},
                         .series = {{.name = "elbow", .x = {0, 1}, .y = {0, 2e-6}}}});
  std::vector<std::string> labels;
  for (const Element& e : xml.with("text", "label")) labels.push_back(e.text);
  const std::vector<std::string> expected{"elbow", "time [s]", "torque [10⁻⁶ N m]"};
  EXPECT_EQ(labels, expected);
}

struct CommaPoint : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
};

TEST(Plot, GivesEqualBytesInAnyLocale) {
  const Plot plot{.series = {{.x = {0.5, 1234.5}, .y = {0.25, 3.75}}}};
  const std::string before = to_svg(plot);
  const std::locale old = std::locale::global(std::locale(std::locale(), new CommaPoint));
  const std::string after = to_svg(plot);
  std::locale::global(old);
  EXPECT_EQ(before, after);
}

TEST(Plot, SuitsDarkPages) {
  const std::string svg = to_svg({});
  EXPECT_NE(svg.find("@media (prefers-color-scheme:dark)"), std::string::npos);
  EXPECT_NE(svg.find("var(--ink)"), std::string::npos);
  EXPECT_EQ(svg.find(" id="), std::string::npos);  // several plots share one page
}

TEST(PlotErrors, SayWhatWasFoundAndNeeded) {
  EXPECT_EQ(message_of({.title = "E", .series = {{}, {.name = "rk4", .x = {1, 2}, .y = {1}}}}),
            "to_svg: plot \"E\", series 1 \"rk4\": y has 1 elements, needs 2 as x has");
  EXPECT_EQ(message_of({.series = {{.x = {1}, .y = {1}, .mark = Mark::segments}}}),
            "to_svg: plot \"\", series 0 \"\": segments have 1 points, need an even number");
  EXPECT_EQ(message_of({.title = "E", .series = {{.name = "s", .width = nan}}}),
            "to_svg: plot \"E\", series 0 \"s\": width is nan, needs 0 < width <= 16384");
  EXPECT_EQ(message_of({.title = "M", .heat_map = HeatMap{.rows = 2, .columns = 3, .values = {1}}}),
            "to_svg: plot \"M\", heat map: values has 1 elements, needs 2 rows x 3 columns");
  EXPECT_EQ(message_of({.title = "E", .width = 10, .height = nan}),
            "to_svg: plot \"E\": size is 10 x nan, needs 160 x 120 to 16384 x 16384");
}

TEST(PlotErrors, NameTheAxis) {
  EXPECT_EQ(
      message_of(
          {.title = "E", .y = {.log = true}, .series = {{.x = {1, 2, 3}, .y = {-1, 0, nan}}}}),
      "to_svg: plot \"E\", y axis: log with 2 values, none positive, needs at least one");
  EXPECT_EQ(message_of({.title = "E", .x = {.log = true}, .series = {{.x = {0}, .y = {1}}}}),
            "to_svg: plot \"E\", x axis: log with 1 values, none positive, needs at least one");
  EXPECT_EQ(message_of({.title = "E", .x = {.range = Range{2, 1}}}),
            "to_svg: plot \"E\", x axis: range is [2, 1], needs finite min < max");
  EXPECT_EQ(message_of({.title = "E", .y = {.range = Range{0, infinite}}}),
            "to_svg: plot \"E\", y axis: range is [0, inf], needs finite min < max");
  EXPECT_EQ(message_of({.title = "E", .y = {.log = true, .range = Range{0, 1}}}),
            "to_svg: plot \"E\", y axis: range is [0, 1], needs min > 0 on a log axis");
  EXPECT_EQ(message_of({.title = "E", .x = {.log = true, .categories = {"a"}}}),
            "to_svg: plot \"E\", x axis: log with 1 categories, needs a linear axis");
  EXPECT_EQ(message_of({.title = "E", .x = {.log = true}, .equal_aspect = true}),
            "to_svg: plot \"E\", x axis: log with equal aspect, needs a linear axis");
}

TEST(PlotErrors, NameTheHeatMap) {
  HeatMap map{.rows = 1, .columns = 1, .values = {-1}, .colour = {.log = true}};
  EXPECT_EQ(
      message_of({.title = "M", .heat_map = map}),
      "to_svg: plot \"M\", colour axis: log with 1 values, none positive, needs at least one");
  map.values = {1};
  map.diverging = true;
  EXPECT_EQ(message_of({.title = "M", .heat_map = map}),
            "to_svg: plot \"M\", colour axis: log with diverging colours, needs a linear axis");
  map.diverging = false;
  EXPECT_EQ(message_of({.title = "M", .x = {.log = true}, .heat_map = map}),
            "to_svg: plot \"M\", heat map x edges: range is [-0.5, 0.5], needs min > 0 on a log "
            "axis");
  map.y = Range{nan, 1};
  EXPECT_EQ(message_of({.title = "M", .heat_map = map}),
            "to_svg: plot \"M\", heat map y edges: range is [nan, 1], needs finite min < max");
}

}  // namespace
}  // namespace jounce::report
