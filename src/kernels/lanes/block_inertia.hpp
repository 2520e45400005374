// SPDX-License-Identifier: BSD-3-Clause
// Articulated inertias in registers: four 3 x 3 blocks of columns.
//
// With X = Ad_{T^-1} a parent feels X^T H X = (H X)^T X: two multiplications from the right, which
// mix columns by constants, and a transposition between them.
#pragma once

#include "kernels/lanes/lane_bodies.hpp"

namespace jounce::lanes::inline JOUNCE_ISA {

[[gnu::always_inline]] inline Columns3 operator+(const Columns3& M, const Columns3& N) {
  return {M.x + N.x, M.y + N.y, M.z + N.z};
}
[[gnu::always_inline]] inline Columns3 operator-(const Columns3& M, const Columns3& N) {
  return {M.x - N.x, M.y - N.y, M.z - N.z};
}
[[gnu::always_inline]] inline Columns3 transpose(const Columns3& M) {
  const Column lo = __builtin_shufflevector(M.x, M.y, 0, 4, 2, 6);
  const Column hi = __builtin_shufflevector(M.x, M.y, 1, 5, 3, 7);
  const Column z = __builtin_shufflevector(M.z, M.z, 1, 0, 3, 2);
  return {__builtin_shufflevector(lo, M.z, 0, 1, 4, 5), __builtin_shufflevector(hi, z, 0, 1, 4, 5),
          __builtin_shufflevector(lo, M.z, 2, 3, 6, 7)};
}
/// M R^T, R by rows.
[[gnu::always_inline]] inline Columns3 times_transposed(const Columns3& M,
                                                        const double (&R)[3][4]) {
  const auto column = [&](const double(&r)[4]) {
    return M.x * spread(r[0]) + M.y * spread(r[1]) + M.z * spread(r[2]);
  };
  return {column(R[0]), column(R[1]), column(R[2])};
}
/// M [p].
[[gnu::always_inline]] inline Columns3 times_hat(const Columns3& M, const double* p) {
  const Column x = spread(p[0]), y = spread(p[1]), z = spread(p[2]);
  return {M.y * z - M.z * y, M.z * x - M.x * z, M.x * y - M.y * x};
}
/// M - a b^T.
[[gnu::always_inline]] inline Columns3 minus_outer(const Columns3& M, const Column& a,
                                                   const Column& b) {
  return {M.x - a * __builtin_shufflevector(b, b, 0, 0, 0, 0),
          M.y - a * __builtin_shufflevector(b, b, 1, 1, 1, 1),
          M.z - a * __builtin_shufflevector(b, b, 2, 2, 2, 2)};
}

/// Column by column: a copy of the whole would be made through wider registers, which wait for
/// the stores before them.
[[gnu::always_inline]] inline void set(Columns3& M, const Columns3& N) {
  M.x = N.x;
  M.y = N.y;
  M.z = N.z;
}
[[gnu::always_inline]] inline void set(BlockInertia& H, const Columns3& A, const Columns3& B,
                                       const Columns3& C, const Columns3& M) {
  set(H.A, A);
  set(H.B, B);
  set(H.C, C);
  set(H.M, M);
}
[[gnu::always_inline]] inline void set(BlockInertia& H, const BlockInertia& G) {
  set(H, G.A, G.B, G.C, G.M);
}
[[gnu::always_inline]] inline void set_zero(BlockInertia& H) {
  const Columns3 zero{};
  set(H, zero, zero, zero, zero);
}
[[gnu::always_inline]] inline void add(BlockInertia& H, const BlockInertia& G) {
  set(H, H.A + G.A, H.B + G.B, H.C + G.C, H.M + G.M);
}
[[gnu::always_inline]] inline void add(BlockInertia& H, const LaneBody& body) {
  const Columns3 hat = load(body.hat_h);
  const double m = body.mass;
  set(H, H.A + load(body.I), H.B + hat, H.C - hat,
      {H.M.x + Column{m, 0, 0, 0}, H.M.y + Column{0, m, 0, 0}, H.M.z + Column{0, 0, m, 0}});
}
[[gnu::always_inline]] inline Force times(const BlockInertia& H, const Column& alpha,
                                          const Column& a) {
  return {times(H.A, alpha) + times(H.B, a), times(H.C, alpha) + times(H.M, a)};
}
/// H -= U U^T / D.
[[gnu::always_inline]] inline void subtract_outer(BlockInertia& H, const Force& U,
                                                  double inverse_D) {
  const Column n = U.n * spread(inverse_D), f = U.f * spread(inverse_D);
  set(H, minus_outer(H.A, U.n, n), minus_outer(H.B, U.n, f), minus_outer(H.C, U.f, n),
      minus_outer(H.M, U.f, f));
}
/// H := X^T H X, for the parent.
[[gnu::always_inline]] inline void carry_to_parent(const double (&R)[3][4], const double* p,
                                                   BlockInertia& H) {
  const Columns3 B = times_transposed(H.B, R), M = times_transposed(H.M, R);
  const Columns3 A = transpose(times_transposed(H.A, R) - times_hat(B, p));
  const Columns3 C = transpose(times_transposed(H.C, R) - times_hat(M, p));
  const Columns3 B_up = times_transposed(C, R);
  set(H, times_transposed(A, R) - times_hat(B_up, p), B_up, transpose(B_up),
      times_transposed(transpose(M), R));
}

inline ArticulatedInertia<double> numbers(const BlockInertia& H) {
  const auto rows = [](const Columns3& M) {
    const Columns3 t = transpose(M);
    return Mat3<double>{{vector(t.x), vector(t.y), vector(t.z)}};
  };
  return {symmetric(rows(H.A)), rows(H.B), symmetric(rows(H.M))};
}
inline BlockInertia blocks(const ArticulatedInertia<double>& IA) {
  return {columns(to_matrix(IA.A)), columns(IA.B), columns(jounce::transpose(IA.B)),
          columns(to_matrix(IA.M))};
}

}  // namespace jounce::lanes::inline JOUNCE_ISA
