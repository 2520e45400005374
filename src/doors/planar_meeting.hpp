// SPDX-License-Identifier: BSD-3-Clause
// Bars in a plane, and where they meet.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace jounce {

struct Point {
  double x = 0, y = 0;
};
inline Point operator-(const Point& a, const Point& b) { return {a.x - b.x, a.y - b.y}; }
inline double dot(const Point& a, const Point& b) { return a.x * b.x + a.y * b.y; }
inline double length(const Point& a) { return std::hypot(a.x, a.y); }
/// From a to b, anticlockwise.
inline double angle(const Point& a, const Point& b) {
  return std::atan2(a.x * b.y - a.y * b.x, dot(a, b));
}

/// A joint on the way of a loop, seen along the hinge that closes it: a parallel hinge, or a slide
/// across.
struct PlanarJoint {
  bool slides = false;
  Point at;                ///< pivot of a hinge
  Point along;             ///< unit vector of a slide
  double sign = 1;         ///< of a hinge's axis
  int v = 0;               ///< its coordinate
  bool ends_at_2 = false;  ///< whether its child leads to frame 2 of the loop
};
/// How far it moves a point of its outer piece to another.
inline double way_of(const PlanarJoint& joint, const Point& from, const Point& to) {
  if (joint.slides) return dot(to - from, joint.along);
  return joint.sign * angle(from - joint.at, to - joint.at);
}

struct Meeting {
  double discriminant = 0;
  int count = 0;
  Point at[2];
};
/// How often, where the discriminant is a difference of terms of this size.
inline int meetings(double discriminant, double terms) {
  const double rounding = 1e-15 * terms;
  return discriminant > rounding ? 2 : discriminant >= -rounding ? 1 : 0;
}

/// Bars of the lengths r and s from P and Q.
inline Meeting meet(const Point& P, double r, const Point& Q, double s) {
  const Point d = Q - P;
  const double dd = dot(d, d), k = (dd + r * r - s * s) / (2 * dd);
  if (!(dd > 0)) return {-std::numeric_limits<double>::infinity(), 0, {}};  // one pivot
  Meeting found{r * r / dd - k * k, 0, {}};
  found.count = meetings(found.discriminant, r * r / dd + k * k);
  const double h = std::sqrt(std::max(found.discriminant, 0.0));
  for (int i = 0; i < 2; ++i) {
    const double side = i == 0 ? h : -h;
    found.at[i] = {P.x + k * d.x - side * d.y, P.y + k * d.y + side * d.x};
  }
  return found;
}
/// A bar of length r from P, and the line through Q along the unit vector u: with h the distance of
/// P from it the discriminant is 1 - h^2 / r^2.
inline Meeting meet_line(const Point& P, double r, const Point& Q, const Point& u) {
  if (!(r > 0)) return {-std::numeric_limits<double>::infinity(), 0, {}};
  const Point w = Q - P;
  const double b = dot(w, u), h = (w.x * u.y - w.y * u.x) / r;
  Meeting found{1 - h * h, 0, {}};
  found.count = meetings(found.discriminant, 1 + h * h);
  const double half = r * std::sqrt(std::max(found.discriminant, 0.0));
  for (int i = 0; i < 2; ++i) {
    const double t = -b + (i == 0 ? half : -half);
    found.at[i] = {Q.x + t * u.x, Q.y + t * u.y};
  }
  return found;
}

}  // namespace jounce
