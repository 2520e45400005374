// SPDX-License-Identifier: BSD-3-Clause
// Dense linear algebra, compiled once: in every test anew, Eigen's products and factors are most of
// what the compiler has to do.
#pragma once

#include <Eigen/Core>
#include <concepts>

#include "support/largest.hpp"

namespace jounce::test {

/// By Cholesky's factors of a positive definite M.
Eigen::MatrixXd solve_positive(const Eigen::MatrixXd& M, const Eigen::MatrixXd& right);
/// By LU factors.
Eigen::MatrixXd solve(const Eigen::MatrixXd& A, const Eigen::MatrixXd& right);
bool positive_definite(const Eigen::MatrixXd& M);
/// In order of size.
Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& M);
/// Of a positive definite M; 1 if it is empty.
double condition(const Eigen::MatrixXd& M);
Eigen::VectorXcd eigenvalues(const Eigen::MatrixXd& A);
/// The largest first.
Eigen::VectorXd singular_values(const Eigen::MatrixXd& A);
/// 1 - A^+ A with singular values of at most cutoff times the largest taken as zero.
Eigen::MatrixXd null_space_projector(const Eigen::MatrixXd& A, double cutoff);
double determinant(const Eigen::MatrixXd& A);

Eigen::MatrixXd product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
Eigen::VectorXd product(const Eigen::MatrixXd& A, const Eigen::VectorXd& x);
Eigen::MatrixXd product_of_transpose(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
Eigen::VectorXd product_of_transpose(const Eigen::MatrixXd& A, const Eigen::VectorXd& x);

template <class T>
concept DenseRight = std::same_as<T, Eigen::MatrixXd> || std::same_as<T, Eigen::VectorXd>;

/// A B and A x of matrices, and A^T B and A^T x, in the tests' own namespace before Eigen's.
template <std::same_as<Eigen::MatrixXd> A, DenseRight B>
B operator*(const A& left, const B& right) {
  return product(left, right);
}
template <DenseRight B>
B operator*(const Eigen::Transpose<Eigen::MatrixXd>& left, const B& right) {
  return product_of_transpose(left.nestedExpression(), right);
}
template <DenseRight B>
B operator*(const Eigen::Transpose<const Eigen::MatrixXd>& left, const B& right) {
  return product_of_transpose(left.nestedExpression(), right);
}

}  // namespace jounce::test
