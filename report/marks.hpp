// SPDX-License-Identifier: BSD-3-Clause
// What a plot draws in data coordinates: series, heat map, notes, and the pieces of SVG they share.
#pragma once

#include <string>
#include <string_view>

#include "report/axes.hpp"
#include "report/plot.hpp"

namespace jounce::report {

/// An SVG attribute, with a space before it.
std::string attribute(std::string_view name, double value);
std::string attribute(std::string_view name, std::string_view value);

/// A text element; the text is escaped.
std::string text_element(std::string_view kind, double x, double y, std::string_view anchor,
                         std::string_view text);

/// Class names that give the series at this place its colour.
std::string colour_class(const Series& series, std::size_t place);

/// Range of the finite values of a heat map, positive ones for a log colour axis.
std::optional<Range> value_range(const HeatMap& map);

/// Edges of a heat map in data coordinates.
Range x_edges(const HeatMap& map);
Range y_edges(const HeatMap& map);

/// The symbol of the series at this place, around a pixel.
std::string symbol(std::size_t place, double x, double y);

/// Lines, segments and bars, which may leave the frame.
std::string draw_series(const Plot& plot, const Scale& x, const Scale& y);

/// The symbols of series inside the frame, whole also at its edge.
std::string draw_symbols(const Plot& plot, const Scale& x, const Scale& y);

std::string draw_heat_map(const HeatMap& map, const Scale& x, const Scale& y, const Scale& colour);
std::string draw_notes(const Plot& plot, const Scale& x, const Scale& y);

}  // namespace jounce::report
