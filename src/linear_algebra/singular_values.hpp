// SPDX-License-Identifier: BSD-3-Clause
// Singular values and vectors.
#pragma once

#include <jounce/dense_matrix.hpp>
#include <limits>

namespace jounce::dense {

/// A of m rows and k columns is U diag(s) V^T: A becomes U, V has k rows and columns, s is in no
/// order. A singular value below 2^-55 of the largest is zero, and so is its column of U. No
/// allocation.
void singular_values(int m, int k, double* A, double* V, double* s) noexcept;

/// What counts as zero of the largest singular value: the cutoff asked for, but not less than what
/// rounding leaves of a zero.
inline double rank_cutoff(double cutoff, int rows, int columns) noexcept {
  const double rounding =
      (rows > columns ? rows : columns) * std::numeric_limits<double>::epsilon();
  return cutoff > rounding ? cutoff : rounding;
}

/// J = sum_k value(k) left(k) right(k)^T for matrices of any shape. Takes its memory in
/// resize, only for more than ever before.
class SingularValues {
 public:
  void resize(int rows, int columns);
  void decompose(const Matrix& J) noexcept;

  int count() const { return vectors_.columns; }
  double value(int k) const { return values_[static_cast<size_t>(k)]; }
  double largest() const noexcept;
  const double* left(int k) const { return (wide_ ? turns_ : vectors_).column(k); }
  const double* right(int k) const { return (wide_ ? vectors_ : turns_).column(k); }

 private:
  bool wide_ = false;       ///< more columns than rows: J^T is taken apart
  Matrix vectors_, turns_;  ///< of the tall one of J and J^T
  std::vector<double> values_;
};

}  // namespace jounce::dense
