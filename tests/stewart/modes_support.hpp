// SPDX-License-Identifier: BSD-3-Clause
// Platforms whose assembly modes are known.
#pragma once

#include <jounce/stewart/stewart.hpp>

#include "support/random.hpp"

namespace jounce::test {

struct PlatformAndLengths {
  Stewart platform;
  SixNumbers lengths;
};

/// P. Dietmaier, "The Stewart-Gough platform of general geometry can have 40 real postures", 1998.
inline PlatformAndLengths dietmaier() {
  return {{{{{0, 0, 0},
             {1.107915, 0, 0},
             {0.549094, 0.756063, 0},
             {0.735077, -0.223935, 0.525991},
             {0.514188, -0.526063, -0.368418},
             {0.590473, 0.094733, -0.205018}}},
           {{{0, 0, 0},
             {0.542805, 0, 0},
             {0.956919, -0.528915, 0},
             {0.665885, -0.353482, 1.402538},
             {0.478359, 1.158742, 0.107672},
             {-0.137087, -0.235121, 0.353913}}}},
          {1, 0.645275, 1.086284, 1.503439, 1.281933, 0.771071}};
}

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
