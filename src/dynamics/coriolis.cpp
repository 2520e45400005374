// SPDX-License-Identifier: BSD-3-Clause
// The Coriolis matrix and the rate of the mass matrix.
#include "dynamics/dynamics_impl.hpp"

namespace jounce {

CoriolisResult Dynamics::coriolis(const VectorArg& q, const VectorArg& v,
                                  Factorization factorization) {
  Impl& d = *impl_;
  check_state(d.robot, "coriolis", q, {{"v", v}});
  const bool tame = d.all_moderate(q, v);
  const State<double> x = d.tree_state(q, v, d.zeros);
  MatrixWork& work = d.matrices;
  d.kernel.poses(d.robot.model(), x, d.work.view(), d.wide.data());
  d.kernel.coriolis(d.robot.model(), x, d.work.view(), factorization, work.room, work.C.data(),
                    work.Mdot.data());
  CoriolisResult found{d.fold_square(work.C, work.folded_C),
                       d.fold_square(work.Mdot, work.folded_Mdot)};
  if (!tame) require_finite(d.robot, "coriolis", {{"C", found.matrix}, {"Mdot", found.mass_rate}});
  return found;
}

}  // namespace jounce
