// SPDX-License-Identifier: BSD-3-Clause
// What the files of the table of words share.
#pragma once

#include "model/words.hpp"

namespace jounce::test {

using enum Gives;
using enum Surrounded;
inline constexpr auto body = Representation::body, space = Representation::space,
                      hybrid = Representation::hybrid;

/// Of the series: motions are v, a, jerk, forces tau, tau'.
inline constexpr int order = 1;
inline const Argument motion("motion", order + 2), taus("taus", order + 1);

/// Numbers of any result, one after the other.
class Write {
 public:
  explicit Write(const Into<double>& to) : at_(to.data()) {}

  Write& operator<<(double x) { return *at_++ = x, *this; }
  Write& operator<<(const Vec3<double>& x) { return *this << x.x << x.y << x.z; }
  Write& operator<<(const Twist<double>& V) { return *this << V.w << V.v; }
  Write& operator<<(const Wrench<double>& F) { return *this << F.m << F.f; }
  Write& operator<<(const SE3<double>& T) {
    for (const Vec3<double>& row : T.R.m.row) *this << row;
    return *this << T.p;
  }
  template <class Derived>
  Write& operator<<(const Eigen::MatrixBase<Derived>& x) {
    for (Eigen::Index j = 0; j < x.cols(); ++j)
      for (Eigen::Index i = 0; i < x.rows(); ++i) *this << x(i, j);
    return *this;
  }

 private:
  double* at_;
};

}  // namespace jounce::test
