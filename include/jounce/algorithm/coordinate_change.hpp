// SPDX-License-Identifier: BSD-3-Clause
// What changes along one coordinate or one velocity: the sparse (92), for columns of derivatives.
//
// [Kim] 2012, (90)-(92): along q_k only the joint of k changes, by h = S_k. In a joint of several
// parts a screw S_j before k turns as well, and so does its rate Sdot_j = sum_l ad_{S_j} S_l v_l
// over the parts after j:
//   dS_j/dq_k = ad_{S_j} S_k                              j in a part before that of k
//   dSdot_j/dq_k = sum_l (ad_{dS_j} S_l + ad_{S_j} dS_l) v_l      dSdot_j/dv_k = dS_j/dq_k
// A custom joint knows its own.
#pragma once

#include <jounce/algorithm/derivative_room.hpp>
#include <jounce/algorithm/sensitivity.hpp>

namespace jounce {

/// Room for one joint's changes.
template <class Real>
struct CoordinateChangeRoom {
  Twist<Real>* h = nullptr;                  ///< [bodies]
  Twist<Real>*S = nullptr, *Sdot = nullptr;  ///< [nv]
  Real* v = nullptr;                         ///< [nv]
};

namespace detail::inline JOUNCE_ISA {

/// The part of joint i that coordinate k belongs to.
template <class P>
constexpr PartRange part_of(const Model<P>& m, int i, int k) {
  for (int r = m.part_at[i]; r < m.part_at[i + 1]; ++r) {
    const PartRange part = part_range(m, i, m.part[r]);
    if (k >= part.first && k < part.last) return part;
  }
  return {k, k};
}

/// d S_j/dq_k of a joint with parts.
template <class P, class Real>
constexpr Twist<Real> screw_along(const Model<P>& m, const Workspace<Real>& w, int i, int j,
                                  int k) {
  return j < part_of(m, i, k).first ? ad(w.S[j], w.S[k]) : Twist<Real>{};
}

template <class P, class Real>
void change_custom(const Model<P>& m, const State<Real>& x, int i, int k,
                   CoordinateChangeRoom<Real>& room) {
  const int first = m.v_at[i];
  differentiate_custom(*m.custom[i], x.q + m.q_at[i], x.v + first,
                       [&](const CustomPartials<Real>& partial) {
                         for (int j = 0; j < partial.dof; ++j) {
                           room.S[first + j] = partial.S(j, k - first);
                           room.Sdot[first + j] = partial.Sdot(j, k - first);
                         }
                       });
}

template <class P, class Real>
constexpr void change_parts(const Model<P>& m, const State<Real>& x, const Workspace<Real>& w,
                            int i, int k, CoordinateChangeRoom<Real>& room) {
  for (int j = m.v_at[i]; j < m.v_at[i + 1]; ++j) {
    room.S[j] = screw_along(m, w, i, j, k);
    room.Sdot[j] = {};
    for (int l = part_of(m, i, j).last; l < m.v_at[i + 1]; ++l)
      room.Sdot[j] += (ad(room.S[j], w.S[l]) + ad(w.S[j], screw_along(m, w, i, l, k))) * x.v[l];
  }
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// Along q_k, a coordinate of joint i, after rnea, aba or hybrid at the same state.
template <class P, class Real>
constexpr Change<Real> change_along_q(const Model<P>& m, const State<Real>& x,
                                      const Workspace<Real>& w, int i, int k,
                                      CoordinateChangeRoom<Real>& room) {
  room.h[i] = w.S[k];  // (90)
  if (m.constant_screws(i)) return {.h = room.h, .first = i, .last = i + 1};
  if (is_custom(m, i)) detail::change_custom(m, x, i, k, room);
  else detail::change_parts(m, x, w, i, k, room);
  return {.h = room.h, .S = room.S, .Sdot = room.Sdot, .first = i, .last = i + 1};
}

/// Along v_k, the same.
template <class P, class Real>
constexpr Change<Real> change_along_v(const Model<P>& m, const State<Real>& x,
                                      const Workspace<Real>& w, int i, int k,
                                      CoordinateChangeRoom<Real>& room) {
  for (int j = m.v_at[i]; j < m.v_at[i + 1]; ++j) room.v[j] = Real(j == k ? 1 : 0);
  if (m.constant_screws(i)) return {.v = room.v, .first = i, .last = i + 1};
  if (is_custom(m, i)) detail::change_custom(m, x, i, k, room);
  else detail::change_parts(m, x, w, i, k, room);
  return {.v = room.v, .Sdot = room.S, .first = i, .last = i + 1};
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
