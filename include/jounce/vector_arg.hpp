// SPDX-License-Identifier: BSD-3-Clause
// A vector as users have it: std::vector, std::span, an Eigen vector or an Eigen expression.
#pragma once

#include <Eigen/Core>
#include <concepts>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

namespace jounce {

namespace detail {
[[noreturn]] void refuse_as_vector(long rows, long columns);
}  // namespace detail

/// A read-only view for the length of a call. Contiguous vectors are viewed, not copied; any other
/// Eigen expression, such as q + dq or a row of a matrix, is evaluated once and kept. InputError
/// for a matrix of more than one row and more than one column.
template <class Real>
class BasicVectorArg {
 public:
  BasicVectorArg(std::span<const Real> x) : view_(x) {}     // NOLINT: an argument type
  BasicVectorArg(const std::vector<Real>& x) : view_(x) {}  // NOLINT
  BasicVectorArg(std::initializer_list<Real> x) : view_(x.begin(), x.size()) {}  // NOLINT
  template <class Derived>
  requires std::same_as<typename Derived::Scalar, Real> BasicVectorArg(
      const Eigen::MatrixBase<Derived>& x) {  // NOLINT
    static_assert(Derived::IsVectorAtCompileTime || Derived::SizeAtCompileTime == Eigen::Dynamic,
                  "a vector is needed here: one row or one column");
    if constexpr (bool(Derived::Flags & Eigen::DirectAccessBit)) {
      const Derived& given = x.derived();
      if (given.innerStride() == 1 && given.outerSize() == 1) {
        view_ = {given.data(), static_cast<size_t>(given.size())};
        return;
      }
    }
    if (x.rows() > 1 && x.cols() > 1) detail::refuse_as_vector(x.rows(), x.cols());
    using Same = Eigen::Matrix<Real, Derived::RowsAtCompileTime, Derived::ColsAtCompileTime,
                               Derived::RowsAtCompileTime == 1 ? Eigen::RowMajor : Eigen::ColMajor>;
    const auto size = static_cast<size_t>(x.size());
    storage_ = std::make_unique<Real[]>(size);
    Eigen::Map<Same>(storage_.get(), x.rows(), x.cols()) = x;
    view_ = {storage_.get(), size};
  }
  BasicVectorArg(const BasicVectorArg&) = delete;
  BasicVectorArg& operator=(const BasicVectorArg&) = delete;

  operator std::span<const Real>() const { return view_; }  // NOLINT

 private:
  std::unique_ptr<Real[]> storage_;
  std::span<const Real> view_;
};

using VectorArg = BasicVectorArg<double>;

}  // namespace jounce
