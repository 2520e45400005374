// SPDX-License-Identifier: BSD-3-Clause
// How Christoffel symbols change from one configuration to the next, entry by entry.
//
// With X_l X_i X_j r = w_x x (w_y x u_z) (pair_room.hpp, once more),
//   X_l Gamma_ijk = sum m (X_l X_k r) . (X_i X_j r) + u_k . (X_l X_i X_j r)
//                 = K_(lk)(ij) - w_x^T (tr U_zk 1 - U_zk) w_y
// [Park] (54): (x, y, z) = (l, a, b) where l is before a, (a, l, b) where a is before l before b,
// (a, b, l) where b is before l. Curvature needs none of this (curvature.hpp).
#pragma once

#include <jounce/algorithm/curvature.hpp>

namespace jounce {

namespace detail::inline JOUNCE_ISA {

/// sum m (w_a x u_b) . (w_c x u_d).
template <class Real>
constexpr Real form_of(const PathLists& lists, const PairRoom<Real>& room, int a, int b, int c,
                       int d) {
  const Vec3<Real>&w_a = room.S[a].w, &w_c = room.S[c].w;
  if (lists.before[lists.n * b + d]) return dot(w_a, pair_form(room, d, b) * w_c);
  if (lists.before[lists.n * d + b]) return dot(w_c, pair_form(room, b, d) * w_a);
  return Real(0);
}

/// (a, b) with X_i X_j r = w_a x u_b; false where that is zero for every q.
constexpr bool ordered(const PathLists& lists, int i, int j, int& a, int& b) {
  const bool right = lists.before[lists.n * i + j];
  a = right ? i : j, b = right ? j : i;
  return right || lists.before[lists.n * j + i];
}

template <class Real>
constexpr Real symbol_derivative(const PathLists& lists, const PairRoom<Real>& room, int l, int i,
                                 int j, int k) {
  int a = 0, b = 0, c = 0, d = 0;
  Real sum(0);
  if (!ordered(lists, i, j, a, b)) return sum;
  if (ordered(lists, l, k, c, d)) sum = form_of(lists, room, c, d, a, b);
  const bool* before = lists.before;
  if (before[lists.n * l + a]) return sum - form_of(lists, room, l, k, a, b);
  if (before[lists.n * l + b]) return sum - form_of(lists, room, a, k, l, b);
  if (before[lists.n * b + l]) return sum - form_of(lists, room, a, k, b, l);
  return sum;
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// X_l Gamma_ijk at ((l n + i) n + j) n + k, after load_pairs.
template <class Real>
constexpr void christoffel_derivatives(const PathLists& lists, const PairRoom<Real>& room,
                                       Real* found) noexcept {
  const int n = lists.n;
  for (int l = 0; l < n; ++l)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k, ++found)
          *found = detail::symbol_derivative(lists, room, l, i, j, k);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
