// SPDX-License-Identifier: BSD-3-Clause
// Velocity-level inverse kinematics with a primary and a secondary task.
//
//   v = J_1^# V_1 + (J_2 N_1)^# (V_2 - J_2 J_1^# V_1),   N_1 = 1 - J_1^+ J_1
// J^# is the singularity-robust inverse (Nakamura, Hanafusa 1986): a singular value s below the
// threshold s_0 is inverted as s / (s^2 + d^2 (1 - s/s_0)^2), so that velocities stay bounded.
#include "dense.hpp"
#include "inverse_kinematics_impl.hpp"

namespace jounce {
namespace {

/// 1 / (s^2 + damping), for the square of a singular value s.
double robust_inverse(double square, const VelocityOptions& options) {
  const double s = std::sqrt(std::max(0.0, square));
  if (s >= options.singular_below) return 1 / square;
  const double d = options.damping * (1 - s / options.singular_below);
  return d > 0 || s > 0 ? 1 / (s * s + d * d) : 0;
}

/// 1 / s^2, or zero where s counts as zero.
double pseudo_inverse(double square, double largest) {
  return square > 1e-12 * largest ? 1 / square : 0;
}

}  // namespace

void InverseKinematics::Impl::Task::resize(Eigen::Index rows, Eigen::Index columns) {
  if (J.rows() == rows && J.cols() == columns) return;
  J.resize(rows, columns);
  gram.resize(rows, rows);
  V.resize(rows);
  y.resize(rows);
  z.resize(rows);
  U.resize(rows, rows);
}

void InverseKinematics::Impl::Task::decompose() {
  gram.noalias() = J.lazyProduct(J.transpose());
  dense::diagonalise(static_cast<int>(gram.rows()), gram.data(), U.data());
}

/// out = J^T U f(squares) U^T x, where J J^T = U diag(squares) U^T.
template <class F>
void InverseKinematics::Impl::Task::apply(const Eigen::VectorXd& x, F f, Eigen::VectorXd& out) {
  y.noalias() = U.transpose().lazyProduct(x);
  for (Eigen::Index k = 0; k < y.size(); ++k) y[k] *= f(gram(k, k));
  z.noalias() = U.lazyProduct(y);
  out.noalias() = J.transpose().lazyProduct(z);
}

void InverseKinematics::Impl::load(std::span<const TwistGoal> goals, Task& task) {
  task.resize(static_cast<Eigen::Index>(6 * goals.size()), robot.nv());
  for (size_t k = 0; k < goals.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(6 * k);
    task.J.middleRows<6>(row) = dynamics.jacobian(goals[k].frame, goals[k].in);
    task.V.segment<6>(row) = to_eigen(goals[k].twist);
  }
}

/// x becomes N_1 x.
void InverseKinematics::Impl::project(Eigen::VectorXd& x) {
  const double largest = first.gram.diagonal().maxCoeff();
  first.V_free.noalias() = first.J.lazyProduct(x);
  first.apply(
      first.V_free, [&](double square) { return pseudo_inverse(square, largest); }, pull);
  x -= pull;
}

VelocityResult InverseKinematics::velocity(const VectorArg& q, std::span<const TwistGoal> primary,
                                           std::span<const TwistGoal> secondary,
                                           const VelocityOptions& options) {
  Impl& d = *impl_;
  if (primary.empty()) throw InputError("ik velocity: no goal was given");
  if (!(options.singular_below > 0) || !(options.damping >= 0))
    throw InputError("ik velocity: threshold and damping must be positive");
  d.robot.check_q("ik velocity", "q", q);
  for (const std::span<const TwistGoal> goals : {primary, secondary})
    for (const TwistGoal& goal : goals)
      if (!to_eigen(goal.twist).allFinite())
        throw InputError("ik velocity: the twist of a goal is not finite");
  const auto robust = [&](double square) { return robust_inverse(square, options); };
  d.dynamics.kinematics(q);
  d.load(primary, d.first);
  d.first.V_free.resize(d.first.V.size());
  d.first.decompose();
  d.first.apply(d.first.V, robust, d.step);
  VelocityResult result{VectorView(d.step.data(), d.step.size()), 0, 0};
  if (!secondary.empty()) {
    d.load(secondary, d.second);
    d.second_J = d.second.J;
    for (Eigen::Index row = 0; row < d.second.J.rows(); ++row) {  // J_2 N_1, row by row
      d.scratch = d.second.J.row(row).transpose();
      d.project(d.scratch);
      d.second.J.row(row) = d.scratch.transpose();
    }
    d.second.V.noalias() -= d.second_J.lazyProduct(d.step);
    d.second.decompose();
    d.second.apply(d.second.V, robust, d.scratch);
    d.project(d.scratch);
    d.step += d.scratch;
    d.second.V.noalias() -= d.second_J.lazyProduct(d.scratch);
    result.secondary_error = d.second.V.norm();
  }
  d.first.V.noalias() -= d.first.J.lazyProduct(d.step);
  result.primary_error = d.first.V.norm();
  return result;
}

}  // namespace jounce
