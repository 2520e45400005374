// SPDX-License-Identifier: BSD-3-Clause
// Vectors, rotations, poses, twists and wrenches as text, for people: std::cout << pose.
//
//   std::cout << kinematics.pose(flange);     // R [1 0 0; 0 1 0; 0 0 1] p [0.3 0 0.8]
// Digits are those of the stream; group/eigen.hpp has the same as Eigen's matrices.
#pragma once

#include <jounce/group/se3.hpp>
#include <ostream>

namespace jounce {
inline namespace JOUNCE_ISA {

template <class Real>
std::ostream& operator<<(std::ostream& out, const Vec3<Real>& a) {
  return out << '[' << a.x << ' ' << a.y << ' ' << a.z << ']';
}
template <class Real>
std::ostream& operator<<(std::ostream& out, const SO3<Real>& R) {
  for (int i = 0; i < 3; ++i) {
    const Vec3<Real>& row = R.m.row[i];
    out << (i == 0 ? "[" : "; ") << row.x << ' ' << row.y << ' ' << row.z;
  }
  return out << ']';
}
template <class Real>
std::ostream& operator<<(std::ostream& out, const Quaternion<Real>& q) {
  return out << "[x " << q.x << " y " << q.y << " z " << q.z << " w " << q.w << ']';
}
template <class Real>
std::ostream& operator<<(std::ostream& out, const SE3<Real>& T) {
  return out << "R " << T.R << " p " << T.p;
}
template <class Real>
std::ostream& operator<<(std::ostream& out, const Twist<Real>& V) {
  return out << "w " << V.w << " v " << V.v;
}
template <class Real>
std::ostream& operator<<(std::ostream& out, const Wrench<Real>& F) {
  return out << "m " << F.m << " f " << F.f;
}

}  // namespace JOUNCE_ISA
}  // namespace jounce
