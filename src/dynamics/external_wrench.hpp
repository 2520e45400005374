// SPDX-License-Identifier: BSD-3-Clause
// A wrench from outside, seen in the frame of the body that it acts on.
#pragma once

#include <cmath>
#include <jounce/dynamics.hpp>

namespace jounce {

/// The wrench in the axes and at the origin of its frame, whose pose is T. InputError where it is
/// not finite.
inline Wrench<double> in_frame(const ExternalWrench& external, const SE3<double>& T) {
  const Wrench<double>& F = external.wrench;
  if (!std::isfinite(F.m.x + F.m.y + F.m.z + F.f.x + F.f.y + F.f.z))
    throw InputError("an external wrench is not finite");
  if (external.in == Representation::space) return dual_Ad(T, F);
  if (external.in == Representation::hybrid)
    return {inverse_times(T.R, F.m), inverse_times(T.R, F.f)};
  return F;
}

}  // namespace jounce
