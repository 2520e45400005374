// SPDX-License-Identifier: BSD-3-Clause
// One-sided rotations (Hestenes 1958): columns of A are turned in pairs until all are orthogonal.
// Their lengths are the singular values then, each to the digits that A has: A^T A, where small
// ones drown in the rounding of large ones, is never formed (Demmel, Veselic 1992).
#include "linear_algebra/singular_values.hpp"

#include <algorithm>
#include <cmath>

#include "linear_algebra/matrix.hpp"
#include "linear_algebra/vectors.hpp"

namespace jounce::dense {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// x -> c x - s y, y -> s x + c y.
void turn(int n, double c, double s, double* x, double* y) noexcept {
  for (int i = 0; i < n; ++i) {
    const double a = x[i], b = y[i];
    x[i] = c * a - s * b, y[i] = s * a + c * b;
  }
}

/// Makes two columns orthogonal; false where they are, or where one is only rounding: its square
/// `nothing` or less.
bool orthogonalise(int m, int k, double* x, double* y, double* v, double* w,
                   double nothing) noexcept {
  const double xx = dot(m, x, x), yy = dot(m, y, y), xy = dot(m, x, y);
  const double rounding = 2 * epsilon * std::sqrt(m * xx * yy);
  if (std::min(xx, yy) <= nothing || std::abs(xy) <= rounding) return false;
  const double zeta = (yy - xx) / (2 * xy);
  const double t = std::copysign(1 / (std::abs(zeta) + std::sqrt(1 + zeta * zeta)), zeta);
  const double c = 1 / std::sqrt(1 + t * t);
  turn(m, c, c * t, x, y);
  turn(k, c, c * t, v, w);
  return true;
}

}  // namespace

void singular_values(int m, int k, double* A, double* V, double* s) noexcept {
  for (int i = 0; i < k * k; ++i) V[i] = i % (k + 1) == 0 ? 1 : 0;
  double most = 0;
  for (int j = 0; j < k; ++j) most = std::max(most, dot(m, A + m * j, A + m * j));
  const double nothing = epsilon * epsilon / 64 * most;
  bool turned = true;
  for (int sweep = 0; sweep < 40 && turned; ++sweep) {
    turned = false;
    for (int p = 0; p < k; ++p)
      for (int q = p + 1; q < k; ++q)
        turned |= orthogonalise(m, k, A + m * p, A + m * q, V + k * p, V + k * q, nothing);
  }
  for (int j = 0; j < k; ++j) {
    const double square = dot(m, A + m * j, A + m * j);
    s[j] = square <= nothing ? 0 : std::sqrt(square);
    scale(m, s[j] != 0 ? 1 / s[j] : 0, A + m * j);
  }
}

void SingularValues::resize(int rows, int columns) {
  wide_ = columns > rows;
  const int longer = std::max(rows, columns), shorter = std::min(rows, columns);
  reshape(vectors_, longer, shorter);
  reshape(turns_, shorter, shorter);
  values_.resize(static_cast<size_t>(shorter));
}

void SingularValues::decompose(const Matrix& J) noexcept {
  for (int j = 0; j < J.columns; ++j)
    for (int i = 0; i < J.rows; ++i) (wide_ ? vectors_(j, i) : vectors_(i, j)) = J(i, j);
  singular_values(vectors_.rows, vectors_.columns, vectors_.data(), turns_.data(), values_.data());
}

double SingularValues::largest() const noexcept {
  return values_.empty() ? 0 : *std::max_element(values_.begin(), values_.end());
}

}  // namespace jounce::dense
