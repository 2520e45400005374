// SPDX-License-Identifier: BSD-3-Clause
// Sums and products of dense matrices.
//
// The library has its dense algebra to itself: Eigen's would stand in the archive under Eigen's
// names, and the linker would merge it with that of a program that is compiled with other flags.
#pragma once

#include <jounce/dense_matrix.hpp>
#include <jounce/matrix_arg.hpp>

namespace jounce::dense {

/// Another shape, of zeros; takes memory only for more than ever before.
void reshape(Matrix& A, int rows, int columns);
Matrix identity(int n);
Matrix copied(const MatrixArg& x);
Matrix transposed(const Matrix& A);
/// The rows and columns from (i, j) on.
Matrix block(const Matrix& A, int i, int j, int rows, int columns);
/// Writes B into A, its first entry at (i, j).
void put(const Matrix& B, Matrix& A, int i, int j);

/// C = A B, reshaped.
void multiply(const Matrix& A, const Matrix& B, Matrix& C);
Matrix operator*(const Matrix& A, const Matrix& B);
Matrix operator*(double s, Matrix A);
Matrix operator+(Matrix A, const Matrix& B);
Matrix operator-(Matrix A, const Matrix& B);

/// N = 1 - X Y^T for n x rank matrices with a rank of at most 6, all column by column.
void one_minus_product(int n, int rank, const double* X, const double* Y, double* N) noexcept;

/// (A + A^T) / 2.
Matrix symmetric_part(const Matrix& A);
/// The largest absolute entry; NaN where there is one.
double largest(const Matrix& A);
bool all_finite(const Matrix& A);

}  // namespace jounce::dense
