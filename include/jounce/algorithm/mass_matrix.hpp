// SPDX-License-Identifier: BSD-3-Clause
// The mass matrix, fast: composite rigid bodies seen from one place, for any kind of vector.
//
// The reference (crba.hpp) carries a wrench from joint to joint: a change of frame for every pair
// of a joint and its ancestor. Here everything is seen in the axes of a tree's first body:
// composite inertias are then sums, and an entry of M is one scalar product. Bodies that can be far
// apart have origins of their own (origins.hpp), the others share one.
#pragma once

#include <jounce/algorithm/joint_steps.hpp>
#include <jounce/algorithm/ltdl.hpp>
#include <jounce/algorithm/origins.hpp>

namespace jounce {

/// In which axes screws are seen: those of each tree's first body, or the ground's.
enum class ScrewAxes : unsigned char { first_body, ground };

namespace detail::inline JOUNCE_ISA {

/// Poses and screws, from the bodies' anchors or, where only it serves, from the first body.
template <Origins origins, ScrewAxes axes = ScrewAxes::first_body, class Kind>
constexpr void sweep_screws(const Recursion<Kind>& r) {
  const Room<Kind>& room = r.room;
  move_other_joints(r);
  typename Kind::Pose U{};
  for (int i = 1; i < r.m.bodies; ++i) {
    const int p = r.m.parent[i], angle = r.body[i].angle;
    if (p != i - 1) U = room.pose[p];
    if (p == 0) U = {};
    if (p == 0 && axes == ScrewAxes::ground) U.p = Kind::vector(-r.w.T[1].p);
    if (p > 0 || axes == ScrewAxes::ground)
      U = angle >= 0 ? turned_pose(U, r.body[i], r.w.sin[angle], r.w.cos[angle]) : U * r.w.T[i];
    if (origins == Origins::anchors && r.m.is_anchor(i)) room.cut[i].d = U.p, U.p = {};
    room.pose[i] = U;
    write_screws(r, i, U);
  }
}

/// put(j, x) for entries x of coordinates that carry the force F, those of a body on the ground:
/// the axes are its own, and its screws unit vectors.
template <class Kind, class Put>
constexpr void on_ground_body(const Recursion<Kind>& r, int b, const typename Kind::Force& F,
                              Put put) {
  const int first = r.m.v_at[b];
  if (r.body[b].angle >= 0) return put(first, z_of(F.m));
  if (!is_free_base(r.m, b)) {
    for (int j = first; j < r.m.v_at[b + 1]; ++j) put(j, dot(F, r.room.screw[j]));
    return;
  }
  typename Kind::Real six[7];
  Kind::write({F.m, F.f}, six);
  for (int c = 0; c < 6; ++c) put(first + c, six[c]);
}

/// Column k of M, that of a coordinate of body i: F is the force that its unit acceleration takes.
template <Origins origins, class Kind>
constexpr void write_column(const Recursion<Kind>& r, int i, int k, typename Kind::Force F,
                            typename Kind::Real* M) {
  const std::ptrdiff_t n = r.m.nv;
  typename Kind::Real *row = M + n * k, *column = M + k;
  const auto put = [&](std::ptrdiff_t j, const auto& x) { row[j] = column[n * j] = x; };
  int b = i;
  for (; r.m.parent[b] > 0; b = r.m.parent[b]) {
    for (int j = r.m.v_at[b]; j < r.m.v_at[b + 1]; ++j) put(j, dot(F, r.room.screw[j]));
    if (origins == Origins::anchors && r.m.is_cut(b)) F = moved_from(r.room.cut[b].d, F);
  }
  on_ground_body(r, b, F, put);
  row[k] = row[k] + r.m.armature[k];
}

/// to[c] = F . screw[column[c]].
template <class Force, class Screw, class Real>
constexpr void write_products(const Force& F, const Screw* screw, const int* column, int count,
                              Real* to) {
  for (int c = 0; c < count; ++c) to[c] = dot(F, screw[column[c]]);
}
/// Row k of its lower triangle in the pattern's rows, that of a coordinate of body i.
template <Origins origins, class Kind>
constexpr void write_row(const Recursion<Kind>& r, const MassPattern& s, int i, int k,
                         typename Kind::Force F, typename Kind::Real* M) {
  typename Kind::Real* diagonal = M + s.diagonal[k];
  if constexpr (origins == Origins::centre) {
    typename Kind::Real* row = M + s.row[k];
    int done = 0;  // of a free base, whose screws are unit vectors
    if (s.length(k) >= 6 && s.column[s.at[k]] == 0 && is_free_base(r.m, 1))
      Kind::write({F.m, F.f}, row), done = 6;
    write_products(F, r.room.screw, s.column + s.at[k] + done, s.length(k) - done, row + done);
    *diagonal = dot(F, r.room.screw[k]) + r.m.armature[k];
    return;
  }
  typename Kind::Real* to = diagonal;  // of coordinate k, of the one before it on the way, ...
  int b = i;
  for (int j = k; r.m.parent[b] > 0; b = r.m.parent[b], j = r.m.v_at[b + 1] - 1) {
    for (; j >= r.m.v_at[b]; --j) *to-- = dot(F, r.room.screw[j]);
    if (origins == Origins::anchors && r.m.is_cut(b)) F = moved_from(r.room.cut[b].d, F);
  }
  const int last = b == i ? k : r.m.v_at[b + 1] - 1;
  on_ground_body(r, b, F, [&](int j, const auto& x) {
    if (j <= last) to[j - last] = x;
  });
  *diagonal = *diagonal + r.m.armature[k];
}

/// f(i, G) for all bodies, the last one first, with the inertia G of all that body i carries.
template <Origins origins, class Kind, class F>
constexpr void for_each_composite(const Recursion<Kind>& r, F f) {
  const Room<Kind>& room = r.room;
  typename Kind::CompositeInertia G{};
  for (int i = r.m.bodies - 1; i > 0; --i) {
    const int p = r.m.parent[i];
    G = G + push_forward(room.pose[i], r.body[i].inertia());
    if (r.m.branching[i]) {
      G = G + room.branch[i].composite;
      room.branch[i].composite = {};
    }
    f(i, G);
    if (origins == Origins::anchors && r.m.is_cut(i)) G = moved_from(room.cut[i].d, G);
    if (p == i - 1 && p > 0) continue;
    if (p > 0) room.branch[p].composite = room.branch[p].composite + G;
    G = {};
  }
}
/// write(i, k, F) of all coordinates, the last one first, with the force F that joint i needs for a
/// unit acceleration of k.
template <Origins origins, class Kind, class Write>
[[gnu::always_inline]] constexpr void mass_columns(const Recursion<Kind>& r, Write write) {
  move_angles(r.m, r.x, r.w);
  sweep_screws<origins>(r);
  for_each_composite<origins>(r, [&](int i, const typename Kind::CompositeInertia& G) {
    for (int k = r.m.v_at[i]; k < r.m.v_at[i + 1]; ++k) write(i, k, G * r.room.screw[k]);
  });
}
template <Origins origins, class Kind, class FactorRow>
[[gnu::flatten]] constexpr void mass_factors(const Recursion<Kind>& r, const MassPattern& s,
                                             typename Kind::Real* M, typename Kind::Real* diagonal,
                                             FactorRow factor_row) {
  int next = s.n - 1;  // row to factor
  mass_columns<origins>(r, [&](int i, int k, const typename Kind::Force& F) {
    write_row<origins>(r, s, i, k, F, M);
    diagonal[k] = M[s.diagonal[k]];
    for (; next >= r.m.v_at[i + 1]; --next) factor_row(next);
  });
  for (; next >= 0; --next) factor_row(next);
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
/// The factors of its lower triangle, in the pattern's rows (ltdl.hpp), and what the diagonal was.
/// Both go from the last coordinate to the first: a row is factored, factor_row(k), as soon as it
/// is found, so that its wait for divisions is filled by finding the next one.
template <class Kind, class FactorRow>
constexpr void mass_factors(const Recursion<Kind>& r, const MassPattern& s, typename Kind::Real* M,
                            typename Kind::Real* diagonal, FactorRow factor_row) noexcept {
  if (r.m.anchors > 1) detail::mass_factors<Origins::anchors>(r, s, M, diagonal, factor_row);
  else detail::mass_factors<Origins::centre>(r, s, M, diagonal, factor_row);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
