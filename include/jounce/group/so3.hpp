// SPDX-License-Identifier: BSD-3-Clause
// Rotations: SO(3), its exponential and logarithm with their derivatives, and unit quaternions.
//
// With z = w.w and the Stumpff functions c_k(z) (scalar/stumpff.hpp)
//   exp [w]       = 1 + c_1 [w] + c_2 [w]^2                  [Park] (16)
//   dexp_body(w)  = 1 - c_2 [w] + c_3 [w]^2      R^T dR  = [dexp_body(w) dw],  R = exp [w]
//   dexp_space(w) = dexp_body(-w)                dR R^T  = [dexp_space(w) dw]
//   dexp_body^-1  = 1 + [w]/2 + e [w]^2,   e = (c_3 - 2 c_4)/(2 c_2)
// The last form of e has no small denominator below |w| = 2 pi, where dexp itself is singular.
#pragma once

#include <jounce/group/vec3.hpp>
#include <jounce/scalar/stumpff.hpp>

namespace jounce {

/// A rotation, held as its matrix.
template <class Real>
struct SO3 {
  Mat3<Real> m = Mat3<Real>::identity();
};

inline namespace JOUNCE_ISA {

template <class A, class B>
constexpr SO3<Product<A, B>> operator*(const SO3<A>& a, const SO3<B>& b) {
  return {a.m * b.m};
}
template <class A, class B>
constexpr Vec3<Product<A, B>> operator*(const SO3<A>& R, const Vec3<B>& v) {
  return R.m * v;
}
/// R^-1 v.
template <class A, class B>
constexpr Vec3<Product<A, B>> inverse_times(const SO3<A>& R, const Vec3<B>& v) {
  return transpose_times(R.m, v);
}
template <class A>
constexpr SO3<A> inverse(const SO3<A>& R) {
  return {transpose(R.m)};
}

}  // namespace JOUNCE_ISA

/// A quaternion x i + y j + z k + w; of unit length where it stands for a rotation.
template <class Real>
struct Quaternion {
  Real x{}, y{}, z{}, w{1};
};

inline namespace JOUNCE_ISA {

template <class A, class B>
constexpr Quaternion<Product<A, B>> operator*(const Quaternion<A>& a, const Quaternion<B>& b) {
  return {
      a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
template <class A>
constexpr Quaternion<A> inverse(const Quaternion<A>& q) {
  return {-q.x, -q.y, -q.z, q.w};
}
template <class A>
constexpr A squared_norm(const Quaternion<A>& q) {
  return q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
}
template <class A>
Quaternion<A> normalize(const Quaternion<A>& q) {
  const A s = A(1) / sqrt(squared_norm(q));
  return {q.x * s, q.y * s, q.z * s, q.w * s};
}
/// The rotation of a unit quaternion.
template <class A>
constexpr SO3<A> to_rotation(const Quaternion<A>& q) {
  const A x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z, one(1);
  const A xx = q.x * x2, yy = q.y * y2, zz = q.z * z2, xy = q.x * y2, xz = q.x * z2;
  const A yz = q.y * z2, wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
  return {{{{one - (yy + zz), xy - wz, xz + wy},
            {xy + wz, one - (xx + zz), yz - wx},
            {xz - wy, yz + wx, one - (xx + yy)}}}};
}

}  // namespace JOUNCE_ISA

namespace detail::inline JOUNCE_ISA {

template <class Mask, class A>
constexpr Quaternion<A> select(const Mask& mask, const Quaternion<A>& a, const Quaternion<A>& b) {
  using jounce::select;
  return {select(mask, a.x, b.x), select(mask, a.y, b.y), select(mask, a.z, b.z),
          select(mask, a.w, b.w)};
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// The unit quaternion of a rotation, w >= 0. Shepperd 1978: 4 q_i q_j are sums of matrix entries;
/// dividing by the largest of the four loses nothing, also at angle pi.
template <class A>
Quaternion<A> to_quaternion(const SO3<A>& R) {
  const auto& [a, b, c] = R.m.row;
  const A one(1);
  const A ww = one + a.x + b.y + c.z, xx = one + a.x - b.y - c.z;  // 4 q_i^2
  const A yy = one - a.x + b.y - c.z, zz = one - a.x - b.y + c.z;
  const A wx = c.y - b.z, wy = a.z - c.x, wz = b.x - a.y;  // 4 w q_i
  const A xy = b.x + a.y, xz = a.z + c.x, yz = c.y + b.z;  // 4 q_i q_j
  const auto x_or_y = xx > yy, z_or_w = zz > ww;
  const A first = select(x_or_y, xx, yy), second = select(z_or_w, zz, ww);
  const Quaternion<A> row = detail::select(
      first > second,
      detail::select(x_or_y, Quaternion<A>{xx, xy, xz, wx}, Quaternion<A>{xy, yy, yz, wy}),
      detail::select(z_or_w, Quaternion<A>{xz, yz, zz, wz}, Quaternion<A>{wx, wy, wz, ww}));
  const Quaternion<A> q = normalize(row);
  return detail::select(q.w < A(0), Quaternion<A>{-q.x, -q.y, -q.z, -q.w}, q);
}

}  // namespace JOUNCE_ISA

namespace detail::inline JOUNCE_ISA {

/// 1 + c_1 [w] + c_2 [w]^2 with the Stumpff functions of w.w.
template <class Real, int M>
SO3<Real> rodrigues(const Vec3<Real>& w, const Stumpff<Real, M>& f) {
  const Vec3<Real> s = w * f.c[1], b = w * f.c[2];
  const Real xx = w.x * b.x, yy = w.y * b.y, zz = w.z * b.z, one(1);
  const Real xy = w.x * b.y, xz = w.x * b.z, yz = w.y * b.z;
  return {{{{one - (yy + zz), xy - s.z, xz + s.y},
            {xy + s.z, one - (xx + zz), yz - s.x},
            {xz - s.y, yz + s.x, one - (xx + yy)}}}};
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// exp of a rotation vector: angle |w| about w.  [Park] (16)
template <class Real>
SO3<Real> exp(const Vec3<Real>& w) {
  return detail::rodrigues(w, stumpff<4>(dot(w, w)));
}

/// The rotation vector of a unit quaternion, |w| <= pi.
template <class Real>
Vec3<Real> log(const Quaternion<Real>& q) {
  const auto flip = q.w < Real(0);
  const Vec3<Real> v{select(flip, -q.x, q.x), select(flip, -q.y, q.y), select(flip, -q.z, q.z)};
  return v * (Plain<Real>(2) * half_angle_ratio(dot(v, v), abs(q.w)));
}
/// The rotation vector of a rotation, |w| <= pi; at angle pi one of the two.
template <class Real>
Vec3<Real> log(const SO3<Real>& R) {
  return log(to_quaternion(R));
}

template <class Real>
Quaternion<Real> exp_quaternion(const Vec3<Real>& w) {
  const Plain<Real> half(0.5), quarter(0.25);
  const auto f = stumpff<4>(dot(w, w) * quarter);
  const Real s = f.c[1] * half;
  return {w.x * s, w.y * s, w.z * s, f.c[0]};
}

/// dexp_body(w) u: R^T dR for dw = u.
template <class Real>
Vec3<Real> dexp_body(const Vec3<Real>& w, const Vec3<Real>& u) {
  const auto f = stumpff<4>(dot(w, w));
  const Vec3<Real> wu = cross(w, u);
  return u - wu * f.c[2] + cross(w, wu) * f.c[3];
}
template <class Real>
Vec3<Real> dexp_body_inv(const Vec3<Real>& w, const Vec3<Real>& u) {
  const auto f = stumpff<5>(dot(w, w));
  const Plain<Real> half(0.5), two(2);
  const Real e = (f.c[3] - two * f.c[4]) / (two * f.c[2]);
  const Vec3<Real> wu = cross(w, u);
  return u + wu * half + cross(w, wu) * e;
}
/// dexp_space(w) u: dR R^T for dw = u.
template <class Real>
Vec3<Real> dexp_space(const Vec3<Real>& w, const Vec3<Real>& u) {
  return dexp_body(-w, u);
}
template <class Real>
Vec3<Real> dexp_space_inv(const Vec3<Real>& w, const Vec3<Real>& u) {
  return dexp_body_inv(-w, u);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
