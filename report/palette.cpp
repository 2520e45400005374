// SPDX-License-Identifier: BSD-3-Clause
// Colours of reports: style sheet of plots and colour maps, safe for colour-blind readers.
// Series colours follow M. Okabe and K. Ito, Color Universal Design (2008), adjusted in lightness
// for contrast on either background. A plain colour before each var() serves simple renderers.
#include "report/palette.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace jounce::report {
namespace {

constexpr std::string_view plot_css = R"(
.jounce-plot{--surface:#ffffff;--ink:#1c2430;--muted:#5a6573;--grid:#e7eaee;--axis:#98a2af;
--c0:#0072b2;--c1:#d55e00;--c2:#00936b;--c3:#b4559b;--c4:#b98900;--c5:#2a9fd6;--c6:#7a4a1d;
--c7:#606a78;font-size:12px;
font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
@media (prefers-color-scheme:dark){
.jounce-plot{--surface:#171c23;--ink:#e8ebef;--muted:#a0abb8;--grid:#2a323c;--axis:#66717f;
--c0:#4fb0ea;--c1:#ff8547;--c2:#3ecb9c;--c3:#e393cb;--c4:#edc14a;--c5:#9fdcff;--c6:#c8966a;
--c7:#a9b3bf}}
.jounce-plot .surface{fill:#fff;fill:var(--surface)}
.jounce-plot .title{font-size:15px;font-weight:600;fill:#1c2430;fill:var(--ink)}
.jounce-plot .label,.jounce-plot .note{fill:#1c2430;fill:var(--ink)}
.jounce-plot .tick{font-size:11px;fill:#5a6573;fill:var(--muted);font-variant-numeric:tabular-nums}
.jounce-plot .note{font-size:11px;paint-order:stroke;stroke:#fff;
stroke:var(--surface);stroke-width:3px}
.jounce-plot .grid{stroke:#e7eaee;stroke:var(--grid);fill:none}
.jounce-plot .axis{stroke:#98a2af;stroke:var(--axis);fill:none}
.jounce-plot .line{fill:none;stroke:currentColor;stroke-linecap:round;stroke-linejoin:round}
.jounce-plot .dot{fill:currentColor;stroke:#fff;stroke:var(--surface);stroke-width:.8px}
.jounce-plot .bar{fill:currentColor}
.jounce-plot .cells{shape-rendering:crispEdges}
.jounce-plot .c0{color:#0072b2;color:var(--c0)}
.jounce-plot .c1{color:#d55e00;color:var(--c1)}
.jounce-plot .c2{color:#00936b;color:var(--c2)}
.jounce-plot .c3{color:#b4559b;color:var(--c3)}
.jounce-plot .c4{color:#b98900;color:var(--c4)}
.jounce-plot .c5{color:#2a9fd6;color:var(--c5)}
.jounce-plot .c6{color:#7a4a1d;color:var(--c6)}
.jounce-plot .c7{color:#606a78;color:var(--c7)}
)";

using Colour = std::array<double, 3>;
using ColourMap = std::array<Colour, 9>;

constexpr ColourMap sequential_map{{{68, 1, 84},
                                    {71, 44, 122},
                                    {59, 81, 139},
                                    {44, 113, 142},
                                    {33, 144, 141},
                                    {39, 173, 129},
                                    {92, 200, 99},
                                    {170, 220, 50},
                                    {253, 231, 37}}};

constexpr ColourMap diverging_map{{{33, 102, 172},
                                   {67, 147, 195},
                                   {146, 197, 222},
                                   {209, 229, 240},
                                   {247, 247, 247},
                                   {253, 219, 199},
                                   {244, 165, 130},
                                   {214, 96, 77},
                                   {178, 24, 43}}};

}  // namespace

std::string_view plot_style() { return plot_css; }

std::string map_colour(double share, bool diverging) {
  constexpr std::string_view digits = "0123456789abcdef";
  const ColourMap& map = diverging ? diverging_map : sequential_map;
  const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(map.size() - 1);
  const std::size_t low = std::min(static_cast<std::size_t>(place), map.size() - 2);
  const double rest = place - static_cast<double>(low);
  std::string out = "#";
  for (std::size_t i = 0; i < 3; ++i) {
    const double mix = map[low][i] + rest * (map[low + 1][i] - map[low][i]);
    const auto byte = static_cast<std::size_t>(std::lround(mix));
    out += digits[byte / 16];
    out += digits[byte % 16];
  }
  return out;
}

}  // namespace jounce::report
