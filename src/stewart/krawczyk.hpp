// SPDX-License-Identifier: BSD-3-Clause
// Proves that a platform has exactly one pose near a computed one.
#pragma once

#include <jounce/stewart/stewart.hpp>

namespace jounce::stewart_detail {

/// The true points of a platform in a frame at `base_centre` and one at `platform_centre`, lengths
/// divided by `unit`, a power of two.
struct CentredPlatform {
  const Stewart* platform;
  SixNumbers lengths;
  Vec3<double> base_centre, platform_centre;
  double unit = 1;
};

struct Certificate {
  bool certified = false;
  const char* reason = "";  ///< why not
  double radius = 0;        ///< of the box around x = (e, g), |x| = 1, that holds the exact pose
};

/// T is in the centred frames and units.
Certificate certify(const CentredPlatform& p, const SE3<double>& T);

}  // namespace jounce::stewart_detail
