// SPDX-License-Identifier: BSD-3-Clause
// Residuals and the rows of their Jacobians, for poses that were checked before.  [Xie] (17),
// (22)-(24)
#pragma once

#include <algorithm>
#include <jounce/stewart/stewart.hpp>

namespace jounce::stewart_detail {

template <int Rows>
void set_row(Matrix<double, Rows, 6>& J, int i, const Vec3<double>& moment,
             const Vec3<double>& force) {
  const double row[6] = {moment.x, moment.y, moment.z, force.x, force.y, force.z};
  for (int j = 0; j < 6; ++j) J(i, j) = row[j];
}

/// The length of a leg, or the least number above zero: a leg without length has no direction, its
/// row is zero and the pose singular.
inline double positive_length(const Vec3<double>& leg) { return std::max(norm(leg), 1e-300); }

/// R^T leg_i = b_i + R^T (p - a_i).
inline Vec3<double> leg_in_platform(const SE3<double>& T, const Vec3<double>& a,
                                    const Vec3<double>& b) {
  return b + inverse_times(T.R, T.p - a);
}

/// r_i = |R b_i + p - a_i|^2 - L_i^2 for any kind of number.  [Xie] (17)
template <class Real>
void squared_residual(const Stewart& s, const SixNumbers& L, const SE3<Real>& T, Real* r) {
  for (size_t i = 0; i < 6; ++i) {
    const Vec3<Real> leg = T * s.platform()[i] - s.base()[i];
    r[i] = dot(leg, leg) - L[i] * L[i];
  }
}

/// Rows (b x u, u), u the leg's unit vector, or the leg itself doubled.  (24)
inline Mat6<double> body_rows(const Stewart& s, const SE3<double>& T, bool unit) {
  Mat6<double> J;
  for (size_t i = 0; i < 6; ++i) {
    const Vec3<double> leg = leg_in_platform(T, s.base()[i], s.platform()[i]);
    const Vec3<double> u = leg * (unit ? 1 / positive_length(leg) : 2.0);
    set_row(J, static_cast<int>(i), cross(s.platform()[i], u), u);  // b x (leg - b) = b x leg
  }
  return J;
}

inline Mat6<double> space_rows(const Stewart& s, const SE3<double>& T, bool unit) {
  Mat6<double> J;
  for (size_t i = 0; i < 6; ++i) {
    const Vec3<double> leg = T * s.platform()[i] - s.base()[i];
    const Vec3<double> u = leg * (unit ? 1 / positive_length(leg) : 2.0);
    set_row(J, static_cast<int>(i), cross(s.base()[i], u), u);  // (23)
  }
  return J;
}

}  // namespace jounce::stewart_detail
