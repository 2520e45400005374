// SPDX-License-Identifier: BSD-3-Clause
// The functions of a clamped quintic B-spline that are not zero at a time.
#pragma once

#include <jounce/minimum_motion.hpp>

namespace jounce {

struct SplineBasis {
  static constexpr int degree = 5;

  /// At t in [0, 1], with derivatives by t of orders below `orders`, of `points` functions.
  SplineBasis(int points, double t, int orders);
  static double knot(int points, int i);
  /// Where control point i stands on a straight line of constant speed.
  static double greville(int points, int i);

  int first;                               ///< of the six
  double value[degree + 1][degree + 1]{};  ///< [order][function]
};

}  // namespace jounce
