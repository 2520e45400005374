// SPDX-License-Identifier: BSD-3-Clause
// Newton-Euler with a reference velocity.
#include <jounce/algorithm/passive_rnea.hpp>
#include <jounce/equations/ground.hpp>

#include "dynamics/dynamics_impl.hpp"

namespace jounce {

VectorView Dynamics::inverse_passive(const VectorArg& q, const VectorArg& v, const VectorArg& v_r,
                                     const VectorArg& a_r, Factorization factorization) {
  Impl& d = *impl_;
  check_state(d.robot, "inverse_passive", q, {{"v", v}, {"v_r", v_r}, {"a_r", a_r}});
  if (factorization == Factorization::plain)
    throw InputError("inverse_passive: the plain factorization is not skew-symmetric");
  const State<double> x = d.tree_state(q, v, a_r);
  MatrixWork& work = d.matrices;
  const std::span<const double> reference = v_r;
  const double* tree_v_r = reference.data();
  if (d.robot.has_mimic()) {
    expand(d.coupling, reference.data(), work.v_r.data());
    tree_v_r = work.v_r.data();
  }
  Workspace<double>& w = d.work.view();
  set_ground(d.robot.model(), Surroundings{}, w);
  work.V_r[0] = {};
  passive_rnea(d.robot.model(), x, tree_v_r, factorization, work.V_r.data(), w);
  const VectorView tau = d.fold_forces();
  require_finite(d.robot, "inverse_passive", "tau", d.forces);
  return tau;
}

}  // namespace jounce
