// SPDX-License-Identifier: BSD-3-Clause
// Where sums over bodies are made: at one origin for all bodies that stay near each other.
//
// Seen from a distance D a body of mass m has a second moment of m D^2 and more, and what a joint
// next to it feels of that is a difference of such numbers: m D^2 eps are lost. So a tree is cut,
// once and for all (model/anchors.cpp), where a body can be far from what carries it. anchor[i] is
// the body at whose origin screws, inertias, momenta and forces of body i are taken, in the
// ground's axes; every body on the ground is an anchor. What crosses a cut is moved from one origin
// to the other: to d, or from d. An ordinary robot has one anchor, and nothing is moved.
//
// Sums over the whole robot, and second derivatives, are made at one origin: that of the model's
// centre, the anchor that serves most mass.
#pragma once

#include <jounce/algorithm/skew_block.hpp>
#include <jounce/model/joint.hpp>

namespace jounce {

/// Which origins a sum over bodies uses: that of each body's anchor, or the centre's for all.
enum class Origins : unsigned char { anchors, centre };

inline namespace JOUNCE_ISA {

/// A twist or an acceleration, at the point d.
template <class Real>
constexpr Twist<Real> moved_to(const Vec3<Real>& d, const Twist<Real>& X) {
  return {X.w, X.v + cross(X.w, d)};
}
/// What is taken about the point d, taken about the origin.
template <class Real>
constexpr Wrench<Real> moved_from(const Vec3<Real>& d, const Wrench<Real>& F) {
  return {F.m + cross(d, F.f), F.f};
}
template <class Real>
constexpr Inertia<Real> moved_from(const Vec3<Real>& d, const Inertia<Real>& G) {
  const Vec3<Real> mass_d = d * G.mass;
  return {G.mass, G.h + mass_d, G.I - detail::hat_products(G.h + mass_d * Plain<Real>(0.5), d)};
}
/// Of a block with [K.d] in its lower right corner: [a] - B [d] - [d] B^T + (d . K.d) [d] and
/// B + [d] [K.d].
template <class Real>
constexpr SkewBlock<Real> moved_from(const Vec3<Real>& d, const SkewBlock<Real>& K) {
  const Mat3<Real> M{{cross(K.B.row[0], d), cross(K.B.row[1], d), cross(K.B.row[2], d)}};  // B [d]
  const Vec3<Real> axis{M.row[2].y - M.row[1].z, M.row[0].z - M.row[2].x, M.row[1].x - M.row[0].y};
  return {K.a - axis + d * dot(d, K.d), K.B + hat_times_hat(d, K.d), K.d};
}

/// The position of body i from the origin of its sums, in ground axes, after forward_poses.
template <Origins origins, class P, class Real>
constexpr Vec3<Real> position(const Model<P>& m, const Workspace<Real>& w, int i) {
  if constexpr (origins == Origins::centre) return w.central[i];
  else return m.is_anchor(i) ? Vec3<Real>{Real(0), Real(0), Real(0)} : w.near[i];
}

}  // namespace JOUNCE_ISA

namespace detail::inline JOUNCE_ISA {

/// Positions of all anchors from the model's centre, at[i], where at first every one is that from
/// the anchor before it: on the way from the centre to the ground against these vectors, elsewhere
/// along them. Trees whose axes are not shared stay where they are; `zero` is no way.
template <class P, class At, class Vector>
constexpr void gather_at_centre(const Model<P>& m, bool shared, At at, const Vector& zero) {
  Vector here = zero, next = -at(m.centre);
  for (int a = m.centre; a > 0; a = m.anchor[m.parent[a]]) {
    at(a) = here;
    here = next;
    if (m.parent[a] > 0) next = here - at(m.anchor[m.parent[a]]);
  }
  const auto carries_centre = [&](int i) {
    int a = m.centre;
    while (a > i) a = m.anchor[m.parent[a]];
    return a == i;
  };
  for (int i = 1; i < m.bodies; ++i)
    if (m.is_anchor(i) && !carries_centre(i))
      at(i) = at(i) + (m.parent[i] > 0 ? at(m.anchor[m.parent[i]]) : shared ? here : zero);
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// Positions from anchors and from the centre, where there are several anchors: seldom.
template <class P, class Real>
[[gnu::noinline]] constexpr void place_from_anchors(const Model<P>& m, Workspace<Real>& w) {
  for (int i = 1; i < m.bodies; ++i) {
    const int p = m.parent[i];
    const Vec3<Real> step = p > 0 ? w.pose[p].R * w.T[i].p : w.T[i].p - w.T[1].p;
    w.near[i] = m.is_anchor(p) ? step : w.near[p] + step;
    w.central[i] = w.near[i];
  }
  const auto central = [&](int i) -> Vec3<Real>& { return w.central[i]; };
  detail::gather_at_centre(m, true, central, Vec3<Real>{});
  for (int i = 1; i < m.bodies; ++i)
    if (!m.is_anchor(i)) w.central[i] += w.central[m.anchor[i]];
  w.central[0] = -w.pose[m.centre].p;
}

/// The poses of all bodies in the ground and their positions from anchor and centre, from those in
/// their parents.
template <class P, class Real>
constexpr void place_bodies(const Model<P>& m, Workspace<Real>& w) {
  w.pose[0] = {};
  if (m.bodies > 1) w.near[0] = -w.T[1].p;
  for (int i = 1; i < m.bodies; ++i) {
    const SE3<Real>& parent = w.pose[m.parent[i]];
    const Vec3<Real> step = parent.R * w.T[i].p;
    w.near[i] = w.near[m.parent[i]] + step;
    w.pose[i] = {parent.R * w.T[i].R, parent.p + step};
  }
  if (m.anchors > 1) place_from_anchors(m, w);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
