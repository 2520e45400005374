// SPDX-License-Identifier: BSD-3-Clause
// A matrix as users have it, column by column: an Eigen matrix, block or expression.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

namespace jounce {

namespace detail {
[[noreturn]] void refuse_as_columns(size_t numbers, int rows);
}  // namespace detail

/// A read-only view for the length of a call. Column-major matrices are viewed, not copied; any
/// other expression is evaluated once and kept.
class MatrixArg {
 public:
  /// Nothing: no columns.
  MatrixArg() = default;
  /// Columns of `rows` numbers, one after the other; InputError where some are left over.
  MatrixArg(std::span<const double> x, int rows)
      : data_(x.data()),
        rows_(rows),
        columns_(rows > 0 ? static_cast<int>(x.size()) / rows : 0),
        stride_(rows) {
    if (rows < 0 || x.size() != static_cast<size_t>(rows) * static_cast<size_t>(columns_))
      detail::refuse_as_columns(x.size(), rows);
  }
  template <class Derived>
  MatrixArg(const Eigen::MatrixBase<Derived>& x)  // NOLINT: an argument type
      : rows_(static_cast<int>(x.rows())), columns_(static_cast<int>(x.cols())) {
    if constexpr (bool(Derived::Flags & Eigen::DirectAccessBit) &&
                  Derived::InnerStrideAtCompileTime == 1 &&
                  (!Derived::IsRowMajor || Derived::ColsAtCompileTime == 1)) {
      data_ = x.derived().data();
      stride_ = static_cast<int>(x.derived().outerStride());
    } else {
      storage_.resize(static_cast<size_t>(x.size()));
      Eigen::Map<Eigen::MatrixXd>(storage_.data(), x.rows(), x.cols()) = x;
      data_ = storage_.data();
      stride_ = rows_;
    }
  }
  MatrixArg(const MatrixArg&) = delete;
  MatrixArg& operator=(const MatrixArg&) = delete;

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  std::span<const double> column(int k) const {
    return {data_ + static_cast<std::ptrdiff_t>(stride_) * k, static_cast<size_t>(rows_)};
  }

 private:
  std::vector<double> storage_;
  const double* data_ = nullptr;
  int rows_ = 0, columns_ = 0, stride_ = 0;
};

}  // namespace jounce
