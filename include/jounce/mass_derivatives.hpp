// SPDX-License-Identifier: BSD-3-Clause
// The derivatives of the mass matrix as Park wrote them, for reading and teaching.
//
// [Park] M = sum_b J_b^T G_b J_b over the bodies, and column i of the body Jacobian J_b is the
// screw X_i of coordinate i, carried to the frame of body b. Turning coordinate k, between i and b,
//   dX_i/dq_k = [X_i, X_k]                                                     Proposition 1, (53)
//   d2 X_i/dq_k dq_l = [[X_i, X_l], X_k]    l before k, or in its part         Proposition 2, (54)
// and zero where k is not between i and b: i after k or in its part, or k does not carry b. (The
// two cases of (54) are printed with their conditions exchanged.) Each derivative costs O(n^3);
// Dynamics::mass_derivatives has the sums over subtrees made once, and tests hold one against the
// other. Joints need parts, as all but custom ones have; mimic joints add up.
#pragma once

#include <jounce/global_matrices.hpp>

namespace jounce {
namespace detail::inline JOUNCE_ISA {

/// The body Jacobians of one body and their derivatives.
struct ParkJacobian {
  ParkJacobian(const StackedState& x_, int body_) : x(x_), body(body_) {}

  bool carries(int k) const {
    for (int b = body; b > 0; b = x.m.parent[b])
      if (k >= x.m.v_at[b] && k < x.m.v_at[b + 1]) return true;
    return false;
  }
  /// The first coordinate of the part of k.
  int part(int k) const {
    int first = 0;
    for (int r = 0; r < x.m.part_at[x.m.bodies] && x.m.part[r].v <= k; ++r)
      if (elementary_nv(x.m.part[r].kind) > 0) first = x.m.part[r].v;
    return first;
  }
  /// X_k, zero where k does not carry the body.
  Twist<double> screw(int k) const {
    for (int b = body; b > 0; b = x.m.parent[b])
      if (k >= x.m.v_at[b] && k < x.m.v_at[b + 1])
        return Ad_inv(inverse_times(x.w.pose[b], x.w.pose[body]), x.w.S[k]);
    return {};
  }
  /// Columns f(i, X_i) of the coordinates that carry the body.
  template <class F>
  Dense columns(F f) const {
    Dense J = Dense::Zero(6, x.m.nv);
    for (int i = 0; i < x.m.nv; ++i)
      if (carries(i)) J.col(i) = to_eigen(f(i, screw(i)));
    return J;
  }
  Dense value() const {
    return columns([](int, const Twist<double>& X) { return X; });
  }
  Dense along(int k) const {
    return columns([&](int i, const Twist<double>& X) {
      return part(i) < part(k) ? ad(X, screw(k)) : Twist<double>{};  // (53)
    });
  }
  /// First along k, then along l.
  Dense along(int k, int l) const {
    const bool k_deeper = part(l) <= part(k);
    const int a = k_deeper ? l : k, c = k_deeper ? k : l;
    return columns([&](int i, const Twist<double>& X) {
      return part(i) < part(a) ? ad(ad(X, screw(a)), screw(c)) : Twist<double>{};  // (54)
    });
  }

  const StackedState& x;
  int body;
};

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// dM/dq_k.
inline Eigen::MatrixXd park_mass_derivative(const Robot& robot, const VectorArg& q, int k) {
  const std::vector<double> rest(static_cast<size_t>(robot.nv()));
  const detail::StackedState x(robot, q, rest);
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(x.m.nv, x.m.nv);
  for (int b = 1; b < x.m.bodies; ++b) {
    const detail::ParkJacobian J(x, b);
    const Eigen::MatrixXd GJ = detail::product(detail::block_of(x.m.G[b]), J.value());
    for_each_follower(robot.system().coupling, k, [&](int t, double ratio) {
      sum += ratio * detail::transposed_product(J.along(t), GJ);
    });
  }
  return detail::congruent(x.fold, sum + sum.transpose());
}

/// d2 M/(dq_k dq_l), first along k, then along l.
inline Eigen::MatrixXd park_mass_second_derivative(const Robot& robot, const VectorArg& q, int k,
                                                   int l) {
  const std::vector<double> rest(static_cast<size_t>(robot.nv()));
  const detail::StackedState x(robot, q, rest);
  using namespace detail;
  Dense sum = Dense::Zero(x.m.nv, x.m.nv);
  for (int b = 1; b < x.m.bodies; ++b) {
    const ParkJacobian J(x, b);
    const Dense G = block_of(x.m.G[b]), GJ = product(G, J.value());
    for_each_follower(robot.system().coupling, k, [&](int t, double t_ratio) {
      for_each_follower(robot.system().coupling, l, [&](int s, double s_ratio) {
        if (!J.carries(t) || !J.carries(s)) return;
        sum += t_ratio * s_ratio *
               (transposed_product(J.along(t, s), GJ) +
                transposed_product(J.along(t), product(G, J.along(s))));
      });
    });
  }
  return congruent(x.fold, sum + sum.transpose());
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
