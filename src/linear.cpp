// SPDX-License-Identifier: BSD-3-Clause
// Linear models about a state and Riccati equations.
#include <algorithm>
#include <cmath>
#include <jounce/algorithm/coordinate_series.hpp>
#include <jounce/linear.hpp>

#include "dense.hpp"

namespace jounce {
namespace {

using DenseMatrix = Eigen::MatrixXd;
using dense::times;

double largest(const DenseMatrix& x) { return x.size() == 0 ? 0 : x.cwiseAbs().maxCoeff(); }

/// exp by scaling and squaring of a Taylor polynomial: at a norm below 1/2 its remainder is below
/// 1e-17.
DenseMatrix exponential(const DenseMatrix& X) {
  if (X.size() == 0) return X;
  const double norm = X.cwiseAbs().rowwise().sum().maxCoeff();
  const int halvings = norm > 0.5 ? int(std::ceil(std::log2(norm / 0.5))) : 0;
  const DenseMatrix Y = X * std::ldexp(1.0, -halvings),
                    one = DenseMatrix::Identity(X.rows(), X.cols());
  DenseMatrix E = one;
  for (int k = 14; k > 0; --k) E = one + times(Y, E) / k;
  for (int k = 0; k < halvings; ++k) E = times(E, E);
  return E;
}

struct Doubling {
  DenseMatrix A, G, H;
};

/// X = A'X (1 + G X)^-1 A + H, each step as good as twice as many of the recursion.
int iterate(Doubling& d, const char* caller) {
  const Eigen::Index n = d.A.rows();
  DenseMatrix A_and_G(n, 2 * n);
  for (int k = 1; k <= 60; ++k) {
    DenseMatrix W = times(d.G, d.H);
    W.diagonal().array() += 1;
    A_and_G.leftCols(n) = d.A;
    A_and_G.rightCols(n) = d.G;
    const DenseMatrix solved = dense::solve(W, A_and_G), W_A = solved.leftCols(n);
    const DenseMatrix A_T = d.A.transpose(), grown = times(A_T, d.H, W_A);
    d.G += times(d.A, solved.rightCols(n), A_T);
    d.H += grown;
    d.A = times(d.A, W_A);
    if (!d.H.allFinite()) break;
    if (largest(grown) <= 1e-15 * largest(d.H)) return k;
  }
  throw ComputationError(std::string(caller) + ": no feedback stabilises this model");
}

/// (R + B'X B)^-1 B'X A: the feedback of one step where the rest costs x'X x.
DenseMatrix best_gain(const DenseMatrix& A, const DenseMatrix& B, const DenseMatrix& R,
                      const DenseMatrix& X) {
  const DenseMatrix B_X = times(B.transpose(), X);
  return dense::solve_positive(R + times(B_X, B), times(B_X, A));
}

std::string size_of(Eigen::Index rows, Eigen::Index columns) {
  return std::to_string(rows) + " x " + std::to_string(columns);
}

void check(const std::string& caller, const std::string& name, const DenseMatrix& X,
           Eigen::Index rows, Eigen::Index columns) {
  if (X.rows() != rows || X.cols() != columns)
    throw InputError(caller + ": " + name + " is " + size_of(X.rows(), X.cols()) +
                     ", needs to be " + size_of(rows, columns));
  if (!X.allFinite()) throw InputError(caller + ": " + name + " is not finite");
}

void check_cost(const char* caller, const DenseMatrix& Q, const DenseMatrix& R, Eigen::Index n,
                Eigen::Index m) {
  check(caller, "Q", Q, n, n);
  check(caller, "R", R, m, m);
  if (!dense::positive_definite(R))
    throw InputError(std::string(caller) + ": R must be positive definite");
}

void check_all(const char* caller, const DenseMatrix& A, const DenseMatrix& B, const DenseMatrix& Q,
               const DenseMatrix& R) {
  check(caller, "A", A, A.rows(), A.rows());
  check(caller, "B", B, A.rows(), B.cols());
  check_cost(caller, Q, R, A.rows(), B.cols());
}

}  // namespace

LinearModel linearise(Dynamics& dynamics, const VectorArg& q, const VectorArg& v,
                      const VectorArg& tau) {
  const ForwardDerivativesResult found = dynamics.forward_derivatives(q, v, tau);
  const Robot& robot = dynamics.robot();
  const int n = robot.nv();
  const std::span<const double> speed = v;
  LinearModel model{DenseMatrix::Zero(2 * n, 2 * n), DenseMatrix::Zero(2 * n, n)};
  model.A.topRightCorner(n, n).setIdentity();
  model.A.bottomLeftCorner(n, n) = found.da_dq;
  model.A.bottomRightCorner(n, n) = found.da_dv;
  model.B.bottomRows(n) = found.da_dtau;
  const Model<double>& m = robot.model();
  for (const JointInfo& joint : robot.joints())
    for (int r = m.part_at[joint.body]; !joint.mimic && r < m.part_at[joint.body + 1]; ++r) {
      const Part<double>& part = m.part[r];
      if (is_flat(part.kind)) continue;
      const int first = part.v + joint.v - m.v_at[joint.body];
      double turn[36];
      part_ad(part, speed.data() + first, turn);
      for (int k = 0; k < elementary_nv(part.kind); ++k)
        for (int l = 0; l < elementary_nv(part.kind); ++l)
          model.A(first + l, first + k) = -turn[6 * k + l];
    }
  return model;
}

LinearModel discretise(const LinearModel& continuous, double dt) {
  const Eigen::Index n = continuous.A.rows(), m = continuous.B.cols();
  check("discretise", "A", continuous.A, n, n);
  check("discretise", "B", continuous.B, n, m);
  if (!(dt > 0) || std::isinf(dt))
    throw InputError("discretise: dt is " + std::to_string(dt) +
                     ", needs to be positive and finite");
  DenseMatrix X = DenseMatrix::Zero(n + m, n + m);
  X.topLeftCorner(n, n) = continuous.A * dt;
  X.topRightCorner(n, m) = continuous.B * dt;
  const DenseMatrix E = exponential(X);
  return {E.topLeftCorner(n, n), E.topRightCorner(n, m)};
}

/// The continuous equation becomes a discrete one by Cayley's transform with a shift s.
Regulator continuous_regulator(const DenseMatrix& A, const DenseMatrix& B, const DenseMatrix& Q,
                               const DenseMatrix& R) {
  check_all("continuous_regulator", A, B, Q, R);
  const Eigen::Index n = A.rows();
  const DenseMatrix R_B = dense::solve_positive(R, B.transpose()), G = times(B, R_B);
  const double s = std::max(1.0, std::sqrt(largest(times(A, A)) + largest(G) * largest(Q)));
  const DenseMatrix shifted = A - s * DenseMatrix::Identity(n, n);
  const DenseMatrix S_inverse = dense::inverse(shifted), S_G = times(S_inverse, G);
  const DenseMatrix W_inverse = dense::inverse(shifted.transpose() + times(Q, S_G));
  Doubling d{2 * s * W_inverse.transpose(), 2 * s * times(S_G, W_inverse),
             2 * s * times(W_inverse, Q, S_inverse)};
  d.A.diagonal().array() += 1;
  Regulator found;
  found.iterations = iterate(d, "continuous_regulator");
  const DenseMatrix& X = found.cost = (d.H + d.H.transpose()) / 2;
  found.gain = times(R_B, X);
  const DenseMatrix XGX = times(X, G, X), XA = times(X, A);
  found.residual =
      largest(XA + XA.transpose() - XGX + Q) / std::max({largest(XA), largest(XGX), largest(Q)});
  return found;
}

Regulator discrete_regulator(const DenseMatrix& A, const DenseMatrix& B, const DenseMatrix& Q,
                             const DenseMatrix& R) {
  check_all("discrete_regulator", A, B, Q, R);
  Doubling d{A, times(B, dense::solve_positive(R, B.transpose())), Q};
  Regulator found;
  found.iterations = iterate(d, "discrete_regulator");
  found.cost = (d.H + d.H.transpose()) / 2;
  found.gain = best_gain(A, B, R, found.cost);
  const DenseMatrix A_X = times(A.transpose(), found.cost), AXA = times(A_X, A);
  found.residual = largest(AXA - times(A_X, B, found.gain) + Q - found.cost) /
                   std::max(largest(AXA), largest(found.cost));
  return found;
}

std::vector<DenseMatrix> finite_horizon_gains(const std::vector<LinearModel>& steps,
                                              const DenseMatrix& Q, const DenseMatrix& R,
                                              const DenseMatrix& Q_end) {
  const char* caller = "finite_horizon_gains";
  const Eigen::Index n = Q.rows(), m = R.rows();
  check_cost(caller, Q, R, n, m);
  check(caller, "Q_end", Q_end, n, n);
  for (size_t k = 0; k < steps.size(); ++k) {
    const std::string step = " of step " + std::to_string(k);
    check(caller, "A" + step, steps[k].A, n, n);
    check(caller, "B" + step, steps[k].B, n, m);
  }
  std::vector<DenseMatrix> gains(steps.size());
  DenseMatrix X = Q_end;
  for (size_t k = steps.size(); k-- > 0;) {
    const auto& [A, B] = steps[k];
    gains[k] = best_gain(A, B, R, X);
    X = Q + times(A.transpose(), X, A - times(B, gains[k]));
    X = DenseMatrix((X + X.transpose()) / 2);
  }
  return gains;
}

}  // namespace jounce
