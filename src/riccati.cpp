// SPDX-License-Identifier: BSD-3-Clause
// Riccati equations by doubling (Chu, Fan, Lin 2005), and the recursion over a finite horizon.
//
// A step of doubling is as good as twice as many of the recursion X -> A'X (1 + G X)^-1 A + H. Its
// A goes to zero, as powers of the closed loop do, where the solution stabilises the model. What
// rounding makes of a model that nothing stabilises can look alike, so the closed loop has to show
// it once more.
#include <algorithm>
#include <cmath>
#include <jounce/linear.hpp>
#include <optional>

#include "linear_algebra/matrix.hpp"
#include "linear_algebra/solve.hpp"
#include "matrix_check.hpp"
#include "numbers.hpp"

namespace jounce::detail {
namespace {

using dense::largest;
using dense::Matrix;
using dense::transposed;

struct RiccatiProblem {
  Matrix A, B, Q, R;
};
using RiccatiMethod = std::optional<RegulatorNumbers> (*)(const RiccatiProblem&);

struct Doubling {
  Matrix A, G, H;
};

/// The number of steps, and the solution in H; nothing where it does not stabilise.
std::optional<int> iterate(Doubling& d) {
  const int n = d.A.rows;
  for (int k = 1; k <= 60; ++k) {
    Matrix A_and_G(n, 2 * n);
    dense::put(d.A, A_and_G, 0, 0);
    dense::put(d.G, A_and_G, 0, n);
    const Matrix solved = dense::solve(dense::identity(n) + d.G * d.H, A_and_G);
    const Matrix W_A = dense::block(solved, 0, 0, n, n), W_G = dense::block(solved, 0, n, n, n);
    const Matrix A_T = transposed(d.A), grown = A_T * d.H * W_A;
    d.G = dense::symmetric_part(d.G + d.A * W_G * A_T);
    d.H = dense::symmetric_part(d.H + grown);
    d.A = d.A * W_A;
    if (!dense::all_finite(d.H) || !dense::all_finite(d.A)) return std::nullopt;
    if (largest(grown) <= 1e-15 * largest(d.H) && largest(d.A) <= 1e-8) return k;
  }
  return std::nullopt;
}

double residual_of(const Matrix& rest, std::initializer_list<double> terms) {
  const double size = std::max(terms);
  return size > 0 ? largest(rest) / size : 0;
}

/// Whether the powers of C go to zero, measured in units in which x'X x is of order one. A motion
/// that loses less than 1e-12 a step counts as one that stays.
bool dies_out(Matrix C, const Matrix& X) {
  const int n = C.rows;
  const auto unit = [&](int k) { return X(k, k) > 0 ? std::sqrt(X(k, k)) : 1; };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) C(i, j) *= unit(i) / unit(j);
  for (int k = 0; k < 40 && dense::all_finite(C); ++k) {
    if (n * largest(C) < 0.5) return true;
    C = C * C;
  }
  return false;
}
/// The same of exp(A t), by Cayley's transform.
bool dies_out_in_time(const Matrix& A, const Matrix& X) {
  double s = std::sqrt(largest(A * A));
  if (s == 0) s = 1;
  const Matrix shift = s * dense::identity(A.rows);
  return dies_out(dense::solve(shift - A, shift + A), X);
}

/// (R + B'X B)^-1 B'X A: the feedback of one step where the rest costs x'X x.
std::optional<Matrix> best_gain(const Matrix& A, const Matrix& B, const Matrix& R,
                                const Matrix& X) {
  const Matrix B_X = transposed(B) * X;
  const std::optional<Matrix> L = dense::cholesky(R + B_X * B);
  if (!L) return std::nullopt;
  return dense::solve_cholesky(*L, B_X * A);
}

/// A continuous equation as a discrete one, by Cayley's transform with the shift s.
struct CayleyTransform {
  CayleyTransform(const Matrix& A, const Matrix& G, const Matrix& Q, double s) {
    const Matrix shifted = A - s * dense::identity(A.rows), S_inverse = dense::inverse(shifted);
    const Matrix S_G = S_inverse * G, W = transposed(shifted) + Q * S_G;
    const Matrix W_inverse = dense::inverse(W);
    condition = std::max(largest(shifted) * largest(S_inverse), largest(W) * largest(W_inverse));
    discrete = {dense::identity(A.rows) + 2 * s * transposed(W_inverse), 2 * s * (S_G * W_inverse),
                2 * s * (W_inverse * Q * S_inverse)};
  }
  Doubling discrete;
  double condition;  ///< the worse one of the two inverses
};

/// With a shift of the size of A's eigenvalues, but none of them.
std::optional<Doubling> cayley(const Matrix& A, const Matrix& G, const Matrix& Q) {
  double size = std::sqrt(largest(A * A) + largest(G) * largest(Q));
  if (size == 0) size = std::max(1.0, largest(A));
  std::optional<Doubling> best;
  double least = infinity;
  for (const double factor : {1.0, 1.37, 0.71, 2.3, 0.43}) {
    CayleyTransform found(A, G, Q, factor * size);
    if (!(found.condition < least)) continue;
    least = found.condition;
    best = std::move(found.discrete);
    if (least < 1e6) break;
  }
  return best;
}

std::optional<RegulatorNumbers> solve_continuous(const RiccatiProblem& p) {
  const Matrix R_B = dense::solve_cholesky(*dense::cholesky(p.R), transposed(p.B));
  const Matrix G = dense::symmetric_part(p.B * R_B);
  std::optional<Doubling> d = cayley(p.A, G, p.Q);
  const std::optional<int> steps = d ? iterate(*d) : std::nullopt;
  if (!steps) return std::nullopt;
  const Matrix X = d->H, XGX = X * G * X, XA = X * p.A;
  if (!dies_out_in_time(p.A - G * X, X)) return std::nullopt;
  const double residual =
      residual_of(XA + transposed(XA) - XGX + p.Q, {largest(XA), largest(XGX), largest(p.Q)});
  return RegulatorNumbers{X, R_B * X, residual, *steps};
}

std::optional<RegulatorNumbers> solve_discrete(const RiccatiProblem& p) {
  const Matrix R_B = dense::solve_cholesky(*dense::cholesky(p.R), transposed(p.B));
  Doubling d{p.A, dense::symmetric_part(p.B * R_B), p.Q};
  const std::optional<int> steps = iterate(d);
  const std::optional<Matrix> gain = steps ? best_gain(p.A, p.B, p.R, d.H) : std::nullopt;
  if (!gain || !dies_out(p.A - p.B * *gain, d.H)) return std::nullopt;
  const Matrix A_X = transposed(p.A) * d.H, AXA = A_X * p.A;
  const double residual =
      residual_of(AXA - A_X * p.B * *gain + p.Q - d.H, {largest(AXA), largest(d.H)});
  return RegulatorNumbers{d.H, *gain, residual, *steps};
}

/// Whether some feedback stabilises A with the inputs B: with costs that see everything.
bool stabilisable(RiccatiMethod method, const Matrix& A, const Matrix& B) {
  const auto square = [](double x) { return x > 0 ? x * x : 1; };
  return method({A, B, square(largest(A)) * dense::identity(A.rows),
                 square(largest(B)) * dense::identity(B.columns)})
      .has_value();
}

RegulatorNumbers regulator(const std::string& caller, RiccatiMethod method, const MatrixArg& A,
                           const MatrixArg& B, const MatrixArg& Q, const MatrixArg& R) {
  const RiccatiProblem p{dense::copied(A), dense::copied(B), dense::copied(Q), dense::copied(R)};
  check_matrix(caller, "A", p.A, p.A.rows, p.A.rows);
  check_matrix(caller, "B", p.B, p.A.rows, p.B.columns);
  check_semidefinite(caller, "Q", p.Q, p.A.rows);
  check_definite(caller, "R", p.R, p.B.columns);
  const std::optional<RegulatorNumbers> found = method(p);
  if (!found && !stabilisable(method, p.A, p.B))
    throw ComputationError(caller + ": no feedback stabilises this model");
  if (!found && !stabilisable(method, transposed(p.A), p.Q))
    throw ComputationError(caller + ": Q does not see every motion that must be stopped: " +
                           "(A, Q) is not detectable");
  if (!found) throw ComputationError(caller + ": the iteration does not converge");
  if (!(found->residual <= 1e-6))
    throw ComputationError(caller + ": Riccati's equation is solved to " +
                           short_text(found->residual) + ", needs 1e-06");
  return *found;
}

}  // namespace

RegulatorNumbers continuous_regulator(const MatrixArg& A, const MatrixArg& B, const MatrixArg& Q,
                                      const MatrixArg& R) {
  return regulator("continuous_regulator", solve_continuous, A, B, Q, R);
}
RegulatorNumbers discrete_regulator(const MatrixArg& A, const MatrixArg& B, const MatrixArg& Q,
                                    const MatrixArg& R) {
  return regulator("discrete_regulator", solve_discrete, A, B, Q, R);
}

std::vector<Matrix> finite_horizon_gains(const std::vector<ModelNumbers>& steps,
                                         const MatrixArg& Q_given, const MatrixArg& R_given,
                                         const MatrixArg& Q_end) {
  const std::string caller = "finite_horizon_gains";
  const Matrix Q = dense::copied(Q_given), R = dense::copied(R_given);
  Matrix X = dense::copied(Q_end);
  const int n = Q.rows, m = R.rows;
  check_semidefinite(caller, "Q", Q, n);
  check_definite(caller, "R", R, m);
  check_semidefinite(caller, "Q_end", X, n);
  for (size_t k = 0; k < steps.size(); ++k) {
    const std::string step = " of step " + std::to_string(k);
    check_matrix(caller, "A" + step, steps[k].A, n, n);
    check_matrix(caller, "B" + step, steps[k].B, n, m);
  }
  std::vector<Matrix> gains(steps.size());
  for (size_t k = steps.size(); k-- > 0;) {
    const auto& [A, B] = steps[k];
    std::optional<Matrix> gain = best_gain(A, B, R, X);
    if (!gain || !dense::all_finite(*gain))
      throw ComputationError(caller + ": the cost grows beyond all numbers at step " +
                             std::to_string(k));
    X = dense::symmetric_part(Q + transposed(A) * X * (A - B * *gain));
    gains[k] = std::move(*gain);
  }
  return gains;
}

}  // namespace jounce::detail
