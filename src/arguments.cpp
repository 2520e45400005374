// SPDX-License-Identifier: BSD-3-Clause
// What vectors and matrices that users hand in are refused with.
#include <jounce/door/into.hpp>
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

void refuse_into(const Robot& robot, std::string_view caller, std::string_view name, long rows,
                 long columns, long needed_rows, long needed_columns) {
  const auto size = [&](long n, long m, const char* unit) {
    return needed_columns == 1 && m == 1 ? std::to_string(n) + unit
                                         : std::to_string(n) + " x " + std::to_string(m);
  };
  throw InputError(std::string(caller) + ": into(" + std::string(name) + ") has " +
                   size(rows, columns, " numbers") + ", robot \"" + robot.name() + "\" needs " +
                   size(needed_rows, needed_columns, ""));
}

void refuse_result_of(const Robot& robot, const Robot& other, std::string_view caller) {
  const bool same_name = other.name() == robot.name();
  throw InputError(std::string(caller) + ": into a result made for " +
                   (same_name ? "another robot called \"" : "robot \"") + other.name() + "\"" +
                   (same_name ? ": loaded twice, it is two robots; make results with door.robot()"
                              : ", this is robot \"" + robot.name() + "\""));
}

}  // namespace jounce::detail
