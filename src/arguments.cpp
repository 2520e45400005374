// SPDX-License-Identifier: BSD-3-Clause
// What vectors and matrices that users hand in are refused with.
#include <jounce/error.hpp>
#include <jounce/matrix_arg.hpp>
#include <jounce/vector_arg.hpp>
#include <string>

namespace jounce::detail {

void refuse_as_vector(long rows, long columns) {
  throw InputError("a vector is needed, one row or one column, found a matrix of " +
                   std::to_string(rows) + " x " + std::to_string(columns));
}

void refuse_as_columns(size_t numbers, int rows) {
  throw InputError("a matrix of " + std::to_string(rows) + " rows has " + std::to_string(numbers) +
                   " numbers, needs " +
                   (rows > 0 ? "a multiple of " + std::to_string(rows) : std::string("none")));
}

}  // namespace jounce::detail
