// SPDX-License-Identifier: BSD-3-Clause
// A vector as users have it: std::vector, std::span, an Eigen vector or an Eigen expression.
#pragma once

#include <Eigen/Core>
#include <initializer_list>
#include <span>
#include <vector>

namespace jounce {

/// A read-only view for the length of a call. Contiguous vectors are viewed, not copied; an Eigen
/// expression such as q + dq is evaluated once and kept.
class VectorArg {
 public:
  VectorArg(std::span<const double> x) : view_(x) {}     // NOLINT: an argument type
  VectorArg(const std::vector<double>& x) : view_(x) {}  // NOLINT
  VectorArg(std::initializer_list<double> x) : view_(x.begin(), x.size()) {}  // NOLINT
  template <class Derived>
  VectorArg(const Eigen::MatrixBase<Derived>& x) {  // NOLINT
    if constexpr (bool(Derived::Flags & Eigen::DirectAccessBit) &&
                  Derived::InnerStrideAtCompileTime == 1) {
      view_ = {x.derived().data(), static_cast<size_t>(x.size())};
    } else {
      storage_.resize(static_cast<size_t>(x.size()));
      Eigen::Map<Eigen::VectorXd>(storage_.data(), x.size()) = x;
      view_ = storage_;
    }
  }
  VectorArg(const VectorArg&) = delete;
  VectorArg& operator=(const VectorArg&) = delete;

  operator std::span<const double>() const { return view_; }  // NOLINT

 private:
  std::vector<double> storage_;
  std::span<const double> view_;
};

}  // namespace jounce
