// SPDX-License-Identifier: BSD-3-Clause
// Checks of dense matrices at the door.
#include "matrix_check.hpp"

#include <cmath>
#include <jounce/error.hpp>

#include "linear_algebra/matrix.hpp"
#include "linear_algebra/solve.hpp"
#include "numbers.hpp"

namespace jounce {
namespace {

constexpr double matrix_tolerance = 1e-12;

std::string size_text(int rows, int columns) {
  return std::to_string(rows) + " x " + std::to_string(columns);
}

void check_symmetric(const std::string& caller, const std::string& name, const dense::Matrix& X,
                     int size) {
  check_matrix(caller, name, X, size, size);
  const auto entry = [&](int i, int j) {
    return "(" + std::to_string(i) + ", " + std::to_string(j) + ") is " + short_text(X(i, j));
  };
  const double most = dense::largest(X);
  for (int i = 0; i < size; ++i)
    for (int j = i + 1; j < size; ++j)
      if (std::abs(X(i, j) - X(j, i)) > matrix_tolerance * most)
        throw InputError(std::string(caller)
                             .append(": ")
                             .append(name)
                             .append(" is not symmetric: ")
                             .append(name)
                             .append(entry(i, j))
                             .append(", ")
                             .append(name)
                             .append(entry(j, i)));
}

}  // namespace

void check_matrix(const std::string& caller, const std::string& name, const dense::Matrix& X,
                  int rows, int columns) {
  if (X.rows != rows || X.columns != columns)
    throw InputError(caller + ": " + name + " is " + size_text(X.rows, X.columns) +
                     ", needs to be " + size_text(rows, columns));
  if (!dense::all_finite(X)) throw InputError(caller + ": " + name + " is not finite");
}

void check_semidefinite(const std::string& caller, const std::string& name, const dense::Matrix& X,
                        int size) {
  check_symmetric(caller, name, X, size);
  const double most = dense::largest(X);
  if (most > 0 && !dense::cholesky(X + matrix_tolerance * most * dense::identity(size)))
    throw InputError(caller + ": " + name + " must be positive semidefinite");
}
void check_definite(const std::string& caller, const std::string& name, const dense::Matrix& X,
                    int size) {
  check_symmetric(caller, name, X, size);
  if (!dense::cholesky(X)) throw InputError(caller + ": " + name + " must be positive definite");
}

}  // namespace jounce
