// SPDX-License-Identifier: BSD-3-Clause
// Inverse kinematics by Levenberg-Marquardt on the configuration manifold.
//
// The error of a goal is e = (log(R^T R_goal), R^T (p_goal - p)), in the frame's own axes. A body
// twist (w, v) of the frame changes it by  -(dexp_space(e_w)^-1 w, v + w x e_v).  With A that map
// times the body Jacobian and the weights W, a step is
//   dq = A^T (A A^T + mu 1)^-1 W e,   mu = lambda |W e|^2 + small         (Sugihara 2011)
// in the space of goals, which is small for redundant robots. Coordinates at a limit that the step
// would push further are taken out and the step is computed again. A step that does not reduce the
// error is undone and lambda raised. A preferred configuration is approached afterwards, by steps
// in the null space of A, each followed by the way back onto the goals.
#include <algorithm>
#include <jounce/inverse_kinematics.hpp>

#include "inverse_kinematics_impl.hpp"
#include "numbers.hpp"

namespace jounce {
namespace {

Eigen::Matrix<double, 6, 1> weighted(const PoseGoal& goal, const Twist<double>& e) {
  return to_eigen(Twist<double>{e.w * goal.rotation_weight, e.v * goal.position_weight});
}

/// (log(R^T R_goal), R^T (p_goal - p)).
Twist<double> error_of(const PoseGoal& goal, const SE3<double>& T) {
  const SE3<double> rest = inverse_times(T, goal.pose);
  return {log(rest.R), rest.p};
}

void check_goal(const PoseGoal& goal) {
  for (const double weight : {goal.rotation_weight, goal.position_weight})
    if (!(weight >= 0) || std::isinf(weight))
      throw InputError("ik: weights must be finite and not negative");
  const SO3<double>& R = goal.pose.R;
  const double defect = rotation_defect(R);
  if (!is_finite(goal.pose.p) || !std::isfinite(defect))
    throw InputError("ik: the goal's pose is not finite");
  if (!is_rotation(R))
    throw InputError("ik: the goal's rotation is no rotation: R R^T is off by " +
                     short_text(defect) + ", its determinant is " + short_text(determinant(R.m)));
}

void check_options(const IkOptions& options) {
  if (options.max_iterations < 0 || options.max_restarts < 0)
    throw InputError("ik: max_iterations and max_restarts must not be negative");
  if (!(options.tolerance > 0)) throw InputError("ik: tolerance must be positive");
  if (!(options.preference_gain > 0 && options.preference_gain <= 1))
    throw InputError("ik: preference_gain must lie between 0 and 1");
}

}  // namespace

InverseKinematics::Impl::Impl(Robot robot_)
    : robot(std::move(robot_)),
      dynamics(robot),
      q(robot.nq()),
      q_trial(robot.nq()),
      q_best(robot.nq()),
      step(robot.nv()),
      pull(robot.nv()),
      q_kept(robot.nq()),
      frozen(static_cast<size_t>(robot.nv())) {
  free_joints();
}

/// Coordinates with limits are those of joints whose q and v are the same numbers.
void InverseKinematics::Impl::free_joints() {
  q_of_v.assign(static_cast<size_t>(robot.nv()), -1);
  for (const JointInfo& joint : robot.joints())
    if (joint.nq == joint.nv)
      for (int k = 0; k < joint.nv; ++k) q_of_v[static_cast<size_t>(joint.v + k)] = joint.q + k;
}

void InverseKinematics::Impl::resize(int rows) {
  if (A.rows() == rows) return;
  A.resize(rows, robot.nv());
  gram.resize(rows, rows);
  error.resize(rows);
  dual.resize(rows);
  gram.setIdentity();
  solver.compute(gram);  // takes its memory now
}

double InverseKinematics::Impl::residual_at(std::span<const PoseGoal> goals,
                                            const Eigen::VectorXd& at) {
  dynamics.kinematics(at);
  for (size_t k = 0; k < goals.size(); ++k) {
    error.segment<6>(static_cast<Eigen::Index>(6 * k)) =
        weighted(goals[k], error_of(goals[k], dynamics.pose(goals[k].frame)));
  }
  return error.norm();
}

/// A, at the configuration that residual_at saw last.
void InverseKinematics::Impl::linearise(std::span<const PoseGoal> goals) {
  for (size_t k = 0; k < goals.size(); ++k) {
    const Twist<double> e = error_of(goals[k], dynamics.pose(goals[k].frame));
    const MatrixView J = dynamics.jacobian_body(goals[k].frame);
    for (int j = 0; j < robot.nv(); ++j) {
      const Twist<double> X = to_twist(J.col(j));
      A.block<6, 1>(static_cast<Eigen::Index>(6 * k), j) =
          weighted(goals[k], {dexp_space_inv(e.w, X.w), X.v + cross(X.w, e.v)});
    }
  }
}

void InverseKinematics::Impl::solve_damped(double mu) {
  gram.noalias() = A.lazyProduct(A.transpose());
  gram.diagonal().array() += mu;
  solver.compute(gram);
  dual.noalias() = solver.solve(error);
  step.noalias() = A.transpose().lazyProduct(dual);
}

/// pull := what remains of it without moving the goals or leaving the limits.
void InverseKinematics::Impl::project_pull(std::span<const PoseGoal> goals, bool respect_limits) {
  linearise(goals);
  std::fill(frozen.begin(), frozen.end(), char(0));
  do {
    for (Eigen::Index k = 0; k < pull.size(); ++k)
      if (frozen[static_cast<size_t>(k)] != 0) pull[k] = 0;
    gram.noalias() = A.lazyProduct(A.transpose());
    gram.diagonal().array() += 1e-10;
    solver.compute(gram);
    error.noalias() = A.lazyProduct(pull);
    dual.noalias() = solver.solve(error);
    step = pull;
    step.noalias() -= A.transpose().lazyProduct(dual);
  } while (respect_limits && freeze());
}

double InverseKinematics::Impl::distance_to(const std::vector<double>& preferred) {
  robot.difference({q.data(), size_t(q.size())}, preferred, {pull.data(), size_t(pull.size())});
  return pull.norm();
}

/// From a solution in q toward the preferred configuration; q stays a solution.
int InverseKinematics::Impl::approach(std::span<const PoseGoal> goals, const IkOptions& options) {
  IkOptions back = options;
  back.max_iterations = 10;
  int iterations = 0;
  double gain = options.preference_gain, distance = distance_to(options.preferred);
  while (iterations < options.max_iterations && gain > 1e-4) {
    q_kept = q;
    residual_at(goals, q);
    project_pull(goals, options.respect_limits);
    if (step.norm() < 1e-6) break;
    step *= gain;
    robot.integrate({q_kept.data(), size_t(q.size())}, {step.data(), size_t(step.size())},
                    {q.data(), size_t(q.size())});
    const Descent descent = descend(goals, back);
    iterations += 1 + descent.iterations;
    const double next = distance_to(options.preferred);
    if (descent.residual <= options.tolerance && next < distance) {
      distance = next;
      continue;
    }
    q = q_kept;
    distance_to(options.preferred);  // restores pull
    gain *= 0.5;
  }
  return iterations;
}

/// Takes out coordinates that stand at a limit and that the step pushes further; true if any was.
bool InverseKinematics::Impl::freeze() {
  const Limits& limits = robot.limits();
  bool changed = false;
  for (int k = 0; k < robot.nv(); ++k) {
    const auto at = static_cast<size_t>(k);
    if (q_of_v[at] < 0 || frozen[at] != 0) continue;
    const double x = q[q_of_v[at]];
    if ((x >= limits.upper[at] && step[k] > 0) || (x <= limits.lower[at] && step[k] < 0)) {
      frozen[at] = 1;
      A.col(k).setZero();
      changed = true;
    }
  }
  return changed;
}

void InverseKinematics::Impl::clamp(Eigen::VectorXd& x) const {
  const Limits& limits = robot.limits();
  for (int k = 0; k < robot.nv(); ++k) {
    const auto at = static_cast<size_t>(k);
    if (q_of_v[at] >= 0)
      x[q_of_v[at]] = std::clamp(x[q_of_v[at]], limits.lower[at], limits.upper[at]);
  }
}

/// One start of Levenberg-Marquardt; q holds the start and then the best configuration reached.
InverseKinematics::Impl::Descent InverseKinematics::Impl::descend(std::span<const PoseGoal> goals,
                                                                  const IkOptions& options) {
  if (options.respect_limits) clamp(q);
  double residual = residual_at(goals, q), lambda = 0.5;
  int iteration = 0, idle = 0;  // steps in a row that brought nothing
  for (; iteration < options.max_iterations && idle < 12; ++iteration) {
    if (residual <= options.tolerance) break;
    linearise(goals);
    std::fill(frozen.begin(), frozen.end(), char(0));
    do solve_damped(lambda * residual * residual + 1e-12);
    while (options.respect_limits && freeze());
    robot.integrate({q.data(), size_t(q.size())}, {step.data(), size_t(step.size())},
                    {q_trial.data(), size_t(q_trial.size())});
    if (options.respect_limits) clamp(q_trial);
    const double next = residual_at(goals, q_trial);
    idle = next < residual * (1 - 1e-9) ? 0 : idle + 1;
    if (next < residual) {
      q.swap(q_trial);
      residual = next;
      lambda = std::max(0.1 * lambda, 1e-6);
    } else {
      residual = residual_at(goals, q);
      lambda *= 8;
    }
  }
  return {residual, iteration};
}

InverseKinematics::InverseKinematics(Robot robot)
    : impl_(std::make_unique<Impl>(std::move(robot))) {}
InverseKinematics::InverseKinematics(InverseKinematics&&) noexcept = default;
InverseKinematics& InverseKinematics::operator=(InverseKinematics&&) noexcept = default;
InverseKinematics::~InverseKinematics() = default;
const Robot& InverseKinematics::robot() const { return impl_->robot; }

IkResult InverseKinematics::solve(std::span<const PoseGoal> goals, const VectorArg& q_guess,
                                  const IkOptions& options) {
  Impl& d = *impl_;
  d.robot.check_q("ik", "q_guess", q_guess);
  if (goals.empty()) throw InputError("ik: no goal was given");
  for (const PoseGoal& goal : goals) check_goal(goal);
  check_options(options);
  if (!options.preferred.empty()) d.robot.check_q("ik", "preferred", options.preferred);
  d.resize(static_cast<int>(6 * goals.size()));
  const std::span<const double> guess = q_guess;
  std::copy(guess.begin(), guess.end(), d.q.data());
  IkResult best{VectorView(d.q_best.data(), d.q_best.size()), false, 1e300, 0, 0};
  for (int start = 0; start <= options.max_restarts; ++start) {
    if (start > 0)
      d.robot.random(options.seed + std::uint64_t(start), {d.q.data(), size_t(d.q.size())});
    const Impl::Descent descent = d.descend(goals, options);
    best.iterations += descent.iterations;
    best.restarts = start;
    if (descent.residual < best.residual) {
      best.residual = descent.residual;
      d.q_best = d.q;
    }
    if (best.residual <= options.tolerance) break;
  }
  best.converged = best.residual <= options.tolerance;
  if (best.converged && !options.preferred.empty()) {
    d.q = d.q_best;
    best.iterations += d.approach(goals, options);
    d.q_best = d.q;
    best.residual = d.residual_at(goals, d.q);
  }
  return best;
}

}  // namespace jounce
