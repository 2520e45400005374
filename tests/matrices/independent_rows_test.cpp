// SPDX-License-Identifier: BSD-3-Clause
// Rows of which some depend on others, in blocks and in one: against Eigen's decompositions of the
// whole.
#include "linear_algebra/independent_rows.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "support/random.hpp"

namespace jounce::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Rows = Eigen::Matrix<double, -1, -1, Eigen::RowMajor>;

struct Shape {
  int rows, columns, rank;
};

/// Blocks of the given shapes, rows and columns of all of them shuffled.
Rows blocks(Random& random, const std::vector<Shape>& shapes) {
  int m = 0, n = 0;
  for (const Shape& shape : shapes) m += shape.rows, n += shape.columns;
  Rows A = Rows::Zero(m, n);
  int i = 0, k = 0;
  for (const Shape& shape : shapes) {
    MatrixXd left(shape.rows, shape.rank), right(shape.rank, shape.columns);
    for (double& x : left.reshaped()) x = random.uniform(-1, 1);
    for (double& x : right.reshaped()) x = random.uniform(-1, 1);
    A.block(i, k, shape.rows, shape.columns) = left * right;
    i += shape.rows, k += shape.columns;
  }
  for (int j = m; j-- > 1;) A.row(j).swap(A.row(int(random.uniform(0, j + 0.999))));
  for (int j = n; j-- > 1;) A.col(j).swap(A.col(int(random.uniform(0, j + 0.999))));
  return A;
}

int rank_of(const std::vector<Shape>& shapes) {
  int sum = 0;
  for (const Shape& shape : shapes) sum += shape.rank;
  return sum;
}

/// A = U B, and what is solved with it.
void expect_apart(dense::IndependentRows& apart, const Rows& A, int rank) {
  const int m = int(A.rows()), n = int(A.cols());
  ASSERT_EQ(apart.rank(), rank);
  const MatrixXd U = MatrixXd::Map(apart.mix(0), m, m);
  const Rows B = Rows::Map(apart.B(), rank, n);
  EXPECT_LE((U.transpose() * U - MatrixXd::Identity(m, m)).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_LE((U.leftCols(rank) * B - A).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_LE((U.rightCols(m - rank).transpose() * A).cwiseAbs().sum(), 1e-12);
  const VectorXd nu = VectorXd::LinSpaced(rank, -1, 2), r = VectorXd::LinSpaced(m, 1, -2);
  const VectorXd b = VectorXd::LinSpaced(n, 2, -1);
  VectorXd spread(m), gathered(rank), lambda(m), x(n);
  apart.spread(nu.data(), spread.data());
  EXPECT_LE((spread - U.leftCols(rank) * nu).norm(), 1e-13);
  apart.gather(r.data(), gathered.data());
  EXPECT_LE((gathered - U.leftCols(rank).transpose() * r).norm(), 1e-13);
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> whole(A), turned(A.transpose());
  whole.setThreshold(1e-10), turned.setThreshold(1e-10);
  apart.solve_transposed(b.data(), lambda.data());
  EXPECT_LE((lambda - turned.solve(b)).norm(), 1e-10 * lambda.norm());
  apart.solve(r.data(), x.data());
  EXPECT_LE((x - whole.solve(r)).norm(), 1e-10 * x.norm());
}

TEST(IndependentRows, OfBlocksAreThoseOfTheWhole) {
  Random random(911);
  const std::vector<std::vector<Shape>> all{
      {{5, 3, 2}, {5, 4, 2}, {1, 1, 1}, {6, 9, 6}}, {{7, 5, 3}}, {{3, 3, 3}, {1, 6, 1}, {9, 2, 2}}};
  for (const std::vector<Shape>& shapes : all) {
    const Rows A = blocks(random, shapes);
    const int m = int(A.rows()), n = int(A.cols()), rank = rank_of(shapes);
    dense::IndependentRows apart;
    apart.resize(m, n);
    apart.reduce(m, n, A.data(), -1, 1e-9);
    expect_apart(apart, A, rank);
    const double defect = apart.defect();
    EXPECT_LE(defect, 1e-14);
    apart.reduce(m, n, A.data(), rank);
    expect_apart(apart, A, rank);
    EXPECT_EQ(apart.defect(), defect);
    Eigen::ColPivHouseholderQR<MatrixXd> whole(A.transpose());
    EXPECT_NEAR(apart.margin(),
                std::abs(whole.matrixR()(rank - 1, rank - 1) / whole.matrixR()(0, 0)), 1e-13);
    MatrixXd picked(rank, n);
    for (int k = 0; k < rank; ++k) picked.row(k) = A.row(apart.order(k));
    EXPECT_EQ(Eigen::ColPivHouseholderQR<MatrixXd>(picked).rank(), rank);
  }
}

/// A rank that is given goes to the largest pivots, whatever block they are in.
TEST(IndependentRows, OfLowRankAreTheLongest) {
  Rows A = Rows::Zero(4, 4);
  A.diagonal() << 1, 4, 2, 3;
  dense::IndependentRows apart;
  apart.resize(4, 4);
  apart.reduce(4, 4, A.data(), 2);
  EXPECT_EQ(apart.rank(), 2);
  EXPECT_EQ(apart.largest_pivot(), 4);
  EXPECT_EQ(apart.margin(), 0.75);
  EXPECT_EQ(apart.defect(), 0.5);
  EXPECT_EQ(apart.order(0), 1);
  EXPECT_EQ(apart.order(1), 3);
}

TEST(IndependentRows, OfZerosAreNone) {
  const Rows A = Rows::Zero(3, 2);
  dense::IndependentRows apart;
  apart.resize(3, 2);
  apart.reduce(3, 2, A.data(), -1);
  EXPECT_EQ(apart.rank(), 0);
  EXPECT_EQ(apart.margin(), 1);
  const VectorXd b = VectorXd::Ones(2);
  VectorXd lambda = VectorXd::Ones(3);
  apart.solve_transposed(b.data(), lambda.data());
  EXPECT_EQ(lambda.norm(), 0);
}

TEST(RowBlocks, ShareNoColumns) {
  Rows A = Rows::Zero(5, 6);
  A(0, 4) = A(0, 1) = 1;
  A(1, 0) = 1;
  A(3, 5) = A(3, 4) = 1;
  A(4, 0) = A(4, 2) = 1;
  dense::RowBlocks found;
  found.resize(5, 6);
  found.find(5, 6, A.data());
  ASSERT_EQ(found.count(), 3);
  const auto list = [](std::span<const int> x) { return std::vector<int>(x.begin(), x.end()); };
  EXPECT_EQ(list(found.rows(0)), (std::vector<int>{0, 3}));
  EXPECT_EQ(list(found.columns(0)), (std::vector<int>{1, 4, 5}));
  EXPECT_EQ(list(found.rows(1)), (std::vector<int>{1, 4}));
  EXPECT_EQ(list(found.columns(1)), (std::vector<int>{0, 2}));
  EXPECT_EQ(list(found.rows(2)), (std::vector<int>{2}));
  EXPECT_TRUE(found.columns(2).empty());
}

}  // namespace
}  // namespace jounce::test
