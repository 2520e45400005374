// SPDX-License-Identifier: BSD-3-Clause
// Inverse, forward and hybrid dynamics, the mass matrix and energy.
#include <algorithm>
#include <cmath>
#include <jounce/algorithm/crba.hpp>
#include <jounce/equations/ground.hpp>
#include <jounce/equations/outside.hpp>
#include <jounce/equations/passive.hpp>

#include "dynamics/dynamics_impl.hpp"

namespace jounce {

State<double> Dynamics::Impl::load(std::span<const double> q_, std::span<const double> v_,
                                   std::span<const double> a_, std::span<const double> tau_,
                                   const Surroundings& around) {
  State<double> x = tree_state(q_, v_, a_);
  x.tau = tau_.data();
  x.F_ext = no_wrench.data();
  Workspace<double>& w = work.view();
  set_ground(robot.model(), around, w);
  if (around.wrenches.empty()) return x;
  x.F_ext = F_ext.data();
  std::fill(F_ext.begin(), F_ext.end(), Wrench<double>{});
  kernel.poses(robot.model(), x, w, wide.data());
  add_outside(robot.system(), around.wrenches, w, F_ext.data());
  return x;
}

State<double> Dynamics::Impl::load_motion(std::span<const double> q_, std::span<const double> v_,
                                          std::span<const double> a_,
                                          const OptionalGround<double>& ground) {
  return load(q_, v_, a_, zeros, {.ground = ground, .gravity = false});
}

VectorView Dynamics::Impl::fold_forces() {
  jounce::gather(coupling, work.view().tau, forces.data());
  return {forces.data(), robot.nv()};
}

void Dynamics::Impl::add_passive(std::span<const double> q_, std::span<const double> v_,
                                 double sign, std::span<double> tau_) {
  if (!robot.has_passive()) return;
  add_passive_forces(robot.system(), q_.data(), v_.data(), sign, tau_.data());
}

void Dynamics::Impl::judge_pivots(const char* caller, Workspace<double>& w,
                                  const bool* prescribed) {
  const Model<double>& m = robot.model();
  for (int i = 1; i < m.bodies; ++i)  // lanes leave T only of the other kinds
    if (is_revolute(m, i)) move_joint(m, State<double>{}, i, w);
  bool doubtful = false;
  for_each_mass_diagonal(m, w, composite.data(), [&](int k, double diagonal) {
    if (prescribed != nullptr && prescribed[k]) return;
    doubtful = doubtful || mass_bounds.doubtful(k, 1 / w.D[mass_bounds.place(k)], diagonal);
  });
  if (!doubtful) return;
  crba(m, w, composite.data(), tree_mass.data());
  factor(caller, tree_mass.data(), prescribed);
}

VectorView Dynamics::inverse(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                             const Surroundings& around) {
  Impl& d = *impl_;
  check_state(d.robot, "inverse", q, {{"v", v}, {"a", a}});
  check_surroundings(d.robot, "inverse", around);
  const std::span<const double> at = d.kept_q(q), speed = d.kept(v);
  const State<double> x = d.load(at, speed, a, d.zeros, around);
  d.run_rnea(x);
  const VectorView tau = d.fold_forces();
  if (around.passive) d.add_passive(at, speed, 1, d.forces);
  require_finite(d.robot, "inverse", "tau", d.forces);
  return tau;
}

VectorView Dynamics::Impl::run_forward(const char* caller, std::span<const double> q_,
                                       std::span<const double> v_, std::span<const double> tau_,
                                       const Surroundings& around) {
  const int nv = robot.nv();
  double* found = solution.data();
  if (robot.has_mimic()) {
    coupled_hybrid(caller, nullptr, q_, v_, zeros, tau_, around);
  } else {
    std::copy(tau_.begin(), tau_.end(), tree_tau.begin());  // v_ may be a view of forces
    if (around.passive) add_passive(q_, v_, -1, tree_tau);
    const State<double> x = load(q_, v_, zeros, tree_tau, around);
    run_aba(x);
    require_mass(caller, work.view(), nullptr);
    found = work.view().a;
  }
  require_finite(robot, caller, "a", {found, size_t(nv)});
  return {found, nv};
}

VectorView Dynamics::forward(const VectorArg& q, const VectorArg& v, const VectorArg& tau,
                             const Surroundings& around) {
  Impl& d = *impl_;
  check_state(d.robot, "forward", q, {{"v", v}, {"tau", tau}});
  check_surroundings(d.robot, "forward", around);
  if (!d.robot.has_mimic()) return d.run_forward("forward", q, v, tau, around);
  return d.run_forward("forward", d.kept_q(q), d.kept(v), tau, around);
}

HybridResult Dynamics::Impl::run_hybrid(const char* caller, std::span<const bool> prescribed,
                                        std::span<const double> q_, std::span<const double> v_,
                                        std::span<const double> a_, std::span<const double> tau_,
                                        const Surroundings& around) {
  const int nv = robot.nv();
  double* found = solution.data();
  if (robot.has_mimic()) {
    coupled_hybrid(caller, prescribed.data(), q_, v_, a_, tau_, around);
  } else {
    std::copy(tau_.begin(), tau_.end(), tree_tau.begin());
    std::copy(a_.begin(), a_.end(), tree_a.begin());  // a_ may be a view of work
    if (around.passive) add_passive(q_, v_, -1, tree_tau);
    const State<double> x = load(q_, v_, tree_a, tree_tau, around);
    kernel.hybrid(robot.model(), x, prescribed.data(), work.view());
    require_mass(caller, work.view(), prescribed.data());
    std::copy_n(work.view().tau, nv, tree_tau.begin());
    if (around.passive) add_passive(q_, v_, 1, tree_tau);  // back to what the actuator gives
    for (size_t k = 0; k < tau_.size(); ++k) forces[k] = prescribed[k] ? tree_tau[k] : tau_[k];
    found = work.view().a;
  }
  require_finite(robot, caller, "a", {found, size_t(nv)});
  require_finite(robot, caller, "tau", forces);
  return {{found, nv}, {forces.data(), nv}};
}

HybridResult Dynamics::hybrid(std::span<const bool> prescribed, const VectorArg& q,
                              const VectorArg& v, const VectorArg& a, const VectorArg& tau,
                              const Surroundings& around) {
  Impl& d = *impl_;
  check_prescribed(d.robot, "hybrid", prescribed);
  check_state(d.robot, "hybrid", q, {{"v", v}, {"a", a}, {"tau", tau}});
  check_surroundings(d.robot, "hybrid", around);
  return d.run_hybrid("hybrid", prescribed, d.kept_q(q), d.kept(v), a, d.kept(tau, 1), around);
}

VectorView Dynamics::bias(const VectorArg& q, const VectorArg& v,
                          const OptionalGround<double>& ground) {
  Impl& d = *impl_;
  check_state(d.robot, "bias", q, {{"v", v}});
  check_ground("bias", ground);
  const State<double> x = d.load(q, v, d.zeros, d.zeros, {.ground = ground});
  d.run_rnea(x);
  const VectorView tau = d.fold_forces();
  require_finite(d.robot, "bias", "tau", d.forces);
  return tau;
}
VectorView Dynamics::gravity(const VectorArg& q) {
  Impl& d = *impl_;
  check_q(d.robot, "gravity", "q", q);
  const State<double> x = d.load(q, d.zeros, d.zeros, d.zeros, {});
  d.run_rnea(x);
  const VectorView tau = d.fold_forces();
  require_finite(d.robot, "gravity", "tau", d.forces);
  return tau;
}

Energy Dynamics::energy(const VectorArg& q, const VectorArg& v,
                        const OptionalGround<double>& ground) {
  Impl& d = *impl_;
  check_state(d.robot, "energy", q, {{"v", v}});
  check_ground("energy", ground);
  const State<double> x = d.load_motion(q, v, d.zeros, ground);
  const Model<double>& m = d.robot.model();
  const Workspace<double>& w = d.work.view();
  d.kernel.poses(m, x, d.work.view(), d.wide.data());
  d.kernel.twists(m, x, d.work.view());
  Energy sum;
  for (int i = 1; i < m.bodies; ++i) {
    sum.kinetic += kinetic_energy(m.G[i], w.V[i]);
    sum.potential -= dot(m.gravity, w.pose[i].p * m.G[i].mass + w.pose[i].R * m.G[i].h);
  }
  for (int k = 0; k < m.nv; ++k) sum.kinetic += 0.5 * m.armature[k] * x.v[k] * x.v[k];
  require_finite("energy", "kinetic", std::isfinite(sum.kinetic));
  require_finite("energy", "potential", std::isfinite(sum.potential));
  return sum;
}

}  // namespace jounce
