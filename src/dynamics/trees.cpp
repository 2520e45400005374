// SPDX-License-Identifier: BSD-3-Clause
// Inverse, forward and hybrid dynamics, the mass matrix and energy.
#include <algorithm>
#include <cmath>
#include <jounce/algorithm/passive_forces.hpp>
#include <jounce/algorithm/rnea.hpp>

#include "dynamics/dynamics_impl.hpp"
#include "dynamics/external_wrench.hpp"

namespace jounce {

State<double> Dynamics::Impl::load(std::span<const double> q_, std::span<const double> v_,
                                   std::span<const double> a_, std::span<const double> tau_,
                                   std::span<const ExternalWrench> external) {
  State<double> x = tree_state(q_, v_, a_);
  x.tau = tau_.data();
  x.F_ext = F_ext.data();
  Workspace<double>& w = work.view();
  w.V[0] = V_0;
  w.Vdot[0] = Vdot_0 + minus_gravity<double>(robot.model());
  if (!external_zero) std::fill(F_ext.begin(), F_ext.end(), Wrench<double>{});
  external_zero = external.empty();
  if (external.empty()) return x;
  kernel.poses(&robot.model(), &x, &w, wide.data());
  for (const ExternalWrench& outside : external) {
    const FrameInfo& frame = robot.frame_info(outside.frame);
    require_finite(frame, external, outside);
    const SE3<double> T = w.pose[frame.body] * frame.offset;
    F_ext[size_t(frame.body)] +=
        dual_Ad_inv(frame.offset, seen_in_frame(outside.wrench, outside.in, T));
  }
  return x;
}

VectorView Dynamics::Impl::fold_forces() {
  const double* tau_tree = work.view().tau;
  if (!robot.has_mimic()) {
    std::copy(tau_tree, tau_tree + robot.nv(), forces.begin());
  } else {
    std::fill(forces.begin(), forces.end(), 0.0);
    const Coupling& c = robot.coupling();
    for (size_t k = 0; k < tree_tau.size(); ++k)
      forces[size_t(c.v_source[k])] += c.v_ratio[k] * tau_tree[k];
  }
  return {forces.data(), robot.nv()};
}

void Dynamics::Impl::add_passive(std::span<const double> q_, std::span<const double> v_,
                                 double sign, std::span<double> tau_) {
  const PassiveData& p = robot.passive();
  if (!passive || !robot.has_passive()) return;
  for (size_t k = 0; k < tau_.size(); ++k)
    tau_[k] -= sign * (p.damping[k] * v_[k] + p.friction[k] * coulomb(v_[k]));
  if (!robot.has_springs()) return;
  std::fill(row.begin(), row.end(), 0.0);
  add_spring_forces(p, q_.data(), row.data());
  for (size_t k = 0; k < tau_.size(); ++k) tau_[k] -= sign * row[k];
}

/// The factors hold 1/d; a joint that moves no mass has d <= 0. Leaves first: what is above a
/// singular joint is spoilt by it.
void Dynamics::Impl::require_mass_behind_joints(const char* caller, const Workspace<double>& w,
                                                const bool* prescribed) const {
  const std::span<const JointInfo> joints = robot.joints();
  for (size_t i = joints.size(); i-- > 0;)
    for (int k = 0; k < joints[i].nv; ++k) {
      const int coordinate = joints[i].v + k;
      const double inverse = w.D[6 * coordinate + k];
      if (prescribed != nullptr && prescribed[coordinate]) continue;
      if (!(inverse > 0) || std::isinf(inverse)) throw_no_mass(caller, coordinate);
    }
}

VectorView Dynamics::inverse(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                             std::span<const ExternalWrench> external) {
  Impl& d = *impl_;
  check_state(d.robot, "inverse", q, {{"v", v}, {"a", a}});
  const std::span<const double> speed = d.kept(v);
  const State<double> x = d.load(q, speed, a, d.zeros, external);
  d.run_rnea(x);
  const VectorView tau = d.fold_forces();
  d.add_passive(q, speed, -1, d.forces);
  return tau;
}

VectorView Dynamics::forward(const VectorArg& q, const VectorArg& v, const VectorArg& tau,
                             std::span<const ExternalWrench> external) {
  Impl& d = *impl_;
  check_state(d.robot, "forward", q, {{"v", v}, {"tau", tau}});
  if (d.robot.has_mimic()) {
    d.coupled_hybrid("forward", nullptr, q, d.kept(v), d.zeros, tau, external);
    return {d.solution.data(), d.robot.nv()};
  }
  const std::span<const double> given = tau;
  std::copy(given.begin(), given.end(), d.tree_tau.begin());  // v may be a view of forces
  d.add_passive(q, v, 1, d.tree_tau);
  const State<double> x = d.load(q, v, d.zeros, d.tree_tau, external);
  d.run_aba(x);
  d.require_mass_behind_joints("forward", d.work.view(), nullptr);
  return {d.work.view().a, d.robot.nv()};
}

HybridResult Dynamics::hybrid(std::span<const bool> prescribed, const VectorArg& q,
                              const VectorArg& v, const VectorArg& a, const VectorArg& tau,
                              std::span<const ExternalWrench> external) {
  Impl& d = *impl_;
  const int nv = d.robot.nv();
  check_prescribed(d.robot, "hybrid", prescribed);
  check_state(d.robot, "hybrid", q, {{"v", v}, {"a", a}, {"tau", tau}});
  const std::span<const double> given = d.kept(tau, 1), given_a = a, speed = d.kept(v);
  if (d.robot.has_mimic()) {
    d.coupled_hybrid("hybrid", prescribed.data(), q, speed, a, given, external);
    return {{d.solution.data(), nv}, {d.forces.data(), nv}};
  }
  std::copy(given.begin(), given.end(), d.tree_tau.begin());
  std::copy(given_a.begin(), given_a.end(), d.tree_a.begin());  // a may be a view of work
  d.add_passive(q, speed, 1, d.tree_tau);
  const State<double> x = d.load(q, speed, d.tree_a, d.tree_tau, external);
  d.kernel.hybrid(&d.robot.model(), &x, prescribed.data(), &d.work.view());
  d.require_mass_behind_joints("hybrid", d.work.view(), prescribed.data());
  std::copy_n(d.work.view().tau, nv, d.tree_tau.begin());
  d.add_passive(q, speed, -1, d.tree_tau);  // back to what the actuator gives
  for (size_t k = 0; k < given.size(); ++k) d.forces[k] = prescribed[k] ? d.tree_tau[k] : given[k];
  return {{d.work.view().a, nv}, {d.forces.data(), nv}};
}

VectorView Dynamics::bias(const VectorArg& q, const VectorArg& v) {
  Impl& d = *impl_;
  check_state(d.robot, "bias", q, {{"v", v}});
  const State<double> x = d.load(q, v, d.zeros, d.zeros, {});
  d.run_rnea(x);
  return d.fold_forces();
}
VectorView Dynamics::gravity(const VectorArg& q) {
  Impl& d = *impl_;
  d.robot.check_q("gravity", "q", q);
  const State<double> x = d.load(q, d.zeros, d.zeros, d.zeros, {});
  d.work.view().V[0] = {};
  d.work.view().Vdot[0] = minus_gravity<double>(d.robot.model());
  d.run_rnea(x);
  return d.fold_forces();
}

Energy Dynamics::energy(const VectorArg& q, const VectorArg& v) {
  Impl& d = *impl_;
  check_state(d.robot, "energy", q, {{"v", v}});
  const State<double> x = d.load(q, v, d.zeros, d.zeros, {});
  const Model<double>& m = d.robot.model();
  const Workspace<double>& w = d.work.view();
  d.kernel.poses(&m, &x, &d.work.view(), d.wide.data());
  d.kernel.twists(&m, &x, &d.work.view());
  Energy sum;
  for (int i = 1; i < m.bodies; ++i) {
    sum.kinetic += kinetic_energy(m.G[i], w.V[i]);
    sum.potential -= dot(m.gravity, w.pose[i].p * m.G[i].mass + w.pose[i].R * m.G[i].h);
  }
  for (int k = 0; k < m.nv; ++k) sum.kinetic += 0.5 * m.armature[k] * x.v[k] * x.v[k];
  return sum;
}

void Dynamics::set_passive(bool on) { impl_->passive = on; }

}  // namespace jounce
