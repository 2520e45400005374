// SPDX-License-Identifier: BSD-3-Clause
// What the derivatives of inverse dynamics keep for every body and coordinate, and what joints and
// wrenches that are not constant in their body's frame add.
#pragma once

#include <jounce/algorithm/jacobian.hpp>
#include <jounce/group/inertia.hpp>
#include <jounce/model/joint.hpp>

namespace jounce {

/// Correction for wrenches fixed in ground axes, which do not turn with the bodies they act on: for
/// the motion S of a body, E S = (X w + f_space x v, f x w). f_space: the forces at the ground's
/// origin; m: moments, those of such forces about the origin.
template <class Real>
struct WorldWrench {
  Mat3<Real> X{};
  Vec3<Real> f{}, f_space{}, m{};
};

inline namespace JOUNCE_ISA {

template <class Real>
constexpr Wrench<Real> operator*(const WorldWrench<Real>& E, const Twist<Real>& S) {
  return {E.X * S.w + cross(E.f_space, S.v), cross(E.f, S.w)};
}
/// E^T S.
template <class Real>
constexpr Wrench<Real> transpose_times(const WorldWrench<Real>& E, const Twist<Real>& S) {
  return {transpose_times(E.X, S.w) - cross(E.f, S.v), -cross(E.f_space, S.w)};
}
/// What is taken about the point d, taken about the origin.
template <class Real>
constexpr WorldWrench<Real> moved_from(const Vec3<Real>& d, const WorldWrench<Real>& E) {
  return {E.X + hat_times_hat(d, E.f) - hat_times_hat(E.f_space, d), E.f, E.f_space,
          E.m + cross(d, E.f_space)};
}
/// Of a wrench F that stands in ground axes, about the model's centre, p its body's frame and
/// `ground` the ground's origin seen from there. At p (hybrid) it moves along: X = [m] + [p][f]; at
/// the ground's origin (space) it stays where it is.
template <class Real>
constexpr WorldWrench<Real> world_wrench(const Wrench<Real>& F, Representation in,
                                         const Vec3<Real>& p, const Vec3<Real>& ground) {
  const auto& [m, f] = F;
  if (in == Representation::hybrid) return {hat(m) + hat_times_hat(p, f), f, {}, m};
  const Vec3<Real> moment = m + cross(ground, f);
  return {hat(moment), f, f, moment};
}
template <class Real>
constexpr WorldWrench<Real> operator+(const WorldWrench<Real>& D, const WorldWrench<Real>& E) {
  return {D.X + E.X, D.f + E.f, D.f_space + E.f_space, D.m + E.m};
}

}  // namespace JOUNCE_ISA

/// Room for rnea_derivatives, and what it leaves there: in ground axes, about each body's anchor;
/// what other recursions leave is about the model's centre.
template <class Real>
struct DerivativeRoom {
  Twist<Real>*S = nullptr, *u = nullptr, *w = nullptr, *y = nullptr;  ///< [nv]
  Twist<Real>* dS = nullptr;  ///< [6 nv] of custom joints: of screw l along k at 6 k + l
  Twist<Real>*V = nullptr, *A = nullptr;       ///< [bodies] twist, acceleration with -g
  Inertia<Real>*G = nullptr, *Gdot = nullptr;  ///< [bodies] then of all that a body carries
  Wrench<Real>*P = nullptr, *F = nullptr;      ///< [bodies] momentum and force, the same
  Vec3<Real>* fall = nullptr;  ///< [bodies] at anchors: the acceleration that A and F lack
  WorldWrench<Real>* outside = nullptr;  ///< [bodies] set by the caller, about the centre; or null
};

inline namespace JOUNCE_ISA {

/// A room in memory for 4 nv screws, 6 nv of custom joints, and for every body two of the rest and
/// one fall.
template <class Real>
constexpr DerivativeRoom<Real> derivative_room(int nv, int bodies, Twist<Real>* screws,
                                               Twist<Real>* dS, Twist<Real>* motions,
                                               Inertia<Real>* inertias, Wrench<Real>* wrenches,
                                               Vec3<Real>* fall) {
  return {.S = screws,
          .u = screws + nv,
          .w = screws + 2 * nv,
          .y = screws + 3 * nv,
          .dS = dS,
          .V = motions,
          .A = motions + bodies,
          .G = inertias,
          .Gdot = inertias + bodies,
          .P = wrenches,
          .F = wrenches + bodies,
          .fall = fall};
}

}  // namespace JOUNCE_ISA

/// Rows [begin, end) of a column, and the anchor of their bodies.
struct RowRange {
  int begin, end, anchor;
};
/// The rows of every column that are not zero: first those of coordinates that carry it, then those
/// of its own part and of all that it carries, each ascending.
struct ColumnRanges {
  const int* at = nullptr;      ///< [nv + 1]
  const int* middle = nullptr;  ///< [nv] where the second kind starts
  const RowRange* range = nullptr;
  const int* anchor = nullptr;  ///< [nv] of the column's own body
};

namespace detail::inline JOUNCE_ISA {

/// The velocities of a part: of the whole joint for a custom one.
struct PartRange {
  int first, last;
};
template <class P>
constexpr PartRange part_range(const Model<P>& m, int i, const Part<P>& part) {
  if (is_custom(m, i)) return {m.v_at[i], m.v_at[i + 1]};
  return {part.v, part.v + elementary_nv(part.kind)};
}

}  // namespace detail::inline JOUNCE_ISA

}  // namespace jounce
