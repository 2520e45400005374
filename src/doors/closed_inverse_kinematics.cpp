// SPDX-License-Identifier: BSD-3-Clause
// Inverse kinematics of closed mechanisms: steps among the velocities that suit the loops, each
// followed by an assembly.
#include <algorithm>
#include <cmath>

#include "doors/closed_kinematics_impl.hpp"
#include "finite_results.hpp"
#include "linear_algebra/vectors.hpp"
#include "numbers.hpp"
#include "pose_goals.hpp"

namespace jounce {
namespace {

/// What a coordinate may be beyond its limit: rounding of an assembly.
constexpr double beyond_limit = 1e-9;
/// Coordinates with limits are those of joints whose q and v are the same numbers.
template <class F>
void for_each_limited(const Robot& robot, F f) {
  for (const JointInfo& joint : robot.joints())
    if (joint.nq == joint.nv && !joint.mimic)
      for (int k = 0; k < joint.nv; ++k) f(joint.q + k, joint.v + k);
}

}  // namespace

double ClosedKinematics::Impl::residual_at(std::span<const PoseGoal> goals,
                                           const std::vector<double>& at) {
  kinematics.at(at);
  error.resize(6 * goals.size());
  for (size_t k = 0; k < goals.size(); ++k)
    write_twist(weighted(goals[k], error_of(goals[k], kinematics.pose(goals[k].frame))),
                error.data() + 6 * k);
  return dense::norm(int(error.size()), error.data());
}

/// Minus the derivative of the error by the coordinates, where residual_at saw it last.
void ClosedKinematics::Impl::linearise(std::span<const PoseGoal> goals) {
  dense::reshape(task, int(6 * goals.size()), nv());
  for (size_t k = 0; k < goals.size(); ++k) {
    const SE3<double> T = kinematics.pose(goals[k].frame);
    const Vec3<double> turn = error_of(goals[k], T).w;
    write_jacobian(goals[k].frame, Representation::body);
    for (int j = 0; j < nv(); ++j) {
      const double* x = J.column(j);
      write_twist(taken_by(goals[k], T, turn, {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}}),
                  task.column(j) + 6 * k);
    }
  }
}

/// G y with (J_t J_t^T + mu) x = e, y = J_t^T x, J_t = task G.
void ClosedKinematics::Impl::damped_step(double mu, bool respect_limits) {
  held.clear();
  do {
    write_basis();
    dense::multiply(task, G, frame);
    dense::reshape(gram, frame.rows, frame.rows);
    for (int k = 0; k < gram.rows; ++k) gram(k, k) = mu;
    for (int c = 0; c < frame.columns; ++c)
      for (int j = 0; j < gram.rows; ++j)
        dense::add_multiple(gram.rows, frame(j, c), frame.column(c), gram.column(j));
    factors.resize(gram.rows);
    factors.factor(gram);
    weight = error;
    factors.solve(weight);
    std::fill(step.begin(), step.end(), 0.0);
    for (int k = 0; k < G.columns; ++k)
      dense::add_multiple(nv(), dense::dot(frame.rows, frame.column(k), weight.data()), G.column(k),
                          step.data());
  } while (respect_limits && hold_at_limits());
}

/// Holds those at a limit that the step pushes further; whether there are more than before.
bool ClosedKinematics::Impl::hold_at_limits() {
  const Limits& limits = robot().limits();
  const size_t before = held.size();
  const double still = 1e-9 * dense::norm(nv(), step.data());
  for_each_limited(robot(), [&](int i, int k) {
    const double x = q[size_t(i)], along = step[size_t(k)];
    const bool out = (x >= limits.upper[size_t(k)] - beyond_limit && along > still) ||
                     (x <= limits.lower[size_t(k)] + beyond_limit && along < -still);
    if (out && std::find(held.begin(), held.end(), k) == held.end()) held.push_back(k);
  });
  return held.size() > before && int(held.size()) < nv();
}
bool ClosedKinematics::Impl::within_limits(const std::vector<double>& at) const {
  const Limits& limits = robot().limits();
  bool good = true;
  for_each_limited(robot(), [&](int i, int k) {
    good = good && at[size_t(i)] <= limits.upper[size_t(k)] + beyond_limit &&
           at[size_t(i)] >= limits.lower[size_t(k)] - beyond_limit;
  });
  return good;
}

/// Shortens a step to where it meets a limit, and says which coordinates stand at theirs.
void ClosedKinematics::Impl::stop_at_limits() {
  const Limits& limits = robot().limits();
  std::fill_n(stopped.get(), nv(), false);
  double share = 1;
  const auto room = [&](int i, int k) {
    const double along = step[size_t(k)], x = q[size_t(i)];
    const double end = along > 0 ? limits.upper[size_t(k)] : limits.lower[size_t(k)];
    return along == 0 ? infinity : std::max(0.0, (end - x) / along);
  };
  for_each_limited(robot(), [&](int i, int k) { share = std::min(share, room(i, k)); });
  for_each_limited(robot(), [&](int i, int k) { stopped[size_t(k)] = room(i, k) <= share; });
  for (const int k : held) stopped[size_t(k)] = true;
  dense::scale(nv(), share, step.data());
}

/// Takes the step, closes the loops, and keeps what is nearer to the goals.
bool ClosedKinematics::Impl::follow(double& residual, std::span<const PoseGoal> goals,
                                    const IkOptions& options) {
  if (!all_finite(step)) return false;  // from where numbers are too large
  if (options.respect_limits) stop_at_limits();
  robot().integrate(q, step, moved);
  const std::span<const bool> kept(stopped.get(), options.respect_limits ? step.size() : 0);
  if (!dyn.assemble(moved, kept, into(trial), time).converged) return false;
  robot().difference(moved, trial, back);
  const double way = dense::norm(nv(), step.data());
  if (dense::norm(nv(), back.data()) > std::max(way, 1e-9)) return false;  // another branch
  if (options.respect_limits && !within_limits(trial)) return false;
  const double next = residual_at(goals, trial);
  if (!(next < residual)) return false;
  q = trial;
  residual = next;
  return true;
}

/// One start; q holds it and then the best configuration reached.
ClosedIkReport ClosedKinematics::Impl::descend(std::span<const PoseGoal> goals,
                                               const IkOptions& options) {
  ClosedIkReport found;
  found.residual = infinity;
  held.clear();
  trial = q;
  found.assembly = dyn.assemble(q, {}, into(trial), time);
  q = trial;
  if (!found.assembly.converged) return found;
  found.end = ClosedIkEnd::limits;
  if (options.respect_limits && !within_limits(q)) return found;
  found.residual = residual_at(goals, q);
  require_finite("ik", "the distance to the goals", std::isfinite(found.residual));
  double lambda = 0.5;
  int idle = 0;
  for (; found.iterations < options.max_iterations && idle < 16; ++found.iterations) {
    if (found.residual <= options.tolerance) break;
    residual_at(goals, q);
    const double before = found.residual, mu = lambda * before * before + 1e-12;
    write_rows(q);
    linearise(goals);
    damped_step(mu, options.respect_limits);
    const bool nearer = follow(found.residual, goals, options);
    idle = nearer && found.residual < before * (1 - 1e-9) ? 0 : idle + 1;
    lambda = nearer ? std::max(0.1 * lambda, 1e-6) : 8 * lambda;
  }
  found.converged = found.residual <= options.tolerance;
  found.end = found.converged ? ClosedIkEnd::converged
              : !held.empty() ? ClosedIkEnd::limits
              : idle >= 16    ? ClosedIkEnd::out_of_reach
                              : ClosedIkEnd::iterations;
  found.assembly = dyn.assemble(q, {}, into(trial), time);
  return found;
}

ClosedIkReport ClosedKinematics::solve(std::span<const PoseGoal> goals, const VectorArg& q_guess,
                                       const IkOptions& options, const Into<double>& q,
                                       double time) {
  Impl& d = *impl_;
  d.time = time;
  const std::span<const double> guess = q_guess;
  d.robot().check_q("ik", "q_guess", guess);
  check_goals(goals);
  check_options(d.robot(), options);
  double* to = detail::checked_into(d.robot(), "ik", "q", q, d.robot().nq());
  d.q.assign(guess.begin(), guess.end());
  ClosedIkReport best;
  int iterations = 0;
  for (int start = 0; start <= options.max_restarts; ++start) {
    if (start > 0) d.robot().random(options.seed + std::uint64_t(start), d.q);
    const ClosedIkReport found = d.descend(goals, options);
    iterations += found.iterations;
    if (start == 0 || found.residual < best.residual) best = found, d.best = d.q;
    best.iterations = iterations;
    best.restarts = start;
    if (best.converged) break;
  }
  std::copy(d.best.begin(), d.best.end(), to);
  return best;
}

}  // namespace jounce
