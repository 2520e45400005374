// SPDX-License-Identifier: BSD-3-Clause
// What calls on Gough-Stewart platforms refuse.
#pragma once

#include <cmath>
#include <jounce/error.hpp>
#include <jounce/stewart/stewart.hpp>
#include <string>

#include "numbers.hpp"

namespace jounce::stewart_detail {

[[noreturn]] inline void refuse(const char* call, const std::string& what) {
  throw InputError(std::string("stewart ") + call + ": " + what);
}

/// Rotations that are off by more than rounding of six printed digits are refused.
inline void check_pose(const char* call, const SE3<double>& T) {
  const auto& [x, y, z] = T.R.m.row;
  const double off = std::abs(dot(x, x) - 1) + std::abs(dot(y, y) - 1) + std::abs(dot(z, z) - 1) +
                     std::abs(dot(x, y)) + std::abs(dot(y, z)) + std::abs(dot(z, x));
  const double size = std::abs(T.p.x) + std::abs(T.p.y) + std::abs(T.p.z);
  if (off < 1e-5 && size < 1e100 && determinant(T.R.m) > 0) return;
  if (!is_finite(x) || !is_finite(y) || !is_finite(z) || !is_finite(T.p))
    refuse(call, "the pose is not finite");
  refuse(call, size < 1e100 ? "the pose's rotation is not a rotation matrix"
                            : "the pose's position is larger than 1e100");
}

inline void check_finite(const char* call, const char* name, const SixNumbers& x) {
  double sum = 0;
  for (const double value : x) sum += 0 * value;
  if (sum != 0) refuse(call, std::string(name) + " are not finite");
}

/// Lengths of legs: positive, finite and not so large that squares overflow.
inline void check_lengths(const char* call, const SixNumbers& L) {
  bool good = true;
  for (const double length : L) good = good && length > 0 && length < 1e100;
  if (good) return;
  for (size_t i = 0; i < 6; ++i)
    if (!(L[i] > 0 && L[i] < 1e100))
      refuse(call, "length " + std::to_string(i + 1) + " is " + short_text(L[i]) +
                       ", it must be positive and below 1e100");
}

inline void check_finite(const char* call, const char* name, const Vec3<double>& a,
                         const Vec3<double>& b) {
  if (!is_finite(a) || !is_finite(b)) refuse(call, std::string(name) + " is not finite");
}

}  // namespace jounce::stewart_detail
