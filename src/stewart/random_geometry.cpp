// SPDX-License-Identifier: BSD-3-Clause
// Random platforms and poses for the experiments.
#include "stewart/random_geometry.hpp"

#include <cmath>
#include <jounce/error.hpp>

namespace jounce::stewart_detail {
namespace {

constexpr double half_turn = 3.14159265358979323846, degree = half_turn / 180;

/// Pairs of joints about the angles offset + 120 degrees k, `spread` to either side.
SixPoints joint_pairs(double radius, double offset, double spread, bool outer_first) {
  SixPoints points;
  for (size_t i = 0; i < 6; ++i) {
    const size_t pair = i / 2;
    const double side = (i % 2 == 0) == outer_first ? 1 : -1;
    const double angle = offset + 2 * half_turn / 3 * double(pair) + side * spread;
    points[i] = {radius * std::cos(angle), radius * std::sin(angle), 0};
  }
  return points;
}

SixPoints box_of_points(SplitMix& random, double radius, double thickness) {
  SixPoints points;
  for (Vec3<double>& x : points)
    x = random.uniform({-1, -1, -thickness}, {1, 1, thickness}) * radius;
  return points;
}

}  // namespace

SemiRegular draw_semi_regular(SplitMix& random) {
  SemiRegular shape;
  shape.radius_ratio = random.uniform(0.3, 1.0);
  shape.base_spread = random.uniform(2, 50) * degree;
  shape.platform_spread = random.uniform(2, 50) * degree;
  shape.height = random.uniform(0.8, 2.5) * base_radius;
  return shape;
}

/// Legs join neighbours: base pairs about 0, 120, 240 degrees, platform pairs about 60, 180, 300.
Stewart platform_of(const SemiRegular& shape) {
  const SixPoints around_0 = joint_pairs(base_radius, 0, shape.base_spread, true);
  const SixPoints around_60 =
      joint_pairs(shape.radius_ratio * base_radius, half_turn / 3, shape.platform_spread, false);
  SixPoints base, platform;
  for (size_t k = 0; k < 3; ++k) {
    base[2 * k] = around_0[2 * k], platform[2 * k] = around_60[2 * k];
    base[2 * k + 1] = around_0[(2 * k + 3) % 6], platform[2 * k + 1] = around_60[2 * k + 1];
  }
  return {base, platform};
}

GeneralShape draw_general(SplitMix& random) {
  GeneralShape shape;
  shape.radius_ratio = random.uniform(0.3, 1.0);
  shape.thickness = random.uniform(0, 1);
  shape.height = random.uniform(0.8, 2.5) * base_radius;
  return shape;
}

Stewart platform_of(const GeneralShape& shape, SplitMix& random) {
  for (;;) {
    const SixPoints base = box_of_points(random, base_radius, shape.thickness);
    const SixPoints platform =
        box_of_points(random, shape.radius_ratio * base_radius, shape.thickness);
    if (generic_rank(base, platform) == 6) return {base, platform};
  }
}

SE3<double> draw_pose(SplitMix& random, double height) {
  const Vec3<double> tilt = random.uniform({-0.35, -0.35, -0.5}, {0.35, 0.35, 0.5});
  const Vec3<double> shift = random.uniform({-10, -10, -10}, {10, 10, 10});
  return {exp(tilt), shift + Vec3<double>{0, 0, height}};
}

Vec3<double> draw_direction(SplitMix& random) {
  for (;;) {
    const Vec3<double> x = random.uniform({-1, -1, -1}, {1, 1, 1});
    const double length = norm(x);
    if (length > 1e-3 && length <= 1) return x * (1 / length);
  }
}

bool same_pose(const Stewart& s, const SE3<double>& T, const SE3<double>& U, double share) {
  const Twist<double> e = log(inverse_times(T, U));
  return norm(e.w) < share && norm(e.v) < share * s.size();
}

}  // namespace jounce::stewart_detail
