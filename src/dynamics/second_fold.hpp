// SPDX-License-Identifier: BSD-3-Clause
// From the second derivatives of the tree's coordinates to those of the robot's.
#pragma once

#include "dynamics/dynamics_impl.hpp"

namespace jounce {

/// Sums entries that mimic joints share; nothing to do where there are none.
void fold_tensor(const Robot& robot, const ZeroNumbers& tree, const ZeroNumbers& folded);
void fold_matrix(const Robot& robot, const ZeroNumbers& tree, const ZeroNumbers& folded);

/// Products as Dynamics returns them: n x n matrices.
inline SecondProductsResult as_matrices(const SecondDerivatives<double>& x, int n) {
  return {{x.dqdq, n, n}, {x.dqdv, n, n}, {x.dvdv, n, n}, {x.dadq, n, n}};
}

/// f(from, to) for each of the four blocks.
template <class F>
void for_each_block(const SecondBlocks& from, const SecondBlocks& to, F f) {
  f(from.dqdq, to.dqdq);
  f(from.dqdv, to.dqdv);
  f(from.dvdv, to.dvdv);
  f(from.dadq, to.dadq);
}

}  // namespace jounce
