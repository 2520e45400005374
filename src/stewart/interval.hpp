// SPDX-License-Identifier: BSD-3-Clause
// Intervals that contain the exact result of every operation, whatever the rounding mode.
//
// Each bound is computed in round-to-nearest and then moved outward by at least one unit in the
// last place: the distance from x to its neighbour is at most 2^-52 |x|, or 2^-1074 near zero.
// A NaN bound makes every test below fail, so nothing is proved with it.
#pragma once

#include <algorithm>
#include <cmath>

namespace jounce::stewart_detail {

inline double below(double x) { return x - (std::abs(x) * 0x1p-52 + 0x1p-1074); }
inline double above(double x) { return x + (std::abs(x) * 0x1p-52 + 0x1p-1074); }

struct Interval {
  double lower = 0, upper = 0;

  Interval() = default;
  Interval(double x) : lower(x), upper(x) {}  // NOLINT: a number is an interval
  Interval(double a, double b) : lower(a), upper(b) {}

  Interval& operator+=(const Interval& b) {
    lower = below(lower + b.lower);
    upper = above(upper + b.upper);
    return *this;
  }
  Interval& operator-=(const Interval& b) {
    const double a = lower;
    lower = below(a - b.upper);
    upper = above(upper - b.lower);
    return *this;
  }
  friend Interval operator+(Interval a, const Interval& b) { return a += b; }
  friend Interval operator-(Interval a, const Interval& b) { return a -= b; }
  friend Interval operator-(const Interval& a) { return {-a.upper, -a.lower}; }
  friend Interval operator*(const Interval& a, const Interval& b) {
    const double p[4] = {a.lower * b.lower, a.lower * b.upper, a.upper * b.lower,
                         a.upper * b.upper};
    const double least = std::min(std::min(p[0], p[1]), std::min(p[2], p[3]));
    const double most = std::max(std::max(p[0], p[1]), std::max(p[2], p[3]));
    const double any = p[0] + p[1] + p[2] + p[3];  // min and max may drop a NaN
    return {std::isnan(any) ? any : below(least), std::isnan(any) ? any : above(most)};
  }

  /// The largest |x| of its numbers.
  double magnitude() const { return std::max(std::abs(lower), std::abs(upper)); }
  bool contains(double x) const { return lower <= x && x <= upper; }
  /// Whether a lies in the interior of this interval.
  bool encloses(const Interval& a) const { return lower < a.lower && a.upper < upper; }
};

/// [x - r, x + r].
inline Interval around(double x, double r) { return {below(x - r), above(x + r)}; }

}  // namespace jounce::stewart_detail
