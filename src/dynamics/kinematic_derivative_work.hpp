// SPDX-License-Identifier: BSD-3-Clause
// Memory for the derivatives of frames, momentum, the centre of mass and energy.
#pragma once

#include <jounce/algorithm/kinematics_derivatives.hpp>
#include <jounce/algorithm/momentum_derivatives.hpp>
#include <jounce/model/robot.hpp>

namespace jounce {

struct KinematicDerivativeWork {
  explicit KinematicDerivativeWork(const Robot& robot)
      : tree_nv(size_t(robot.model().nv)),
        nv(size_t(robot.nv())),
        tree(4 * 6 * tree_nv),
        folded(4 * 6 * nv),
        com(4 * 3 * nv) {}

  /// The matrix number k of up to four, 6 x nv of the tree and of the robot.
  double* tree_matrix(size_t k) { return tree.data() + 6 * tree_nv * k; }
  double* folded_matrix(size_t k) { return folded.data() + 6 * nv * k; }

  size_t tree_nv, nv;
  std::vector<double> tree, folded, com;
};

}  // namespace jounce
