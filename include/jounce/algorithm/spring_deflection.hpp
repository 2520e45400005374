// SPDX-License-Identifier: BSD-3-Clause
// How far springs are from rest, for any kind of number: the difference on the joint's manifold.
//
// integrate(rest, deflection) = q, joint by joint: plain differences, and where a joint has a
// rotation without coordinates of its own (spherical, free) the logarithm of rest^-1 q.
#pragma once

#include <algorithm>
#include <jounce/model/joint.hpp>
#include <jounce/model/robot.hpp>

namespace jounce {
namespace detail {

template <class Real, class Number>
SE3<Real> manifold_pose(JointKind kind, const Number* q) {
  if (kind == JointKind::planar)
    return {exp(Vec3<Real>{Real(0), Real(0), Real(q[2])}), {Real(q[0]), Real(q[1]), Real(0)}};
  const Number* r = kind == JointKind::free ? q + 3 : q;
  const SO3<Real> R = to_rotation(Quaternion<Real>{Real(r[0]), Real(r[1]), Real(r[2]), Real(r[3])});
  if (kind == JointKind::free) return {R, {Real(q[0]), Real(q[1]), Real(q[2])}};
  return {R, {Real(0), Real(0), Real(0)}};
}

/// difference(rest, q) of a planar, spherical or free part; a planar angle may exceed pi.
template <class Real>
void manifold_deflection(JointKind kind, const double* rest, const Real* q, Real* to) {
  const SE3<Real> T = inverse_times(manifold_pose<Real>(kind, rest), manifold_pose<Real>(kind, q));
  const bool planar = kind == JointKind::planar;
  const Vec3<Real> w = planar ? Vec3<Real>{Real(0), Real(0), q[2] - Real(rest[2])} : log(T.R);
  if (planar) to[0] = w.z;
  else to[0] = w.x, to[1] = w.y, to[2] = w.z;
  if (kind == JointKind::spherical) return;
  const Vec3<Real> p = dexp_space_inv(w, T.p);
  if (planar) to[1] = p.x, to[2] = p.y;
  else to[3] = p.x, to[4] = p.y, to[5] = p.z;
}

}  // namespace detail

/// difference(rest, q) of the velocity coordinates that a spring holds; the others are left as they
/// are.
template <class Real>
void spring_deflections(const Robot& robot, const Real* q, Real* to) {
  const Model<double>& m = robot.model();
  const PassiveData& passive = robot.passive();
  for (const JointInfo& joint : robot.joints()) {
    if (joint.mimic) continue;
    for (int n = m.part_at[joint.body]; n < m.part_at[joint.body + 1]; ++n) {
      const Part<double>& part = m.part[n];
      const int q_at = part.q + joint.q - m.q_at[joint.body];
      const int v_at = part.v + joint.v - m.v_at[joint.body];
      const int dof = part.kind == JointKind::custom ? joint.nv : elementary_nv(part.kind);
      const double* stiffness = passive.stiffness.data() + v_at;
      if (std::all_of(stiffness, stiffness + dof, [](double x) { return x == 0; })) continue;
      const double* rest = passive.rest.data() + q_at;
      if (part.kind == JointKind::planar || part.kind == JointKind::spherical ||
          part.kind == JointKind::free) {
        detail::manifold_deflection(part.kind, rest, q + q_at, to + v_at);
        continue;
      }
      for (int k = 0; k < dof; ++k) to[v_at + k] = q[q_at + k] - Real(rest[k]);
    }
  }
}

}  // namespace jounce
