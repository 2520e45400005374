// SPDX-License-Identifier: BSD-3-Clause
// A wrench from outside as a caller gives it.
#pragma once

#include <jounce/algorithm/jacobian.hpp>
#include <jounce/model/system.hpp>
#include <span>

namespace jounce {

/// A wrench from outside on a link or frame: in the frame's own axes at its origin (body), in
/// ground axes at its origin (hybrid: a force at a point), or in ground axes at the ground's origin
/// (space).
template <class Real>
struct OutsideWrench {
  FrameId frame{};
  Wrench<Real> wrench{};
  Representation in = Representation::body;
};

inline namespace JOUNCE_ISA {

/// Those that act in a call.
template <class Real>
constexpr std::span<const OutsideWrench<Real>> outside(const State<Real>& x) {
  return {x.outside, static_cast<std::size_t>(x.outsides)};
}
/// Whether one of the wrenches does not turn with its body.
template <class Outside>
constexpr bool any_in_ground_axes(std::span<const Outside> wrenches) {
  for (const Outside& one : wrenches)
    if (one.in != Representation::body) return true;
  return false;
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
