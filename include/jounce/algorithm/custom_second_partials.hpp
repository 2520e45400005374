// SPDX-License-Identifier: BSD-3-Clause
// The partial derivatives of a custom joint's screws on dual numbers: second derivatives.
//
// A series along q + t e has the second derivative along e in its coefficient 2, and the mixed one
// follows by polarisation: f_km = c(e_k + e_m) - c(e_k) - c(e_m). Sdot is linear in v:
//   d Sdot_l/dq_k = sum_m v_m d2 S_l/dq_k dq_m.
#pragma once

#include <jounce/algorithm/custom_partials.hpp>

namespace jounce::detail::inline JOUNCE_ISA {

/// Half the second derivatives of S and Sdot of a custom joint along one direction.
struct CustomCurve {
  Twist<double> S[6], Sdot[6];
};
inline CustomCurve custom_curve(const CustomJoint& joint, const double* q, const double* v, int k,
                                int m) {
  CustomJoint::Series at[6], speed[6];
  for (int j = 0; j < joint.dof; ++j) {
    at[j] = CustomJoint::Series::line(q[j], j == k || j == m ? 1 : 0);
    speed[j] = CustomJoint::Series(v[j]);
  }
  const JointMotion<CustomJoint::Series> motion = joint.move(at, speed);
  const auto second = [](const Twist<CustomJoint::Series>& X) {
    return Twist<double>{{X.w.x.c[2], X.w.y.c[2], X.w.z.c[2]},
                         {X.v.x.c[2], X.v.y.c[2], X.v.z.c[2]}};
  };
  CustomCurve found;
  for (int l = 0; l < joint.dof; ++l)
    found.S[l] = second(motion.S[l]), found.Sdot[l] = second(motion.Sdot[l]);
  return found;
}

/// Adds x times the rates d of a number to the derivatives of a twist.
template <int N>
void add_rates(const Twist<double>& x, const Dual<double, N>& rate, Twist<Dual<double, N>>& to) {
  for (int j = 0; j < N; ++j) {
    to.w.x.d[j] += x.w.x * rate.d[j], to.w.y.d[j] += x.w.y * rate.d[j];
    to.w.z.d[j] += x.w.z * rate.d[j], to.v.x.d[j] += x.v.x * rate.d[j];
    to.v.y.d[j] += x.v.y * rate.d[j], to.v.z.d[j] += x.v.z * rate.d[j];
  }
}

template <int N>
Twist<Dual<double, N>> constant_twist(const Twist<double>& X) {
  return {{X.w.x, X.w.y, X.w.z}, {X.v.x, X.v.y, X.v.z}};
}

/// For rnea_derivatives on dual numbers.
template <int N>
CustomPartials<Dual<double, N>> custom_partials(const CustomJoint& joint, const Dual<double, N>* q,
                                                const Dual<double, N>* v) {
  double at[6], speed[6];
  for (int k = 0; k < joint.dof; ++k) at[k] = q[k].a, speed[k] = v[k].a;
  const CustomPartials<double> value = custom_partials(joint, at, speed);
  CustomCurve alone[6];
  for (int k = 0; k < joint.dof; ++k) alone[k] = custom_curve(joint, at, speed, k, k);
  CustomPartials<Dual<double, N>> found;
  for (int l = 0; l < joint.dof; ++l)
    for (int k = 0; k < joint.dof; ++k) {
      found.S[l][k] = constant_twist<N>(value.S[l][k]);
      found.Sdot[l][k] = constant_twist<N>(value.Sdot[l][k]);
    }
  for (int k = 0; k < joint.dof; ++k)
    for (int m = 0; m < joint.dof; ++m) {
      const CustomCurve both = k == m ? alone[k] : custom_curve(joint, at, speed, k, m);
      for (int l = 0; l < joint.dof; ++l) {
        const auto mixed = [&](const auto& of) {
          return k == m ? of(both) * 2.0 : of(both) - of(alone[k]) - of(alone[m]);
        };
        const Twist<double> S = mixed([l](const CustomCurve& c) { return c.S[l]; });
        add_rates(S, q[m], found.S[l][k]);
        add_rates(S, v[m], found.Sdot[l][k]);
        add_rates(mixed([l](const CustomCurve& c) { return c.Sdot[l]; }), q[m], found.Sdot[l][k]);
      }
    }
  return found;
}

}  // namespace jounce::detail::inline JOUNCE_ISA
