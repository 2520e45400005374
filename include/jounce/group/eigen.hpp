// SPDX-License-Identifier: BSD-3-Clause
// The group types as Eigen's, and back: what a user of Eigen hands in and gets out.
//
// Inline and header-only on purpose: no Eigen type crosses into the compiled library, so a user's
// alignment flags and Eigen version cannot disagree with the library's.
#pragma once

#include <Eigen/Core>
#include <jounce/group/matrices.hpp>

namespace jounce {

inline Eigen::Vector3d to_eigen(const Vec3<double>& a) { return {a.x, a.y, a.z}; }
inline Eigen::Matrix3d to_eigen(const Mat3<double>& m) {
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(&m.row[0].x);
}
inline Eigen::Matrix3d to_eigen(const SO3<double>& R) { return to_eigen(R.m); }
template <int R, int C>
Eigen::Matrix<double, R, C> to_eigen(const Matrix<double, R, C>& m) {
  Eigen::Matrix<double, R, C> e;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) e(i, j) = m(i, j);
  return e;
}
/// (w, v) and (m, f), angular first.
inline Eigen::Matrix<double, 6, 1> to_eigen(const Twist<double>& V) {
  return to_eigen(to_matrix(V));
}
inline Eigen::Matrix<double, 6, 1> to_eigen(const Wrench<double>& F) {
  return to_eigen(to_matrix(F));
}
inline Eigen::Matrix4d to_eigen(const SE3<double>& T) { return to_eigen(to_matrix(T)); }

inline Vec3<double> to_vec3(const Eigen::Ref<const Eigen::Vector3d>& a) {
  return {a[0], a[1], a[2]};
}
inline Mat3<double> to_mat3(const Eigen::Ref<const Eigen::Matrix3d>& m) {
  return {{{m(0, 0), m(0, 1), m(0, 2)}, {m(1, 0), m(1, 1), m(1, 2)}, {m(2, 0), m(2, 1), m(2, 2)}}};
}
/// From six numbers, angular first.
inline Twist<double> to_twist(const Eigen::Ref<const Eigen::Matrix<double, 6, 1>>& V) {
  return {{V[0], V[1], V[2]}, {V[3], V[4], V[5]}};
}
inline Wrench<double> to_wrench(const Eigen::Ref<const Eigen::Matrix<double, 6, 1>>& F) {
  return {{F[0], F[1], F[2]}, {F[3], F[4], F[5]}};
}
/// From a homogeneous matrix; its last row is not read.
inline SE3<double> to_pose(const Eigen::Ref<const Eigen::Matrix4d>& T) {
  return {{to_mat3(T.topLeftCorner<3, 3>())}, to_vec3(T.topRightCorner<3, 1>())};
}

}  // namespace jounce
