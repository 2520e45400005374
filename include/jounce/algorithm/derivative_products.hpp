// SPDX-License-Identifier: BSD-3-Clause
// Products of d tau/d(q, v, a) with a vector from either side, in O(n).
//
// With the screws, wrenches and sums of rnea_derivatives.hpp (c_k the change of the force of what k
// carries along q_k, b_k along v_k), a row of the matrices splits into coordinates before it and
// those after it, and both parts are sums along the tree:
//   J (dq, dv, da) at l:  S_l . H + (G S_l) . W + (B^T S_l) . U
//     W = sum over those before l and in its part of w_k dq_k + y_k dv_k + S_k da_k,
//     U = the same of u_k dq_k + S_k dv_k,
//     H = sum over those after it of c_k dq_k + b_k dv_k + G S_k da_k
//   y^T J at k:  L . c_k + Q . w_k + R . u_k along q,  L . b_k + Q . y_k + R . S_k along v
//     L = sum of S_l y_l over those before k,
//     Q, R = sums of G S_l y_l and B^T S_l y_l over its part and those after it.
#pragma once

#include <jounce/algorithm/rnea_derivatives.hpp>

namespace jounce {

/// Room for the products; sums at every body.
template <class Real>
struct ProductRoom {
  Twist<Real>*L = nullptr, *U = nullptr, *turn = nullptr;  ///< [bodies] along the way to the body
  Wrench<Real>*Q = nullptr, *R = nullptr, *E = nullptr;    ///< [bodies] over what it carries
};

inline namespace JOUNCE_ISA {

/// A room in memory for three of each for every body.
template <class Real>
constexpr ProductRoom<Real> product_room(int bodies, Twist<Real>* path, Wrench<Real>* carried) {
  return {path, path + bodies, path + 2 * bodies, carried, carried + bodies, carried + 2 * bodies};
}

}  // namespace JOUNCE_ISA

namespace detail::inline JOUNCE_ISA {

/// y^T J for the coordinates of one part of joint i; L is that before the part.
template <class P, class Real>
constexpr void row_product(const Model<P>& m, const DerivativeRoom<Real>& room, int i,
                           const PartRange& part, const Twist<Real>& L, const Real* y,
                           ProductRoom<Real>& sums, const InversePartials<Real>& out) {
  DerivativeColumn<Real> c[6];
  for (int k = part.first; k < part.last; ++k) {
    DerivativeColumn<Real>& at = c[k - part.first];
    at = column_of(room, i, k);
    sums.Q[i] += at.GS * y[k];
    sums.R[i] += at.BtS * y[k];
    sums.E[i] += at.EtS * y[k];
  }
  for (int k = part.first; k < part.last; ++k) {
    const DerivativeColumn<Real>& at = c[k - part.first];
    out.dq[k] = dot(at.dq_above, L) + dot(sums.Q[i], room.w[k]) + dot(sums.R[i], room.u[k]) -
                dot(sums.E[i], room.S[k]);
    out.dv[k] = dot(at.dv, L) + dot(sums.Q[i], room.y[k]) + dot(sums.R[i], room.S[k]);
    out.da[k] = dot(at.GS, L) + dot(sums.Q[i], room.S[k]) + m.armature[k] * y[k];
    if (is_custom(m, i))
      for (int l = part.first; l < part.last; ++l)
        out.dq[k] += dot(room.F[i], room.dS[6 * k + l - part.first]) * y[l];
  }
}

/// J x for the coordinates of one part of joint i; W, U and turn are those with the part in them.
template <class P, class Real>
constexpr void column_product(const Model<P>& m, const DerivativeRoom<Real>& room, int i,
                              const PartRange& part, const Twist<Real>& W, const Twist<Real>& U,
                              const Twist<Real>& turn, const InversePartials<const Real>& x,
                              ProductRoom<Real>& sums, Real* tau) {
  const Wrench<Real> H = sums.Q[i];
  for (int k = part.first; k < part.last; ++k) {
    const DerivativeColumn<Real> at = column_of(room, i, k);
    tau[k] = dot(H, room.S[k]) + dot(at.GS, W) + dot(at.BtS, U) - dot(at.EtS, turn) +
             m.armature[k] * x.da[k];
    sums.Q[i] += at.dq_above * x.dq[k] + at.dv * x.dv[k] + at.GS * x.da[k];
    if (is_custom(m, i))
      for (int l = part.first; l < part.last; ++l)
        tau[k] += dot(room.F[i], room.dS[6 * l + k - part.first]) * x.dq[l];
  }
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// y^T d tau/d(q, v, a) as three vectors, after forward_poses.
template <class P, class Real>
constexpr void rnea_vector_jacobian(const Model<P>& m, const State<Real>& x,
                                    const Workspace<Real>& w, const Real* y,
                                    DerivativeRoom<Real>& room, ProductRoom<Real>& sums,
                                    const InversePartials<Real>& out) noexcept {
  detail::load_derivatives<Origins::centre>(m, x, w, room);
  for (int i = 0; i < m.bodies; ++i) {
    sums.Q[i] = sums.R[i] = sums.E[i] = {};
    sums.L[i] = {};
    if (i > 0) sums.L[i] = sums.L[m.parent[i]];
    for (int k = m.v_at[i]; i > 0 && k < m.v_at[i + 1]; ++k) sums.L[i] += room.S[k] * y[k];
  }
  for (int i = m.bodies - 1; i > 0; --i) {
    Twist<Real> L = sums.L[i];
    for (int r = m.part_at[i + 1] - 1; r >= m.part_at[i]; --r) {
      const detail::PartRange part = detail::part_range(m, i, m.part[r]);
      for (int k = part.first; k < part.last; ++k) L -= room.S[k] * y[k];
      detail::row_product(m, room, i, part, L, y, sums, out);
    }
    const int p = m.parent[i];
    detail::add_to_parent(m, i, room);
    sums.Q[p] += sums.Q[i];
    sums.R[p] += sums.R[i];
    sums.E[p] += sums.E[i];
  }
}

/// d tau/dq dq + d tau/dv dv + d tau/da da, after forward_poses; `along` holds the three vectors.
template <class P, class Real>
constexpr void rnea_jacobian_vector(const Model<P>& m, const State<Real>& x,
                                    const Workspace<Real>& w,
                                    const InversePartials<const Real>& along,
                                    DerivativeRoom<Real>& room, ProductRoom<Real>& sums,
                                    Real* tau) noexcept {
  detail::load_derivatives<Origins::centre>(m, x, w, room);
  const auto add = [&](int k, const Real& sign, Twist<Real>& W, Twist<Real>& U, Twist<Real>& turn) {
    const Real dq = along.dq[k] * sign, dv = along.dv[k] * sign, da = along.da[k] * sign;
    W += room.w[k] * dq + room.y[k] * dv + room.S[k] * da;
    U += room.u[k] * dq + room.S[k] * dv;
    turn += room.S[k] * dq;
  };
  for (int i = 0; i < m.bodies; ++i) {
    const int p = i > 0 ? m.parent[i] : 0;
    sums.Q[i] = {};
    sums.L[i] = i > 0 ? sums.L[p] : Twist<Real>{};
    sums.U[i] = i > 0 ? sums.U[p] : Twist<Real>{};
    sums.turn[i] = i > 0 ? sums.turn[p] : Twist<Real>{};
    for (int k = m.v_at[i]; i > 0 && k < m.v_at[i + 1]; ++k)
      add(k, Real(1), sums.L[i], sums.U[i], sums.turn[i]);
  }
  for (int i = m.bodies - 1; i > 0; --i) {
    Twist<Real> W = sums.L[i], U = sums.U[i], turn = sums.turn[i];
    for (int r = m.part_at[i + 1] - 1; r >= m.part_at[i]; --r) {
      const detail::PartRange part = detail::part_range(m, i, m.part[r]);
      detail::column_product(m, room, i, part, W, U, turn, along, sums, tau);
      for (int k = part.first; k < part.last; ++k) add(k, Real(-1), W, U, turn);
    }
    detail::add_to_parent(m, i, room);
    sums.Q[m.parent[i]] += sums.Q[i];
  }
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
