// SPDX-License-Identifier: BSD-3-Clause
// Mechanisms drawn closed: bars, where loops are cut, and the forces there.
#pragma once

#include <jounce/group/se3.hpp>

#include "report/plot.hpp"

namespace jounce::app {

/// A picture under way: linkages in the plane of x and z from the side, others from the front left.
struct LoopDrawing {
  bool planar;
  report::Series bars{.name = "", .mark = report::Mark::segments, .width = 3};
  report::Series cuts{.name = "where loops are cut", .mark = report::Mark::scatter, .colour = 2};
  report::Series forces{
      .name = "force on the second link", .mark = report::Mark::segments, .colour = 1};

  Vec3<double> seen(const Vec3<double>& p) const {
    if (planar) return {p.x, p.z, 0};
    return {0.94 * p.y - 0.34 * p.x, p.z - 0.25 * p.x - 0.1 * p.y, 0};
  }
  static void point(report::Series& to, const Vec3<double>& p) {
    to.x.push_back(p.x);
    to.y.push_back(p.y);
  }
  void bar(const Vec3<double>& a, const Vec3<double>& b) {
    point(bars, seen(a)), point(bars, seen(b));
  }
  void arrow(const Vec3<double>& from, const Vec3<double>& way) {
    const Vec3<double> foot = seen(from), along = seen(way), tip = foot + along;
    const Vec3<double> side{-along.y, along.x, 0};
    point(forces, foot), point(forces, tip);
    for (const double s : {-0.1, 0.1})
      point(forces, tip), point(forces, tip - along * 0.2 + side * s);
  }
};

}  // namespace jounce::app
