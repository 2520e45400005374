// SPDX-License-Identifier: BSD-3-Clause
// What damping, friction and springs add to the derivatives.
#pragma once

#include <cmath>

#include "dynamics/dynamics_impl.hpp"

namespace jounce {

/// f(part, first velocity) for the spring that acts on every elementary part with coordinates.
template <class F>
void for_each_own_part(const Robot& robot, F f) {
  const Model<double>& m = robot.model();
  for (const JointInfo& joint : robot.joints()) {
    if (joint.mimic || m.kind[joint.body] == JointKind::custom) continue;
    for (int k = m.part_at[joint.body]; k < m.part_at[joint.body + 1]; ++k)
      f(m.part[k], m.part[k].v + joint.v - m.v_at[joint.body]);
  }
}

/// f(row, column, dtau/dq) and g(k, dtau_k/dv_k) for all that damping, friction and springs add. A
/// spring on a manifold pulls along log(rest^-1 q): its derivative is the inverse of dexp there.
template <class F, class G>
void Dynamics::Impl::for_each_passive_entry(std::span<const double> q_, std::span<const double> v_,
                                            F f, G g) {
  if (!passive || !robot.has_passive()) return;
  const PassiveData& p = robot.passive();
  for (int k = 0; k < robot.nv(); ++k) {
    const double slip = std::tanh(v_[size_t(k)] / slip_speed);
    g(k, p.damping[size_t(k)] + p.friction[size_t(k)] * (1 - slip * slip) / slip_speed);
    f(k, k, p.stiffness[size_t(k)]);
  }
  if (!robot.has_springs()) return;
  tangent_difference(robot, p.rest.data(), q_.data(), row.data());
  for_each_own_part(robot, [&](const Part<double>& part, int first) {
    const int dof = elementary_nv(part.kind);
    if (elementary_nq(part.kind) == dof && part.kind != JointKind::planar) return;
    const Twist<double> X = part_twist(part, row.data() + first);
    for (int k = 0; k < dof; ++k) {
      const Twist<double> S = part_screw<double>(part, k), dX = dexp_body_inv(X, S) - S;
      for (int l = 0; l < dof; ++l) {  // unit screws: coordinates are dot products
        const Twist<double> axis = part_screw<double>(part, l);
        f(first + l, first + k,
          p.stiffness[size_t(first + l)] * (dot(axis.w, dX.w) + dot(axis.v, dX.v)));
      }
    }
  });
}

}  // namespace jounce
