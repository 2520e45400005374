// SPDX-License-Identifier: BSD-3-Clause
// The Christoffel symbols of the kinetic-energy metric in O(n d^2) for a tree of depth d.
//
// [Park] (52), (55)-(57). Gamma_ijk = g(nabla_{X_i} X_j, X_k): direction, field, lowered index. By
// pair_room.hpp it is sum m u_k . (w_a x u_b) = w_a . p_bk, and p_bk = -p_kb, so that
//   Gamma_xdy = Gamma_dxy = w_x . p_dy         x, y before d
//   Gamma_xyd = Gamma_yxd = -w_x . p_dy        x before y before d
// are all there is; nothing is differentiated. Indices that are not on one way to the ground have
// no symbol. Inside one part of a joint the order matters, and Gamma_ijk - Gamma_jik = c_ij^m M_mk
// with the structure constants c of the part. Park's three cases cost O(n) times as much, with two
// chains of Ad in each term; paper/lagrangian.hpp has them.
#pragma once

#include <cstddef>
#include <jounce/algorithm/pair_room.hpp>

namespace jounce {

namespace detail::inline JOUNCE_ISA {

/// w_x and p_dx of the path of d side by side: six rows.
template <class Real>
constexpr void load_path(const PathLists& lists, const PairRoom<Real>& room, int d) {
  const int* path = lists.path + lists.at[d];
  const int length = lists.at[d + 1] - lists.at[d], s = room.stride;
  for (int t = 0; t < length; ++t) {
    const int y = path[t];
    const Vec3<Real>& w = room.S[y].w;
    const Vec3<Real> p = y == d ? Vec3<Real>{} : pair_vector(room, d, y);
    Real* to = room.along + t;
    to[0] = w.x, to[s] = w.y, to[2 * s] = w.z;
    to[3 * s] = p.x, to[4 * s] = p.y, to[5 * s] = p.z;
  }
}

/// row[t] = w . p_d,path[t].
template <class Real>
[[gnu::always_inline]] constexpr void symbols_along(const PairRoom<Real>& room, int at, int length,
                                                    Real* __restrict row) {
  const int s = room.stride;
  const Real *w = room.along + at, *__restrict p = room.along + 3 * s;
  const Real x = w[0], y = w[s], z = w[2 * s];
  for (int t = 0; t < length; ++t) row[t] = x * p[t] + y * p[s + t] + z * p[2 * s + t];
}

/// The symbols of the path of d, that d is in: Gamma_xd., Gamma_dx. and Gamma_..d.
template <class Real>
constexpr void symbols_of(const PathLists& lists, const PairRoom<Real>& room, int d, Real* gamma) {
  const int* path = lists.path + lists.at[d];
  const int length = lists.at[d + 1] - lists.at[d], before = lists.middle[d] - lists.at[d];
  const std::ptrdiff_t n = lists.n;
  const bool straight = lists.straight[d];
  load_path(lists, room, d);
  for (int s = 0; s < length; ++s) {
    const int x = path[s];
    Real* const to = gamma + (x * n + d) * n;
    Real* const row = straight ? to + path[0] : room.along + 6 * room.stride;
    symbols_along(room, s, length, row);
    Real* const twin = s < before ? gamma + (d * n + x) * n : to;
    if (straight) {
      if (twin != to)
        for (int t = 0; t < length; ++t) twin[path[0] + t] = row[t];
    } else {
      for (int t = 0; t < length; ++t) to[path[t]] = twin[path[t]] = row[t];
    }
    if (s >= before) continue;
    int t = s;
    while (t > 0 && lists.part[path[t - 1]] == lists.part[x]) --t;
    for (; t < before && lists.part[path[t]] == lists.part[x]; ++t)
      gamma[(x * n + path[t]) * n + d] = -row[t];
    for (; t < before; ++t)
      gamma[(x * n + path[t]) * n + d] = gamma[(path[t] * n + x) * n + d] = -row[t];
  }
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// Gamma_ijk at (i n + j) n + k, after load_pairs. Entries that are zero for every q are not
/// written: they must be zero before.
template <class Real>
constexpr void christoffel(const PathLists& lists, const PairRoom<Real>& room,
                           Real* gamma) noexcept {
  for (int d = 0; d < lists.n; ++d) detail::symbols_of(lists, room, d, gamma);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
