// SPDX-License-Identifier: BSD-3-Clause
// The mass matrix, fast: composite rigid bodies seen from one place, for any kind of vector.
//
// The reference (crba.hpp) carries a wrench from joint to joint: a change of frame for every pair
// of a joint and its ancestor. Here everything is seen in the axes of a tree's first body:
// composite inertias are then sums, and an entry of M is one scalar product. Bodies that can be far
// apart have origins of their own (origins.hpp), the others share one.
#pragma once

#include <jounce/algorithm/joint_steps.hpp>
#include <jounce/algorithm/origins.hpp>

namespace jounce {
namespace detail::inline JOUNCE_ISA {

/// Poses and screws in the axes of each tree's first body, from the bodies' anchors or, where only
/// it serves, from its own.
template <Origins origins, class Kind>
constexpr void sweep_screws(const Recursion<Kind>& r) {
  const Room<Kind>& room = r.room;
  move_other_joints(r);
  typename Kind::Pose U{};
  for (int i = 1; i < r.m.bodies; ++i) {
    const int p = r.m.parent[i], k = r.m.v_at[i], angle = r.body[i].angle;
    if (p != i - 1) U = room.pose[p];
    if (p == 0) U = {};
    else if (angle >= 0) U = turned_pose(U, r.body[i], r.w.sin[angle], r.w.cos[angle]);
    else U = U * r.w.T[i];
    if (origins == Origins::anchors && r.m.is_anchor(i)) room.cut[i].d = U.p, U.p = {};
    room.pose[i] = U;
    if (angle >= 0) {
      const auto z = z_axis(U);
      room.screw[k] = {z, cross(U.p, z)};
      continue;
    }
    for (int j = k; j < r.m.v_at[i + 1]; ++j) room.screw[j] = Ad(U, r.w.S[j]);
  }
}

/// Column k of M, that of a coordinate of body i: F is the force that its unit acceleration takes.
template <Origins origins, class Kind>
constexpr void write_column(const Recursion<Kind>& r, int i, int k, typename Kind::Force F,
                            typename Kind::Real* M) {
  const std::ptrdiff_t n = r.m.nv;
  typename Kind::Real *row = M + n * k, *column = M + k;
  for (int b = i; b > 0; b = r.m.parent[b]) {
    for (std::ptrdiff_t j = r.m.v_at[b]; j < r.m.v_at[b + 1]; ++j)
      row[j] = column[n * j] = dot(F, r.room.screw[j]);
    if (origins == Origins::anchors && r.m.is_cut(b)) F = moved_from(r.room.cut[b].d, F);
  }
  row[k] = row[k] + r.m.armature[k];
}

/// write(i, k, F) of all coordinates, the last one first.
template <Origins origins, class Kind, class Write>
[[gnu::always_inline]] constexpr void mass_columns(const Recursion<Kind>& r, Write write) {
  const Room<Kind>& room = r.room;
  move_angles(r.m, r.x, r.w);
  sweep_screws<origins>(r);
  typename Kind::CompositeInertia G{};
  for (int i = r.m.bodies - 1; i > 0; --i) {
    const int p = r.m.parent[i];
    G = G + push_forward(room.pose[i], r.body[i].inertia());
    if (r.m.branching[i]) {
      G = G + room.branch[i].composite;
      room.branch[i].composite = {};
    }
    for (int k = r.m.v_at[i]; k < r.m.v_at[i + 1]; ++k) write(i, k, G * room.screw[k]);
    if (origins == Origins::anchors && r.m.is_cut(i)) G = moved_from(room.cut[i].d, G);
    if (p == i - 1 && p > 0) continue;
    if (p > 0) room.branch[p].composite = room.branch[p].composite + G;
    G = {};
  }
}
template <Origins origins, class Kind>
[[gnu::flatten]] constexpr void mass_matrix(const Recursion<Kind>& r, typename Kind::Real* M) {
  mass_columns<origins>(r, [&](int i, int k, const typename Kind::Force& F) {
    write_column<origins>(r, i, k, F, M);
  });
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// As crba, from the state itself. Entries of M that are zero for every q are not written.
template <class Kind>
constexpr void mass_matrix(const Recursion<Kind>& r, typename Kind::Real* M) noexcept {
  if (r.m.anchors > 1) detail::mass_matrix<Origins::anchors>(r, M);
  else detail::mass_matrix<Origins::centre>(r, M);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
