// SPDX-License-Identifier: BSD-3-Clause
// Linear models of a robot about a state, and the feedback that is best for them.
//
//   const auto [A, B] = jounce::linearise(dynamics, q, v, tau);
//   const jounce::Regulator r = jounce::continuous_regulator(A, B, Q, R);  // tau - r.gain * x
// x = (difference(q0, q), v - v0). These functions allocate. InputError for matrices whose sizes do
// not fit and for numbers that are not finite.
#pragma once

#include <jounce/dynamics.hpp>

namespace jounce {

/// xdot = A x + B u, or x_next = A x + B u.
struct LinearModel {
  Eigen::MatrixXd A, B;
};

/// Forward dynamics about (q, v, tau): x in the tangent space of q and v, u the change of tau. On a
/// planar, spherical or free joint a deviation turns with the body: its rate is dv - ad_v dq.
LinearModel linearise(Dynamics& dynamics, const VectorArg& q, const VectorArg& v,
                      const VectorArg& tau);
/// A continuous model over a step dt > 0 with constant u: exp of [A B; 0 0] dt (Van Loan 1978).
LinearModel discretise(const LinearModel& continuous, double dt);

/// u = -gain x is the least of x'Qx + u'Ru over all time, which is x' cost x from now on.
struct Regulator {
  Eigen::MatrixXd cost, gain;
  double residual = 0;  ///< of the Riccati equation, relative to its largest term
  int iterations = 0;
};

/// A'X + XA - X B R^-1 B' X + Q = 0, and X = A'XA - A'XB (R + B'XB)^-1 B'XA + Q, by doubling (Chu,
/// Fan, Lin 2005). ComputationError where no feedback stabilises the model.
Regulator continuous_regulator(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B,
                               const Eigen::MatrixXd& Q, const Eigen::MatrixXd& R);
Regulator discrete_regulator(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B,
                             const Eigen::MatrixXd& Q, const Eigen::MatrixXd& R);

/// Gains of the steps 0, 1, ... of a finite horizon with models of its own for every step, and the
/// cost of the last state Q_end: Riccati's recursion from the end.
std::vector<Eigen::MatrixXd> finite_horizon_gains(const std::vector<LinearModel>& steps,
                                                  const Eigen::MatrixXd& Q,
                                                  const Eigen::MatrixXd& R,
                                                  const Eigen::MatrixXd& Q_end);

}  // namespace jounce
