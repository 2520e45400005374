// SPDX-License-Identifier: BSD-3-Clause
// A tensor of n x n x n numbers that someone else owns.
#pragma once

#include <Eigen/Core>
#include <cstddef>

namespace jounce {

/// T(i, k, l); slice(l) is the matrix of all (i, k).
struct TensorView {
  const double* data = nullptr;
  int n = 0;

  double operator()(int i, int k, int l) const { return data[i + n * (k + std::ptrdiff_t(n) * l)]; }
  Eigen::Map<const Eigen::MatrixXd> slice(int l) const {
    return {data + std::ptrdiff_t(n) * n * l, n, n};
  }
};

}  // namespace jounce
