// SPDX-License-Identifier: BSD-3-Clause
// The mass matrix by composite rigid bodies, in O(n d) for a tree of depth d.
//
// A column of M is the force that unit acceleration of one coordinate needs with everything at
// rest: the subtree it carries moves as one rigid body, and only joints on the way to the ground
// feel it. [Park] (40) with the sums over descendants done once (Walker, Orin 1982; Featherstone
// 2008, 6.2).
#pragma once

#include <jounce/model/joint.hpp>

namespace jounce {

namespace detail::inline JOUNCE_ISA {

/// The bodies' own inertias, which their children's join.
template <class P, class Real>
constexpr void start_composites(const Model<P>& m, Inertia<Real>* composite) {
  for (int i = 1; i < m.bodies; ++i) {
    const Inertia<P>& G = m.G[i];
    composite[i] = {
        Real(G.mass),
        as<Real>(G.h),
        {Real(G.I.xx), Real(G.I.xy), Real(G.I.yy), Real(G.I.xz), Real(G.I.yz), Real(G.I.zz)}};
  }
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// M (nv x nv, row by row), after forward_poses; composite is room for one inertia per body.
template <class P, class Real>
constexpr void crba(const Model<P>& m, const Workspace<Real>& w, Inertia<Real>* composite,
                    Real* M) {
  for (int k = 0; k < m.nv * m.nv; ++k) M[k] = Real(0);
  detail::start_composites(m, composite);
  for (int i = m.bodies - 1; i > 0; --i) {
    if (m.parent[i] > 0)
      composite[m.parent[i]] = composite[m.parent[i]] + push_forward(w.T[i], composite[i]);
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k) {
      Wrench<Real> F = composite[i] * w.S[k];
      for (int b = i; b > 0; F = dual_Ad_inv(w.T[b], F), b = m.parent[b])
        for (int j = m.v_at[b]; j < m.v_at[b + 1]; ++j)
          M[m.nv * k + j] = M[m.nv * j + k] = dot(F, w.S[j]);
      M[m.nv * k + k] += Real(m.armature[k]);
    }
  }
}

/// f(k, M_kk) of every coordinate, those of the leaves first, in O(n), from T and S.
template <class P, class Real, class F>
constexpr void for_each_mass_diagonal(const Model<P>& m, const Workspace<Real>& w,
                                      Inertia<Real>* composite, F f) {
  detail::start_composites(m, composite);
  for (int i = m.bodies - 1; i > 0; --i) {
    if (m.parent[i] > 0)
      composite[m.parent[i]] = composite[m.parent[i]] + push_forward(w.T[i], composite[i]);
    for (int k = m.v_at[i + 1] - 1; k >= m.v_at[i]; --k)
      f(k, dot(composite[i] * w.S[k], w.S[k]) + Real(m.armature[k]));
  }
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
