// SPDX-License-Identifier: BSD-3-Clause
// The first and second derivatives of the mass matrix.
//
// [Park] Propositions 1 and 2 with sums over subtrees made once. M_ij = S_i . G S_j with G of the
// deeper coordinate's subtree. Along q_c all that c carries turns, a screw S_i before it does not:
//   dM_ij/dq_c = S_i . G_q S_j                           i, j before c
//   dM_ij/dq_c = G S_j . ad_{S_i} S_c                    i before c, j in its part or after it
//   dM_ij/dq_c = 0                                       i, j in its part or after it
// Then along q_a, with a before c or in its part: seen from axes that turn with a, only a screw
// before a changes, by -ad_{S_a} S_i.
#pragma once

#include <jounce/algorithm/rnea_second_derivatives.hpp>

namespace jounce {

namespace detail::inline JOUNCE_ISA {

/// f(i) for the rows before c, g(i) for those of its part and after it.
template <class Real, class F, class G>
constexpr void for_each_row(const SecondRoom<Real>& second, int c, F f, G g) {
  const ColumnRanges& r = second.ranges;
  for (int s = r.at[c]; s < r.middle[c]; ++s)
    for (int i = r.range[s].begin; i < r.range[s].end; ++i) f(i);
  for (int s = r.middle[c]; s < r.at[c + 1]; ++s)
    for (int i = r.range[s].begin; i < r.range[s].end; ++i) g(i);
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// What both need, after forward_poses.
template <class P, class Real>
constexpr void load_mass_changes(const Model<P>& m, const State<Real>& x, const Workspace<Real>& w,
                                 DerivativeRoom<Real>& room, SecondRoom<Real>& second) noexcept {
  detail::load_derivatives<Origins::centre>(m, x, w, room);
  detail::load_changes(m, room, second);
}

/// dM_ij/dq_l at i + nv j + nv nv l, after load_mass_changes; what is zero for every q is not
/// written.
template <class P, class Real>
constexpr void mass_derivatives(const Model<P>& m, const DerivativeRoom<Real>& room,
                                const SecondRoom<Real>& second, Real* out) noexcept {
  const auto write = [&](int i, int j, int l, const Real& value) {
    Real* slice = out + std::ptrdiff_t(m.nv) * m.nv * l;
    slice[i + m.nv * j] = slice[j + m.nv * i] = value;
  };
  for (int c = 0; c < m.nv; ++c)
    detail::for_each_before(second, c, [&](int j, bool same) {
      if (same) return;
      const Wrench<Real> turned = second.change[c].G_q * room.S[j];
      const Twist<Real> bracket = ad(room.S[j], room.S[c]);
      detail::for_each_row(
          second, c, [&](int i) { write(i, j, c, dot(turned, room.S[i])); },
          [&](int i) { write(i, j, c, dot(second.change[i].F_a, bracket)); });
    });
}

/// Adds scale times d2 M/(dq_k dq_l), first along k, then along l, to the nv x nv matrix `out`,
/// after load_mass_changes.
template <class P, class Real>
constexpr void add_mass_second_derivative(const Model<P>& m, const DerivativeRoom<Real>& room,
                                          const SecondRoom<Real>& second, int k, int l,
                                          const Real& scale, Real* out) noexcept {
  const bool k_first = second.part_first[k] < second.part_first[l];
  const int a = k_first ? k : l, c = k_first ? l : k;
  bool related = false;
  detail::for_each_before(second, c, [&](int b, bool) { related = related || b == a; });
  if (!related) return;
  const Twist<Real>&S_a = room.S[a], &S_c = room.S[c];
  const Inertia<Real>& G_q = second.change[c].G_q;
  const auto add = [&](int i, int j, const Real& value) {
    out[i + m.nv * j] += scale * value;
    out[j + m.nv * i] += scale * value;
  };
  const auto row = [&](int i) {
    const Twist<Real> x = ad(S_a, room.S[i]), twice = ad(S_c, x);
    const Wrench<Real> turned = G_q * x;
    detail::for_each_row(
        second, c, [&](int j) { add(i, j, -dot(turned, room.S[j])); },
        [&](int j) { add(i, j, dot(second.change[j].F_a, twice)); });
  };
  detail::for_each_row(second, a, row, [](int) {});
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
