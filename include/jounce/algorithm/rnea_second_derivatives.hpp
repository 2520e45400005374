// SPDX-License-Identifier: BSD-3-Clause
// The second partial derivatives of inverse dynamics in O(n d^2) for a tree of depth d.
//
// The first derivatives (rnea_derivatives.hpp), for a row i and a coordinate a:
//   d tau_i/dq_a = S_i . (G_i w_a + B_i u_a)                    a before i, or in its part
//   d tau_i/dq_a = S_i . (G_a w_a + B_a u_a - ad*_{S_a} F_a)    i before a
// Let c be a coordinate after a, or in its part. Along q_c all that c carries changes by
//   G_q = -(G ad_{S_c} + ad*_{S_c} G)      B_q = B[G, u_c] - (B ad_{S_c} + ad*_{S_c} B)
//   F_q = G w_c + B u_c - ad*_{S_c} F
// along v_c by B_v = B[G, S_c], F_v = G y_c + B S_c, along a_c by F_a = G S_c, where B[G, V] is the
// operator B of a body G that moves with V. Nothing else that a row i before c needs changes:
//   d2 tau_i/dq_a dq_c = S_i . (G_q w_a + B_q u_a)     - S_i . ad*_{S_a} F_q   where i is before a
//   d2 tau_i/dv_a dq_c = S_i . (G_q y_a + B_q S_a)
//   d2 tau_i/dq_a dv_c = S_i . B_v u_a                 - S_i . ad*_{S_a} F_v   where i is before a
//   d2 tau_i/dv_a dv_c = S_i . B_v S_a
//   d2 tau_i/da_a dq_c = S_i . G_q S_a
//   d2 tau_i/da_c dq_a =                               - S_i . ad*_{S_a} F_a   where i is before a
// For a row i in the part of c or after it, all is seen from axes that turn with a. There V and A
// change by u_a and w_a + ad_{u_a} V, and by Jacobi's identity
//   du_c = ad_{u_a} S_c           dw_c = ad_{w_a} S_c + 2 ad_{u_a} u_c
//   d2 tau_i/dq_a dq_c = G S_i . (ad_{w_a} S_c + ad_{u_a} u_c) + B^T S_i . ad_{u_a} S_c
//                        - G_q,i u_a . u_c
// and likewise the others. Along coordinates of one part the second derivatives by q do not
// commute: the tensor holds those first along k, then along l, and their difference is the bracket
// of the part's screws times the first derivative. Singh, Russell, Wensing 2022 reach the same cost
// by another arrangement. Needs joints with parts.
//
// Wrenches that stand in ground axes give the rows of joints that carry them -tr M
// (StandingChange). A point p moves by dp_a, then by w_a x dp_c for a before c, then by w_a x (w_c
// x dp_i), and screws turn as before, so that along q_a and q_c, a before c or in its part,
//   d2 tau_i = w_i . (tr H_c - H_c) w_a                      i before a
//   d2 tau_i = w_i . (tr H_c - H_c^T) w_a                    i between a and c
//   d2 tau_i = w_a . (tr M_i - M_i) w_c + w_a . (tr Q_i - Q_i) v_c + v_a . (tr Q_i - Q_i) w_c else
// F_q has the first of them but for i between a and c, where the second is written.
#pragma once

#include <cstddef>
#include <jounce/algorithm/rnea_derivatives.hpp>
#include <jounce/algorithm/second_room.hpp>

namespace jounce {

namespace detail::inline JOUNCE_ISA {

/// What every coordinate changes in all it carries, after load_derivatives.
template <class P, class Real>
constexpr void load_changes(const Model<P>& m, DerivativeRoom<Real>& room,
                            SecondRoom<Real>& second) {
  for (int i = m.bodies - 1; i > 0; --i) {
    const Inertia<Real>& G = room.G[i];
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k) {
      const DerivativeColumn<Real> c = column_of(room, i, k);
      const Twist<Real>&S = room.S[k], &u = room.u[k];
      second.change[k] = {
          inertia_rate(G, S),
          {inertia_rate(G, u) + inertia_rate(room.Gdot[i], S), G * u - dual_ad(S, room.P[i])},
          c.dq_above,
          c.dv,
          c.GS,
          c.BtS};
      if (room.outside != nullptr) second.standing[k] = standing_change(room.outside[i], S);
    }
    add_to_parent(m, i, room);
  }
}

/// f(a, same part as c) for every coordinate a before c and every one of its part.
template <class Real, class F>
constexpr void for_each_before(const SecondRoom<Real>& second, int c, F f) {
  const ColumnRanges& r = second.ranges;
  for (int s = r.at[c]; s < r.middle[c]; ++s)
    for (int a = r.range[s].begin; a < r.range[s].end; ++a) f(a, false);
  for (int a = second.part_first[c]; a < second.part_last[c]; ++a) f(a, true);
}

/// Forces that a pair of coordinates, a before c or in its part, puts on the rows before c. Names
/// are those of the tensors, with the coordinate of each argument.
template <class Real>
struct PairForces {
  Wrench<Real> qa_qc, va_qc, qa_vc, va_vc, aa_qc;
  Wrench<Real> turn_q, turn_v, turn_a;  ///< taken off the rows before a
};
template <class Real>
constexpr PairForces<Real> pair_forces(const DerivativeRoom<Real>& room,
                                       const SubtreeChange<Real>& c, int a) {
  const Twist<Real>&S = room.S[a], &u = room.u[a];
  return {c.G_q * room.w[a] + c.B_q * u,
          c.G_q * room.y[a] + c.B_q * S,
          c.B_v() * u,
          c.B_v() * S,
          c.G_q * S,
          dual_ad(S, c.F_q),
          dual_ad(S, c.F_v),
          dual_ad(S, c.F_a)};
}

/// What a pair puts on the rows of c's part and after it: moved . G S_i + turned . B^T S_i -
/// (G_q,i x) . y.
template <class Real>
struct PairMotions {
  Twist<Real> qa_qc, va_qc, ua_Sc, Sa_Sc;
};
template <class Real>
constexpr PairMotions<Real> pair_motions(const DerivativeRoom<Real>& room, int a, int c) {
  const Twist<Real>&S = room.S[c], &u = room.u[c];
  return {ad(room.w[a], S) + ad(room.u[a], u), ad(room.y[a], S) + ad(room.S[a], u),
          ad(room.u[a], S), ad(room.S[a], S)};
}

/// The entries of the pair (a, c) in every row.
template <class Real>
struct PairEntries {
  Real qa_qc, va_qc, qa_vc, va_vc, aa_qc, ac_qa;
};
template <class Real>
constexpr PairEntries<Real> row_before(const Twist<Real>& S, const PairForces<Real>& f,
                                       bool before_a) {
  PairEntries<Real> x{dot(f.qa_qc, S), dot(f.va_qc, S), dot(f.qa_vc, S),
                      dot(f.va_vc, S), dot(f.aa_qc, S), Real(0)};
  if (!before_a) return x;
  x.qa_qc -= dot(f.turn_q, S);
  x.qa_vc -= dot(f.turn_v, S);
  x.ac_qa = -dot(f.turn_a, S);
  return x;
}
template <class Real>
constexpr PairEntries<Real> row_after(const DerivativeRoom<Real>& room,
                                      const SubtreeChange<Real>& i, const PairMotions<Real>& x,
                                      int a, int c, bool same) {
  const Wrench<Real> Gu = i.G_q * room.u[a], GS = i.G_q * room.S[a];
  const Real bracket = same ? Real(0) : dot(i.F_a, x.Sa_Sc);
  return {dot(i.F_a, x.qa_qc) + dot(i.BtS, x.ua_Sc) - dot(Gu, room.u[c]),
          dot(i.F_a, x.va_qc) + dot(i.BtS, x.Sa_Sc) - dot(GS, room.u[c]),
          dot(i.F_a, x.ua_Sc) - dot(Gu, room.S[c]),
          bracket - dot(GS, room.S[c]),
          bracket,
          Real(0)};
}

/// What wrenches in ground axes take off a row after c.
template <class Real>
constexpr Real standing_after(const StandingChange<Real>& i, const Twist<Real>& a,
                              const Twist<Real>& c) {
  return dot(a.w, times_less_trace(i.M, c.w) + times_less_trace(i.Q, c.v)) +
         dot(a.v, times_less_trace(i.Q, c.w));
}
/// Writes the entries of row i. Those of a pair of one part come up in both orders, each written
/// once: first along c, then along a.
template <class Real>
constexpr void write_entries(const SecondPartials<Real>& out, int n, int i, int a, int c, bool same,
                             const PairEntries<Real>& x) {
  const auto at = [&](int k, int l) { return i + n * (k + std::ptrdiff_t(n) * l); };
  out.dqdq[at(c, a)] = x.qa_qc;
  out.dqdv[at(a, c)] = x.qa_vc;
  out.dvdv[at(c, a)] = x.va_vc;
  out.dadq[at(c, a)] = x.ac_qa;
  if (same) return;
  out.dqdq[at(a, c)] = x.qa_qc;
  out.dqdv[at(c, a)] = x.va_qc;
  out.dvdv[at(a, c)] = x.va_vc;
  out.dadq[at(a, c)] = x.aa_qc;
}

template <class P, class Real>
constexpr void pair_entries(const Model<P>& m, const DerivativeRoom<Real>& room,
                            const SecondRoom<Real>& second, int body, int a, int c, bool same,
                            const SecondPartials<Real>& out) {
  const ColumnRanges& r = second.ranges;
  PairForces<Real> forces = pair_forces(room, second.change[c], a);
  const PairMotions<Real> motions = pair_motions(room, a, c);
  const bool stands = room.outside != nullptr;
  if (stands) forces.qa_qc.m -= times_less_trace(transpose(second.standing[c].H), room.S[a].w);
  if (same) forces.va_vc -= room.G[body] * motions.Sa_Sc;  // V before the joint does not change
  for (int s = r.at[c]; s < r.middle[c]; ++s)
    for (int i = r.range[s].begin; i < r.range[s].end; ++i)
      write_entries(out, m.nv, i, a, c, same,
                    row_before(room.S[i], forces, i < second.part_first[a]));
  for (int s = r.middle[c]; s < r.at[c + 1]; ++s)
    for (int i = r.range[s].begin; i < r.range[s].end; ++i) {
      PairEntries<Real> x = row_after(room, second.change[i], motions, a, c, same);
      if (stands) x.qa_qc -= standing_after(second.standing[i], room.S[a], room.S[c]);
      write_entries(out, m.nv, i, a, c, same, x);
    }
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// d2 tau/dq dq, dq dv, dv dv and da dq, after forward_poses.
template <class P, class Real>
constexpr void rnea_second_derivatives(const Model<P>& m, const State<Real>& x,
                                       const Workspace<Real>& w, DerivativeRoom<Real>& room,
                                       SecondRoom<Real>& second,
                                       const SecondPartials<Real>& out) noexcept {
  detail::load_derivatives<Origins::centre>(m, x, w, room);
  detail::load_changes(m, room, second);
  for (int i = 1; i < m.bodies; ++i)
    for (int c = m.v_at[i]; c < m.v_at[i + 1]; ++c)
      detail::for_each_before(second, c, [&](int a, bool same) {
        detail::pair_entries(m, room, second, i, a, c, same, out);
      });
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
