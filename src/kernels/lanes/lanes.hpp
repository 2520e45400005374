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

typedef double Register __attribute__((vector_size(32)));

/// Aligned by name: without AVX a compiler would align to 16 bytes, and builds must agree.
struct alignas(32) Column {
  Register r;

  Column() = default;
  // Copies are of registers: GCC keeps a copy of a struct in memory that nobody reads.
  [[gnu::always_inline]] constexpr Column(const Column& x) : r(x.r) {}
  [[gnu::always_inline]] constexpr Column& operator=(const Column& x) {
    r = x.r;
    return *this;
  }
  [[gnu::always_inline]] constexpr Column(Register x) : r(x) {}  // NOLINT: the same numbers
  [[gnu::always_inline]] constexpr Column(double x, double y, double z, double spare)
      : r{x, y, z, spare} {}
  [[gnu::always_inline]] double operator[](int k) const { return r[k]; }
};

inline namespace JOUNCE_ISA {

[[gnu::always_inline]] inline Column operator+(const Column& a, const Column& b) {
  return a.r + b.r;
}
[[gnu::always_inline]] inline Column operator-(const Column& a, const Column& b) {
  return a.r - b.r;
}
[[gnu::always_inline]] inline Column operator-(const Column& a) { return -a.r; }
[[gnu::always_inline]] inline Column& operator+=(Column& a, const Column& b) { return a = a + b; }
[[gnu::always_inline]] inline Column& operator-=(Column& a, const Column& b) { return a = a - b; }
/// Lane by lane.
[[gnu::always_inline]] inline Column operator*(const Column& a, const Column& b) {
  return a.r * b.r;
}
/// Lanes of (a, b), which are numbered 0 to 7.
template <int... lane>
[[gnu::always_inline]] inline Column shuffled(const Column& a, const Column& b) {
  return Column(__builtin_shufflevector(a.r, b.r, lane...));
}

[[gnu::always_inline]] inline Column load(const double* x) {
  Column c;
  __builtin_memcpy(&c.r, x, sizeof(c.r));
  return c;
}
[[gnu::always_inline]] inline void store(const Column& c, double* x) {
  __builtin_memcpy(x, &c.r, sizeof(c.r));
}
[[gnu::always_inline]] inline Column spread(double x) { return Column(x, x, x, x); }
template <int lane>
[[gnu::always_inline]] inline Column spread(const Column& a) {
  return shuffled<lane, lane, lane, lane>(a, a);
}
/// Lane k of a column in memory, spread as it is read.
[[gnu::always_inline]] inline Column spread_from(const Column& a, int k) {
  double x;
  __builtin_memcpy(&x, reinterpret_cast<const double*>(&a) + k, sizeof(x));
  return spread(x);
}
[[gnu::always_inline]] inline Column operator*(const Column& a, double s) { return a * spread(s); }
[[gnu::always_inline]] inline Column column(const Vec3<double>& x) {
  return Column(x.x, x.y, x.z, 0);
}
[[gnu::always_inline]] inline Vec3<double> vector(const Column& c) { return {c[0], c[1], c[2]}; }

/// (y, z, x).
[[gnu::always_inline]] inline Column turn(const Column& a) { return shuffled<1, 2, 0, 3>(a, a); }

/// A vector with its turned copy: what cross products need of it.
struct Turned {
  Column a, yzx;
};
[[gnu::always_inline]] inline Turned turned(const Column& a) { return {a, turn(a)}; }
/// On registers themselves: GCC puts turns together before it looks into structs.
[[gnu::always_inline]] inline Register half_cross(Register a, Register b) {
  return a * __builtin_shufflevector(b, b, 1, 2, 0, 3) -
         __builtin_shufflevector(a, a, 1, 2, 0, 3) * b;
}
[[gnu::always_inline]] inline Column cross(const Column& a, const Column& b) {
  return turn(half_cross(a.r, b.r));
}
/// a x b + c x d.
[[gnu::always_inline]] inline Column cross_sum(const Column& a, const Column& b, const Column& c,
                                               const Column& d) {
  return turn(half_cross(a.r, b.r) + half_cross(c.r, d.r));
}
[[gnu::always_inline]] inline double sum(const Column& a) { return a[0] + a[1] + a[2]; }
[[gnu::always_inline]] inline double dot(const Column& a, const Column& b) { return sum(a * b); }

/// The sum of the first three lanes, in each of them.
[[gnu::always_inline]] inline Column spread_sum(const Column& a) {
  const Column b = turn(a);
  return a + b + turn(b);
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
[[gnu::always_inline]] inline Column operator*(const Columns3& M, const Column& x) {
  return M.x * spread<0>(x) + M.y * spread<1>(x) + M.z * spread<2>(x);
}
[[gnu::always_inline]] inline Columns3 operator+(const Columns3& M, const Columns3& N) {
  return {M.x + N.x, M.y + N.y, M.z + N.z};
}
[[gnu::always_inline]] inline Columns3 operator-(const Columns3& M, const Columns3& N) {
  return {M.x - N.x, M.y - N.y, M.z - N.z};
}
[[gnu::always_inline]] inline Columns3 transpose(const Columns3& M) {
  const Column lo = shuffled<0, 4, 2, 6>(M.x, M.y), hi = shuffled<1, 5, 3, 7>(M.x, M.y);
  const Column z = shuffled<1, 0, 3, 2>(M.z, M.z);
  return {shuffled<0, 1, 4, 5>(lo, M.z), shuffled<0, 1, 4, 5>(hi, z),
          shuffled<2, 3, 6, 7>(lo, M.z)};
}
/// Three rows of numbers from four columns of three.
[[gnu::always_inline]] inline Columns3 rows_of(const Column& a, const Column& b, const Column& c,
                                               const Column& d) {
  const Column ab_lo = shuffled<0, 4, 2, 6>(a, b), ab_hi = shuffled<1, 5, 3, 7>(a, b);
  const Column cd_lo = shuffled<0, 4, 2, 6>(c, d), cd_hi = shuffled<1, 5, 3, 7>(c, d);
  return {shuffled<0, 1, 4, 5>(ab_lo, cd_lo), shuffled<0, 1, 4, 5>(ab_hi, cd_hi),
          shuffled<2, 3, 6, 7>(ab_lo, cd_lo)};
}
/// M - a b^T.
[[gnu::always_inline]] inline Columns3 minus_outer(const Columns3& M, const Column& a,
                                                   const Column& b) {
  return {M.x - a * spread<0>(b), M.y - a * spread<1>(b), M.z - a * spread<2>(b)};
}
/// M + d 1.
[[gnu::always_inline]] inline Columns3 plus_diagonal(const Columns3& M, double d) {
  return {M.x + Column(d, 0, 0, 0), M.y + Column(0, d, 0, 0), M.z + Column(0, 0, d, 0)};
}
/// The same with d in the first three lanes.
[[gnu::always_inline]] inline Columns3 plus_diagonal(const Columns3& M, const Column& d) {
  return {M.x + d * Column(1, 0, 0, 0), M.y + d * Column(0, 1, 0, 0), M.z + d * Column(0, 0, 1, 0)};
}

}  // namespace JOUNCE_ISA

/// Angular and linear part of a velocity or an acceleration.
struct Screw {
  Column w, v;
};
/// Moment and force.
struct Force {
  Column m, f;
};

inline namespace JOUNCE_ISA {

[[gnu::always_inline]] inline Screw operator+(const Screw& a, const Screw& b) {
  return {a.w + b.w, a.v + b.v};
}
[[gnu::always_inline]] inline Screw operator-(const Screw& a, const Screw& b) {
  return {a.w - b.w, a.v - b.v};
}
[[gnu::always_inline]] inline Screw operator*(const Screw& a, double s) {
  return {a.w * s, a.v * s};
}
[[gnu::always_inline]] inline Force operator+(const Force& F, const Force& G) {
  return {F.m + G.m, F.f + G.f};
}
[[gnu::always_inline]] inline Force operator-(const Force& F, const Force& G) {
  return {F.m - G.m, F.f - G.f};
}
[[gnu::always_inline]] inline Force operator*(const Force& F, double s) {
  return {F.m * s, F.f * s};
}
[[gnu::always_inline]] inline double dot(const Force& F, const Screw& S) {
  return sum(F.m * S.w + F.f * S.v);
}
/// F . S + G . T
[[gnu::always_inline]] inline double dot(const Force& F, const Screw& S, const Force& G,
                                         const Screw& T) {
  return sum((F.m * S.w + F.f * S.v) + (G.m * T.w + G.f * T.v));
}
[[gnu::always_inline]] inline Force load(const Wrench<double>& F) {
  const Column zf = load(&F.m.z);  // m_z and f
  return {load(&F.m.x), shuffled<1, 2, 3, 3>(zf, zf)};
}

}  // namespace JOUNCE_ISA

}  // namespace jounce::lanes
