// SPDX-License-Identifier: BSD-3-Clause
// The Coriolis matrix of the Christoffel symbols and the rate of the mass matrix, fast: for any
// kind of vector.
//
// The sums over subtrees are those of the reference (coriolis.hpp), with three differences. Axes at
// rest are those that each tree's first body has at the moment, so that poses and screws are those
// of mass_matrix.hpp. A chain's sums stay in local variables, and inertias are not kept. With
// p = G V of a subtree, the skew part of this factorisation is
//   K S = -(p_m x S_w + p_f x S_v, p_f x S_w) / 2,
// so that six numbers stand for it.
#pragma once

#include <jounce/algorithm/mass_matrix.hpp>

namespace jounce {

/// The forces by which coordinate k meets the screws S_j of those below it, and their rates Psi_j.
template <class Force>
struct ChristoffelForces {
  Force column;         ///< C_jk = column . S_j
  Force momentum, row;  ///< C_kj = momentum . Psi_j + row . S_j
};

namespace detail::inline JOUNCE_ISA {

/// Inertia, its rate and momentum of all that a body carries.
template <class Kind>
struct MovingSubtree {
  typename Kind::CompositeInertia G{}, rate{};
  typename Kind::Force momentum{};

  [[gnu::always_inline]] constexpr void add(const MovingSubtree& other) {
    G = G + other.G, rate = rate + other.rate, momentum = momentum + other.momentum;
  }
};

/// Twists of all bodies and rates of all screws, after sweep_screws.
template <Origins origins, class Kind>
constexpr void sweep_screw_rates(const Recursion<Kind>& r) {
  using Screw = typename Kind::Screw;
  const Room<Kind>& room = r.room;
  Screw V{};
  for (int i = 1; i < r.m.bodies; ++i) {
    const int p = r.m.parent[i];
    if (p != i - 1) V = room.moving[p].twist;
    if (p == 0) V = {};
    if (origins == Origins::anchors && r.m.is_cut(i)) V = {V.w, V.v + cross(V.w, room.cut[i].d)};
    for (int k = r.m.v_at[i]; k < r.m.v_at[i + 1]; ++k) V = V + room.screw[k] * r.x.v[k];
    room.moving[i].twist = V;
    for (int k = r.m.v_at[i]; k < r.m.v_at[i + 1]; ++k) {
      const Screw& S = room.screw[k];
      room.screw_rate[k] = {cross(V.w, S.w), cross_sum(V.v, S.w, V.w, S.v)};
      if (!r.m.constant_screws(i))
        room.screw_rate[k] = room.screw_rate[k] + Ad(room.pose[i], r.w.Sdot[k]);
    }
  }
}

/// Those of coordinate k, with what its body carries.
template <class Kind>
constexpr ChristoffelForces<typename Kind::Force> christoffel_forces(const Room<Kind>& room,
                                                                     const MovingSubtree<Kind>& all,
                                                                     int k) {
  const auto &S = room.screw[k], &Psi = room.screw_rate[k];
  const auto& p = all.momentum;
  const typename Kind::Force even = all.rate * S,
                             odd{cross_sum(p.m, S.w, p.f, S.v), cross(p.f, S.w)};
  return {all.G * Psi + (even - odd) * 0.5, all.G * S, (even + odd) * 0.5};
}

/// write(i, k, forces) of all coordinates, the last one first.
template <Origins origins, class Kind, class Write>
[[gnu::always_inline]] constexpr void christoffel_columns(const Recursion<Kind>& r, Write write) {
  const Room<Kind>& room = r.room;
  move_angles(r.m, r.x, r.w);
  sweep_screws<origins>(r);
  sweep_screw_rates<origins>(r);
  MovingSubtree<Kind> all;
  for (int i = r.m.bodies - 1; i > 0; --i) {
    const int p = r.m.parent[i];
    const auto G = push_forward(room.pose[i], r.body[i].inertia());
    const auto& V = room.moving[i].twist;
    all.add({G, inertia_rate(G, V), G * V});
    if (r.m.branching[i]) {
      MovingBranch<Kind>& sum = room.moving[i];
      all.add({room.branch[i].composite, sum.composite_rate, sum.momentum});
      room.branch[i].composite = {}, sum.composite_rate = {}, sum.momentum = {};
    }
    for (int k = r.m.v_at[i]; k < r.m.v_at[i + 1]; ++k)
      write(i, k, christoffel_forces(room, all, k));
    if (origins == Origins::anchors && r.m.is_cut(i)) {
      const auto& d = room.cut[i].d;
      all = {moved_from(d, all.G), moved_from(d, all.rate), moved_from(d, all.momentum)};
    }
    if (p == i - 1 && p > 0) continue;
    if (p > 0) {
      MovingBranch<Kind>& sum = room.moving[p];
      room.branch[p].composite = room.branch[p].composite + all.G;
      sum.composite_rate = sum.composite_rate + all.rate;
      sum.momentum = sum.momentum + all.momentum;
    }
    all = {};
  }
}

/// The entries of C and Mdot that coordinate k of joint i shares with those below it.
template <Origins origins, class Kind>
constexpr void write_christoffel(const Recursion<Kind>& r, int i, int k,
                                 ChristoffelForces<typename Kind::Force> at, typename Kind::Real* C,
                                 typename Kind::Real* Mdot) {
  using Real = typename Kind::Real;
  const std::ptrdiff_t n = r.m.nv;
  for (int b = i; b > 0; b = r.m.parent[b]) {
    for (std::ptrdiff_t j = r.m.v_at[b]; j < (b == i ? k + 1 : r.m.v_at[b + 1]); ++j) {
      const auto& S = r.room.screw[j];
      const Real C_jk = dot(at.column, S), C_kj = dot(at.momentum, r.room.screw_rate[j], at.row, S);
      C[n * k + j] = C_jk;
      C[n * j + k] = C_kj;
      Mdot[n * k + j] = Mdot[n * j + k] = C_jk + C_kj;
    }
    if (origins == Origins::anchors && r.m.is_cut(b)) {
      const auto& d = r.room.cut[b].d;
      at = {moved_from(d, at.column), moved_from(d, at.momentum), moved_from(d, at.row)};
    }
  }
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// As coriolis of Factorization::christoffel, from the state itself. Entries that are zero for
/// every q are not written.
template <Origins origins, class Kind>
constexpr void coriolis_matrix(const Recursion<Kind>& r, typename Kind::Real* C,
                               typename Kind::Real* Mdot) noexcept {
  detail::christoffel_columns<origins>(
      r, [&](int i, int k, const ChristoffelForces<typename Kind::Force>& at) {
        detail::write_christoffel<origins>(r, i, k, at, C, Mdot);
      });
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
