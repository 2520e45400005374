// SPDX-License-Identifier: BSD-3-Clause
// Whether numbers of any kind are finite, in every lane, derivative and coefficient.
#pragma once

#include <algorithm>
#include <jounce/group/se3.hpp>
#include <jounce/scalar/parts.hpp>
#include <span>

namespace jounce::detail::inline JOUNCE_ISA {

/// x - x is zero for finite x and NaN otherwise, and so is x * 0.
template <class Real>
bool all_finite(std::span<const Real> x) {
  const auto good = [](const Real& one) {
    double sum = 0;
    for (int k = 0; k < NumberParts<Real>::count; ++k) sum += NumberParts<Real>::at(one, k) * 0;
    return sum == 0;
  };
  if constexpr (Arithmetic<Real>) {
    Real sum[4] = {};
    size_t k = 0;
    for (; k + 4 <= x.size(); k += 4)
      for (size_t l = 0; l < 4; ++l) sum[l] += x[k + l] * 0;
    for (; k < x.size(); ++k) sum[0] += x[k] * 0;
    return (sum[0] + sum[1]) + (sum[2] + sum[3]) == 0;
  } else if constexpr (requires { Real::lanes; }) {
    Real defect(0);
    for (const Real& one : x) defect += one - one;
    return good(defect);
  } else {
    return std::all_of(x.begin(), x.end(), good);
  }
}

template <class Real>
bool finite(const Vec3<Real>& x) {
  if constexpr (Arithmetic<Real>) return x.x * 0 + x.y * 0 + x.z * 0 == 0;
  const Real numbers[] = {x.x, x.y, x.z};
  return all_finite<Real>(numbers);
}
template <class Real>
bool finite(const Twist<Real>& V) {
  return finite(V.w) && finite(V.v);
}
template <class Real>
bool finite(const Wrench<Real>& F) {
  return finite(F.m) && finite(F.f);
}
template <class Real>
bool finite(const SE3<Real>& T) {
  const auto& [x, y, z] = T.R.m.row;
  return finite(T.p) && finite(x) && finite(y) && finite(z);
}

}  // namespace jounce::detail::inline JOUNCE_ISA
