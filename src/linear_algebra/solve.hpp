// SPDX-License-Identifier: BSD-3-Clause
// Linear systems of any size: elimination, Cholesky's factors and those of a symmetric matrix.
#pragma once

#include <jounce/dense_matrix.hpp>
#include <optional>
#include <span>

namespace jounce::dense {

/// X with A X = B, by elimination with row pivoting. Not finite where A is singular.
Matrix solve(Matrix A, Matrix B);
Matrix inverse(const Matrix& A);

/// L with L L^T = A, from the lower half of A; nothing unless A is positive definite.
std::optional<Matrix> cholesky(const Matrix& A);
/// X with L L^T X = B.
Matrix solve_cholesky(const Matrix& L, Matrix B);

/// P^T L D L^T P of a symmetric matrix, the largest pivot first: a small one that rounding made
/// negative does no harm. Takes its memory in resize, only for more than ever before.
class SymmetricFactors {
 public:
  void resize(int n);
  void factor(const Matrix& S) noexcept;
  /// x := S^-1 x; zero along pivots that are zero.
  void solve(std::span<double> x) noexcept;

 private:
  Matrix LD_;
  std::vector<int> from_;  ///< row k of the factors is row from_[k] of S
  std::vector<double> y_;
};

}  // namespace jounce::dense
