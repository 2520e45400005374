// SPDX-License-Identifier: BSD-3-Clause
// Linear models about a state.
#include <algorithm>
#include <cmath>
#include <jounce/linear.hpp>
#include <jounce/model/manifold.hpp>

#include "linear_algebra/matrix.hpp"
#include "matrix_check.hpp"
#include "numbers.hpp"

namespace jounce::detail {

/// Derivatives of forward dynamics in plain numbers.
struct DerivativesAccess {
  static void forward(Derivatives& derivatives, const VectorArg& q, const VectorArg& v,
                      const VectorArg& tau, const Surroundings& around, double* dq, double* dv,
                      double* dtau) {
    derivatives.run_forward(q, v, tau, around, dq, dv, dtau);
  }
};

namespace {

/// The largest sum of absolute values in a row.
double row_norm(const dense::Matrix& X) {
  double most = 0;
  for (int i = 0; i < X.rows; ++i) {
    double sum = 0;
    for (int j = 0; j < X.columns; ++j) sum += std::abs(X(i, j));
    most = std::max(most, sum);
  }
  return most;
}

/// exp by scaling and squaring of a Taylor polynomial: at a norm below 1/2 its remainder is below
/// 1e-17.
dense::Matrix exponential(const dense::Matrix& X, double norm) {
  const int halvings = norm > 0.5 ? int(std::ceil(std::log2(norm / 0.5))) : 0;
  const dense::Matrix Y = std::ldexp(1.0, -halvings) * X, one = dense::identity(X.rows);
  dense::Matrix E = one;
  for (int k = 14; k > 0; --k) E = one + (1.0 / k) * (Y * E);
  for (int k = 0; k < halvings; ++k) E = E * E;
  return E;
}

}  // namespace

ModelNumbers linearise(Derivatives& derivatives, const VectorArg& q, const VectorArg& v,
                       const VectorArg& tau, const Surroundings& around) {
  const Robot& robot = derivatives.robot();
  const int n = robot.nv(), stride = padded_row(n);
  const auto columns = [n](int rows) { return ZeroNumbers<double>(size_t(rows) * size_t(n)); };
  const ZeroNumbers<double> dq = columns(n), dv = columns(n), dtau = columns(stride);
  DerivativesAccess::forward(derivatives, q, v, tau, around, dq.data(), dv.data(), dtau.data());
  const std::span<const double> speed = v;
  ModelNumbers model{dense::Matrix(2 * n, 2 * n), dense::Matrix(2 * n, n)};
  for (int j = 0; j < n; ++j) {
    model.A(j, n + j) = 1;
    std::copy_n(dq.data() + n * j, n, model.A.column(j) + n);
    std::copy_n(dv.data() + n * j, n, model.A.column(n + j) + n);
    std::copy_n(dtau.data() + stride * j, n, model.B.column(j) + n);
  }
  for (const Factor& f : factors(robot.system())) {
    if (is_flat(f)) continue;
    for_each_unit<double>(f, [&](int k, const double* unit) {
      double turned[6];
      group_ad(f, speed.data() + f.v, unit, turned);
      for (int l = 0; l < f.nv; ++l) model.A(f.v + l, f.v + k) = -turned[l];
    });
  }
  return model;
}

ModelNumbers discretise(const MatrixArg& A_given, const MatrixArg& B_given, double dt) {
  const dense::Matrix A = dense::copied(A_given), B = dense::copied(B_given);
  const int n = A.rows, m = B.columns;
  check_matrix("discretise", "A", A, n, n);
  check_matrix("discretise", "B", B, n, m);
  if (!(dt > 0) || std::isinf(dt))
    throw InputError("discretise: dt is " + std::to_string(dt) +
                     ", needs to be positive and finite");
  dense::Matrix X(n + m, n + m);
  dense::put(dt * A, X, 0, 0);
  dense::put(dt * B, X, 0, n);
  const double norm = row_norm(X);
  const dense::Matrix E = std::isfinite(norm) ? exponential(X, norm) : X;
  if (!std::isfinite(norm) || !dense::all_finite(E))
    throw ComputationError(
        "discretise: the model grows beyond all numbers in dt = " + short_text(dt) +
        " (A and B times dt have the norm " + short_text(norm) + ")");
  return {dense::block(E, 0, 0, n, n), dense::block(E, 0, n, n, m)};
}

}  // namespace jounce::detail
