// SPDX-License-Identifier: BSD-3-Clause
// Platforms and poses for tests: the paper's, random ones, special families.
#pragma once

#include <jounce/stewart/stewart.hpp>
#include <limits>

#include "support/random.hpp"

namespace jounce::test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// [Xie] Table 1, in cm.
inline Stewart paper_platform() {
  return {{{{28.9778, 7.7646, 0},
            {-7.7646, 28.9778, 0},
            {-21.2132, 21.2132, 0},
            {-21.2132, -21.2132, 0},
            {-7.7646, -28.9778, 0},
            {28.9778, -7.7646, 0}}},
          {{{14.1421, 14.1421, 0},
            {5.1764, 19.3185, 0},
            {-19.3185, 5.1764, 0},
            {-19.3185, -5.1764, 0},
            {5.1764, -19.3185, 0},
            {14.1421, -14.1421, 0}}}};
}

/// The paper's platform in the middle of its workspace, in cm.
inline const SE3<double> paper_home{{}, {0, 0, 50}};

/// R = Rz(psi) Ry(theta) Rx(phi), angles in degrees.
inline SE3<double> pose_of(double x, double y, double z, double phi, double theta, double psi) {
  const double rad = pi / 180;
  return {exp(Vec3<double>{0, 0, psi * rad}) * exp(Vec3<double>{0, theta * rad, 0}) *
              exp(Vec3<double>{phi * rad, 0, 0}),
          {x, y, z}};
}

inline SixPoints random_points(Random& random, double height) {
  SixPoints points;
  for (Vec3<double>& x : points)
    x = {random.uniform(-1, 1), random.uniform(-1, 1), height * random.uniform(-1, 1)};
  return points;
}

/// General geometry, spatial for height 1, planar for height 0.
inline Stewart random_platform(Random& random, double height = 1) {
  const SixPoints base = random_points(random, height);
  return {base, random_points(random, height)};
}

inline SE3<double> random_pose(Random& random) {
  return {random.rotation(), random.vec3() * 2 + Vec3<double>{0, 0, 2}};
}

}  // namespace jounce::test
