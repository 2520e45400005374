// SPDX-License-Identifier: BSD-3-Clause
// Wrenches from outside, on the bodies they act on: F_ext of [Kim] 2012, Table 2, by the adjoints
// of docs/conventions.md; on dual and Taylor numbers with their derivatives.
#pragma once

#include <jounce/algorithm/derivative_room.hpp>
#include <jounce/equations/surroundings.hpp>

namespace jounce::inline JOUNCE_ISA {

/// A wrench on a frame that sits at `offset` on a body at `pose`, seen in the body's frame.
template <class P, class Real>
constexpr Wrench<Real> seen_in_body(const Wrench<Real>& F, Representation in, const SE3<P>& offset,
                                    const SE3<Real>& pose) {
  if (in == Representation::body) return dual_Ad_inv(offset, F);
  if (in == Representation::space) return dual_Ad(pose, F);
  const Vec3<Real> f = inverse_times(pose.R, F.f);
  return {inverse_times(pose.R, F.m) + cross(offset.p, f), f};
}

/// Adds the wrenches on every body, in its frame, at the poses in w.
template <class P, class Real, class Given>
constexpr void add_outside(const System<P>& s, std::span<const OutsideWrench<Given>> wrenches,
                           const Workspace<Real>& w, Wrench<Real>* F_ext) {
  for (const OutsideWrench<Given>& one : wrenches) {
    const FrameSeat<P>& seat = s.frame[static_cast<int>(one.frame)];
    const Wrench<Real> F{detail::as<Real>(one.wrench.m), detail::as<Real>(one.wrench.f)};
    F_ext[seat.body] += seen_in_body(F, one.in, seat.offset, w.pose[seat.body]);
  }
}

/// Adds what keeps wrenches in ground axes from turning with their bodies, about the model's
/// centre.
template <class P, class Real, class Given>
constexpr void add_turning(const System<P>& s, std::span<const OutsideWrench<Given>> wrenches,
                           const Workspace<Real>& w, WorldWrench<Real>* turning) {
  for (const OutsideWrench<Given>& one : wrenches) {
    if (one.in == Representation::body) continue;
    const auto& [body, offset] = s.frame[static_cast<int>(one.frame)];
    const Wrench<Real> F{detail::as<Real>(one.wrench.m), detail::as<Real>(one.wrench.f)};
    const Vec3<Real> p = detail::pose_from_centre(w, body, offset).p;
    turning[body] = turning[body] + world_wrench(F, one.in, p, w.central[0]);
  }
}

}  // namespace jounce::inline JOUNCE_ISA
