// SPDX-License-Identifier: BSD-3-Clause
// A tensor of n x n x n numbers that owns them.
#pragma once

#include <jounce/door/owned.hpp>

namespace jounce {

/// T(i, k, l); slice(l) is the matrix of all (i, k). Zero when made; only calls of doors write it.
class Tensor {
 public:
  /// `shift`: numbers off a page, so that tensors that are read together do not share cache lines.
  explicit Tensor(int n, size_t shift = 0)
      : n_(n),
        numbers_(static_cast<size_t>(n) * static_cast<size_t>(n) * static_cast<size_t>(n), shift) {}

  int n() const { return n_; }
  const double* data() const { return numbers_.data(); }
  double operator()(int i, int k, int l) const {
    return data()[i + n_ * (k + std::ptrdiff_t(n_) * l)];
  }
  OwnedMatrix::View slice(int l) const {
    return {data() + std::ptrdiff_t(n_) * n_ * l, n_, n_, Eigen::OuterStride<>(n_)};
  }

 private:
  friend class InverseSecondDerivatives;
  friend class ForwardSecondDerivatives;
  double* numbers() { return numbers_.data(); }

  int n_;
  detail::ZeroNumbers<double> numbers_;
};

}  // namespace jounce
