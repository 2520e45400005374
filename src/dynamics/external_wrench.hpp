// SPDX-License-Identifier: BSD-3-Clause
// A wrench from outside, seen in the frame of the body that it acts on.
#pragma once

#include <algorithm>
#include <cmath>
#include <jounce/algorithm/derivative_room.hpp>
#include <jounce/dynamics.hpp>

namespace jounce {

/// Whether one of the wrenches does not turn with its body.
template <class External>
bool any_in_ground_axes(std::span<const External> external) {
  return std::any_of(external.begin(), external.end(),
                     [](const External& one) { return one.in != Representation::body; });
}

/// A wrench F in the axes and at the origin of its frame, whose pose is T.
template <class Real>
Wrench<Real> seen_in_frame(const Wrench<Real>& F, Representation in, const SE3<Real>& T) {
  if (in == Representation::space) return dual_Ad(T, F);
  if (in == Representation::hybrid) return {inverse_times(T.R, F.m), inverse_times(T.R, F.f)};
  return F;
}

}  // namespace jounce
