// SPDX-License-Identifier: BSD-3-Clause
// Dense matrices of any size: products, solutions and symmetric eigenvalues, compiled in one place.
//
// Eigen compiles a product or a decomposition anew for every expression it is written with, which
// costs seconds a file. What is not a kernel of its own goes through these functions instead.
#pragma once

#include <Eigen/Core>

namespace jounce::dense {

using Eigen::MatrixXd;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

MatrixXd times(const MatrixXd& A, const MatrixXd& B);

/// A B C ..., from the left.
template <class... Factors>
MatrixXd times(const MatrixXd& A, const MatrixXd& B, const Factors&... more) {
  return times(times(A, B), more...);
}

/// X with A X = B, by elimination with row pivoting.
MatrixXd solve(const MatrixXd& A, const MatrixXd& B);
MatrixXd inverse(const MatrixXd& A);

bool positive_definite(const MatrixXd& A);
/// X with A X = B for a positive definite A.
MatrixXd solve_positive(const MatrixXd& A, const MatrixXd& B);

/// S of n columns becomes diagonal (the eigenvalues), the columns of U the eigenvectors. No
/// allocation.
void diagonalise(int n, double* S, double* U) noexcept;

/// The inverse of a symmetric S without negative eigenvalues, zero along those that are at most
/// `cutoff` times the largest (Moore, Penrose). No allocation.
Matrix6 pseudo_inverse(Matrix6 S, double cutoff) noexcept;

}  // namespace jounce::dense
