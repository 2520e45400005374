// SPDX-License-Identifier: BSD-3-Clause
// Linear models of a robot about a state, and the feedback that is best for them.
//
//   const auto [A, B] = jounce::linearise(derivatives, q, v, tau);
//   const jounce::Regulator r = jounce::continuous_regulator(A, B, Q, R);  // tau - r.gain * x
// x = (difference(q0, q), v - v0). These functions allocate. InputError for matrices whose sizes do
// not fit, for numbers that are not finite, for Q that is not symmetric and positive semidefinite
// and R that is not symmetric and positive definite (to 1e-12 of the largest entry).
#pragma once

#include <jounce/dense_matrix.hpp>
#include <jounce/derivatives.hpp>
#include <jounce/matrix_arg.hpp>

namespace jounce {

/// xdot = A x + B u, or x_next = A x + B u.
struct LinearModel {
  Eigen::MatrixXd A, B;
};

/// u = -gain x is the least of x'Qx + u'Ru over all time, which is x' cost x from now on.
struct Regulator {
  Eigen::MatrixXd cost, gain;
  double residual = 0;  ///< of the Riccati equation, relative to its largest term; at most 1e-6
  int iterations = 0;
};

/// What the compiled library takes and gives: numbers whose memory no flag of a program changes.
namespace detail {

struct ModelNumbers {
  dense::Matrix A, B;
};
struct RegulatorNumbers {
  dense::Matrix cost, gain;
  double residual = 0;
  int iterations = 0;
};

ModelNumbers linearise(Derivatives& derivatives, const VectorArg& q, const VectorArg& v,
                       const VectorArg& tau, const Surroundings& around);
ModelNumbers discretise(const MatrixArg& A, const MatrixArg& B, double dt);
RegulatorNumbers continuous_regulator(const MatrixArg& A, const MatrixArg& B, const MatrixArg& Q,
                                      const MatrixArg& R);
RegulatorNumbers discrete_regulator(const MatrixArg& A, const MatrixArg& B, const MatrixArg& Q,
                                    const MatrixArg& R);
std::vector<dense::Matrix> finite_horizon_gains(const std::vector<ModelNumbers>& steps,
                                                const MatrixArg& Q, const MatrixArg& R,
                                                const MatrixArg& Q_end);

using ByColumns = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor>;

inline namespace JOUNCE_ISA {

inline Eigen::MatrixXd to_eigen(const dense::Matrix& A) {
  return Eigen::Map<const ByColumns>(A.data(), A.rows, A.columns);
}
inline dense::Matrix to_numbers(const Eigen::MatrixXd& A) {
  dense::Matrix numbers(static_cast<int>(A.rows()), static_cast<int>(A.cols()));
  Eigen::Map<ByColumns>(numbers.data(), A.rows(), A.cols()) = A;
  return numbers;
}
inline LinearModel to_eigen(const ModelNumbers& m) { return {to_eigen(m.A), to_eigen(m.B)}; }
inline Regulator to_eigen(const RegulatorNumbers& r) {
  return {to_eigen(r.cost), to_eigen(r.gain), r.residual, r.iterations};
}

}  // namespace JOUNCE_ISA

}  // namespace detail

inline namespace JOUNCE_ISA {

/// Forward dynamics about (q, v, tau): x in the tangent space of q and v, u the change of tau. On a
/// planar, spherical or free joint a deviation turns with the body: its rate is dv - ad_v dq.
inline LinearModel linearise(Derivatives& derivatives, const VectorArg& q, const VectorArg& v,
                             const VectorArg& tau, const Surroundings& around = {}) {
  return detail::to_eigen(detail::linearise(derivatives, q, v, tau, around));
}
/// A continuous model over a step dt > 0 with constant u: exp of [A B; 0 0] dt (Van Loan 1978).
/// ComputationError where that is too large for a number.
inline LinearModel discretise(const LinearModel& continuous, double dt) {
  return detail::to_eigen(detail::discretise(continuous.A, continuous.B, dt));
}

/// A'X + XA - X B R^-1 B' X + Q = 0, and X = A'XA - A'XB (R + B'XB)^-1 B'XA + Q, by doubling (Chu,
/// Fan, Lin 2005). ComputationError where no feedback stabilises the model, and where Q does not
/// see a motion that does not die out by itself: the feedback of least cost leaves that motion
/// alone. What is returned stabilises the model.
inline Regulator continuous_regulator(const MatrixArg& A, const MatrixArg& B, const MatrixArg& Q,
                                      const MatrixArg& R) {
  return detail::to_eigen(detail::continuous_regulator(A, B, Q, R));
}
inline Regulator discrete_regulator(const MatrixArg& A, const MatrixArg& B, const MatrixArg& Q,
                                    const MatrixArg& R) {
  return detail::to_eigen(detail::discrete_regulator(A, B, Q, R));
}

/// Gains of the steps 0, 1, ... of a finite horizon with models of its own for every step, and the
/// cost of the last state Q_end: Riccati's recursion from the end. ComputationError where the cost
/// grows too large for a number.
inline std::vector<Eigen::MatrixXd> finite_horizon_gains(const std::vector<LinearModel>& steps,
                                                         const MatrixArg& Q, const MatrixArg& R,
                                                         const MatrixArg& Q_end) {
  std::vector<detail::ModelNumbers> models;
  models.reserve(steps.size());
  for (const LinearModel& step : steps)
    models.push_back({detail::to_numbers(step.A), detail::to_numbers(step.B)});
  std::vector<Eigen::MatrixXd> gains;
  for (const dense::Matrix& gain : detail::finite_horizon_gains(models, Q, R, Q_end))
    gains.push_back(detail::to_eigen(gain));
  return gains;
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
