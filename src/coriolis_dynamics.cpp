// SPDX-License-Identifier: BSD-3-Clause
// The Coriolis matrix through the checked front door.
#include <algorithm>

#include "dynamics_impl.hpp"

namespace jounce {
namespace {

/// A^T X A for the constant coupling A of mimic joints; X and the result column by column.
MatrixView fold_square(const Robot& robot, const std::vector<double>& tree,
                       std::vector<double>& folded) {
  const int nv = robot.nv(), n = robot.model().nv;
  if (!robot.has_mimic()) return {tree.data(), nv, nv};
  std::fill(folded.begin(), folded.end(), 0.0);
  const Coupling& c = robot.coupling();
  const auto at = [](int i) { return static_cast<size_t>(i); };
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      folded[at(nv * c.v_source[at(k)] + c.v_source[at(j)])] +=
          c.v_ratio[at(k)] * c.v_ratio[at(j)] * tree[at(n * k + j)];
  return {folded.data(), nv, nv};
}

}  // namespace

CoriolisResult Dynamics::coriolis(const VectorArg& q, const VectorArg& v,
                                  Factorization factorization) {
  Impl& d = *impl_;
  d.robot.check_q("coriolis", "q", q);
  d.robot.check_v("coriolis", "v", v);
  const State<double> x = d.tree_state(q, v, d.zeros);
  MatrixWork& work = d.matrices;
  d.kernel.poses(&d.robot.model(), &x, &d.work.view(), d.wide.data());
  d.kernel.coriolis(&d.robot.model(), &x, &d.work.view(), static_cast<int>(factorization),
                    &work.room, work.C.data(), work.Mdot.data());
  return {fold_square(d.robot, work.C, work.folded_C),
          fold_square(d.robot, work.Mdot, work.folded_Mdot)};
}

}  // namespace jounce
