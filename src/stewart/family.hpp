// SPDX-License-Identifier: BSD-3-Clause
// Which family a platform belongs to, and how to see it as the start system of that family does.
#pragma once

#include <jounce/stewart/stewart.hpp>

#include "stewart/start_system.hpp"

namespace jounce::stewart_detail {

/// Leg i of the start system is leg order[i] of the platform. Where swapped, base and platform
/// change roles, so that poses are inverses. Points are seen in frames turned by these rotations.
struct FamilyView {
  Family family = Family::general;
  int order[legs] = {0, 1, 2, 3, 4, 5};
  bool swapped = false;
  SO3<double> base_frame, platform_frame;
};

/// The points are relative to their centres. A platform within 1e-5 of its size of a semi-regular
/// one counts as such (published coordinates are rounded): the poses that it has beyond those of
/// the family are farther away than any leg reaches.
FamilyView find_family(const SixPoints& base, const SixPoints& platform);

struct PointsInView {
  SixPoints base, platform;
};

/// The points as the view sees them; and the nearest ones that are exactly of the family.
PointsInView points_in_view(const FamilyView& view, const SixPoints& base,
                            const SixPoints& platform);
PointsInView moved_onto_family(const FamilyView& view, PointsInView points);

/// The platform's pose from one in the view.
SE3<double> pose_from_view(const FamilyView& view, const SE3<double>& T);

}  // namespace jounce::stewart_detail
