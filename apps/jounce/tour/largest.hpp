// SPDX-License-Identifier: BSD-3-Clause
// The largest entry of a matrix; one that is no number is the largest, so that no check passes on
// it.
#pragma once

#include <Eigen/Core>

namespace jounce::app {

inline double largest(const Eigen::MatrixXd& x) {
  return x.size() == 0 ? 0 : x.cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
}

}  // namespace jounce::app
