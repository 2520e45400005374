// SPDX-License-Identifier: BSD-3-Clause
// Numbers at the doors: limits that are open, vectors that are not finite, numbers in messages.
#pragma once

#include <cmath>
#include <cstdio>
#include <jounce/group/vec3.hpp>
#include <limits>
#include <string>

namespace jounce {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

inline bool is_finite(const Vec3<double>& x) {
  return std::isfinite(x.x) && std::isfinite(x.y) && std::isfinite(x.z);
}

inline std::string short_text(double x) {
  char text[32];
  std::snprintf(text, sizeof(text), "%g", x);
  return text;
}

}  // namespace jounce
