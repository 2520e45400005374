// SPDX-License-Identifier: BSD-3-Clause
// Inverse kinematics by Levenberg-Marquardt on the configuration manifold.
//
// With e the error of the goals (pose_goals.hpp), A minus its derivative by the coordinates and the
// weights W, a step is
//   dq = A^T (A A^T + mu 1)^-1 W e,   mu = lambda |W e|^2 + small         (Sugihara 2011)
// in the space of goals, which is small for redundant robots. Coordinates at a limit that the step
// would push further are taken out and the step is computed again. A step that does not reduce the
// error is undone and lambda raised. A preferred configuration is approached afterwards, by steps
// in the null space of A, each followed by the way back onto the goals.
#include <algorithm>
#include <jounce/door/finite.hpp>
#include <jounce/inverse_kinematics.hpp>
#include <jounce/model/manifold.hpp>

#include "inverse_kinematics_impl.hpp"
#include "linear_algebra/vectors.hpp"
#include "numbers.hpp"

namespace jounce {
namespace {

void check_goal(const PoseGoal& goal) {
  for (const double weight : {goal.rotation_weight, goal.position_weight})
    if (!(weight >= 0) || std::isinf(weight))
      throw InputError("ik: weights must be finite and not negative");
  const SO3<double>& R = goal.pose.R;
  const Vec3<double>& p = goal.pose.p;
  const double defect = rotation_defect(R);
  if (!is_finite(p) || !std::isfinite(defect))
    throw InputError("ik: the goal's pose is not finite");
  if (!is_rotation(R))
    throw InputError("ik: the goal's rotation is no rotation: R R^T is off by " +
                     short_text(defect) + ", its determinant is " + short_text(determinant(R.m)));
  constexpr double most = 1e100;  // squares of squares are numbers still
  const double way = std::max({1.0, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
  if (const double size = std::max(goal.rotation_weight, goal.position_weight * way); size > most)
    throw InputError("ik: a goal's weight times its distance is " + short_text(size) +
                     ", needs to be at most " + short_text(most));
}

}  // namespace

void check_goals(std::span<const PoseGoal> goals) {
  if (goals.empty()) throw InputError("ik: no goal was given");
  for (const PoseGoal& goal : goals) check_goal(goal);
}

void check_options(const Robot& robot, const IkOptions& options) {
  if (options.max_iterations < 0 || options.max_restarts < 0)
    throw InputError("ik: max_iterations and max_restarts must not be negative");
  if (!(options.tolerance > 0)) throw InputError("ik: tolerance must be positive");
  if (!(options.preference_gain > 0 && options.preference_gain <= 1))
    throw InputError("ik: preference_gain must lie between 0 and 1");
  if (!options.preferred.empty()) robot.check_q("ik", "preferred", options.preferred);
}

InverseKinematics::Impl::Impl(Robot robot_)
    : robot(std::move(robot_)),
      kinematics(robot),
      q(static_cast<size_t>(robot.nq())),
      q_trial(q.size()),
      q_best(q.size()),
      step(static_cast<size_t>(robot.nv())),
      pull(step.size()),
      q_kept(q.size()),
      frozen(step.size()),
      scratch(step.size()),
      jacobian(6 * step.size()) {
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
  if (A.rows == rows) return;
  A = dense::Matrix(rows, robot.nv());
  gram = dense::Matrix(rows, rows);
  error.resize(static_cast<size_t>(rows));
  dual.resize(error.size());
  factors.resize(rows);
}

double InverseKinematics::Impl::residual_at(std::span<const PoseGoal> goals,
                                            const std::vector<double>& at) {
  kinematics.at(at);
  for (size_t k = 0; k < goals.size(); ++k)
    write_twist(weighted(goals[k], error_of(goals[k], kinematics.pose(goals[k].frame))),
                error.data() + 6 * k);
  return dense::norm(A.rows, error.data());
}

/// A, at the configuration that residual_at saw last.
void InverseKinematics::Impl::linearise(std::span<const PoseGoal> goals) {
  for (size_t k = 0; k < goals.size(); ++k) {
    const SE3<double> T = kinematics.pose(goals[k].frame);
    const Vec3<double> turn = error_of(goals[k], T).w;
    const double* J = jacobian_of(goals[k].frame, Representation::body);
    for (int j = 0; j < robot.nv(); ++j, J += 6) {
      const Twist<double> X{{J[0], J[1], J[2]}, {J[3], J[4], J[5]}};
      write_twist(taken_by(goals[k], T, turn, X), A.column(j) + 6 * k);
    }
  }
}

/// The factors of A A^T + mu 1.
void InverseKinematics::Impl::factor_gram(double mu) {
  std::fill(gram.numbers.begin(), gram.numbers.end(), 0.0);
  for (int j = 0; j < A.columns; ++j)
    for (int k = 0; k < A.rows; ++k)
      dense::add_multiple(A.rows, A(k, j), A.column(j), gram.column(k));
  for (int k = 0; k < A.rows; ++k) gram(k, k) += mu;
  factors.factor(gram);
}

void InverseKinematics::Impl::solve_damped(double mu) {
  factor_gram(mu);
  dual = error;
  factors.solve(dual);
  for (int j = 0; j < A.columns; ++j)
    step[static_cast<size_t>(j)] = dense::dot(A.rows, A.column(j), dual.data());
}

/// pull := what remains of it without moving the goals or leaving the limits.
void InverseKinematics::Impl::project_pull(std::span<const PoseGoal> goals, bool respect_limits) {
  linearise(goals);
  std::fill(frozen.begin(), frozen.end(), char(0));
  do {
    factor_gram(1e-10);
    std::fill(dual.begin(), dual.end(), 0.0);
    for (int j = 0; j < A.columns; ++j) {
      double& along = pull[static_cast<size_t>(j)];
      if (frozen[static_cast<size_t>(j)] != 0) along = 0;
      dense::add_multiple(A.rows, along, A.column(j), dual.data());
    }
    factors.solve(dual);
    for (int j = 0; j < A.columns; ++j)
      step[static_cast<size_t>(j)] =
          pull[static_cast<size_t>(j)] - dense::dot(A.rows, A.column(j), dual.data());
  } while (respect_limits && freeze());
}

double InverseKinematics::Impl::distance_to(const std::vector<double>& preferred) {
  robot.difference(q, preferred, pull);
  return dense::norm(robot.nv(), pull.data());
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
    if (dense::norm(robot.nv(), step.data()) < 1e-6) break;
    dense::scale(robot.nv(), gain, step.data());
    if (!stepped(q_kept, q)) {
      q = q_kept;
      break;
    }
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
    const double x = q[static_cast<size_t>(q_of_v[at])];
    if ((x >= limits.upper[at] && step[at] > 0) || (x <= limits.lower[at] && step[at] < 0)) {
      frozen[at] = 1;
      std::fill(A.column(k), A.column(k) + A.rows, 0.0);
      changed = true;
    }
  }
  return changed;
}

void InverseKinematics::Impl::clamp(std::vector<double>& x) const {
  const Limits& limits = robot.limits();
  for (size_t k = 0; k < q_of_v.size(); ++k)
    if (q_of_v[k] >= 0) {
      double& at = x[static_cast<size_t>(q_of_v[k])];
      at = std::clamp(at, limits.lower[k], limits.upper[k]);
    }
}

bool InverseKinematics::Impl::stepped(const std::vector<double>& from,
                                      std::vector<double>& to) const {
  for (const Factor& f : jounce::factors(robot.system()))
    integrate(f, from.data() + f.q, step.data() + f.v, to.data() + f.q);
  return detail::all_finite<double>(to);
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
    if (!stepped(q, q_trial)) break;
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

/// From q, then from random configurations; the best one is in q_best.
IkReport InverseKinematics::Impl::search(std::span<const PoseGoal> goals,
                                         const IkOptions& options) {
  IkReport best{.residual = 1e300};
  for (int start = 0; start <= options.max_restarts; ++start) {
    if (start > 0) robot.random(options.seed + std::uint64_t(start), q);
    const Descent descent = descend(goals, options);
    best.iterations += descent.iterations;
    best.restarts = start;
    if (descent.residual < best.residual) {
      best.residual = descent.residual;
      q_best = q;
    }
    if (best.residual <= options.tolerance) break;
  }
  if (best.residual == 1e300) throw ComputationError("no residual is finite");
  best.converged = best.residual <= options.tolerance;
  if (best.converged && !options.preferred.empty()) {
    q = q_best;
    best.iterations += approach(goals, options);
    q_best = q;
    best.residual = residual_at(goals, q);
  }
  return best;
}

IkReport InverseKinematics::solve(std::span<const PoseGoal> goals, const VectorArg& q_guess,
                                  const IkOptions& options, const Into<double>& q) {
  Impl& d = *impl_;
  d.robot.check_q("ik", "q_guess", q_guess);
  check_goals(goals);
  check_options(d.robot, options);
  double* to = detail::checked_into(d.robot, "ik", "q", q, d.robot.nq());
  d.resize(static_cast<int>(6 * goals.size()));
  const std::span<const double> guess = q_guess;
  std::copy(guess.begin(), guess.end(), d.q.begin());
  try {
    const IkReport found = d.search(goals, options);
    std::copy(d.q_best.begin(), d.q_best.end(), to);
    return found;
  } catch (const ComputationError& error) {  // of a pose that no number can hold
    throw ComputationError(std::string("ik: ") + error.what());
  }
}

}  // namespace jounce
