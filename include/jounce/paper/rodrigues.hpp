// SPDX-License-Identifier: BSD-3-Clause
// The exponential of screw matrices as [Xie] writes it: (A1), (A2) and (9), for reading.
//
// exp of group/se3.hpp gives the same poses. Departure: (9) is printed with the rotation about z
// for E_1; by (3) E_1 turns about x.
#pragma once

#include <jounce/group/matrices.hpp>
#include <jounce/scalar/stumpff.hpp>

namespace jounce::inline JOUNCE_ISA {

/// E_1, ..., E_6 for k = 0, ..., 5: rotations about x, y, z, then translations.  [Xie] (3), (A1)
template <class Real>
constexpr Mat4<Real> screw_basis(int k) {
  Real x[6]{};
  x[k] = Real(1);
  return hat(Twist<Real>{{x[0], x[1], x[2]}, {x[3], x[4], x[5]}});
}

/// e^S = 1 + S + (1 - cos theta) / theta^2 S^2 + (theta - sin theta) / theta^3 S^3.  [Xie] (A2)
template <class Real>
Mat4<Real> exp_rodrigues(const Twist<Real>& s) {
  const Mat4<Real> S = hat(s), S2 = S * S, S3 = S2 * S;
  const auto f = stumpff<4>(dot(s.w, s.w));  // c_2 and c_3, also where theta vanishes
  Mat4<Real> e;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      e(i, j) = Real(i == j ? 1 : 0) + S(i, j) + f.c[2] * S2(i, j) + f.c[3] * S3(i, j);
  return e;
}

/// exp(x E_{k+1}) written out.  [Xie] (9), corrected
template <class Real>
Mat4<Real> exp_basis(int k, const Real& x) {
  Mat4<Real> e;
  for (int i = 0; i < 4; ++i) e(i, i) = Real(1);
  if (k >= 3) {
    e(k - 3, 3) = x;
    return e;
  }
  const int i = (k + 1) % 3, j = (k + 2) % 3;  // turns axis i towards axis j
  const auto [sine, cosine] = sincos(x);
  e(i, i) = cosine, e(i, j) = -sine;
  e(j, i) = sine, e(j, j) = cosine;
  return e;
}

}  // namespace jounce::inline JOUNCE_ISA
