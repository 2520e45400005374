// SPDX-License-Identifier: BSD-3-Clause
// The matrices behind the actions, for users who want to see or print one.
//
// Algorithms use the actions of se3.hpp; these are formed on request only.
#pragma once

#include <jounce/group/inertia.hpp>

namespace jounce::inline JOUNCE_ISA {

/// (w, v) and (m, f) as six numbers.
template <class Real>
constexpr Matrix<Real, 6, 1> to_matrix(const Twist<Real>& V) {
  return {{{V.w.x}, {V.w.y}, {V.w.z}, {V.v.x}, {V.v.y}, {V.v.z}}};
}
template <class Real>
constexpr Matrix<Real, 6, 1> to_matrix(const Wrench<Real>& F) {
  return {{{F.m.x}, {F.m.y}, {F.m.z}, {F.f.x}, {F.f.y}, {F.f.z}}};
}

/// T = [R p; 0 1].  [Kim] (3)
template <class Real>
constexpr Mat4<Real> to_matrix(const SE3<Real>& T) {
  Mat4<Real> m;
  m.set_block(0, 0, T.R.m);
  m(0, 3) = T.p.x;
  m(1, 3) = T.p.y;
  m(2, 3) = T.p.z;
  m(3, 3) = Real(1);
  return m;
}
/// [V] = [[w] v; 0 0].  [Kim] (5)
template <class Real>
constexpr Mat4<Real> hat(const Twist<Real>& V) {
  Mat4<Real> m;
  m.set_block(0, 0, hat(V.w));
  m(0, 3) = V.v.x;
  m(1, 3) = V.v.y;
  m(2, 3) = V.v.z;
  return m;
}
/// The inverse of hat.
template <class Real>
constexpr Twist<Real> vee(const Mat4<Real>& m) {
  const Plain<Real> half(0.5);
  return {{half * (m(2, 1) - m(1, 2)), half * (m(0, 2) - m(2, 0)), half * (m(1, 0) - m(0, 1))},
          {m(0, 3), m(1, 3), m(2, 3)}};
}

/// Ad_T = [R 0; [p]R R].  [Kim] (7)
template <class Real>
constexpr Mat6<Real> Ad_matrix(const SE3<Real>& T) {
  Mat6<Real> m;
  m.set_block(0, 0, T.R.m);
  m.set_block(3, 3, T.R.m);
  m.set_block(3, 0, hat(T.p) * T.R.m);
  return m;
}
template <class Real>
constexpr Mat6<Real> Ad_inv_matrix(const SE3<Real>& T) {
  return Ad_matrix(inverse(T));
}
/// Ad*_T = Ad_T^T.  [Kim] (8)
template <class Real>
constexpr Mat6<Real> dual_Ad_matrix(const SE3<Real>& T) {
  return transpose(Ad_matrix(T));
}
template <class Real>
constexpr Mat6<Real> dual_Ad_inv_matrix(const SE3<Real>& T) {
  return transpose(Ad_inv_matrix(T));
}
/// ad_V = [[w] 0; [v] [w]].  [Kim] (27)
template <class Real>
constexpr Mat6<Real> ad_matrix(const Twist<Real>& V) {
  Mat6<Real> m;
  m.set_block(0, 0, hat(V.w));
  m.set_block(3, 3, hat(V.w));
  m.set_block(3, 0, hat(V.v));
  return m;
}
/// ad*_V = ad_V^T.  [Kim] (29)
template <class Real>
constexpr Mat6<Real> dual_ad_matrix(const Twist<Real>& V) {
  return transpose(ad_matrix(V));
}

/// [A B; B^T M].
template <class Real>
constexpr Mat6<Real> to_matrix(const ArticulatedInertia<Real>& G) {
  Mat6<Real> m;
  m.set_block(0, 0, to_matrix(G.A));
  m.set_block(0, 3, G.B);
  m.set_block(3, 0, transpose(G.B));
  m.set_block(3, 3, to_matrix(G.M));
  return m;
}
/// [I [h]; [h]^T m].  [Kim] (20)
template <class Real>
constexpr Mat6<Real> to_matrix(const Inertia<Real>& G) {
  return to_matrix(ArticulatedInertia<Real>(G));
}

/// The matrix of dexp_body(X) and of its inverse.
template <class Real>
Mat6<Real> dexp_body_matrix(const Twist<Real>& X) {
  Mat6<Real> m;
  for (int j = 0; j < 6; ++j) {
    Real e[6]{};
    e[j] = Real(1);
    const auto column =
        to_matrix(dexp_body(X, Twist<Real>{{e[0], e[1], e[2]}, {e[3], e[4], e[5]}}));
    for (int i = 0; i < 6; ++i) m(i, j) = column(i, 0);
  }
  return m;
}

}  // namespace jounce::inline JOUNCE_ISA
