// SPDX-License-Identifier: BSD-3-Clause
// Vectors of R^3, 3x3 matrices, symmetric 3x3 matrices, and small dense matrices for reading.
#pragma once

#include <jounce/scalar/number.hpp>

namespace jounce {

template <class Real>
struct Vec3 {
  Real x{}, y{}, z{};
};

inline namespace JOUNCE_ISA {

template <class A, class B>
constexpr auto operator+(const Vec3<A>& a, const Vec3<B>& b) {
  return Vec3<decltype(a.x + b.x)>{a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class A, class B>
constexpr auto operator-(const Vec3<A>& a, const Vec3<B>& b) {
  return Vec3<decltype(a.x - b.x)>{a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class A>
constexpr Vec3<A> operator-(const Vec3<A>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class A, class B>
constexpr Vec3<Product<A, B>> operator*(const Vec3<A>& a, const B& s) {
  return {a.x * s, a.y * s, a.z * s};
}
template <class A, class B>
constexpr Vec3<A>& operator+=(Vec3<A>& a, const Vec3<B>& b) {
  return a = a + b;
}
template <class A, class B>
constexpr Vec3<A>& operator-=(Vec3<A>& a, const Vec3<B>& b) {
  return a = a - b;
}
template <class A, class B>
constexpr Product<A, B> dot(const Vec3<A>& a, const Vec3<B>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class A, class B>
constexpr Vec3<Product<A, B>> cross(const Vec3<A>& a, const Vec3<B>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class A>
A norm(const Vec3<A>& a) {
  return sqrt(dot(a, a));
}

}  // namespace JOUNCE_ISA

/// A 3x3 matrix by rows.
template <class Real>
struct Mat3 {
  Vec3<Real> row[3];

  [[gnu::always_inline]] static constexpr Mat3 identity() {
    return {
        {{Real(1), Real(0), Real(0)}, {Real(0), Real(1), Real(0)}, {Real(0), Real(0), Real(1)}}};
  }
};

inline namespace JOUNCE_ISA {

template <class A>
constexpr Mat3<A> transpose(const Mat3<A>& m) {
  const auto& [a, b, c] = m.row;
  return {{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
}
template <class A, class B>
constexpr auto operator+(const Mat3<A>& m, const Mat3<B>& n) {
  return Mat3<decltype(m.row[0].x + n.row[0].x)>{
      {m.row[0] + n.row[0], m.row[1] + n.row[1], m.row[2] + n.row[2]}};
}
template <class A, class B>
constexpr auto operator-(const Mat3<A>& m, const Mat3<B>& n) {
  return Mat3<decltype(m.row[0].x - n.row[0].x)>{
      {m.row[0] - n.row[0], m.row[1] - n.row[1], m.row[2] - n.row[2]}};
}
template <class A, class B>
constexpr Mat3<Product<A, B>> operator*(const Mat3<A>& m, const B& s) {
  return {{m.row[0] * s, m.row[1] * s, m.row[2] * s}};
}
template <class A, class B>
constexpr Vec3<Product<A, B>> operator*(const Mat3<A>& m, const Vec3<B>& v) {
  return {dot(m.row[0], v), dot(m.row[1], v), dot(m.row[2], v)};
}
/// m^T v, without forming the transpose.
template <class A, class B>
constexpr Vec3<Product<A, B>> transpose_times(const Mat3<A>& m, const Vec3<B>& v) {
  const auto& [a, b, c] = m.row;
  return {a.x * v.x + b.x * v.y + c.x * v.z, a.y * v.x + b.y * v.y + c.y * v.z,
          a.z * v.x + b.z * v.y + c.z * v.z};
}
template <class A, class B>
constexpr Mat3<Product<A, B>> operator*(const Mat3<A>& m, const Mat3<B>& n) {
  return {
      {transpose_times(n, m.row[0]), transpose_times(n, m.row[1]), transpose_times(n, m.row[2])}};
}
template <class A>
constexpr A trace(const Mat3<A>& m) {
  return m.row[0].x + m.row[1].y + m.row[2].z;
}
template <class A>
constexpr A determinant(const Mat3<A>& m) {
  return dot(m.row[0], cross(m.row[1], m.row[2]));
}

/// [w]: the skew-symmetric matrix with [w] u = w x u.
template <class A>
constexpr Mat3<A> hat(const Vec3<A>& w) {
  return {{{A(0), -w.z, w.y}, {w.z, A(0), -w.x}, {-w.y, w.x, A(0)}}};
}
/// The inverse of hat; the symmetric part of m is ignored.
template <class A>
constexpr Vec3<A> vee(const Mat3<A>& m) {
  const Plain<A> half(0.5);
  return {half * (m.row[2].y - m.row[1].z), half * (m.row[0].z - m.row[2].x),
          half * (m.row[1].x - m.row[0].y)};
}

}  // namespace JOUNCE_ISA

/// A symmetric 3x3 matrix by its six numbers.
template <class Real>
struct Sym3 {
  Real xx{}, xy{}, yy{}, xz{}, yz{}, zz{};
};

inline namespace JOUNCE_ISA {

template <class A, class B>
constexpr auto operator+(const Sym3<A>& a, const Sym3<B>& b) {
  return Sym3<decltype(a.xx + b.xx)>{a.xx + b.xx, a.xy + b.xy, a.yy + b.yy,
                                     a.xz + b.xz, a.yz + b.yz, a.zz + b.zz};
}
template <class A, class B>
constexpr auto operator-(const Sym3<A>& a, const Sym3<B>& b) {
  return Sym3<decltype(a.xx - b.xx)>{a.xx - b.xx, a.xy - b.xy, a.yy - b.yy,
                                     a.xz - b.xz, a.yz - b.yz, a.zz - b.zz};
}
template <class A, class B>
constexpr Sym3<Product<A, B>> operator*(const Sym3<A>& a, const B& s) {
  return {a.xx * s, a.xy * s, a.yy * s, a.xz * s, a.yz * s, a.zz * s};
}
template <class A, class B>
constexpr Vec3<Product<A, B>> operator*(const Sym3<A>& m, const Vec3<B>& v) {
  return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
          m.xz * v.x + m.yz * v.y + m.zz * v.z};
}
template <class A>
constexpr Mat3<A> to_matrix(const Sym3<A>& m) {
  return {{{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}}};
}
/// The symmetric matrix whose lower triangle is that of m.
template <class A>
constexpr Sym3<A> symmetric(const Mat3<A>& m) {
  return {m.row[0].x, m.row[1].x, m.row[1].y, m.row[2].x, m.row[2].y, m.row[2].z};
}
/// R M R^T.
template <class A, class B>
constexpr Sym3<Product<A, B>> congruence(const Mat3<A>& R, const Sym3<B>& M) {
  const auto a = M * R.row[0], b = M * R.row[1], c = M * R.row[2];
  return {dot(R.row[0], a), dot(R.row[1], a), dot(R.row[1], b),
          dot(R.row[2], a), dot(R.row[2], b), dot(R.row[2], c)};
}

}  // namespace JOUNCE_ISA

/// A small dense matrix by rows, for users who want to see one. Algorithms do not use it.
template <class Real, int Rows, int Cols>
struct Matrix {
  Real m[Rows][Cols]{};

  constexpr Real& operator()(int i, int j) { return m[i][j]; }
  constexpr const Real& operator()(int i, int j) const { return m[i][j]; }
  static constexpr Matrix identity() {
    Matrix one;
    for (int i = 0; i < Rows; ++i)
      for (int j = 0; j < Cols; ++j) one.m[i][j] = Real(i == j ? 1 : 0);
    return one;
  }
  /// Writes a 3x3 block with its upper left corner at (i, j).
  constexpr void set_block(int i, int j, const Mat3<Real>& b) {
    for (int k = 0; k < 3; ++k) {
      m[i + k][j] = b.row[k].x;
      m[i + k][j + 1] = b.row[k].y;
      m[i + k][j + 2] = b.row[k].z;
    }
  }
};

inline namespace JOUNCE_ISA {

template <class Real, int R, int C>
constexpr Matrix<Real, R, C> operator+(Matrix<Real, R, C> a, const Matrix<Real, R, C>& b) {
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) a(i, j) += b(i, j);
  return a;
}
template <class Real, int R, int C>
constexpr Matrix<Real, R, C> operator-(Matrix<Real, R, C> a, const Matrix<Real, R, C>& b) {
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) a(i, j) -= b(i, j);
  return a;
}
template <class Real, int R, int K, int C>
constexpr Matrix<Real, R, C> operator*(const Matrix<Real, R, K>& a, const Matrix<Real, K, C>& b) {
  Matrix<Real, R, C> c;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j)
      for (int k = 0; k < K; ++k) c(i, j) += a(i, k) * b(k, j);
  return c;
}
template <class Real, int R, int C>
constexpr Matrix<Real, C, R> transpose(const Matrix<Real, R, C>& a) {
  Matrix<Real, C, R> t;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) t(j, i) = a(i, j);
  return t;
}

template <class Real>
using Mat4 = Matrix<Real, 4, 4>;
template <class Real>
using Mat6 = Matrix<Real, 6, 6>;

}  // namespace JOUNCE_ISA

}  // namespace jounce
