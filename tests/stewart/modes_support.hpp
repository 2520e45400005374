// SPDX-License-Identifier: BSD-3-Clause
// Platforms whose assembly modes are known.
#pragma once

#include <jounce/stewart/all_poses.hpp>

#include "support/random.hpp"

namespace jounce::test {

struct PlatformAndLengths {
  Stewart platform;
  SixNumbers lengths;
};

inline PlatformAndLengths dietmaier() { return {dietmaier_platform(), dietmaier_lengths}; }

/// Two hexagons, each of three pairs of points 120 degrees apart, in frames of their own.
inline Stewart random_semi_regular(Random& random) {
  SixPoints points[2];
  for (SixPoints& x : points) {
    const Vec3<double> first{random.uniform(-1, 1), random.uniform(-1, 1), 0};
    const SE3<double> frame = random.pose();
    for (int i = 0; i < 6; ++i)
      x[size_t(i)] = frame * (exp(Vec3<double>{0, 0, 2 * pi / 3 * (i / 2)}) *
                              Vec3<double>{first.x, i % 2 ? -first.y : first.y, 0});
  }
  return {points[0], points[1]};
}

/// The image of a pose in the plane z = 0 of the base, the platform turned inside out in its own.
inline SE3<double> mirrored(const SE3<double>& T) {
  const auto flip = [](const Vec3<double>& x) { return Vec3<double>{x.x, x.y, -x.z}; };
  const Mat3<double> half{{flip(T.R.m.row[0]), flip(T.R.m.row[1]), flip(T.R.m.row[2])}};
  return {{{half.row[0], half.row[1], -half.row[2]}}, flip(T.p)};
}

}  // namespace jounce::test
