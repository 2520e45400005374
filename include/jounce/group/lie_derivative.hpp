// SPDX-License-Identifier: BSD-3-Clause
// Derivatives and Taylor expansion of a function on SE(3) along body and spatial screws.
//
// [Xie] Xie, Dai, Liu 2021, equations (10)-(14). f is any generic callable SE3<Real> -> Real; the
// derivatives are exact because f runs on dual numbers or on power series.
//   right (body):    (X^r f)(T) = d/dt f(T exp(tX))  at t = 0                                 (11)
//   left (spatial):  (X^l f)(T) = d/dt f(exp(-tX) T) at t = 0                                 (14)
// The minus sign of (14) is the paper's: with it the left fields have the same brackets as the
// right ones. Its Jacobian (23) is the derivative along exp(+tX), that is -(X^l f). Second
// derivatives do not commute: E_i E_j f - E_j E_i f = [E_i, E_j] f.
#pragma once

#include <jounce/group/se3.hpp>

namespace jounce {

/// Which invariant fields: right = along the body's own screws, left = along spatial ones.
enum class Side : unsigned char { right, left };

namespace detail::inline JOUNCE_ISA {

template <class Real>
constexpr Twist<Real> twist_of(const Real (&x)[6]) {
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}
template <class To, class From>
constexpr Vec3<To> cast(const Vec3<From>& a) {
  return {To(a.x), To(a.y), To(a.z)};
}
template <class To, class From>
constexpr SE3<To> cast(const SE3<From>& T) {
  return {{{{cast<To>(T.R.m.row[0]), cast<To>(T.R.m.row[1]), cast<To>(T.R.m.row[2])}}},
          cast<To>(T.p)};
}
template <class To, class From>
constexpr Twist<To> cast(const Twist<From>& V) {
  return {cast<To>(V.w), cast<To>(V.v)};
}
/// T exp(X) or exp(-X) T.
template <class Real>
SE3<Real> displaced(Side side, const SE3<Real>& T, const Twist<Real>& X) {
  return side == Side::right ? T * exp(X) : exp(-X) * T;
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// (X f)(T): the derivative of f along one screw.  [Xie] (11)
template <class F, class Real>
Real lie_derivative(F f, const SE3<Real>& T, const Twist<Real>& X, Side side = Side::right) {
  using D = Dual<Real, 1>;
  const Twist<D> tX = detail::cast<D>(X) * D::variable(Real(0), 0);
  return f(detail::displaced(side, detail::cast<D>(T), tX)).d[0];
}

/// (E_1 f, ..., E_6 f)(T): the derivatives along the six unit screws, angular first.  [Xie] (12)
template <class F, class Real>
Matrix<Real, 1, 6> lie_gradient(F f, const SE3<Real>& T, Side side = Side::right) {
  using D = Dual<Real, 6>;
  D x[6];
  for (int k = 0; k < 6; ++k) x[k] = D::variable(Real(0), k);
  const D y = f(detail::displaced(side, detail::cast<D>(T), detail::twist_of(x)));
  Matrix<Real, 1, 6> g;
  for (int k = 0; k < 6; ++k) g(0, k) = y.d[k];
  return g;
}

/// The matrix (E_i E_j f)(T) = d/ds d/dt f at T exp(s E_i) exp(t E_j).  [Xie] (13)
template <class F, class Real>
Mat6<Real> lie_hessian(F f, const SE3<Real>& T, Side side = Side::right) {
  using D = Dual<Real, 6>;
  D s[6];
  for (int k = 0; k < 6; ++k) s[k] = D::variable(Real(0), k);
  const SE3<D> moved = detail::displaced(side, detail::cast<D>(T), detail::twist_of(s));
  const Matrix<D, 1, 6> gradient = lie_gradient(f, moved, side);
  Mat6<Real> h;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) h(i, j) = gradient(0, j).d[i];
  return h;
}

/// The Taylor coefficients of t -> f(T exp(tX)) (or f(exp(-tX) T)) to order K.  [Xie] (10), (14)
template <int K, class F, class Real>
Taylor<Real, K> lie_taylor(F f, const SE3<Real>& T, const Twist<Real>& X, Side side = Side::right) {
  using S = Taylor<Real, K>;
  const Twist<S> tX = detail::cast<S>(X) * S::line(Real(0), Real(1));
  return f(detail::displaced(side, detail::cast<S>(T), tX));
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
