// SPDX-License-Identifier: BSD-3-Clause
// All complex solutions of a platform's equations in Study coordinates.
#pragma once

#include <vector>

#include "stewart/start_system.hpp"
#include "stewart/tracker.hpp"

namespace jounce::stewart_detail {

struct Root {
  Complex<double> x[unknowns];  ///< of unit length
  bool multiple = false;        ///< Newton's method is slow here
};

struct RootSearch {
  std::vector<Root> roots;
  int infinite = 0;   ///< paths that end at e.e = 0
  int multiple = 0;   ///< paths that end where others do
  int lost = 0;       ///< paths without an end
  int retracked = 0;  ///< paths followed a second time with tighter tolerances
  int gammas = 0;     ///< runs from the start system
  /// In every run most paths were hard to follow: roots may form curves or surfaces, on which paths
  /// end anywhere. The platform then moves with locked legs.
  bool doubtful = false;
};

/// Follows all paths from the start system to `member` (of its family), and on to the target, which
/// differs little from it; the numbers of both are real. Paths that fail or meet are followed again
/// with tighter tolerances, and everything with another gamma as long as a path is unexplained.
RootSearch find_roots(const StartSystem& start, const Leg<Complex<double>>* member,
                      const Leg<Complex<double>>* target, const TrackOptions& options,
                      int max_gammas);

}  // namespace jounce::stewart_detail
