// SPDX-License-Identifier: BSD-3-Clause
// Wrenches from outside that stand in ground axes, as the derivatives see them.
#pragma once

#include <jounce/algorithm/derivative_room.hpp>
#include <jounce/dynamics.hpp>

namespace jounce {

/// How a wrench that stands in ground axes fails to turn with its body. At the frame's origin p
/// (hybrid) it moves along: X = [m] + [p][f]; at the ground's (space) it stays where it is.
template <class Real>
WorldWrench<Real> world_wrench(const ExternalWrench& outside, const Vec3<Real>& p,
                               const Vec3<Real>& origin) {
  const Vec3<Real> m = detail::as<Real>(outside.wrench.m), f = detail::as<Real>(outside.wrench.f);
  if (outside.in == Representation::hybrid) return {hat(m) + hat_times_hat(p - origin, f), f, {}};
  return {hat(m - cross(origin, f)), f, f};
}

}  // namespace jounce
