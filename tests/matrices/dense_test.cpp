// SPDX-License-Identifier: BSD-3-Clause
// Inverses and eigenvalues of matrices whose eigenvalues are known.
#include "dense.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "elimination.hpp"
#include "support/largest.hpp"
#include "support/random.hpp"

namespace jounce {
namespace {

using dense::Matrix6;
using test::largest;

/// An orthogonal matrix: a rotation in every plane of two axes.
Matrix6 random_axes(test::Random& random) {
  Matrix6 U = Matrix6::Identity();
  for (int p = 0; p < 6; ++p)
    for (int q = p + 1; q < 6; ++q) {
      const double angle = random.uniform(-3, 3), c = std::cos(angle), s = std::sin(angle);
      for (int k = 0; k < 6; ++k) {
        const double a = U(k, p), b = U(k, q);
        U(k, p) = c * a - s * b, U(k, q) = s * a + c * b;
      }
    }
  return U;
}

/// sum_k f(values[k]) u_k u_k^T.
template <class F>
Matrix6 with_values(const Matrix6& U, const double (&values)[6], F f) {
  Matrix6 S = Matrix6::Zero();
  for (int k = 0; k < 6; ++k)
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) S(i, j) += f(values[k]) * U(i, k) * U(j, k);
  return S;
}

TEST(Dense, PseudoInverseDropsSmallEigenvalues) {
  test::Random random(401);
  const double cases[][6] = {{1, 2, 3, 4, 5, 6},     // none, by elimination
                             {1, 1, 1, 1, 1, 1},     // equal ones
                             {3, 2, 1, 1e-3, 1, 2},  // one below the cutoff
                             {3, 2, 1, 2e-2, 1, 2},  // one just above it
                             {7, 0, 0, 0, 0, 0},     // rank one
                             {1e-200, 2e-200, 3e-200, 1e-200, 4e-200, 5e-200},
                             {1e200, 2e200, 1e190, 0, 3e200, 4e200}};
  for (const auto& values : cases)
    for (int k = 0; k < 20; ++k) {
      const Matrix6 U = random_axes(random);
      const double least = 5e-3 * *std::max_element(values, values + 6);
      const Matrix6 S = with_values(U, values, [](double x) { return x; });
      const Matrix6 wanted =
          with_values(U, values, [&](double x) { return x > least ? 1 / x : 0; });
      // An inverse is as exact as the condition number, 300 at most here.
      EXPECT_LE(largest(dense::pseudo_inverse(S, 5e-3) - wanted), 1e-12 * largest(wanted));
    }
  EXPECT_EQ(largest(dense::pseudo_inverse(Matrix6::Zero(), 0)), 0);
  Matrix6 unknown = Matrix6::Identity();
  unknown(2, 3) = unknown(3, 2) = NAN;
  EXPECT_FALSE(std::isfinite(largest(dense::pseudo_inverse(unknown, 0))));
}

TEST(Dense, DiagonaliseFindsTheEigenvalues) {
  test::Random random(402);
  const double values[6] = {-3, 1e-9, 0, 2, 2, 1e6};
  for (int k = 0; k < 20; ++k) {
    const Matrix6 made = random_axes(random),
                  S = with_values(made, values, [](double x) { return x; });
    Matrix6 D = S, U;
    dense::diagonalise(6, D.data(), U.data());
    double found[6], sorted[6];
    for (int i = 0; i < 6; ++i) found[i] = D(i, i), sorted[i] = values[i];
    std::sort(found, found + 6);
    std::sort(sorted, sorted + 6);
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(found[i], sorted[i], 1e-15 * 6 * 1e6);
    EXPECT_LE(largest(with_values(U, values, [](double) { return 1.0; }) - Matrix6::Identity()),
              1e-14);
    for (int i = 0; i < 6; ++i)  // to rounding of the largest eigenvalue
      EXPECT_LE(largest(S.lazyProduct(U.col(i)) - D(i, i) * U.col(i)), 1e-14 * 1e6);
  }
  double one = -3, axis = 0;
  dense::diagonalise(1, &one, &axis);
  EXPECT_EQ(one, -3);
  EXPECT_EQ(axis, 1);
  dense::diagonalise(0, nullptr, nullptr);
}

TEST(Dense, EliminationInverts) {
  test::Random random(403);
  for (int k = 0; k < 100; ++k) {
    Matrix6 A, X;
    for (double& x : A.reshaped()) x = random.uniform(-1, 1);
    const dense::Elimination<6> lu(A);
    lu.inverse(X.data());
    EXPECT_LE(largest(A.lazyProduct(X) - Matrix6::Identity()), 1e-14 * (1 + largest(X)));
    EXPECT_LE(largest(dense::inverse(A) - X), 1e-14 * largest(X) * largest(X));
  }
}

}  // namespace
}  // namespace jounce
