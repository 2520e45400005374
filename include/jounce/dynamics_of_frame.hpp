// SPDX-License-Identifier: BSD-3-Clause
// A frame at the state that the last kinematics call of DynamicsOf left.
#pragma once

#include <jounce/dynamics_of_results.hpp>

namespace jounce::detail::inline JOUNCE_ISA {

template <class Real, class P>
struct FrameOf {
  const FrameInfo& info;
  const SE3<P>& offset;
  const Workspace<Real>& w;

  std::string name() const { return "frame \"" + info.name + "\""; }
  SE3<Real> pose() const { return w.pose[info.body] * offset; }
  /// In the frame's own axes at its origin.
  Twist<Real> twist() const { return Ad_inv(offset, w.V[info.body]); }
  Twist<Real> spatial() const { return Ad_inv(offset, w.Vdot[info.body]); }
  Twist<Real> classical() const {
    const Twist<Real> V = twist(), A = spatial();
    return {A.w, A.v + cross(V.w, V.v)};
  }
  /// The same in the ground frame, and in ground axes at the frame's origin.
  Twist<Real> in_space(const Twist<Real>& V) const { return Ad(pose(), V); }
  Twist<Real> turned(const Twist<Real>& V) const {
    const SO3<Real> R = pose().R;
    return {R * V.w, R * V.v};
  }
  /// V, refused where it is not finite.
  Twist<Real> checked(const char* caller, const Twist<Real>& V) const {
    require_finite(caller, [&] { return name(); }, {V.w, V.v});
    return V;
  }
};

}  // namespace jounce::detail::inline JOUNCE_ISA
