// SPDX-License-Identifier: BSD-3-Clause
// Singular values and right singular vectors of a small matrix, without allocation.
//
// One-sided Jacobi (Hestenes 1958): plane rotations make the columns of A V orthogonal; their norms
// are then the singular values, accurate also where they are tiny.
#pragma once

#include <algorithm>
#include <cmath>
#include <jounce/group/vec3.hpp>

namespace jounce::stewart_detail {

template <int Rows, int Cols>
struct SingularValues {
  double value[Cols];            ///< falling
  Matrix<double, Cols, Cols> V;  ///< column k belongs to value[k]
};

template <int Rows, int Cols>
SingularValues<Rows, Cols> singular_values(Matrix<double, Rows, Cols> A) noexcept {
  SingularValues<Rows, Cols> s;
  s.V = Matrix<double, Cols, Cols>::identity();
  bool rotated = true;
  for (int sweep = 0; sweep < 40 && rotated; ++sweep) {
    rotated = false;
    for (int p = 0; p < Cols; ++p)
      for (int q = p + 1; q < Cols; ++q) {
        double pp = 0, qq = 0, pq = 0;
        for (int i = 0; i < Rows; ++i)
          pp += A(i, p) * A(i, p), qq += A(i, q) * A(i, q), pq += A(i, p) * A(i, q);
        const bool sorted = pp >= qq;
        if (std::abs(pq) <= 1e-15 * std::sqrt(pp * qq) && sorted) continue;
        rotated = true;
        const double theta = 0.5 * std::atan2(2 * pq, pp - qq);
        const double c = std::cos(theta), sn = std::sin(theta);
        for (int i = 0; i < Rows; ++i) {
          const double x = A(i, p), y = A(i, q);
          A(i, p) = c * x + sn * y, A(i, q) = c * y - sn * x;
        }
        for (int i = 0; i < Cols; ++i) {
          const double x = s.V(i, p), y = s.V(i, q);
          s.V(i, p) = c * x + sn * y, s.V(i, q) = c * y - sn * x;
        }
      }
  }
  for (int k = 0; k < Cols; ++k) {
    double sum = 0;
    for (int i = 0; i < Rows; ++i) sum += A(i, k) * A(i, k);
    s.value[k] = std::sqrt(sum);
  }
  return s;
}

}  // namespace jounce::stewart_detail
