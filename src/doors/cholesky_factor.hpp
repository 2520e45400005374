// SPDX-License-Identifier: BSD-3-Clause
// Cholesky's factor of a matrix that should have one.
#pragma once

#include <jounce/model/robot.hpp>
#include <string>

#include "linear_algebra/solve.hpp"

namespace jounce {

/// `transport: the mass matrix of robot "arm7" has no Cholesky factor`: ComputationError where
/// rounding or overflow leaves none.
inline dense::Matrix cholesky_factor(const Robot& robot, const char* caller, const char* what,
                                     const dense::Matrix& A) {
  std::optional<dense::Matrix> L = dense::cholesky(A);
  if (!L)
    throw ComputationError(std::string(caller) + ": " + what + " of robot \"" + robot.name() +
                           "\" has no Cholesky factor");
  return std::move(*L);
}

}  // namespace jounce
