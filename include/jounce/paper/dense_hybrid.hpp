// SPDX-License-Identifier: BSD-3-Clause
// Hybrid dynamics by blocks of the mass matrix, for reading and as a measure of Dynamics::hybrid.
//
// [Kim] 2012, (34): with u the prescribed and v the other coordinates,
//   M_vv qdd_v = tau_v - M_uv^T qdd_u - b_v        tau_u = M_uu qdd_u + M_uv qdd_v + b_u
// The paper prints M_uv where its transpose is needed. O(n^3), where Table 4 takes O(n).
#pragma once

#include <Eigen/Cholesky>
#include <jounce/dynamics.hpp>

namespace jounce::inline JOUNCE_ISA {

/// As Dynamics::hybrid. ComputationError where M_vv is singular.
inline HybridResult dense_hybrid(Dynamics& dyn, std::span<const bool> prescribed,
                                 const VectorArg& q, const VectorArg& v, const VectorArg& a,
                                 const VectorArg& tau, const Surroundings& around = {}) {
  const Robot& robot = dyn.robot();
  if (prescribed.size() != static_cast<size_t>(robot.nv()))
    throw InputError("dense_hybrid: prescribed has " + std::to_string(prescribed.size()) +
                     " elements, robot \"" + robot.name() + "\" needs " +
                     std::to_string(robot.nv()));
  robot.check_v("dense_hybrid", "a", a);
  robot.check_v("dense_hybrid", "tau", tau);
  const int n = robot.nv();
  const std::span<const double> given_a = a, given_tau = tau;
  HybridResult found{Eigen::Map<const Eigen::VectorXd>(given_a.data(), n),
                     Eigen::Map<const Eigen::VectorXd>(given_tau.data(), n)};
  std::vector<int> U, V;
  for (int k = 0; k < n; ++k) (prescribed[static_cast<size_t>(k)] ? U : V).push_back(k);
  const Eigen::MatrixXd M = dyn.mass(q);
  const Eigen::VectorXd b = dyn.inverse(q, v, Eigen::VectorXd(Eigen::VectorXd::Zero(n)), around);
  const Eigen::MatrixXd M_vv = M(V, V), M_vu = M(V, U);
  const Eigen::LLT<Eigen::MatrixXd> factors(M_vv);
  if (!V.empty() && factors.info() != Eigen::Success)
    throw ComputationError("dense_hybrid: the mass matrix of the free coordinates is singular");
  const Eigen::VectorXd a_u = found.a(U), pull = M_vu * a_u, rest = found.tau(V) - pull - b(V);
  const Eigen::VectorXd a_v = factors.solve(rest);
  found.a(V) = a_v;
  const Eigen::VectorXd force = M * found.a + b;
  found.tau(U) = force(U);
  return found;
}

}  // namespace jounce::inline JOUNCE_ISA
