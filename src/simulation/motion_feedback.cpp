// SPDX-License-Identifier: BSD-3-Clause
// What inputs add to the equations of motion: derivatives, series, power; contact forces.
//
// A force Q(q, v) of a user's has no derivatives: they are differences, of Q alone. With a the
// acceleration at fixed forces, da/dq = a_q + a_tau dQ/dq, where dQ/dq is of the controllers'
// forces, and of J^T F with J fixed: how J changes is in a_q.
#include <algorithm>
#include <cmath>
#include <jounce/integrators/manifold_steps.hpp>

#include "linear_algebra/vectors.hpp"
#include "simulation/motion_equations.hpp"

namespace jounce {
namespace {

constexpr double difference_step = 1e-7;  ///< rad, m, rad/s, m/s: the square root of rounding

}  // namespace

Kinematics& MotionEquations::kinematics() {
  if (!kinematics_) kinematics_.emplace(robot_);
  return *kinematics_;
}
SE3<double> MotionEquations::pose(FrameId frame, const double* q) {
  return kinematics().at(at(q)).pose(frame);
}
void MotionEquations::evaluate_at(double t, std::span<const double> q, std::span<const double> v) {
  there_q_.assign(q.begin(), q.end());
  there_v_.assign(v.begin(), v.end());
  there_a_.resize(v.size());
  acceleration(t, there_q_.data(), there_v_.data(), there_a_.data());
}
Wrench<double> MotionEquations::contact_wrench(FrameId frame, const double* q) {
  for (size_t k = 0; k < contacts_.size(); ++k) {
    if (contacts_[k].frame != frame) continue;
    const size_t own = robot_.loops().size();
    std::vector<Wrench<double>> all(own + contacts_.size());
    loops().loop_wrenches(at(q), lambda_, contacts_, std::span<Wrench<double>>(all));
    const SO3<double> R = pose(frame, q).R;
    return {R * all[own + k].m, R * all[own + k].f};
  }
  return {};
}

void MotionEquations::add_feedback(double t, const double* q, const double* v,
                                   const OwnedMatrix& by_force, double* a_q, double* a_v) {
  const int n = nv();
  by_state_.assign(tau_.begin(), tau_.end());
  pushes_.assign(inputs.wrenches().begin(), inputs.wrenches().end());
  unit_.assign(size_t(n), 0);
  for (int j = 0; j < n; ++j) {
    unit_[size_t(j)] = difference_step;
    move_along(factors(), q, unit_.data(), q_.data());
    unit_[size_t(j)] = 0;
    add_feedback_column(t, q, q_.data(), v, difference_step, by_force, a_q + n * j);
  }
  std::copy_n(v, n, v_.data());
  for (int j = 0; j < n; ++j) {
    const double by = difference_step * (1 + std::abs(v[j]));
    v_[size_t(j)] = v[j] + by;
    add_feedback_column(t, q, q, v_.data(), by, by_force, a_v + n * j);
    v_[size_t(j)] = v[j];
  }
  write_forces(t, q, v, tau_.data());  // as it was
}
/// a_tau times the change of the user's forces from those kept, over the change of state.
void MotionEquations::add_feedback_column(double t, const double* at_q, const double* q,
                                          const double* v, double by, const OwnedMatrix& by_force,
                                          double* column) {
  const int n = nv();
  write_forces(t, q, v, tau_.data());
  shifted_.assign(size_t(n), 0);
  if (inputs.has_wrenches()) {
    shifted_pushes_.assign(inputs.wrenches().begin(), inputs.wrenches().end());
    for (size_t k = 0; k < pushes_.size(); ++k)
      shifted_pushes_[k].wrench = shifted_pushes_[k].wrench - pushes_[k].wrench;
    const Surroundings only{.wrenches = shifted_pushes_, .passive = false, .gravity = false};
    const std::vector<double> still(size_t(n), 0);
    dynamics_.inverse(at(at_q), still, still, only, into(shifted_));  // -J^T dF
  }
  for (int k = 0; k < n; ++k) {
    if (prescribed_[size_t(k)]) continue;
    const double dQ = (tau_[size_t(k)] - by_state_[size_t(k)] - shifted_[size_t(k)]) / by;
    if (dQ == 0) continue;
    for (int i = 0; i < n; ++i)
      if (!prescribed_[size_t(i)]) column[i] += by_force(i, k) * dQ;
  }
}

void MotionEquations::add_held_series(double t, const double* q, const double* v) {
  const size_t n = tau_.size();
  inputs.evaluate(t, q, v, taus_.data());
  held_wrenches_.clear();
  for (const OutsideWrench<double>& one : inputs.wrenches())
    held_wrenches_.push_back({one.frame, {&one.wrench, 1}, one.in});
  if (!options_.effort_limits) return;
  for (size_t k = 0; k < n; ++k) {
    const double most = robot_.limits().effort[k];
    if (std::abs(taus_[k]) <= most) continue;
    taus_[k] = std::copysign(most, taus_[k]);
    for (size_t j = n + k; j < taus_.size(); j += n) taus_[j] = 0;
  }
}

double MotionEquations::passive_loss(const double* q, const double* v) {
  if (!options_.passive) return 0;
  const double joints = resisted_power(robot_.system(), v);
  if (robot_.system().passive.bushings.count == 0) return joints;
  return joints + bushing_loss(robot_.system(), q, v, bushings_);
}
double MotionEquations::power(double t, const double* q, const double* v) {
  std::copy_n(q, nq(), q_.data());
  std::copy_n(v, nv(), v_.data());
  if (prescribes()) acceleration(t, q_.data(), v_.data(), a_.data());
  else write_forces(t, q, v, tau_.data());
  double sum = dense::dot(nv(), tau_.data(), v) - passive_loss(q, v) + inputs.power(q, v);
  if (gravity_law != nullptr && options_.gravity)
    sum += robot_.mass() * dot(gravity_law(t), kinematics().at(at(q), vector(v)).com_velocity());
  return sum;
}

}  // namespace jounce
