// SPDX-License-Identifier: BSD-3-Clause
// Upper bounds of the diagonal of the mass matrix in one configuration, for a third of what the
// diagonal itself takes.
//
// What hangs on a body has mass m, h = sum of x dm and t = sum of |x|^2 dm about the body's origin.
// A screw (w, v) moves the point x by v + w x x, and |w x x| <= |w| |x|, so that
//   M_kk <= armature + |w|^2 t + 2 v . (w x h) + m |v|^2.
// Seen from a parent, with the pose (R, p): h -> R h + m p, t -> t + 2 p . R h + m |p|^2.
#pragma once

#include <jounce/model/joint.hpp>

namespace jounce {

/// How mass is spread about an origin.
template <class Real>
struct MassSpread {
  Real mass, second;
  Vec3<Real> first;
};

inline namespace JOUNCE_ISA {

/// f(k, bound) of every coordinate, those of the leaves first, from S, T, and the sines of the
/// angles of revolute joints, whose T is not read; room for one spread per body.
template <class Real, class F>
constexpr void for_each_mass_bound(const Model<Real>& m, const Workspace<Real>& w,
                                   MassSpread<Real>* spread, F f) {
  for (int i = 0; i < m.bodies; ++i) {
    const Inertia<Real>& G = m.G[i];
    spread[i] = {G.mass, (G.I.xx + G.I.yy + G.I.zz) / 2, G.h};
  }
  for (int i = m.bodies - 1; i > 0; --i) {
    const MassSpread<Real>& all = spread[i];
    const bool revolute = is_revolute(m, i);
    for (int k = m.v_at[i + 1] - 1; k >= m.v_at[i]; --k) {
      if (revolute) {
        f(k, all.second + m.armature[k]);
        continue;
      }
      const Twist<Real>& S = w.S[k];
      f(k, dot(S.w, S.w) * all.second + 2 * dot(S.v, cross(S.w, all.first)) +
               all.mass * dot(S.v, S.v) + m.armature[k]);
    }
    if (m.parent[i] == 0) continue;
    Vec3<Real> p = w.T[i].p, h = all.first;
    if (revolute) {
      const Part<Real>& part = m.part[m.part_at[i]];
      const Real s = w.sin[part.angle], c = w.cos[part.angle];
      p = part.placement.p;
      h = part.placement.R * Vec3<Real>{c * h.x - s * h.y, s * h.x + c * h.y, h.z};
    } else {
      h = w.T[i].R * h;
    }
    MassSpread<Real>& parent = spread[m.parent[i]];
    const Vec3<Real> moved = p * all.mass;
    parent.mass += all.mass;
    parent.second += all.second + dot(p, h * 2 + moved);
    parent.first += h + moved;
  }
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
