// SPDX-License-Identifier: BSD-3-Clause
// Motions with all their derivatives as power series of coordinates, velocities and accelerations.
#pragma once

#include <Eigen/Core>
#include <jounce/algorithm/coordinate_series.hpp>

#include "doors/loop_numbers.hpp"

namespace jounce::test {

using RowsInTime = LoopNumbers<Taylor<double, 8>>;

/// Rows of a motion v, a, ... on Taylor numbers, all coordinates and rows at once.
inline void expand_rows(const Eigen::VectorXd& q, const Eigen::MatrixXd& motion, RowsInTime& to) {
  double factorial = 1;
  std::copy(q.begin(), q.end(), to.q.begin());
  for (int k = 0; k + 1 < motion.cols(); factorial *= ++k)
    for (size_t j = 0; j < to.v.size(); ++j) {
      to.v[j].c[k] = motion(Eigen::Index(j), k) / factorial;
      to.a[j].c[k] = motion(Eigen::Index(j), k + 1) / factorial;
    }
  for (int k = 1; k + 1 < motion.cols(); ++k)
    for (const Factor& f : factors(to.system))
      extend_coordinates(f, k - 1, to.v.data() + f.v, to.q.data() + f.q);
}
/// q at a later instant.
inline Eigen::VectorXd positions_at(const RowsInTime& rows, double t) {
  Eigen::VectorXd q = Eigen::VectorXd::Zero(Eigen::Index(rows.q.size()));
  for (int k = 8; k >= 0; --k)
    for (size_t j = 0; j < rows.q.size(); ++j)
      q[Eigen::Index(j)] = q[Eigen::Index(j)] * t + rows.q[j].c[k];
  return q;
}

}  // namespace jounce::test
