// SPDX-License-Identifier: BSD-3-Clause
// The front door: checks, expansion of mimic joints, and the call of the kernel.
#include <algorithm>
#include <cmath>
#include <jounce/dynamics.hpp>

#include "dynamics/dynamics_impl.hpp"

namespace jounce {
namespace {

size_t count(int n) { return static_cast<size_t>(n); }

void copy(std::span<const double> from, std::vector<double>& to) {
  std::copy(from.begin(), from.end(), to.begin());
}

}  // namespace

Dynamics::Impl::Impl(Robot robot_)
    : robot(std::move(robot_)),
      storage(robot.model()),
      work(robot.model()),
      wide(count(robot.bodies())),
      lane_body(lane_bodies(robot.model())),
      lane_memory(robot.model()),
      q(robot.neutral()),
      v(count(robot.nv())),
      a(count(robot.nv())),
      unit(count(robot.nv())),
      jacobian(count(6 * robot.nv())),
      zeros(count(robot.nv())),
      tree_q(count(robot.model().nq)),
      tree_v(count(robot.model().nv)),
      tree_a(count(robot.model().nv)),
      tree_matrix(count(6 * robot.model().nv)),
      matrix(count(6 * robot.model().nv)),
      square(count(robot.nv() * robot.nv())),
      pattern_lists(robot),
      pattern(pattern_lists.view()),
      factors(count(pattern.n * pattern.stride)),
      mass_inverse(factors.size()),
      inverse_factor(factors.size()),
      inverse_transposed(factors.size()),
      solves_by_factors(robot.has_mimic() ||
                        pattern.at[pattern.n] <= entries_worth_a_body * pattern.n),
      solving_factors(solves_by_factors ? factors.size() : 0),
      mass_jacobian(count(6 * robot.nv())),
      articulated(robot.model()),
      solution(count(robot.nv())),
      row(count(robot.nv())),
      F_ext(count(robot.bodies())),
      composite(count(robot.bodies())),
      tree_tau(count(robot.model().nv)),
      tree_mass(count(robot.model().nv * robot.model().nv)),
      forces(count(robot.nv())),
      subtree_mass(count(robot.bodies())),
      subtree_moment(count(robot.bodies())),
      matrices(robot),
      derivatives(robot, pattern),
      series(std::make_unique<SeriesImpl>(robot, SeriesImpl::first_max_order)) {}

State<double> Dynamics::Impl::tree_state(std::span<const double> q_, std::span<const double> v_,
                                         std::span<const double> a_) {
  if (!robot.has_mimic()) return {q_.data(), v_.data(), a_.data()};
  const Coupling& c = robot.coupling();
  for (size_t k = 0; k < tree_q.size(); ++k)
    tree_q[k] = c.q_ratio[k] * q_[count(c.q_source[k])] + c.q_offset[k];
  for (size_t k = 0; k < tree_v.size(); ++k) {
    tree_v[k] = c.v_ratio[k] * v_[count(c.v_source[k])];
    tree_a[k] = c.v_ratio[k] * a_[count(c.v_source[k])];
  }
  return {tree_q.data(), tree_v.data(), tree_a.data()};
}

void Dynamics::Impl::move_poses() {
  const State<double> x = tree_state(q, zeros, zeros);
  Workspace<double>& w = storage.view();
  kernel.poses(&robot.model(), &x, &w, wide.data());
  if (still) return;
  std::fill(w.V, w.V + robot.bodies(), Twist<double>{});
  std::fill(w.Vdot, w.Vdot + robot.bodies(), Twist<double>{});
  still = true;
}

void Dynamics::Impl::move(std::span<const double> velocity, std::span<const double> acceleration,
                          const Twist<double>& V_ground, const Twist<double>& Vdot_ground) {
  const State<double> x = tree_state(q, velocity, acceleration);
  Workspace<double>& w = storage.view();
  w.V[0] = V_ground;
  w.Vdot[0] = Vdot_ground;
  kernel.poses(&robot.model(), &x, &w, wide.data());
  kernel.twists(&robot.model(), &x, &w);
  kernel.accelerations(&robot.model(), &x, &w);
  still = false;
}

MatrixView Dynamics::Impl::fold_columns(int rows, double* tree, double* folded) const {
  const int nv = robot.nv();
  if (!robot.has_mimic()) return {tree, rows, nv};
  std::fill(folded, folded + rows * nv, 0.0);
  const Coupling& c = robot.coupling();
  for (int k = 0; k < robot.model().nv; ++k)
    for (int r = 0; r < rows; ++r)
      folded[rows * c.v_source[count(k)] + r] += c.v_ratio[count(k)] * tree[rows * k + r];
  return {folded, rows, nv};
}

MatrixView Dynamics::Impl::fold_square(const std::vector<double>& tree,
                                       std::vector<double>& folded) const {
  const int nv = robot.nv(), n = robot.model().nv;
  if (!robot.has_mimic()) return {tree.data(), nv, nv};
  std::fill(folded.begin(), folded.end(), 0.0);
  const Coupling& c = robot.coupling();
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      folded[count(nv * c.v_source[count(k)] + c.v_source[count(j)])] +=
          c.v_ratio[count(k)] * c.v_ratio[count(j)] * tree[count(n * k + j)];
  return {folded.data(), nv, nv};
}

Dynamics::Dynamics(Robot robot) : impl_(std::make_unique<Impl>(std::move(robot))) {
  kinematics(impl_->q);
}
Dynamics::Dynamics(Dynamics&&) noexcept = default;
Dynamics& Dynamics::operator=(Dynamics&&) noexcept = default;
Dynamics::~Dynamics() = default;

const Robot& Dynamics::robot() const { return impl_->robot; }

void Dynamics::set_base_motion(const Twist<double>& V_0, const Twist<double>& Vdot_0) {
  bool finite = true, zero = true;
  for (const Vec3<double>& part : {V_0.w, V_0.v, Vdot_0.w, Vdot_0.v})
    for (const double x : {part.x, part.y, part.z}) {
      finite = finite && std::isfinite(x);
      zero = zero && x == 0;
    }
  if (!finite) throw InputError("set_base_motion: the base's motion is not finite");
  impl_->V_0 = V_0;
  impl_->Vdot_0 = Vdot_0;
  impl_->base_moves = !zero;
  impl_->series->set_base(V_0, Vdot_0);
}

void Dynamics::kinematics(const VectorArg& q) {
  Impl& d = *impl_;
  d.robot.check_q("kinematics", "q", q);
  copy(q, d.q);
  if (!d.base_moves) return d.move_poses();
  copy(d.zeros, d.v);
  copy(d.zeros, d.a);
  d.move(d.v, d.a, d.V_0, d.Vdot_0);
}

void Dynamics::kinematics(const VectorArg& q, const VectorArg& v) {
  kinematics(q, v, impl_->zeros);
}

void Dynamics::kinematics(const VectorArg& q, const VectorArg& v, const VectorArg& a) {
  Impl& d = *impl_;
  d.robot.check_q("kinematics", "q", q);
  d.robot.check_v("kinematics", "v", v);
  d.robot.check_v("kinematics", "a", a);
  copy(q, d.q);
  copy(v, d.v);
  copy(a, d.a);
  d.move(d.v, d.a, d.V_0, d.Vdot_0);
}

}  // namespace jounce
