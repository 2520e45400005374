// SPDX-License-Identifier: BSD-3-Clause
// Complex numbers over any kind of number, packs included, as plain pairs without the checks for
// infinities of std::complex.
#pragma once

#include <jounce/scalar/pack.hpp>

namespace jounce::stewart_detail {

template <class Real>
struct Complex {
  Real re{}, im{};

  [[gnu::always_inline]] Complex& operator+=(const Complex& b) {
    re += b.re;
    im += b.im;
    return *this;
  }
  [[gnu::always_inline]] Complex& operator-=(const Complex& b) {
    re -= b.re;
    im -= b.im;
    return *this;
  }
};

inline namespace JOUNCE_ISA {

template <class Real>
[[gnu::always_inline]] inline Complex<Real> operator+(Complex<Real> a, const Complex<Real>& b) {
  return a += b;
}
template <class Real>
[[gnu::always_inline]] inline Complex<Real> operator-(Complex<Real> a, const Complex<Real>& b) {
  return a -= b;
}
template <class Real>
[[gnu::always_inline]] inline Complex<Real> operator-(const Complex<Real>& a) {
  return {-a.re, -a.im};
}
template <class Real>
[[gnu::always_inline]] inline Complex<Real> operator*(const Complex<Real>& a,
                                                      const Complex<Real>& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class Real>
[[gnu::always_inline]] inline Complex<Real> operator*(const Complex<Real>& a, const Real& s) {
  return {a.re * s, a.im * s};
}
template <class Real>
[[gnu::always_inline]] inline Complex<Real> conj(const Complex<Real>& a) {
  return {a.re, -a.im};
}
template <class Real>
[[gnu::always_inline]] inline Real squared_norm(const Complex<Real>& a) {
  return a.re * a.re + a.im * a.im;
}
template <class Real>
[[gnu::always_inline]] inline Complex<Real> reciprocal(const Complex<Real>& a) {
  return conj(a) * (Real(1) / squared_norm(a));
}
template <class Real>
[[gnu::always_inline]] inline Complex<Real> operator/(const Complex<Real>& a,
                                                      const Complex<Real>& b) {
  return a * reciprocal(b);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce::stewart_detail
