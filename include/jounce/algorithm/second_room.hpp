// SPDX-License-Identifier: BSD-3-Clause
// What the second derivatives of inverse dynamics keep for every coordinate.
#pragma once

#include <jounce/algorithm/derivative_room.hpp>

namespace jounce {

/// The operator B x = Gdot x - ad*_x P of a subtree, or a change of it, which has the same form.
template <class Real>
struct MomentumOperator {
  Inertia<Real> Gdot;
  Wrench<Real> P;
};

inline namespace JOUNCE_ISA {

template <class Real>
constexpr Wrench<Real> operator*(const MomentumOperator<Real>& B, const Twist<Real>& x) {
  return B.Gdot * x - dual_ad(x, B.P);
}
/// B^T x.
template <class Real>
constexpr Wrench<Real> transpose_times(const MomentumOperator<Real>& B, const Twist<Real>& x) {
  return B.Gdot * x + dual_ad(x, B.P);
}

}  // namespace JOUNCE_ISA

/// How inertia, B and force of all that coordinate c carries change along q_c and v_c.
template <class Real>
struct SubtreeChange {
  Inertia<Real> G_q;           ///< dG/dq_c, and Gdot of dB/dv_c
  MomentumOperator<Real> B_q;  ///< dB/dq_c
  Wrench<Real> F_q, F_v, F_a;  ///< dF/d(q, v, a)_c; F_a = G S_c, and P of dB/dv_c
  Wrench<Real> BtS;            ///< B^T S_c

  [[gnu::always_inline]] constexpr MomentumOperator<Real> B_v() const { return {G_q, F_a}; }
};

/// What wrenches in ground axes have of coordinate c: sums over those on what it carries of dp f^T
/// and M, with dp = v + w x p the motion of the point p along q_c. M is dp f^T + w m^T where the
/// wrench moves along with p, v f^T + w m^T at the ground's origin; Q = w f^T of the latter.
template <class Real>
struct StandingChange {
  Mat3<Real> H, M, Q;
};
inline namespace JOUNCE_ISA {

/// a b^T.
template <class Real>
constexpr Mat3<Real> outer(const Vec3<Real>& a, const Vec3<Real>& b) {
  return {{b * a.x, b * a.y, b * a.z}};
}
/// From the sums over a subtree: with N the sum of p f^T, X = [m] + N^T - (tr N) 1.
template <class Real>
constexpr StandingChange<Real> standing_change(const WorldWrench<Real>& E, const Twist<Real>& S) {
  const Real half_trace = trace(E.X) * Plain<Real>(0.5);
  const Mat3<Real> N = transpose(E.X) + hat(E.m) - Mat3<Real>::identity() * half_trace;
  const Mat3<Real> wN = hat(S.w) * N;
  return {wN + outer(S.v, E.f - E.f_space), wN + outer(S.v, E.f) + outer(S.w, E.m),
          outer(S.w, E.f_space)};
}
/// M x - (tr M) x.
template <class Real>
constexpr Vec3<Real> times_less_trace(const Mat3<Real>& M, const Vec3<Real>& x) {
  return M * x - x * trace(M);
}

}  // namespace JOUNCE_ISA

/// What a product with a vector has of coordinate c alone (second_products.hpp: p, r, s).
template <class Real>
struct ProductColumn {
  Wrench<Real> on_w, on_u, on_S;  ///< what w_a, u_a and S_a of a coordinate a before c meet
  Wrench<Real> on_S_same;         ///< on_S for a in the part of c
  Twist<Real> turn;               ///< ad_{S_c} of the sum over the rows before its part
  Wrench<Real> on_S_along_q{};    ///< what S_a meets of wrenches in ground axes, along q alone
};

template <class Real>
struct SecondRoom {
  SubtreeChange<Real>* change = nullptr;   ///< [nv]
  ProductColumn<Real>* product = nullptr;  ///< [nv]
  Twist<Real>* before = nullptr;           ///< [nv] sum of y S over the rows before the part of c
  Inertia<Real>* W = nullptr;              ///< [bodies] sum of y dG/dq over what a body carries
  const int *part_first = nullptr, *part_last = nullptr;  ///< [nv] coordinates of the same part
  ColumnRanges ranges;
  StandingChange<Real>* standing = nullptr;  ///< [nv] then where wrenches are in ground axes
  Mat3<Real>*y_M = nullptr, *y_Q = nullptr;  ///< [bodies] sums of y M and y Q over what it carries
};

/// Where the tensors go: d2 tau_i/(dx_k dy_l) at i + nv k + nv nv l, first along x_k, then y_l;
/// products with a vector, summed over i, at k + nv l. Entries of coordinates that are not all on
/// one path from the ground are zero and not written.
template <class Real>
struct SecondPartials {
  Real *dqdq = nullptr, *dqdv = nullptr, *dvdv = nullptr, *dadq = nullptr;
};

}  // namespace jounce
