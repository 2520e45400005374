// SPDX-License-Identifier: BSD-3-Clause
// A three-vector in one 32-byte register, for kernels that compute one state at a time.
//
// Lane 3 is spare: no operation lets it reach the others. A matrix-vector product is three
// multiply-adds once the vector's numbers are spread; a cross product takes two multiplications and
// three turns of lanes, fewer where an operand is constant or the last turn is shared:
//   a x b = turn(half_cross(a, b)),  half_cross(a, b) = a turn(b) - turn(a) b.
#pragma once

#include <jounce/group/se3.hpp>

namespace jounce::lanes {

inline namespace JOUNCE_ISA {

typedef double Column __attribute__((vector_size(32)));

[[gnu::always_inline]] inline Column load(const double* x) {
  Column c;
  __builtin_memcpy(&c, x, sizeof(c));
  return c;
}
[[gnu::always_inline]] inline void store(const Column& c, double* x) {
  __builtin_memcpy(x, &c, sizeof(c));
}
[[gnu::always_inline]] inline Column spread(double x) { return Column{x, x, x, x}; }
[[gnu::always_inline]] inline Column column(const Vec3<double>& x) {
  return Column{x.x, x.y, x.z, 0};
}
[[gnu::always_inline]] inline Column column(const double* x) { return Column{x[0], x[1], x[2], 0}; }
[[gnu::always_inline]] inline Vec3<double> vector(const Column& c) { return {c[0], c[1], c[2]}; }

/// (y, z, x) and (z, x, y).
[[gnu::always_inline]] inline Column turn(const Column& a) {
  return __builtin_shufflevector(a, a, 1, 2, 0, 3);
}
[[gnu::always_inline]] inline Column turn_back(const Column& a) {
  return __builtin_shufflevector(a, a, 2, 0, 1, 3);
}
/// (y, x, z).
[[gnu::always_inline]] inline Column swap_xy(const Column& a) {
  return __builtin_shufflevector(a, a, 1, 0, 2, 3);
}

/// A vector with its turned copy: what cross products need of it.
struct Turned {
  Column a, yzx;
};
[[gnu::always_inline]] inline Turned turned(const Column& a) { return {a, turn(a)}; }
[[gnu::always_inline]] inline Column half_cross(const Turned& a, const Turned& b) {
  return a.a * b.yzx - a.yzx * b.a;
}
[[gnu::always_inline]] inline Turned cross(const Turned& a, const Turned& b) {
  const Column c = half_cross(a, b);
  return {turn(c), turn_back(c)};
}

/// Three columns of a matrix, or its rows where it is used transposed.
struct Columns3 {
  Column x, y, z;
};
[[gnu::always_inline]] inline Columns3 load(const double (&m)[3][4]) {
  return {load(m[0]), load(m[1]), load(m[2])};
}
[[gnu::always_inline]] inline Columns3 columns(const Mat3<double>& R) {
  const auto& [a, b, c] = R.row;
  return {column({a.x, b.x, c.x}), column({a.y, b.y, c.y}), column({a.z, b.z, c.z})};
}
[[gnu::always_inline]] inline Columns3 rows(const Mat3<double>& R) {
  return {column(R.row[0]), column(R.row[1]), column(R.row[2])};
}

[[gnu::always_inline]] inline Column times(const Columns3& M, const Column& x) {
  return M.x * __builtin_shufflevector(x, x, 0, 0, 0, 0) +
         M.y * __builtin_shufflevector(x, x, 1, 1, 1, 1) +
         M.z * __builtin_shufflevector(x, x, 2, 2, 2, 2);
}

}  // namespace JOUNCE_ISA

/// Angular velocity and acceleration, and the acceleration of the origin. Aligned by name: without
/// AVX a compiler would align to 16 bytes, and builds must agree.
struct alignas(32) Motion {
  Column w, alpha, a;
};
/// Moment and force.
struct alignas(32) Force {
  Column n, f;
};

inline namespace JOUNCE_ISA {

[[gnu::always_inline]] inline Force operator+(const Force& F, const Force& G) {
  return {F.n + G.n, F.f + G.f};
}
[[gnu::always_inline]] inline Force load(const Wrench<double>& F) {
  const Column zf = load(&F.m.z);  // m_z and f
  return {load(&F.m.x), __builtin_shufflevector(zf, zf, 1, 2, 3, 3)};
}

}  // namespace JOUNCE_ISA

}  // namespace jounce::lanes
