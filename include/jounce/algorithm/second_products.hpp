// SPDX-License-Identifier: BSD-3-Clause
// sum_i y_i d2 tau_i as matrices, in O(n d): no tensor is formed.
//
// The rows of rnea_second_derivatives.hpp, weighted and summed. For a pair of coordinates, a before
// c or in its part, all that depends on the rows is known for c alone. With the sums
//   L_c = sum of y_i S_i over the rows before the part of c
//   Q, R, W = sums of y_i G S_i, y_i B^T S_i, y_i G_q,i over its part and all that it carries
// the products are
//   qq(a, c) = w_a . p_c + u_a . r_c - ad_{S_a} L_a . F_q
//   vq(a, c) = y_a . p_c + S_a . r_c
//   qv(a, c) = u_a . s_c - ad_{S_a} L_a . F_v          vv(a, c) = S_a . s_c
//   aq(a, c) = S_a . p_c                               aq(c, a) = - ad_{S_a} L_a . F_a
//   p_c = G_q L_c - ad*_{S_c} Q
//   r_c = B_q^T L_c - ad*_{u_c} Q - ad*_{S_c} R - W u_c
//   s_c = B_v^T L_c - ad*_{S_c} Q - W S_c
// and wrenches in ground axes add to qq(a, c) what S_a meets of the sums of y_i M_i and y_i Q_i
// over the part of c and all that it carries, and of H_c L_c (rnea_second_derivatives.hpp).
#pragma once

#include <jounce/algorithm/derivative_products.hpp>
#include <jounce/algorithm/rnea_second_derivatives.hpp>

namespace jounce {

namespace detail::inline JOUNCE_ISA {

template <class Real>
constexpr Inertia<Real> scaled(const Inertia<Real>& G, const Real& s) {
  return {G.mass * s, G.h * s, G.I * s};
}

/// L_c of every coordinate, outwards.
template <class P, class Real>
constexpr void weigh_rows_before(const Model<P>& m, const DerivativeRoom<Real>& room, const Real* y,
                                 ProductRoom<Real>& sums, SecondRoom<Real>& second) {
  sums.L[0] = {};
  for (int i = 1; i < m.bodies; ++i) {
    Twist<Real> L = sums.L[m.parent[i]];
    for (int first = m.v_at[i]; first < m.v_at[i + 1];) {
      const int last = second.part_last[first];
      const Twist<Real> before = L;
      for (int k = first; k < last; ++k) {
        second.before[k] = before;
        L += room.S[k] * y[k];
      }
      first = last;
    }
    sums.L[i] = L;
  }
}

/// p, r and s of coordinate c of body i, with the sums over its part and what it carries.
template <class Real>
constexpr ProductColumn<Real> product_column(const DerivativeRoom<Real>& room,
                                             const ProductRoom<Real>& sums,
                                             const SecondRoom<Real>& second, int i, int c) {
  const Twist<Real>&L = second.before[c], &S = room.S[c], &u = room.u[c];
  const SubtreeChange<Real>& change = second.change[c];
  const Wrench<Real>&Q = sums.Q[i], &R = sums.R[i];
  const Wrench<Real> SQ = dual_ad(S, Q);
  const Wrench<Real> rest = transpose_times(change.B_v(), L) - second.W[i] * S;
  return {change.G_q * L - SQ,
          transpose_times(change.B_q, L) - dual_ad(u, Q) - dual_ad(S, R) - second.W[i] * u,
          rest - SQ, rest + dual_ad(S, room.G[i] * L), ad(S, L)};
}

/// What wrenches in ground axes add for coordinate c of body i, and the sums over its subtree.
template <class Real>
constexpr Wrench<Real> standing_column(const DerivativeRoom<Real>& room,
                                       const SecondRoom<Real>& second, int i, int c) {
  const Twist<Real>& S = room.S[c];
  const Mat3<Real>&M = second.y_M[i], &Q = second.y_Q[i];
  return -Wrench<Real>{times_less_trace(second.standing[c].H, second.before[c].w) +
                           times_less_trace(M, S.w) + times_less_trace(Q, S.v),
                       times_less_trace(Q, S.w)};
}

/// p, r and s of every coordinate, inwards.
template <class P, class Real>
constexpr void weigh_rows_after(const Model<P>& m, const DerivativeRoom<Real>& room, const Real* y,
                                ProductRoom<Real>& sums, SecondRoom<Real>& second) {
  const bool stands = room.outside != nullptr;
  for (int i = 0; i < m.bodies; ++i) {
    sums.Q[i] = sums.R[i] = {};
    second.W[i] = {};
    if (stands) second.y_M[i] = second.y_Q[i] = {};
  }
  for (int i = m.bodies - 1; i > 0; --i) {
    for (int last = m.v_at[i + 1]; last > m.v_at[i];) {
      const int first = second.part_first[last - 1];
      for (int k = first; k < last; ++k) {
        sums.Q[i] += second.change[k].F_a * y[k];
        sums.R[i] += second.change[k].BtS * y[k];
        second.W[i] = second.W[i] + scaled(second.change[k].G_q, y[k]);
        if (!stands) continue;
        second.y_M[i] = second.y_M[i] + second.standing[k].M * y[k];
        second.y_Q[i] = second.y_Q[i] + second.standing[k].Q * y[k];
      }
      for (int k = first; k < last; ++k) {
        second.product[k] = product_column(room, sums, second, i, k);
        if (stands) second.product[k].on_S_along_q = standing_column(room, second, i, k);
      }
      last = first;
    }
    const int p = m.parent[i];
    sums.Q[p] += sums.Q[i];
    sums.R[p] += sums.R[i];
    second.W[p] = second.W[p] + second.W[i];
    if (!stands) continue;
    second.y_M[p] = second.y_M[p] + second.y_M[i];
    second.y_Q[p] = second.y_Q[p] + second.y_Q[i];
  }
}

/// The entries that coordinates a, before c or in its part, and c share.
template <class Real>
constexpr void product_entries(const DerivativeRoom<Real>& room, const SecondRoom<Real>& second,
                               int n, int a, int c, bool same, const SecondPartials<Real>& out) {
  const ProductColumn<Real>& p = second.product[c];
  const SubtreeChange<Real>& change = second.change[c];
  const Twist<Real>&S = room.S[a], &u = room.u[a], &turn = second.product[a].turn;
  Real qq = dot(p.on_w, room.w[a]) + dot(p.on_u, u) - dot(change.F_q, turn);
  if (room.outside != nullptr) qq += dot(p.on_S_along_q, S);
  const Real vv = dot(same ? p.on_S_same : p.on_S, S);
  out.dqdq[c + n * a] = qq;
  out.dqdv[a + n * c] = dot(p.on_S, u) - dot(change.F_v, turn);
  out.dvdv[c + n * a] = vv;
  out.dadq[c + n * a] = -dot(change.F_a, turn);
  if (same) return;
  out.dqdq[a + n * c] = qq;
  out.dqdv[c + n * a] = dot(p.on_w, room.y[a]) + dot(p.on_u, S);
  out.dvdv[a + n * c] = vv;
  out.dadq[a + n * c] = dot(p.on_w, S);
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// sum_i y_i d2 tau_i/(dq dq, dq dv, dv dv, da dq) as nv x nv matrices, after forward_poses.
template <class P, class Real>
constexpr void rnea_second_products(const Model<P>& m, const State<Real>& x,
                                    const Workspace<Real>& w, const Real* y,
                                    DerivativeRoom<Real>& room, ProductRoom<Real>& sums,
                                    SecondRoom<Real>& second,
                                    const SecondPartials<Real>& out) noexcept {
  detail::load_derivatives<Origins::centre>(m, x, w, room);
  detail::load_changes(m, room, second);
  detail::weigh_rows_before(m, room, y, sums, second);
  detail::weigh_rows_after(m, room, y, sums, second);
  for (int c = 0; c < m.nv; ++c)
    detail::for_each_before(second, c, [&](int a, bool same) {
      detail::product_entries(room, second, m.nv, a, c, same, out);
    });
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
