// SPDX-License-Identifier: BSD-3-Clause
// The pose whose leg lengths are nearest to given ones: damped Gauss-Newton on the lengths.
#pragma once

#include <jounce/stewart/stewart.hpp>

namespace jounce::stewart_detail {

struct NearestPose {
  SE3<double> pose;
  double sum = 0;      ///< of the squared errors of the lengths
  double largest = 0;  ///< error of a length
  int iterations = 0;
};

/// A local minimum of sum (|leg_i| - L_i)^2 from a start.
NearestPose nearest_pose(const Stewart& s, const SixNumbers& L, const SE3<double>& start,
                         int max_iterations, double tolerance) noexcept;

}  // namespace jounce::stewart_detail
