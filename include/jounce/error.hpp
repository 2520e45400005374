// SPDX-License-Identifier: BSD-3-Clause
// The exceptions of the library's edges. A message says what, found, needed, where.
#pragma once

#include <stdexcept>
#include <string>

namespace jounce {

/// The caller or a file handed in something that cannot be used: a wrong size, NaN, a zero axis.
struct InputError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// A file that cannot be read. In Python an OSError.
struct UnreadableError : InputError {
  UnreadableError(const std::string& message, int code_) : InputError(message), code(code_) {}
  int code;  ///< what errno was
};

/// The input is fine, the computation could not be done: a singular articulated inertia.
struct ComputationError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace jounce
