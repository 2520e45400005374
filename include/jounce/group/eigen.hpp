// SPDX-License-Identifier: BSD-3-Clause
// The group types as Eigen's, and back: what a user of Eigen hands in and gets out.
//
// Inline and header-only on purpose: no Eigen type crosses into the compiled library, so a user's
// alignment flags and Eigen version cannot disagree with the library's. Templates throughout: what
// a user does not call costs no compile time.
#pragma once

#include <Eigen/Core>
#include <jounce/group/matrices.hpp>

namespace jounce::inline JOUNCE_ISA {

template <class Real, int R, int C>
Eigen::Matrix<Real, R, C> to_eigen(const Matrix<Real, R, C>& m) {
  Eigen::Matrix<Real, R, C> e;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) e(i, j) = m(i, j);
  return e;
}
template <class Real>
Eigen::Matrix<Real, 3, 1> to_eigen(const Vec3<Real>& a) {
  return {a.x, a.y, a.z};
}
template <class Real>
Eigen::Matrix<Real, 3, 3> to_eigen(const Mat3<Real>& m) {
  Eigen::Matrix<Real, 3, 3> e;
  for (int i = 0; i < 3; ++i) e.row(i) << m.row[i].x, m.row[i].y, m.row[i].z;
  return e;
}
template <class Real>
Eigen::Matrix<Real, 3, 3> to_eigen(const SO3<Real>& R) {
  return to_eigen(R.m);
}
/// (w, v) and (m, f), angular first.
template <class Real>
Eigen::Matrix<Real, 6, 1> to_eigen(const Twist<Real>& V) {
  return to_eigen(to_matrix(V));
}
template <class Real>
Eigen::Matrix<Real, 6, 1> to_eigen(const Wrench<Real>& F) {
  return to_eigen(to_matrix(F));
}
template <class Real>
Eigen::Matrix<Real, 4, 4> to_eigen(const SE3<Real>& T) {
  return to_eigen(to_matrix(T));
}

template <class Vector>
Vec3<double> to_vec3(const Eigen::MatrixBase<Vector>& x) {
  const Eigen::Matrix<typename Vector::Scalar, 3, 1> a = x;
  return {a[0], a[1], a[2]};
}
template <class Square>
Mat3<double> to_mat3(const Eigen::MatrixBase<Square>& x) {
  const Eigen::Matrix<typename Square::Scalar, 3, 3> m = x;
  return {{{m(0, 0), m(0, 1), m(0, 2)}, {m(1, 0), m(1, 1), m(1, 2)}, {m(2, 0), m(2, 1), m(2, 2)}}};
}
/// From six numbers, angular first.
template <class Vector>
Twist<double> to_twist(const Eigen::MatrixBase<Vector>& x) {
  const Eigen::Matrix<typename Vector::Scalar, 6, 1> V = x;
  return {{V[0], V[1], V[2]}, {V[3], V[4], V[5]}};
}
template <class Vector>
Wrench<double> to_wrench(const Eigen::MatrixBase<Vector>& x) {
  const Eigen::Matrix<typename Vector::Scalar, 6, 1> F = x;
  return {{F[0], F[1], F[2]}, {F[3], F[4], F[5]}};
}
/// From a homogeneous matrix; its last row is not read.
template <class Square>
SE3<double> to_pose(const Eigen::MatrixBase<Square>& x) {
  const Eigen::Matrix<typename Square::Scalar, 4, 4> T = x;
  return {{to_mat3(T.template topLeftCorner<3, 3>())}, to_vec3(T.template topRightCorner<3, 1>())};
}

}  // namespace jounce::inline JOUNCE_ISA
