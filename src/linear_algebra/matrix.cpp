// SPDX-License-Identifier: BSD-3-Clause
// Sums and products of dense matrices.
#include "linear_algebra/matrix.hpp"

#include <algorithm>
#include <cmath>

#include "linear_algebra/vectors.hpp"

namespace jounce::dense {

void reshape(Matrix& A, int rows, int columns) {
  A.rows = rows, A.columns = columns;
  A.numbers.assign(static_cast<size_t>(rows) * static_cast<size_t>(columns), 0.0);
}

Matrix identity(int n) {
  Matrix one(n, n);
  for (int k = 0; k < n; ++k) one(k, k) = 1;
  return one;
}

Matrix copied(const MatrixArg& x) {
  Matrix A(x.rows(), x.columns());
  for (int j = 0; j < A.columns; ++j)
    std::copy(x.column(j).begin(), x.column(j).end(), A.column(j));
  return A;
}

Matrix transposed(const Matrix& A) {
  Matrix T(A.columns, A.rows);
  for (int j = 0; j < A.columns; ++j)
    for (int i = 0; i < A.rows; ++i) T(j, i) = A(i, j);
  return T;
}

Matrix block(const Matrix& A, int i, int j, int rows, int columns) {
  Matrix B(rows, columns);
  for (int c = 0; c < columns; ++c)
    std::copy(A.column(j + c) + i, A.column(j + c) + i + rows, B.column(c));
  return B;
}
void put(const Matrix& B, Matrix& A, int i, int j) {
  for (int c = 0; c < B.columns; ++c)
    std::copy(B.column(c), B.column(c) + B.rows, A.column(j + c) + i);
}

void multiply(const Matrix& A, const Matrix& B, Matrix& C) {
  reshape(C, A.rows, B.columns);
  for (int j = 0; j < B.columns; ++j)
    for (int k = 0; k < A.columns; ++k) add_multiple(A.rows, B(k, j), A.column(k), C.column(j));
}
Matrix operator*(const Matrix& A, const Matrix& B) {
  Matrix C;
  multiply(A, B, C);
  return C;
}
Matrix operator*(double s, Matrix A) {
  for (double& x : A.numbers) x *= s;
  return A;
}
Matrix operator+(Matrix A, const Matrix& B) {
  for (size_t k = 0; k < A.numbers.size(); ++k) A.numbers[k] += B.numbers[k];
  return A;
}
Matrix operator-(Matrix A, const Matrix& B) {
  for (size_t k = 0; k < A.numbers.size(); ++k) A.numbers[k] -= B.numbers[k];
  return A;
}

void one_minus_product(int n, int rank, const double* X, const double* Y, double* N) noexcept {
  const double* column[6];
  for (int c = 0; c < 6; ++c) column[c] = c < rank ? X + n * c : X;
  for (int j = 0; j < n; ++j) {
    double y[6] = {};
    for (int c = 0; c < rank; ++c) y[c] = Y[n * c + j];
    for (int i = 0; i < n; ++i)
      N[n * j + i] = -(column[0][i] * y[0] + column[1][i] * y[1] + column[2][i] * y[2] +
                       column[3][i] * y[3] + column[4][i] * y[4] + column[5][i] * y[5]);
    N[n * j + j] += 1;
  }
}

Matrix symmetric_part(const Matrix& A) { return 0.5 * (A + transposed(A)); }

double largest(const Matrix& A) {
  double most = 0;
  for (const double x : A.numbers) {
    if (std::isnan(x)) return x;
    most = std::max(most, std::abs(x));
  }
  return most;
}
bool all_finite(const Matrix& A) {
  return std::all_of(A.numbers.begin(), A.numbers.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace jounce::dense
