// SPDX-License-Identifier: BSD-3-Clause
// A matrix that owns its numbers: what crosses between a user's program and the compiled library.
//
// Eigen's own matrices take and free memory in a way that depends on the compiler's flags, so that
// one made here and freed there crashes. This one is the same whatever the flags.
#pragma once

#include <cstddef>
#include <vector>

namespace jounce::dense {

/// Column by column; zero when made.
struct Matrix {
  Matrix() = default;
  Matrix(int rows_, int columns_)
      : rows(rows_),
        columns(columns_),
        numbers(static_cast<std::size_t>(rows_) * static_cast<std::size_t>(columns_)) {}

  double* data() { return numbers.data(); }
  const double* data() const { return numbers.data(); }
  double* column(int j) { return data() + static_cast<std::ptrdiff_t>(rows) * j; }
  const double* column(int j) const { return data() + static_cast<std::ptrdiff_t>(rows) * j; }
  double& operator()(int i, int j) { return column(j)[i]; }
  double operator()(int i, int j) const { return column(j)[i]; }

  int rows = 0, columns = 0;
  std::vector<double> numbers;
};

}  // namespace jounce::dense
