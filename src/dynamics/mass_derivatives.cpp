// SPDX-License-Identifier: BSD-3-Clause
// The derivatives of the mass matrix.
#include <algorithm>
#include <jounce/algorithm/kinematics.hpp>
#include <jounce/algorithm/mass_derivatives.hpp>

#include "dynamics/second_by_dual.hpp"
#include "dynamics/second_fold.hpp"

namespace jounce {

void Dynamics::Impl::load_mass(std::span<const double> q_) {
  const State<double> x = load_motion(q_, zeros, zeros, {});
  Workspace<double>& w = work.view();
  forward_poses(robot.model(), x, w);
  load_mass_changes(robot.model(), x, w, derivatives.room, second->room);
}

TensorView Dynamics::mass_derivatives(const VectorArg& q) {
  Impl& d = *impl_;
  d.robot.check_q("mass_derivatives", "q", q);
  const SecondWork& second = d.second_work("mass_derivatives", SecondOrder::tensors);
  const bool tame = d.all_moderate(q);
  if (d.derivatives.custom) {
    d.run_second_derivatives(q, d.zeros, d.zeros, {.passive = false, .gravity = false});
  } else {
    d.load_mass(q);
    jounce::mass_derivatives(d.robot.model(), d.derivatives.room, second.room,
                             second.tree.dadq.data());
    fold_tensor(d.robot, second.tree.dadq, second.folded.dadq);
  }
  const TensorView found{second.tensors().dadq, d.robot.nv()};
  if (!tame) require_finite(d.robot, "mass_derivatives", {{"dM_dq", found}});
  return found;
}

MatrixView Dynamics::mass_second_derivative(const VectorArg& q, int k, int l) {
  const char* name = "mass_second_derivative";
  Impl& d = *impl_;
  const int nv = d.robot.nv();
  d.robot.check_q(name, "q", q);
  for (const int coordinate : {k, l})
    if (coordinate < 0 || coordinate >= nv)
      throw InputError(std::string(name) + ": there is no coordinate " +
                       std::to_string(coordinate) + ", robot \"" + d.robot.name() + "\" has " +
                       std::to_string(nv));
  SecondWork& second = d.second_work(name, SecondOrder::products);
  const bool tame = d.all_moderate(q);
  if (!d.derivatives.custom) d.load_mass(q);
  const int n = d.robot.model().nv;
  double* tree = second.tree_product.dadq.data();
  std::fill(tree, tree + n * n, 0.0);
  const State<double> x = d.tree_state(q, d.zeros, d.zeros);
  for_each_follower(d.coupling, k, [&](int a, double ratio_a) {
    for_each_follower(d.coupling, l, [&](int b, double ratio_b) {
      const double ratio = ratio_a * ratio_b;
      if (d.derivatives.custom) second.dual->add_mass_curve(x, a, b, ratio, tree);
      else
        add_mass_second_derivative(d.robot.model(), d.derivatives.room, second.room, a, b, ratio,
                                   tree);
    });
  });
  fold_matrix(d.robot, second.tree_product.dadq, second.folded_product.dadq);
  const MatrixView found(second.products().dadq, nv, nv);
  if (!tame) require_finite(d.robot, name, {{"d2M", found}});
  return found;
}

}  // namespace jounce
