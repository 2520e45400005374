// SPDX-License-Identifier: BSD-3-Clause
// What custom joints add to Christoffel symbols and to the products that curvature is made of.
//
// The screws of a custom joint change along its own coordinates. With E_ij = Ad_pose dS_j/dq_i,
//   X_i X_j r = w_i x u_j(r) + E_ij(r)        i, j of one custom joint
// in the place of pair_room.hpp's, where E(r) is the field of a screw. So Gamma_ijk gets
// sum m E_ij . u_k, and K the products of E with w x u and with one another: pairs of fields again.
#pragma once

#include <jounce/algorithm/curvature.hpp>

namespace jounce {

namespace detail::inline JOUNCE_ISA {

/// Calls f(body, i, j) for all i and j of one custom joint.
template <class P, class F>
constexpr void for_custom_pairs(const Model<P>& m, F f) {
  for (int body = 1; body < m.bodies; ++body)
    for (int i = m.v_at[body]; is_custom(m, body) && i < m.v_at[body + 1]; ++i)
      for (int j = m.v_at[body]; j < m.v_at[body + 1]; ++j) f(body, i, j);
}
template <class P, class Real>
constexpr const Twist<Real>& custom_field(const Model<P>& m, const PairRoom<Real>& room, int body,
                                          int i, int j) {
  return room.E[6 * i + j - m.v_at[body]];
}

/// sum m E x u_b over the points that both move, of a field E on a custom joint with coordinate c.
template <class Real>
constexpr Vec3<Real> custom_vector(const PathLists& lists, const PairRoom<Real>& room,
                                   const PairField<Real>& F, const Twist<Real>& E, int c, int b) {
  if (lists.before[lists.n * b + c]) return field_vector(F.D, F.f, room.S[b]);
  if (lists.before[lists.n * c + b]) return -field_vector(room.D[b], room.f[b], E);
  return {};
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// E_ij, after load_pairs.
template <class P, class Real>
void load_custom_pairs(const Model<P>& m, const State<Real>& x, const Workspace<Real>& w,
                       const PairRoom<Real>& room) {
  for (int body = 1; body < m.bodies; ++body) {
    if (!is_custom(m, body)) continue;
    const int first = m.v_at[body];
    const SE3<Real> pose{w.pose[body].R, w.central[body]};
    differentiate_custom(*m.custom[body], x.q + m.q_at[body], x.v + first,
                         [&](const CustomPartials<Real>& partial) {
                           for (int i = 0; i < partial.dof; ++i)
                             for (int j = 0; j < partial.dof; ++j)
                               room.E[6 * (first + i) + j] = Ad(pose, partial.S(j, i));
                         });
  }
}

/// Adds to Gamma_ijk, after christoffel.
template <class P, class Real>
constexpr void add_custom_symbols(const Model<P>& m, const PathLists& lists,
                                  const PairRoom<Real>& room, Real* gamma) noexcept {
  const std::ptrdiff_t n = lists.n;
  detail::for_custom_pairs(m, [&](int body, int i, int j) {
    const Twist<Real>& E = detail::custom_field(m, room, body, i, j);
    const auto [D, f] = detail::field_of(room.G[body], detail::second_moments(room.G[body]), E);
    Real* const to = gamma + (i * n + j) * n;
    for (std::ptrdiff_t k = 0; k < n; ++k) {
      if (lists.before[n * k + i]) to[k] = to[k] + trace(detail::field_matrix(D, f, room.S[k]));
      else if (lists.before[n * i + k])
        to[k] = to[k] + trace(detail::field_matrix(room.D[k], room.f[k], E));
    }
  });
}

/// Adds to K_pq, p <= q, after pair_forms.
template <class P, class Real>
constexpr void add_custom_forms(const Model<P>& m, const PathLists& lists, const PairLists& pairs,
                                const PairRoom<Real>& room, Real* K) noexcept {
  const std::ptrdiff_t count = pairs.count, n = lists.n;
  const auto add = [&](std::ptrdiff_t p, std::ptrdiff_t q, const Real& value) {
    Real& to = p < q ? K[count * q + p] : K[count * p + q];
    to = to + value;
  };
  detail::for_custom_pairs(m, [&](int body, int c, int d) {
    if (c > d) return;
    const int q = pairs.of[n * c + d];
    const Twist<Real>& E = detail::custom_field(m, room, body, c, d);
    const auto F = detail::field_of(room.G[body], detail::second_moments(room.G[body]), E);
    for (int p = 0; p < pairs.count; ++p) {  // (w_a x u_b) . E
      const Vec3<Real> both = detail::custom_vector(lists, room, F, E, c, pairs.second[p]);
      const Real value = dot(room.S[pairs.first[p]].w, both);
      add(p, q, -value);
      if (p == q) add(p, q, -value);
    }
    detail::for_custom_pairs(m, [&](int other, int a, int b) {  // E . E on the way to the ground
      const int p = pairs.of[n * a + b];
      if (a > b || !lists.before[n * a + c] || (other == body && p > q)) return;
      const Twist<Real>& there = detail::custom_field(m, room, other, a, b);
      add(p, q, trace(detail::field_matrix(F.D, F.f, there)));
    });
  });
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
