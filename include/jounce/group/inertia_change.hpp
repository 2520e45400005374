// SPDX-License-Identifier: BSD-3-Clause
// Changes of an articulated inertia: of its frame, and by a product of two wrenches.
#pragma once

#include <jounce/group/inertia.hpp>

namespace jounce::inline JOUNCE_ISA {

/// Pi ad_h + (Pi ad_h)^T, what a frame that moves along h adds to -dPi.
template <class Real>
constexpr ArticulatedInertia<Real> moved_along(const ArticulatedInertia<Real>& Pi,
                                               const Twist<Real>& h) {
  const Mat3<Real> w = hat(h.w), v = hat(h.v), M = to_matrix(Pi.M);
  const Mat3<Real> A = to_matrix(Pi.A) * w + Pi.B * v, C = M * w;
  return {symmetric(A + transpose(A)), Pi.B * w - w * Pi.B - v * M, symmetric(C + transpose(C))};
}
/// Pi - Y W^T - W Y^T.
template <class Real>
constexpr ArticulatedInertia<Real> minus_both_products(const ArticulatedInertia<Real>& Pi,
                                                       const Wrench<Real>& Y,
                                                       const Wrench<Real>& W) {
  const auto outer = [](const Vec3<Real>& a, const Vec3<Real>& b) {
    return Mat3<Real>{{b * a.x, b * a.y, b * a.z}};
  };
  return {Pi.A - symmetric(outer(Y.m, W.m) + outer(W.m, Y.m)),
          Pi.B - outer(Y.m, W.f) - outer(W.m, Y.f),
          Pi.M - symmetric(outer(Y.f, W.f) + outer(W.f, Y.f))};
}

}  // namespace jounce::inline JOUNCE_ISA
