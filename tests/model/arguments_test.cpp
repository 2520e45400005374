// SPDX-License-Identifier: BSD-3-Clause
// Vectors and matrices as users have them: rows, columns, blocks, maps and expressions are read
// entry by entry as Eigen does; what is no vector, or no whole number of columns, is refused.
#include <gtest/gtest.h>

#include <jounce/dynamics.hpp>
#include <jounce/matrix_arg.hpp>
#include <jounce/vector_arg.hpp>

#include "support/allocation_guard.hpp"
#include "support/message.hpp"

namespace jounce {
namespace {

using test::message;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::vector<double> read(const VectorArg& x) {
  const std::span<const double> view = x;
  return {view.begin(), view.end()};
}

std::vector<double> numbers(const Vector& x) { return {x.data(), x.data() + x.size()}; }

/// Every entry another number: 100 i + j.
template <class M>
M table(int rows, int columns) {
  M m(rows, columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) m(i, j) = 100 * i + j;
  return m;
}

template <class M>
void expect_rows_and_columns_as_they_are() {
  const M log = table<M>(100, 7);
  const Vector row = log.row(50).transpose(), column = log.col(3);
  EXPECT_EQ(read(log.row(50)), numbers(row));
  EXPECT_EQ(read(log.row(50).transpose()), numbers(row));
  EXPECT_EQ(read(log.block(50, 0, 1, 7)), numbers(row));
  EXPECT_EQ(read(log.block(50, 0, 1, 7).transpose()), numbers(row));
  EXPECT_EQ(read(log.middleRows(50, 1)), numbers(row));
  EXPECT_EQ(read(log.template middleRows<1>(50)), numbers(row));
  EXPECT_EQ(read(log.template block<1, 7>(50, 0)), numbers(row));
  EXPECT_EQ(read(log.row(50).segment(2, 4)), numbers(row.segment(2, 4)));
  EXPECT_EQ(read(log.col(3)), numbers(column));
  EXPECT_EQ(read(log.block(0, 3, 100, 1)), numbers(column));
  EXPECT_EQ(read(log.middleCols(3, 1)), numbers(column));
  EXPECT_EQ(read(log.template block<100, 1>(0, 3)), numbers(column));
  EXPECT_EQ(read(log.block(50, 3, 1, 1)), std::vector<double>{5003});
  EXPECT_EQ(read(log.row(50) + log.row(0)), numbers(row + log.row(0).transpose()));
  EXPECT_EQ(read(log.row(50).reverse()), numbers(row.reverse()));
}

TEST(Arguments, RowsAndColumnsOfMatrices) {
  expect_rows_and_columns_as_they_are<Matrix>();
  expect_rows_and_columns_as_they_are<RowMajor>();
}

TEST(Arguments, MapsWithStrides) {
  std::vector<double> memory(60);
  for (size_t k = 0; k < memory.size(); ++k) memory[k] = double(k);
  using Eigen::Dynamic;
  const Eigen::Map<Vector, 0, Eigen::InnerStride<3>> every_third(memory.data(), 4);
  EXPECT_EQ(read(every_third), (std::vector<double>{0, 3, 6, 9}));
  const Eigen::Map<Vector, 0, Eigen::InnerStride<>> every(memory.data(), 4,
                                                          Eigen::InnerStride<>(5));
  EXPECT_EQ(read(every), (std::vector<double>{0, 5, 10, 15}));
  const Eigen::Map<Matrix, 0, Eigen::OuterStride<>> row(memory.data(), 1, 4,
                                                        Eigen::OuterStride<>(10));
  EXPECT_EQ(read(row), (std::vector<double>{0, 10, 20, 30}));
  const Eigen::Map<Matrix, 0, Eigen::Stride<Dynamic, Dynamic>> column(
      memory.data(), 3, 1, Eigen::Stride<Dynamic, Dynamic>(1, 7));
  EXPECT_EQ(read(column), (std::vector<double>{0, 7, 14}));
}

TEST(Arguments, AMatrixIsNoVector) {
  const Matrix log = table<Matrix>(100, 7);
  const std::string needed = "a vector is needed, one row or one column, found a matrix of ";
  EXPECT_EQ(message([&] { read(log.block(50, 0, 2, 3)); }), needed + "2 x 3");
  EXPECT_EQ(message([&] { read(log); }), needed + "100 x 7");
  EXPECT_EQ(message([&] { read(log + log); }), needed + "100 x 7");
  EXPECT_EQ(message([&] { read(log.middleRows(50, 2)); }), needed + "2 x 7");
  EXPECT_EQ(read(log.block(50, 0, 0, 7)), std::vector<double>{});
}

/// One configuration per row, as logs have them, through a call of the front door.
TEST(Arguments, ARowOfALogIsAConfiguration) {
  Dynamics d(load("builtin:arm7"));
  Matrix log(100, 7);
  for (int i = 0; i < 100; ++i)
    log.row(i) = Eigen::RowVectorXd::Map(d.robot().random(std::uint64_t(i)).data(), 7);
  const Vector zero = Vector::Zero(7), q = log.row(50).transpose();
  const Vector tau = d.inverse(q, zero, zero);
  EXPECT_EQ(Vector(d.inverse(log.row(50), zero, zero)), tau);
  EXPECT_EQ(Vector(d.inverse(log.block(50, 0, 1, 7), zero, zero)), tau);
  EXPECT_EQ(Vector(d.inverse(log.middleRows(50, 1), zero, zero)), tau);
  EXPECT_EQ(message([&] { d.inverse(log, zero, zero); }),
            "a vector is needed, one row or one column, found a matrix of 100 x 7");
}

TEST(Arguments, ContiguousVectorsAreNotCopied) {
  const Matrix log = table<Matrix>(7, 100), one = log.col(0);
  const RowMajor rows = table<RowMajor>(100, 7);
  const Vector q = log.col(0);
  const test::NoAllocation scope;
  EXPECT_EQ(std::span<const double>(VectorArg(q)).data(), q.data());
  EXPECT_EQ(std::span<const double>(VectorArg(one)).data(), one.data());
  EXPECT_EQ(std::span<const double>(VectorArg(log.col(5))).data(), log.col(5).data());
  EXPECT_EQ(std::span<const double>(VectorArg(log.middleCols(5, 1))).data(), log.col(5).data());
  EXPECT_EQ(std::span<const double>(VectorArg(rows.row(5))).data(), rows.row(5).data());
  EXPECT_EQ(std::span<const double>(VectorArg(q.segment(2, 3))).data(), q.data() + 2);
}

Matrix read(const MatrixArg& x) {
  Matrix m(x.rows(), x.columns());
  for (int k = 0; k < x.columns(); ++k)
    for (int i = 0; i < x.rows(); ++i) m(i, k) = x.column(k)[size_t(i)];
  return m;
}

template <class M>
void expect_blocks_as_they_are() {
  const M m = table<M>(20, 30);
  EXPECT_EQ(read(MatrixArg(m)), Matrix(m));
  EXPECT_EQ(read(MatrixArg(m.transpose())), Matrix(m.transpose()));
  EXPECT_EQ(read(MatrixArg(m.block(3, 4, 5, 6))), Matrix(m.block(3, 4, 5, 6)));
  EXPECT_EQ(read(MatrixArg(m.block(3, 4, 1, 6))), Matrix(m.block(3, 4, 1, 6)));
  EXPECT_EQ(read(MatrixArg(m.row(3))), Matrix(m.row(3)));
  EXPECT_EQ(read(MatrixArg(m.col(3))), Matrix(m.col(3)));
  EXPECT_EQ(read(MatrixArg(m.col(3).transpose())), Matrix(m.col(3).transpose()));
  EXPECT_EQ(read(MatrixArg(2 * m)), Matrix(2 * m));
}

TEST(Arguments, BlocksOfMatrices) {
  expect_blocks_as_they_are<Matrix>();
  expect_blocks_as_they_are<RowMajor>();
}

TEST(Arguments, ColumnsFromASpanComeOutEven) {
  const std::vector<double> x(21, 1.0);
  EXPECT_EQ(MatrixArg(x, 7).columns(), 3);
  EXPECT_EQ(MatrixArg(std::span<const double>{}, 7).columns(), 0);
  EXPECT_EQ(MatrixArg(std::span<const double>{}, 0).columns(), 0);
  EXPECT_EQ(message([&] { MatrixArg(std::span(x).first(20), 7); }),
            "a matrix of 7 rows has 20 numbers, needs a multiple of 7");
  EXPECT_EQ(message([&] { MatrixArg(x, 0); }), "a matrix of 0 rows has 21 numbers, needs none");
  EXPECT_NE(message([&] { MatrixArg(x, -7); }), "no error");
}

}  // namespace
}  // namespace jounce
