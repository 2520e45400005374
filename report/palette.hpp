// SPDX-License-Identifier: BSD-3-Clause
// Colours of reports: style sheet of plots and colour maps, safe for colour-blind readers.
#pragma once

#include <string>
#include <string_view>

namespace jounce::report {

/// Number of colours for series; classes c0, c1, ... of the style sheet.
inline constexpr int series_colours = 8;

/// The style element's content of every plot, for light and dark pages.
std::string_view plot_style();

/// Colour "#rrggbb" at share 0..1 of the sequential (viridis) or the diverging (blue-red) map.
std::string map_colour(double share, bool diverging);

}  // namespace jounce::report
