// SPDX-License-Identifier: BSD-3-Clause
// What friction and springs add to the second derivatives.
#pragma once

#include <jounce/scalar/dual.hpp>

#include "dynamics/passive_entries.hpp"

namespace jounce {

/// A spring on a manifold: the derivative of the inverse of dexp at log(rest^-1 q), which itself
/// moves by that inverse, by dual numbers.
template <class F, class G>
void Dynamics::Impl::for_each_passive_curve(std::span<const double> q_, std::span<const double> v_,
                                            F f, G g) {
  if (!passive || !robot.has_passive()) return;
  const PassiveData& p = robot.passive();
  for (int k = 0; k < robot.nv(); ++k) {
    const double slip = std::tanh(v_[size_t(k)] / slip_speed);
    g(k, -2 * p.friction[size_t(k)] * slip * (1 - slip * slip) / (slip_speed * slip_speed));
  }
  if (!robot.has_springs()) return;
  tangent_difference(robot, p.rest.data(), q_.data(), row.data());
  for_each_own_part(robot, [&](const Part<double>& part, int first) {
    using Number = Dual<double, 6>;
    const int dof = elementary_nv(part.kind);
    if (elementary_nq(part.kind) == dof && part.kind != JointKind::planar) return;
    const Twist<double> at = part_twist(part, row.data() + first);
    Twist<Number> X{{at.w.x, at.w.y, at.w.z}, {at.v.x, at.v.y, at.v.z}};
    for (int l = 0; l < dof; ++l) {
      const Twist<double> dX = dexp_body_inv(at, part_screw<double>(part, l));
      X.w.x.d[l] = dX.w.x, X.w.y.d[l] = dX.w.y, X.w.z.d[l] = dX.w.z;
      X.v.x.d[l] = dX.v.x, X.v.y.d[l] = dX.v.y, X.v.z.d[l] = dX.v.z;
    }
    for (int k = 0; k < dof; ++k) {
      const Twist<Number> slope = dexp_body_inv(X, part_screw<Number>(part, k));
      for (int i = 0; i < dof; ++i) {  // unit screws: coordinates are dot products
        const Twist<double> axis = part_screw<double>(part, i);
        const Number along = dot(slope.w, axis.w) + dot(slope.v, axis.v);
        for (int l = 0; l < dof; ++l)
          f(first + i, first + k, first + l, p.stiffness[size_t(first + i)] * along.d[l]);
      }
    }
  });
}

}  // namespace jounce
