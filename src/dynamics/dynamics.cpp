// SPDX-License-Identifier: BSD-3-Clause
// Dynamics: checks, expansion of mimic joints, and the call of the kernel.
#include <algorithm>
#include <cmath>
#include <jounce/dynamics.hpp>
#include <jounce/equations/ground.hpp>

#include "dynamics/dynamics_impl.hpp"

namespace jounce {
namespace {

void copy(std::span<const double> from, std::vector<double>& to) {
  std::copy(from.begin(), from.end(), to.begin());
}

}  // namespace

Dynamics::Impl::Impl(Robot robot_)
    : robot(std::move(robot_)),
      weightless(robot.model()),
      storage(robot.model()),
      work(robot.model()),
      wide(size_t(robot.bodies())),
      lane_body(lane_bodies(robot.model())),
      lane_memory(robot.model()),
      mass_bounds(robot),
      lost_motion(size_t(robot.nv())),
      moderate_robot(moderate(robot)),
      q(robot.neutral()),
      v(size_t(robot.nv())),
      a(size_t(robot.nv())),
      unit(size_t(robot.nv())),
      jacobian(size_t(6 * robot.nv())),
      zeros(size_t(robot.nv())),
      tree_q(size_t(robot.model().nq)),
      tree_v(size_t(robot.model().nv)),
      tree_a(size_t(robot.model().nv)),
      tree_matrix(size_t(6 * robot.model().nv)),
      matrix(size_t(6 * robot.model().nv)),
      square(size_t(robot.nv() * robot.nv())),
      pattern_lists(robot),
      pattern(pattern_lists.view()),
      factors(size_t(pattern.n * pattern.stride)),
      mass_inverse(factors.size()),
      inverse_factor(factors.size()),
      inverse_transposed(factors.size()),
      solves_by_factors(robot.has_mimic() ||
                        pattern.at[pattern.n] <= entries_worth_a_body * pattern.n),
      solving_factors(solves_by_factors ? factors.size() : 0),
      mass_jacobian(size_t(6 * robot.nv())),
      articulated(robot.model()),
      inverse_rows(solves_by_factors ? 0 : size_t(12 * robot.bodies() + robot.nv())),
      solution(size_t(robot.nv())),
      root_mass(size_t(robot.nv())),
      F_ext(size_t(robot.bodies())),
      no_wrench(F_ext),
      composite(size_t(robot.bodies())),
      tree_tau(size_t(robot.model().nv)),
      tree_mass(size_t(robot.model().nv * robot.model().nv)),
      forces(size_t(robot.nv())),
      kept_copy(4 * forces.size()),
      q_copy(q.size()),
      subtree_mass(size_t(robot.bodies())),
      subtree_moment(size_t(robot.bodies())),
      matrices(robot),
      derivatives(robot, pattern),
      series(std::make_unique<SeriesImpl>(robot, SeriesImpl::first_max_order)) {
  weightless.gravity = {};
}

State<double> Dynamics::Impl::tree_state(std::span<const double> q_, std::span<const double> v_,
                                         std::span<const double> a_) {
  if (!robot.has_mimic()) return {q_.data(), v_.data(), a_.data()};
  expand_positions(coupling, q_.data(), tree_q.data());
  expand(coupling, v_.data(), tree_v.data());
  expand(coupling, a_.data(), tree_a.data());
  return {tree_q.data(), tree_v.data(), tree_a.data()};
}

void Dynamics::Impl::move_poses() {
  const State<double> x = tree_state(q, zeros, zeros);
  Workspace<double>& w = storage.view();
  kernel.poses(robot.model(), x, w, wide.data());
  if (still) return;
  std::fill(w.V, w.V + robot.bodies(), Twist<double>{});
  std::fill(w.Vdot, w.Vdot + robot.bodies(), Twist<double>{});
  still = true;
}

void Dynamics::Impl::move(std::span<const double> velocity, std::span<const double> acceleration,
                          const OptionalGround<double>& ground) {
  const State<double> x = tree_state(q, velocity, acceleration);
  Workspace<double>& w = storage.view();
  set_ground(ground, w);
  kernel.poses(robot.model(), x, w, wide.data());
  kernel.twists(robot.model(), x, w);
  kernel.accelerations(robot.model(), x, w);
  still = false;
}

MatrixView Dynamics::Impl::fold_columns(int rows, double* tree, double* folded) const {
  const int nv = robot.nv();
  if (!robot.has_mimic()) return {tree, rows, nv};
  gather_columns(coupling, rows, tree, folded);
  return {folded, rows, nv};
}

MatrixView Dynamics::Impl::fold_square(const std::vector<double>& tree,
                                       std::vector<double>& folded) const {
  const int nv = robot.nv();
  if (!robot.has_mimic()) return {tree.data(), nv, nv};
  gather_square(coupling, tree.data(), folded.data());
  return {folded.data(), nv, nv};
}

Dynamics::Dynamics(Robot robot) : impl_(std::make_unique<Impl>(std::move(robot))) {
  kinematics(impl_->q);
}
Dynamics::Dynamics(Dynamics&&) noexcept = default;
Dynamics& Dynamics::operator=(Dynamics&&) noexcept = default;
Dynamics::~Dynamics() = default;

const Robot& Dynamics::robot() const { return impl_->robot; }

void Dynamics::kinematics(const VectorArg& q) {
  Impl& d = *impl_;
  d.robot.check_q("kinematics", "q", q);
  copy(q, d.q);
  d.moderate_state = d.all_moderate(d.q);
  d.move_poses();
}

void Dynamics::kinematics(const VectorArg& q, const VectorArg& v) {
  kinematics(q, v, impl_->zeros);
}

void Dynamics::kinematics(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                          const OptionalGround<double>& ground) {
  Impl& d = *impl_;
  const bool moderate_arguments = check_state(d.robot, "kinematics", q, {{"v", v}, {"a", a}});
  check_ground("kinematics", ground);
  copy(q, d.q);
  copy(v, d.v);
  copy(a, d.a);
  d.moderate_state = moderate_arguments && d.all_moderate(ground);
  d.move(d.v, d.a, ground);
}

}  // namespace jounce
