// SPDX-License-Identifier: BSD-3-Clause
// Poses SE(3), twists se(3), wrenches se(3)*, and how poses and twists act on them.
//
// A twist is V = (w, v), a wrench F = (m, f): angular part first. With T = (R, p)   [Kim] (7), (27)
//   Ad_T V    = (R w, R v + p x R w)            ad_V W   = (w x w', w x v' + v x w')
//   Ad*_T F   = (R^T (m - p x f), R^T f)        ad*_V F  = (m x w + f x v, f x w)
// Ad* and ad* are transposes. They are functions, not matrices: a 6x6 product costs 36
// multiplications, the action 24. Twist and Wrench are different types; V + F does not compile.
#pragma once

#include <jounce/group/so3.hpp>

namespace jounce {

/// The pose (R, p) of a frame: x = R x' + p.
template <class Real>
struct SE3 {
  SO3<Real> R;
  Vec3<Real> p;
};

/// A velocity (w, v) or a screw: angular and linear part.
template <class Real>
struct Twist {
  Vec3<Real> w, v;
};

/// A moment and a force, or an angular and a linear momentum.
template <class Real>
struct Wrench {
  Vec3<Real> m, f;
};

inline namespace JOUNCE_ISA {

template <class A, class B>
constexpr auto operator*(const SE3<A>& T, const SE3<B>& U) {
  return SE3<Product<A, B>>{T.R * U.R, T.R * U.p + T.p};
}
template <class A, class B>
constexpr auto operator*(const SE3<A>& T, const Vec3<B>& x) {
  return T.R * x + T.p;
}
template <class A>
constexpr SE3<A> inverse(const SE3<A>& T) {
  return {inverse(T.R), -inverse_times(T.R, T.p)};  // [Kim] (4)
}
/// T^-1 U.
template <class A, class B>
constexpr SE3<Product<A, B>> inverse_times(const SE3<A>& T, const SE3<B>& U) {
  return {inverse(T.R) * U.R, inverse_times(T.R, U.p - T.p)};
}

template <class A, class B>
constexpr auto operator+(const Twist<A>& V, const Twist<B>& W) {
  return Twist<decltype(V.w.x + W.w.x)>{V.w + W.w, V.v + W.v};
}
template <class A, class B>
constexpr auto operator-(const Twist<A>& V, const Twist<B>& W) {
  return Twist<decltype(V.w.x - W.w.x)>{V.w - W.w, V.v - W.v};
}
template <class A>
constexpr Twist<A> operator-(const Twist<A>& V) {
  return {-V.w, -V.v};
}
template <class A, class B>
constexpr Twist<Product<A, B>> operator*(const Twist<A>& V, const B& s) {
  return {V.w * s, V.v * s};
}
template <class A, class B>
constexpr Twist<A>& operator+=(Twist<A>& V, const Twist<B>& W) {
  return V = V + W;
}
template <class A, class B>
constexpr Twist<A>& operator-=(Twist<A>& V, const Twist<B>& W) {
  return V = V - W;
}
template <class A, class B>
constexpr auto operator+(const Wrench<A>& F, const Wrench<B>& G) {
  return Wrench<decltype(F.m.x + G.m.x)>{F.m + G.m, F.f + G.f};
}
template <class A, class B>
constexpr auto operator-(const Wrench<A>& F, const Wrench<B>& G) {
  return Wrench<decltype(F.m.x - G.m.x)>{F.m - G.m, F.f - G.f};
}
template <class A>
constexpr Wrench<A> operator-(const Wrench<A>& F) {
  return {-F.m, -F.f};
}
template <class A, class B>
constexpr Wrench<Product<A, B>> operator*(const Wrench<A>& F, const B& s) {
  return {F.m * s, F.f * s};
}
template <class A, class B>
constexpr Wrench<A>& operator+=(Wrench<A>& F, const Wrench<B>& G) {
  return F = F + G;
}
template <class A, class B>
constexpr Wrench<A>& operator-=(Wrench<A>& F, const Wrench<B>& G) {
  return F = F - G;
}
/// <F, V>: the power of a wrench along a twist.
template <class A, class B>
constexpr Product<A, B> dot(const Wrench<A>& F, const Twist<B>& V) {
  return dot(F.m, V.w) + dot(F.f, V.v);
}

/// Ad_T V.  [Kim] (7)
template <class A, class B>
constexpr Twist<Product<A, B>> Ad(const SE3<A>& T, const Twist<B>& V) {
  const auto w = T.R * V.w;
  return {w, T.R * V.v + cross(T.p, w)};
}
/// Ad_{T^-1} V.
template <class A, class B>
constexpr Twist<Product<A, B>> Ad_inv(const SE3<A>& T, const Twist<B>& V) {
  return {inverse_times(T.R, V.w), inverse_times(T.R, V.v - cross(T.p, V.w))};
}
/// Ad*_T F: a wrench in frame a, seen in frame b, where T is the pose of b in a.  [Kim] (13)
template <class A, class B>
constexpr Wrench<Product<A, B>> dual_Ad(const SE3<A>& T, const Wrench<B>& F) {
  return {inverse_times(T.R, F.m - cross(T.p, F.f)), inverse_times(T.R, F.f)};
}
/// Ad*_{T^-1} F: a wrench in frame b, seen in frame a, where T is the pose of b in a.
template <class A, class B>
constexpr Wrench<Product<A, B>> dual_Ad_inv(const SE3<A>& T, const Wrench<B>& F) {
  const auto f = T.R * F.f;
  return {T.R * F.m + cross(T.p, f), f};
}
/// ad_V W = [V, W].  [Kim] (27)
template <class A, class B>
constexpr Twist<Product<A, B>> ad(const Twist<A>& V, const Twist<B>& W) {
  return {cross(V.w, W.w), cross(V.w, W.v) + cross(V.v, W.w)};
}
/// ad*_V F.  [Kim] (29)
template <class A, class B>
constexpr Wrench<Product<A, B>> dual_ad(const Twist<A>& V, const Wrench<B>& F) {
  return {cross(F.m, V.w) + cross(F.f, V.v), cross(F.f, V.w)};
}

/// exp of a twist: the motion with constant body twist X for unit time.  [Park] (15)-(17)
template <class Real>
SE3<Real> exp(const Twist<Real>& X) {
  const auto f = stumpff<4>(dot(X.w, X.w));
  const Vec3<Real> wv = cross(X.w, X.v);
  return {detail::rodrigues(X.w, f), X.v + wv * f.c[2] + cross(X.w, wv) * f.c[3]};  // (17)
}
/// log of a pose: the twist X with exp(X) = T and angle at most pi.
template <class Real>
Twist<Real> log(const SE3<Real>& T) {
  const Vec3<Real> w = log(T.R);
  return {w, dexp_space_inv(w, T.p)};  // p = dexp_space(w) v
}

/// dexp_body(X) Y = T^-1 dT for dX = Y, T = exp X:  sum_n (-ad_X)^n Y / (n+1)!.
///
/// Its angular part is that of SO(3). The linear part also needs the derivative of dexp_body(w) u
/// with respect to w along v: the coefficients c_2, c_3 depend on z = w.w, so z changes by 2 w.v.
template <class Real>
Twist<Real> dexp_body(const Twist<Real>& X, const Twist<Real>& Y) {
  const auto f = stumpff<6>(dot(X.w, X.w));
  const Plain<Real> half(0.5), two(2), three(3);
  const Real dz = two * dot(X.w, X.v);
  const Real dc2 = (f.c[4] - half * f.c[3]) * dz;
  const Real dc3 = half * (three * f.c[5] - f.c[4]) * dz;
  const Vec3<Real> wu = cross(X.w, Y.w), wwu = cross(X.w, wu), vu = cross(X.v, Y.w);
  const Vec3<Real> along = (cross(X.v, wu) + cross(X.w, vu)) * f.c[3] - vu * f.c[2];
  const Vec3<Real> wy = cross(X.w, Y.v);
  return {Y.w - wu * f.c[2] + wwu * f.c[3],
          Y.v - wy * f.c[2] + cross(X.w, wy) * f.c[3] + along - wu * dc2 + wwu * dc3};
}
/// The inverse of dexp_body(X).
template <class Real>
Twist<Real> dexp_body_inv(const Twist<Real>& X, const Twist<Real>& Y) {
  const auto f = stumpff<7>(dot(X.w, X.w));
  const Plain<Real> half(0.5), two(2), three(3);
  const Real inverse = half / f.c[2], e = (f.c[3] - two * f.c[4]) * inverse;
  const Real dz = two * dot(X.w, X.v);
  const Real dc2 = f.c[4] - half * f.c[3], dc3 = half * (three * f.c[5] - f.c[4]);
  const Real dc4 = half * (Plain<Real>(4) * f.c[6] - f.c[5]);
  const Real de = (dc3 - two * dc4 - two * e * dc2) * inverse * dz;
  const Vec3<Real> wu = cross(X.w, Y.w), wwu = cross(X.w, wu), vu = cross(X.v, Y.w);
  const Vec3<Real> along = (cross(X.v, wu) + cross(X.w, vu)) * e + vu * half;
  const Vec3<Real> wy = cross(X.w, Y.v);
  return {Y.w + wu * half + wwu * e, Y.v + wy * half + cross(X.w, wy) * e + along + wwu * de};
}
/// The transpose of dexp_body_inv(X): ad*_X is ad_{-X} with moment and force exchanged.
template <class Real>
Wrench<Real> dual_dexp_body_inv(const Twist<Real>& X, const Wrench<Real>& F) {
  const Twist<Real> Y = dexp_body_inv(-X, Twist<Real>{F.f, F.m});
  return {Y.v, Y.w};
}
/// dexp_space(X) Y = dT T^-1 for dX = Y, T = exp X.
template <class Real>
Twist<Real> dexp_space(const Twist<Real>& X, const Twist<Real>& Y) {
  return dexp_body(-X, Y);
}
template <class Real>
Twist<Real> dexp_space_inv(const Twist<Real>& X, const Twist<Real>& Y) {
  return dexp_body_inv(-X, Y);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
