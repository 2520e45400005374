// SPDX-License-Identifier: BSD-3-Clause
// Velocity-level inverse kinematics with a primary and a secondary task.
//
//   v = J_1^# V_1 + (J_2 N_1)^# (V_2 - J_2 J_1^# V_1),   N_1 = 1 - J_1^+ J_1
// J^# is the singularity-robust inverse (Nakamura, Hanafusa 1986): a singular value s below the
// threshold s_0 is inverted as s / (s^2 + d^2 (1 - s/s_0)^2), so that velocities stay bounded.
#include <algorithm>
#include <cmath>

#include "inverse_kinematics_impl.hpp"
#include "linear_algebra/vectors.hpp"
#include "numbers.hpp"

namespace jounce {
namespace {

/// Of a singular value s > 0.
double robust_inverse(double s, const VelocityOptions& options) {
  if (s >= options.singular_below) return 1 / s;
  const double d = options.damping * (1 - s / options.singular_below);
  return s / (s * s + d * d);
}

/// x = J^# V, where J = sum_k s_k left_k right_k^T is that of a task or a part of it. What is
/// rounding of the whole is left out.
void apply_robust_inverse(const dense::SingularValues& J, const dense::Matrix& whole,
                          const double* V, const VelocityOptions& options, std::vector<double>& x) {
  const double least = dense::rank_cutoff(0, whole.rows, whole.columns) *
                       dense::norm(static_cast<int>(whole.numbers.size()), whole.data());
  std::fill(x.begin(), x.end(), 0.0);
  for (int k = 0; k < J.count(); ++k)
    if (J.value(k) > least)
      dense::add_multiple(
          whole.columns, robust_inverse(J.value(k), options) * dense::dot(whole.rows, J.left(k), V),
          J.right(k), x.data());
}

void check_velocity(const Robot& robot, const VectorArg& q, std::span<const TwistGoal> primary,
                    std::span<const TwistGoal> secondary, const VelocityOptions& options) {
  if (primary.empty()) throw InputError("ik velocity: no goal was given");
  if (!(options.singular_below > 0) || !(options.damping >= 0))
    throw InputError("ik velocity: threshold and damping must be positive");
  robot.check_q("ik velocity", "q", q);
  for (const std::span<const TwistGoal> goals : {primary, secondary})
    for (const TwistGoal& goal : goals)
      if (!is_finite(goal.twist.w) || !is_finite(goal.twist.v))
        throw InputError("ik velocity: the twist of a goal is not finite");
}

}  // namespace

void InverseKinematics::Impl::Task::resize(int rows, int columns) {
  if (J.rows == rows && J.columns == columns) return;
  J = dense::Matrix(rows, columns);
  singular.resize(rows, columns);
  V.resize(static_cast<size_t>(rows));
}

void InverseKinematics::Impl::Task::subtract_motion(const std::vector<double>& x) {
  for (int j = 0; j < J.columns; ++j)
    dense::add_multiple(J.rows, -x[static_cast<size_t>(j)], J.column(j), V.data());
}

void InverseKinematics::Impl::load(std::span<const TwistGoal> goals, Task& task) {
  task.resize(static_cast<int>(6 * goals.size()), robot.nv());
  for (size_t k = 0; k < goals.size(); ++k) {
    const double* J = jacobian_of(goals[k].frame, goals[k].in);
    write_twist(goals[k].twist, task.V.data() + 6 * k);
    for (size_t r = 0; r < 6; ++r) {
      const bool counts = goals[k].components[r];
      for (int j = 0; j < robot.nv(); ++j)
        task.J.column(j)[6 * k + r] = counts ? J[6 * size_t(j) + r] : 0;
      if (!counts) task.V[6 * k + r] = 0;
    }
  }
}

/// x becomes N_1 x. Singular values below a millionth of the largest count as zero.
void InverseKinematics::Impl::project(double* x) const {
  const dense::SingularValues& J = first.singular;
  const int n = robot.nv();
  const double least = dense::rank_cutoff(1e-6, first.J.rows, n) * J.largest();
  for (int k = 0; k < J.count(); ++k)
    if (J.value(k) > least) dense::add_multiple(n, -dense::dot(n, J.right(k), x), J.right(k), x);
}

/// The singular values of J_2 N_1, which is made row by row.
void InverseKinematics::Impl::free_second_task() {
  const dense::Matrix& J = second.J;
  if (free_J.rows != J.rows) free_J = J;
  for (int i = 0; i < J.rows; ++i) {
    for (int j = 0; j < J.columns; ++j) scratch[static_cast<size_t>(j)] = J(i, j);
    project(scratch.data());
    for (int j = 0; j < J.columns; ++j) free_J(i, j) = scratch[static_cast<size_t>(j)];
  }
  second.singular.decompose(free_J);
}

VelocityReport InverseKinematics::velocity(const VectorArg& q, std::span<const TwistGoal> primary,
                                           std::span<const TwistGoal> secondary,
                                           const VelocityOptions& options, const Into<double>& v) {
  Impl& d = *impl_;
  check_velocity(d.robot, q, primary, secondary, options);
  double* to = detail::checked_into(d.robot, "ik velocity", "v", v, d.robot.nv());
  d.kinematics.at(q);
  d.load(primary, d.first);
  d.first.singular.decompose(d.first.J);
  apply_robust_inverse(d.first.singular, d.first.J, d.first.V.data(), options, d.step);
  VelocityReport report;
  if (!secondary.empty()) {
    d.load(secondary, d.second);
    d.second.subtract_motion(d.step);
    d.free_second_task();
    apply_robust_inverse(d.second.singular, d.second.J, d.second.V.data(), options, d.scratch);
    d.project(d.scratch.data());
    dense::add_multiple(d.robot.nv(), 1, d.scratch.data(), d.step.data());
    d.second.subtract_motion(d.scratch);
    report.secondary_error = dense::norm(d.second.J.rows, d.second.V.data());
  }
  d.first.subtract_motion(d.step);
  report.primary_error = dense::norm(d.first.J.rows, d.first.V.data());
  std::copy(d.step.begin(), d.step.end(), to);
  return report;
}

}  // namespace jounce
