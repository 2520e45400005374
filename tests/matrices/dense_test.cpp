// SPDX-License-Identifier: BSD-3-Clause
// The library's own dense algebra: against matrices whose factors are known, and against Eigen's.
#include "support/dense.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "linear_algebra/elimination.hpp"
#include "linear_algebra/matrix.hpp"
#include "linear_algebra/pivoted_qr.hpp"
#include "linear_algebra/singular_values.hpp"
#include "linear_algebra/six_columns.hpp"
#include "linear_algebra/solve.hpp"
#include "linear_algebra/symmetric.hpp"
#include "support/random.hpp"

namespace jounce::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd random_matrix(Random& random, int rows, int columns) {
  MatrixXd A(rows, columns);
  for (double& x : A.reshaped()) x = random.uniform(-1, 1);
  return A;
}
/// An orthogonal matrix: a rotation in every plane of two axes.
MatrixXd random_axes(Random& random, int n) {
  MatrixXd U = MatrixXd::Identity(n, n);
  for (int p = 0; p < n; ++p)
    for (int q = p + 1; q < n; ++q) {
      const double angle = random.uniform(-3, 3), c = std::cos(angle), s = std::sin(angle);
      for (int k = 0; k < n; ++k) {
        const double a = U(k, p), b = U(k, q);
        U(k, p) = c * a - s * b, U(k, q) = s * a + c * b;
      }
    }
  return U;
}
dense::Matrix numbers(const MatrixXd& A) {
  dense::Matrix B(int(A.rows()), int(A.cols()));
  std::copy(A.data(), A.data() + A.size(), B.data());
  return B;
}
MatrixXd eigen(const dense::Matrix& A) { return MatrixXd::Map(A.data(), A.rows, A.columns); }

TEST(Dense, ProductsAndSumsAreThoseOfEigen) {
  Random random(401);
  for (const auto& [m, n] :
       {std::pair(1, 1), std::pair(7, 3), std::pair(0, 4), std::pair(20, 33)}) {
    const MatrixXd A = random_matrix(random, m, n), B = random_matrix(random, n, m);
    EXPECT_LE(largest(eigen(numbers(A) * numbers(B)) - A * B), 1e-14 * n);
    const MatrixXd sum = A.transpose() + 2 * B;
    EXPECT_EQ(largest(eigen(transposed(numbers(A)) + 2 * numbers(B)) - sum), 0);
    EXPECT_EQ(dense::largest(numbers(A) - numbers(A)), 0);
  }
  dense::Matrix unknown(2, 2);
  unknown(1, 0) = NAN;
  EXPECT_TRUE(std::isnan(dense::largest(unknown)));
  EXPECT_FALSE(dense::all_finite(unknown));
}

TEST(Dense, Solutions) {
  Random random(402);
  for (int n = 0; n < 40; n += 3) {
    const MatrixXd A = random_matrix(random, n, n), B = random_matrix(random, n, 3);
    const MatrixXd X = eigen(dense::solve(numbers(A), numbers(B)));
    EXPECT_LE(largest(A * X - B), 1e-14 * n * (1 + largest(X))) << n;
    MatrixXd S = A * MatrixXd(A.transpose());
    S.diagonal().array() += 0.1;
    const auto L = dense::cholesky(numbers(S));
    ASSERT_TRUE(L.has_value());
    const MatrixXd Y = eigen(dense::solve_cholesky(*L, numbers(B)));
    EXPECT_LE(largest(S * Y - B), 1e-14 * n * largest(S) * largest(Y)) << n;
    dense::SymmetricFactors factors;
    factors.resize(n);
    const MatrixXd indefinite = A + MatrixXd(A.transpose());
    for (const MatrixXd& T : {S, indefinite}) {
      factors.factor(numbers(T));
      VectorXd x = B.col(0);
      factors.solve({x.data(), size_t(n)});
      // Without pivots of two rows the factors of an indefinite matrix can be large.
      EXPECT_LE(largest(T * x - VectorXd(B.col(0))), 1e-10 * (1 + largest(x))) << n;
    }
    if (n == 0) continue;
    S(0, 0) = -1;
    EXPECT_FALSE(dense::cholesky(numbers(S)).has_value());
  }
}

TEST(Dense, SymmetricFactorsLeaveOutZeroPivots) {
  MatrixXd S = MatrixXd::Zero(3, 3);
  S(0, 0) = S(0, 2) = S(2, 0) = S(2, 2) = 2;
  dense::SymmetricFactors factors;
  factors.resize(3);
  factors.factor(numbers(S));
  VectorXd x = VectorXd::Constant(3, 4);
  factors.solve({x.data(), 3});
  EXPECT_EQ(largest(S * x - VectorXd(Eigen::Vector3d(4, 0, 4))), 0);
}

TEST(Dense, PivotedQrPutsTheLongestFirst) {
  Random random(403);
  for (const auto& [m, n] :
       {std::pair(7, 6), std::pair(3, 6), std::pair(6, 6), std::pair(40, 25)}) {
    const MatrixXd A = random_matrix(random, m, n) * VectorXd::LinSpaced(n, 1, 9).asDiagonal();
    MatrixXd QR = A;
    const int k = std::min(m, n);
    std::vector<double> tau(static_cast<size_t>(k));
    std::vector<int> order(static_cast<size_t>(n));
    dense::pivoted_qr(m, n, QR.data(), tau.data(), order.data());
    const MatrixXd R = QR.topRows(k).triangularView<Eigen::Upper>();
    MatrixXd Q = MatrixXd::Identity(m, k);
    for (int c = 0; c < k; ++c) dense::times_q(m, k, QR.data(), tau.data(), Q.col(c).data());
    EXPECT_LE(largest(MatrixXd(Q.transpose()) * Q - MatrixXd::Identity(k, k)), 1e-14);
    EXPECT_LE(largest(Q * R - A(Eigen::all, order)), 1e-13);
    for (int i = 1; i < k; ++i) EXPECT_LE(std::abs(R(i, i)), std::abs(R(i - 1, i - 1)) * 1.0001);
  }
}

/// Also those that are 1e-15 of the largest, in matrices that grade them by columns.
TEST(Dense, SingularValuesOfAnyShape) {
  Random random(404);
  for (const auto& [m, n] :
       {std::pair(6, 7), std::pair(6, 2), std::pair(18, 7), std::pair(6, 6), std::pair(1, 5)})
    for (int repeat = 0; repeat < 20; ++repeat) {
      const int k = std::min(m, n);
      MatrixXd A = random_matrix(random, m, n);
      if (repeat % 2 == 1 && m > 1) A.row(1) = 2 * A.row(0);  // one is zero
      dense::SingularValues found;
      found.resize(m, n);
      found.decompose(numbers(A));
      ASSERT_EQ(found.count(), k);
      MatrixXd sum = MatrixXd::Zero(m, n), lefts = MatrixXd::Zero(m, m);
      for (int j = 0; j < k; ++j) {
        const VectorXd left = VectorXd::Map(found.left(j), m),
                       right = VectorXd::Map(found.right(j), n);
        sum += found.value(j) * left * right.transpose();
        lefts += left * left.transpose();
      }
      EXPECT_LE(largest(sum - A), 1e-14);
      EXPECT_LE(largest(lefts * lefts - lefts), 1e-14);
      std::vector<double> values;
      for (int j = 0; j < k; ++j) values.push_back(found.value(j));
      std::sort(values.rbegin(), values.rend());
      const VectorXd expected = singular_values(A);
      EXPECT_LE(largest(VectorXd::Map(values.data(), k) - expected), 1e-14) << m << ' ' << n;
    }
  MatrixXd graded = random_matrix(random, 6, 6);
  for (int j = 0; j < 6; ++j) graded.col(j) *= std::pow(1e-3, j);
  dense::SingularValues found;
  found.resize(6, 6);
  found.decompose(numbers(graded));
  double product = 1;
  for (int j = 0; j < 6; ++j) product *= found.value(j);
  EXPECT_NEAR(product / std::abs(determinant(graded)), 1, 1e-13);
}

/// As span_of takes six columns, with its room.
std::vector<double> in_rows(const MatrixXd& A) {
  std::vector<double> rows(size_t(2 * dense::six_rows(int(A.rows()))));
  for (int i = 0; i < A.rows(); ++i)
    for (int j = 0; j < 6; ++j) rows[size_t(8 * i + j)] = A(i, j);
  return rows;
}

/// A with singular values s, of which those above the cutoff count: projector, pseudo-inverse,
/// volume. Sizes below, at and above six.
TEST(Dense, SpanOfSixColumns) {
  Random random(405);
  for (const int n : {1, 2, 3, 4, 5, 6, 7, 12, 36})
    for (double ratio = 1; ratio > 1e-17; ratio /= 10) {
      const int k = std::min(n, 6);
      VectorXd s = VectorXd::LinSpaced(k, 1, 3);
      s[0] = ratio * 3;
      if (n == 1) s[0] = 3;
      const MatrixXd U = random_axes(random, n).leftCols(k), V = random_axes(random, 6).leftCols(k);
      const MatrixXd A = U * s.asDiagonal() * V.transpose();
      const double cutoff = 3e-10;
      const bool full = n == 1 || ratio > cutoff;
      std::vector<double> rows = in_rows(A), same = rows;
      const dense::SixColumns found = dense::span_of(n, rows.data(), cutoff);
      const dense::SixColumns alone = dense::span_without_q(n, same.data(), cutoff);
      const int rank = full ? k : k - 1;
      ASSERT_EQ(found.rank, rank) << n << ' ' << ratio;
      ASSERT_EQ(alone.rank, rank) << n << ' ' << ratio;
      EXPECT_EQ(alone.volume, found.volume);
      for (int c = 0; c < rank; ++c)
        EXPECT_EQ(VectorXd::Map(alone.G[c], 6), VectorXd::Map(found.G[c], 6));
      const int first = full ? 0 : 1;
      const MatrixXd Q = MatrixXd::Map(rows.data(), n, rank), kept = U.rightCols(k - first);
      MatrixXd G(6, rank);
      for (int c = 0; c < rank; ++c) G.col(c) = VectorXd::Map(found.G[c], 6);
      constexpr double rounding = 8e-15;  // 2^-52 for each of 36 numbers
      EXPECT_LE(largest(MatrixXd(Q.transpose()) * Q - MatrixXd::Identity(rank, rank)), rounding);
      // What the rounding of A turns: the nearest direction is that far away.
      const double gap = full ? s[0] : 1;
      EXPECT_LE(largest(Q * MatrixXd(Q.transpose()) - kept * MatrixXd(kept.transpose())),
                rounding / gap)
          << n << ' ' << ratio;
      const MatrixXd wanted = V.rightCols(k - first) *
                              s.tail(k - first).cwiseInverse().asDiagonal() *
                              U.rightCols(k - first).transpose();
      EXPECT_LE(largest(G * MatrixXd(Q.transpose()) - wanted), 2 * rounding / gap / gap) << ratio;
      if (rank < 6) EXPECT_EQ(found.volume, 0);
      else EXPECT_NEAR(found.volume / s.prod(), 1, 2 * rounding / gap);
    }
}

TEST(Dense, SpanOfSixColumnsNeverCountsRounding) {
  Random random(406);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const int n = 6 + repeat % 3;
    VectorXd s = VectorXd::LinSpaced(6, 1, 3);
    s[0] = 0;
    const MatrixXd A = random_axes(random, n).leftCols(6) * s.asDiagonal() * random_axes(random, 6);
    EXPECT_EQ(dense::span_of(n, in_rows(A).data(), 0).rank, 5);
  }
  double zeros[2 * dense::six_rows(7)] = {};
  EXPECT_EQ(dense::span_of(7, zeros, 0).rank, 0);
  EXPECT_EQ(dense::span_of(0, nullptr, 0).rank, 0);
  zeros[8 * 3] = NAN;
  const dense::SixColumns unknown = dense::span_of(7, zeros, 0);
  EXPECT_GT(unknown.rank, 0);
  EXPECT_FALSE(std::isfinite(unknown.G[0][0]));
}

/// The squares of a column may leave the numbers that have all their digits.
TEST(Dense, SpanOfSixColumnsOfWhichSomeAreTiny) {
  Random random(408);
  for (const double tiny : {1e-100, 1e-146, 1e-154, 1e-158, 1e-160, 1e-170})
    for (const int n : {6, 7, 12})
      for (const int rank : {5, 4, 0}) {
        MatrixXd A = random_matrix(random, n, 6);
        A.rightCols(6 - rank) *= rank > 0 ? tiny : 1e-158;
        std::vector<double> rows = in_rows(A);
        const dense::SixColumns found = dense::span_of(n, rows.data(), 0);
        ASSERT_EQ(found.rank, rank) << n << ' ' << tiny;
        const MatrixXd Q = MatrixXd::Map(rows.data(), n, rank);
        EXPECT_LE(largest(MatrixXd(Q.transpose()) * Q - MatrixXd::Identity(rank, rank)), 8e-15)
            << n << ' ' << tiny;
        for (int c = 0; c < rank; ++c) EXPECT_LE(VectorXd::Map(found.G[c], 6).norm(), 1e6);
        EXPECT_EQ(found.volume, 0);
        EXPECT_EQ(dense::volume_of(n, in_rows(A).data()), 0) << n << ' ' << tiny;
      }
}

TEST(Dense, DiagonaliseFindsTheEigenvalues) {
  Random random(407);
  const Eigen::Vector<double, 6> values(-3, 1e-9, 0, 2, 2, 1e6);
  for (int k = 0; k < 20; ++k) {
    const MatrixXd made = random_axes(random, 6), S = made * values.asDiagonal() * made.transpose();
    MatrixXd D = S, U(6, 6);
    dense::diagonalise(6, D.data(), U.data());
    VectorXd found = D.diagonal(), sorted = values;
    std::sort(found.begin(), found.end());
    std::sort(sorted.begin(), sorted.end());
    EXPECT_LE(largest(found - sorted), 1e-15 * 6 * 1e6);
    EXPECT_LE(largest(MatrixXd(U.transpose()) * U - MatrixXd::Identity(6, 6)), 1e-14);
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
  Random random(408);
  for (int k = 0; k < 100; ++k) {
    const MatrixXd A = random_matrix(random, 6, 6);
    MatrixXd X(6, 6);
    const dense::Elimination<6> lu(A);
    lu.inverse(X.data());
    EXPECT_LE(largest(A * X - MatrixXd::Identity(6, 6)), 1e-14 * (1 + largest(X)));
    EXPECT_LE(largest(eigen(dense::inverse(numbers(A))) - X), 1e-14 * largest(X) * largest(X));
  }
}

}  // namespace
}  // namespace jounce::test
