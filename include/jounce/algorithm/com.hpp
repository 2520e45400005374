// SPDX-License-Identifier: BSD-3-Clause
// The centre of mass of all moving bodies: position, velocity, acceleration and Jacobian.
//
// Links that are fixed to the ground do not count. A body of mass m with first moment h has
//   position      (m p + R h)
//   velocity      R (m v + w x h)
//   acceleration  R (m (vdot + w x v) + wdot x h + w x (w x h))
// each summed over the bodies and divided by the total mass.
#pragma once

#include <jounce/model/joint.hpp>

namespace jounce {

/// What is asked of the centre of mass.
enum class ComQuantity : unsigned char { position, velocity, acceleration };

inline namespace JOUNCE_ISA {

/// In ground axes, from poses and, where asked, twists and accelerations in w.
template <ComQuantity quantity, class P, class Real>
constexpr Vec3<Real> com(const Model<P>& m, const Workspace<Real>& w) {
  Vec3<Real> sum{};
  P mass(0);
  for (int i = 1; i < m.bodies; ++i) {
    const auto& [R, p] = w.pose[i];
    const Inertia<P>& G = m.G[i];
    mass = mass + G.mass;
    if constexpr (quantity == ComQuantity::position) {
      sum += p * G.mass + R * G.h;
    } else {
      const Twist<Real>&V = w.V[i], &A = w.Vdot[i];
      const Vec3<Real> momentum = V.v * G.mass + cross(V.w, G.h);
      if constexpr (quantity == ComQuantity::velocity) sum += R * momentum;
      else sum += R * (A.v * G.mass + cross(A.w, G.h) + cross(V.w, momentum));
    }
  }
  return sum * (P(1) / mass);
}

/// The Jacobian of the position (3 x nv, column by column); moment is room for one vector and mass
/// for one number per body. A coordinate moves the subtree above it as one body:
/// column = (m v + w x h) / M with its screw (w, v) and m, h of the subtree about one point, here
/// the origin of the joint's own body.
template <class P, class Real>
constexpr void com_jacobian(const Model<P>& m, const Workspace<Real>& w, Real* mass,
                            Vec3<Real>* moment, Real* J) {
  for (int i = 0; i < m.bodies; ++i) {
    mass[i] = Real(i == 0 ? P(0) : m.G[i].mass);
    moment[i] = {Real(0), Real(0), Real(0)};
    if (i > 0) moment[i] = w.central[i] * m.G[i].mass + w.pose[i].R * m.G[i].h;
  }
  for (int i = m.bodies - 1; i > 0; --i) {
    mass[m.parent[i]] += mass[i];
    moment[m.parent[i]] += moment[i];
  }
  const Real scale = Real(1) / mass[0];
  for (int i = 1; i < m.bodies; ++i) {
    const SO3<Real>& R = w.pose[i].R;
    const Vec3<Real> h = moment[i] - w.central[i] * mass[i];
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k) {
      const Vec3<Real> z{R.m.row[0].z, R.m.row[1].z, R.m.row[2].z};
      const Vec3<Real> column =
          (is_revolute(m, i) ? cross(z, h) : R * w.S[k].v * mass[i] + cross(R * w.S[k].w, h)) *
          scale;
      J[3 * k] = column.x, J[3 * k + 1] = column.y, J[3 * k + 2] = column.z;
    }
  }
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
