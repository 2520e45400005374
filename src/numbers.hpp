// SPDX-License-Identifier: BSD-3-Clause
// Numbers at the doors: limits that are open, vectors that are not finite, numbers in messages.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <jounce/group/so3.hpp>
#include <limits>
#include <string>

namespace jounce {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

inline bool is_finite(const Vec3<double>& x) {
  return std::isfinite(x.x) && std::isfinite(x.y) && std::isfinite(x.z);
}

/// The largest entry of R R^T - 1, NaN where R is not finite. Up to 1e-6 is rounding of a file.
inline double rotation_defect(const SO3<double>& R) {
  const Mat3<double> defect = R.m * transpose(R.m) - Mat3<double>::identity();
  double worst = 0;
  for (const Vec3<double>& row : defect.row)
    for (const double x : {row.x, row.y, row.z})
      worst = std::isnan(x) ? x : std::max(worst, std::abs(x));
  return worst;
}
/// Orthogonal and no reflection.
inline bool is_rotation(const SO3<double>& R) {
  return rotation_defect(R) <= 1e-6 && determinant(R.m) > 0;
}

inline std::string short_text(double x) {
  char text[32];
  std::snprintf(text, sizeof(text), "%g", x);
  return text;
}
inline std::string short_text(const Vec3<double>& a) {
  return "(" + short_text(a.x) + "," + short_text(a.y) + "," + short_text(a.z) + ")";
}

}  // namespace jounce
