// SPDX-License-Identifier: BSD-3-Clause
// The largest of numbers, of which one that is no number is the worst: no test passes on it.
#pragma once

#include <Eigen/Core>

#include "support/worse.hpp"

namespace jounce::test {

double largest(const Eigen::MatrixXd& x);

}  // namespace jounce::test
