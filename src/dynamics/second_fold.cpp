// SPDX-License-Identifier: BSD-3-Clause
// Mimic joints in the second derivatives: A^T T A A with their constant ratios A.
#include "dynamics/second_fold.hpp"

#include <algorithm>

namespace jounce {

void fold_matrix(const Robot& robot, const ZeroNumbers& tree, const ZeroNumbers& folded) {
  if (!robot.has_mimic()) return;
  gather_square(robot.system().coupling, tree.data(), folded.data());
}

void fold_tensor(const Robot& robot, const ZeroNumbers& tree, const ZeroNumbers& folded) {
  if (!robot.has_mimic()) return;
  gather_cube(robot.system().coupling, tree.data(), folded.data());
}

}  // namespace jounce
