// SPDX-License-Identifier: BSD-3-Clause
// The derivatives of a custom joint's screws by its coordinates, on the numbers that know them.
#pragma once

#include <jounce/model/joint.hpp>

namespace jounce::detail::inline JOUNCE_ISA {

/// d S_l/dq_k and d Sdot_l/dq_k of a custom joint, by dual numbers.
template <class Real>
struct CustomPartials {
  Twist<Real> S[6][6], Sdot[6][6];  ///< [l][k]
};
inline CustomPartials<double> custom_partials(const CustomJoint& joint, const double* q,
                                              const double* v) {
  CustomJoint::Gradient at[6], speed[6];
  for (int k = 0; k < joint.dof; ++k) {
    at[k] = CustomJoint::Gradient::variable(q[k], k);
    speed[k] = CustomJoint::Gradient(v[k]);
  }
  const JointMotion<CustomJoint::Gradient> motion = joint.move(at, speed);
  const auto along = [](const Twist<CustomJoint::Gradient>& X, int k) {
    return Twist<double>{{X.w.x.d[k], X.w.y.d[k], X.w.z.d[k]},
                         {X.v.x.d[k], X.v.y.d[k], X.v.z.d[k]}};
  };
  CustomPartials<double> found;
  for (int l = 0; l < joint.dof; ++l)
    for (int k = 0; k < joint.dof; ++k) {
      found.S[l][k] = along(motion.S[l], k);
      found.Sdot[l][k] = along(motion.Sdot[l], k);
    }
  return found;
}
/// As of double, each number handed to set(where, number).
template <class Real, class Set>
void set_custom_partials(const CustomJoint& joint, const double* q, const double* v, Set set,
                         CustomPartials<Real>& all) {
  const CustomPartials<double> one = custom_partials(joint, q, v);
  const auto put = [&](const Twist<double>& from, Twist<Real>& to) {
    set(to.w.x, from.w.x), set(to.w.y, from.w.y), set(to.w.z, from.w.z);
    set(to.v.x, from.v.x), set(to.v.y, from.v.y), set(to.v.z, from.v.z);
  };
  for (int l = 0; l < joint.dof; ++l)
    for (int k = 0; k < joint.dof; ++k) {
      put(one.S[l][k], all.S[l][k]);
      put(one.Sdot[l][k], all.Sdot[l][k]);
    }
}
inline CustomPartials<float> custom_partials(const CustomJoint& joint, const float* q,
                                             const float* v) {
  double q_wide[6], v_wide[6];
  for (int k = 0; k < joint.dof; ++k) q_wide[k] = q[k], v_wide[k] = v[k];
  CustomPartials<float> all;
  set_custom_partials(
      joint, q_wide, v_wide, [](float& to, double x) { to = float(x); }, all);
  return all;
}
template <class T, int W, Isa I>
CustomPartials<Pack<T, W, I>> custom_partials(const CustomJoint& joint, const Pack<T, W, I>* q,
                                              const Pack<T, W, I>* v) {
  CustomPartials<Pack<T, W, I>> all;
  for (int lane = 0; lane < W; ++lane) {
    double q_lane[6], v_lane[6];
    for (int k = 0; k < joint.dof; ++k) q_lane[k] = q[k][lane], v_lane[k] = v[k][lane];
    set_custom_partials(
        joint, q_lane, v_lane, [lane](Pack<T, W, I>& to, double x) { to.set(lane, T(x)); }, all);
  }
  return all;
}

/// d S_l/dq_k and d Sdot_l/dq_k of a custom joint along a motion. The function runs on q(t) and on
/// q(t) + t^(K + 1) e_k: to order 2 K + 1 the two differ by t^(K + 1) times the derivative.
template <int K>
requires(2 * K + 1 <= custom_order) CustomPartials<Taylor<double, K>> custom_partials(
    const CustomJoint& joint, const Taylor<double, K>* q, const Taylor<double, K>* v) {
  CustomPartials<Taylor<double, K>> found;
  CustomJoint::Series at[6], speed[6];
  for (int j = 0; j < joint.dof; ++j)
    for (int l = 0; l <= K; ++l) at[j].c[l] = q[j].c[l], speed[j].c[l] = v[j].c[l];
  const auto still = joint.move(at, speed);
  for (int k = 0; k < joint.dof; ++k) {
    at[k].c[K + 1] += 1;
    const auto moved = joint.move(at, speed);
    at[k].c[K + 1] -= 1;
    const auto difference = [&](const CustomJoint::Series& x, const CustomJoint::Series& y) {
      Taylor<double, K> d;
      for (int l = 0; l <= K; ++l) d.c[l] = x.c[K + 1 + l] - y.c[K + 1 + l];
      return d;
    };
    const auto twist = [&](const Twist<CustomJoint::Series>& X,
                           const Twist<CustomJoint::Series>& Y) {
      return Twist<Taylor<double, K>>{
          {difference(X.w.x, Y.w.x), difference(X.w.y, Y.w.y), difference(X.w.z, Y.w.z)},
          {difference(X.v.x, Y.v.x), difference(X.v.y, Y.v.y), difference(X.v.z, Y.v.z)}};
    };
    for (int l = 0; l < joint.dof; ++l) {
      found.S[l][k] = twist(moved.S[l], still.S[l]);
      found.Sdot[l][k] = twist(moved.Sdot[l], still.Sdot[l]);
    }
  }
  return found;
}

}  // namespace jounce::detail::inline JOUNCE_ISA
