// SPDX-License-Identifier: BSD-3-Clause
// Platforms for experiments whose sizes are drawn one by one, in cm.
#pragma once

#include <jounce/stewart/stewart.hpp>

#include "split_mix.hpp"

namespace jounce::stewart_detail {

inline constexpr double base_radius = 30;  // of [Xie] Table 1

/// Semi-regular like Table 1's: angles are half those between the joints of a pair.
struct SemiRegular {
  double radius_ratio = 0, base_spread = 0, platform_spread = 0, height = 0;
};
SemiRegular draw_semi_regular(SplitMix& random);
Stewart platform_of(const SemiRegular& shape);

/// Six points anywhere in flat boxes.
struct GeneralShape {
  double radius_ratio = 0, thickness = 0, height = 0;
};
GeneralShape draw_general(SplitMix& random);
/// Draws the points, again where they make no platform.
Stewart platform_of(const GeneralShape& shape, SplitMix& random);

/// A pose of the workspace about a height.
SE3<double> draw_pose(SplitMix& random, double height);
/// A direction, uniform on the sphere.
Vec3<double> draw_direction(SplitMix& random);

/// Whether two poses are one, to a share of rad and of the platform's size.
bool same_pose(const Stewart& s, const SE3<double>& T, const SE3<double>& U, double share = 1e-4);

}  // namespace jounce::stewart_detail
