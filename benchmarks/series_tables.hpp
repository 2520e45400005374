// SPDX-License-Identifier: BSD-3-Clause
// The tables of the dynamics of higher order: time against order and size, fits, other ways.
#pragma once

#include <utility>
#include <vector>

#include "report/page.hpp"

namespace jounce::bench {

struct SeriesFigures {
  std::vector<report::Table> tables;
  std::vector<std::pair<double, double>> inverse, forward, hybrid;  ///< order, ns
  std::vector<std::pair<double, double>> nested;  ///< inverse by nested dual numbers
  std::vector<std::pair<double, double>> inverse_of_size, forward_of_size;
};

/// Where the columns that are not of this run come from.
inline constexpr const char* series_sources =
    "Columns with * are not of this run. \"authors\": the public C++ code of Ali, Gabellieri, "
    "Franchi "
    "(github.com/ahmed11406/Dynamics); \"CasADi\": nested jtimes, as in their section 7. Both were "
    "run once on the same tree on an Intel Ice Lake Xeon at 2.8 GHz.";

/// Measures for some seconds.
SeriesFigures series_figures();

}  // namespace jounce::bench
