// SPDX-License-Identifier: BSD-3-Clause
// Kinematics of closed mechanisms: bases of what suits their loops, and steps along them.
#include <algorithm>
#include <cmath>
#include <jounce/closed_kinematics.hpp>

#include "finite_results.hpp"
#include "linear_algebra/matrix.hpp"
#include "linear_algebra/pivoted_qr.hpp"
#include "linear_algebra/singular_values.hpp"
#include "linear_algebra/solve.hpp"
#include "linear_algebra/vectors.hpp"
#include "numbers.hpp"
#include "pose_goals.hpp"
#include "quotes.hpp"

namespace jounce {
namespace {

/// Singular values below it, of the largest, count as none.
constexpr double no_direction = 1e-8;
/// What a coordinate may be beyond its limit: rounding of an assembly.
constexpr double beyond_limit = 1e-9;

std::vector<double> sorted_singular_values(const dense::Matrix& A) {
  if (A.rows == 0 || A.columns == 0) return {};
  dense::SingularValues singular;
  singular.resize(A.rows, A.columns);
  singular.decompose(A);
  std::vector<double> values(size_t(singular.count()));
  for (int k = 0; k < singular.count(); ++k) values[size_t(k)] = singular.value(k);
  std::sort(values.rbegin(), values.rend());
  return values;
}
/// The columns with a flag.
dense::Matrix columns_of(const dense::Matrix& A, std::span<const bool> flags, bool flag) {
  dense::Matrix found(A.rows, int(std::count(flags.begin(), flags.end(), flag)));
  for (int j = 0, k = 0; j < A.columns; ++j)
    if (flags[size_t(j)] == flag) std::copy_n(A.column(j), A.rows, found.column(k++));
  return found;
}
double at_or_zero(const std::vector<double>& values, int k) {
  return k >= 0 && size_t(k) < values.size() ? values[size_t(k)] : 0;
}
/// Coordinates with limits are those of joints whose q and v are the same numbers.
template <class F>
void for_each_limited(const Robot& robot, F f) {
  for (const JointInfo& joint : robot.joints())
    if (joint.nq == joint.nv && !joint.mimic)
      for (int k = 0; k < joint.nv; ++k) f(joint.q + k, joint.v + k);
}

}  // namespace

struct ClosedKinematics::Impl {
  explicit Impl(Robot robot_) : dyn(std::move(robot_)), kinematics(dyn.robot()) {}

  const Robot& robot() const { return dyn.robot(); }
  int nv() const { return robot().nv(); }
  std::span<const bool> driven_or_motors(const char* caller, std::span<const bool> driven) const;

  dense::Matrix rows(std::span<const double> q);
  dense::Matrix basis(const dense::Matrix& A, std::span<const int> held) const;
  dense::Matrix motion(const char* caller, std::span<const double> q, std::span<const bool> driven);
  dense::Matrix frame_jacobian(FrameId frame, Representation in);

  // inverse kinematics
  double residual_at(std::span<const PoseGoal> goals, const std::vector<double>& at);
  dense::Matrix linearise(std::span<const PoseGoal> goals);
  std::vector<double> damped_step(const dense::Matrix& A, const dense::Matrix& task, double mu,
                                  bool respect_limits);
  bool hold_at_limits(const std::vector<double>& step);
  bool within_limits(const std::vector<double>& at) const;
  std::unique_ptr<bool[]> stop_at_limits(std::vector<double>& step) const;
  bool follow(std::vector<double> step, double& residual, std::span<const PoseGoal> goals,
              const IkOptions& options);
  ClosedIkReport descend(std::span<const PoseGoal> goals, const IkOptions& options);

  ConstrainedDynamics dyn;
  Kinematics kinematics;
  double time = 0;  ///< of the call
  std::vector<double> q, trial, error;
  std::vector<int> held;  ///< coordinates that stand at a limit in a step
};

std::span<const bool> ClosedKinematics::Impl::driven_or_motors(const char* caller,
                                                               std::span<const bool> driven) const {
  if (driven.empty()) return robot().actuated();
  if (driven.size() != size_t(nv()))
    throw InputError(std::string(caller) + ": driven has " + std::to_string(driven.size()) +
                     " elements, robot " + in_quotes(robot().name()) + " needs " +
                     std::to_string(nv()));
  return driven;
}

dense::Matrix ClosedKinematics::Impl::rows(std::span<const double> at) {
  dense::Matrix A(dyn.rows(), nv());
  dyn.jacobian(at, {}, Into<double>(A.data(), A.rows, A.columns), time);
  return A;
}

/// Orthonormal velocities that suit the loops and leave the held coordinates where they are. The
/// rank of the loops is the one that was decided.
dense::Matrix ClosedKinematics::Impl::basis(const dense::Matrix& A,
                                            std::span<const int> held_ones) const {
  const int n = nv(), extra = int(held_ones.size()), all = A.rows + extra;
  dense::Matrix across(n, all);
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < n; ++j) across(j, i) = A(i, j);
  for (int k = 0; k < extra; ++k) across(held_ones[size_t(k)], A.rows + k) = 1;
  std::vector<double> tau(size_t(std::min(n, all)) + 1);
  std::vector<int> order(static_cast<size_t>(all));
  if (all > 0) dense::pivoted_qr(n, all, across.data(), tau.data(), order.data());
  int rank = n - dyn.mobility();
  for (const int most = std::min({rank + extra, n, all}); rank < most; ++rank)
    if (!(std::abs(across(rank, rank)) > no_direction * std::abs(across(0, 0)))) break;
  dense::Matrix G(n, n - rank);
  for (int k = 0; k < G.columns; ++k) {
    G(rank + k, k) = 1;
    if (rank > 0) dense::times_q(n, rank, across.data(), tau.data(), G.column(k));
  }
  return G;
}

/// G G_d^+.
dense::Matrix ClosedKinematics::Impl::motion(const char* caller, std::span<const double> at,
                                             std::span<const bool> driven) {
  const dense::Matrix G = basis(rows(at), {}),
                      across = columns_of(dense::transposed(G), driven, true);  // G_d^T
  dense::SingularValues singular;
  int found = 0;
  if (across.columns > 0 && across.rows > 0) {
    singular.resize(across.rows, across.columns);
    singular.decompose(across);
    for (int k = 0; k < singular.count(); ++k)
      if (singular.value(k) > no_direction) ++found;
  }
  if (found < G.columns)
    throw ComputationError(std::string(caller) + ": the driven coordinates of robot " +
                           in_quotes(robot().name()) + " determine " + std::to_string(found) +
                           " of its " + std::to_string(G.columns) + " degrees of freedom" +
                           (across.columns < G.columns ? "" : " here: it is singular"));
  dense::Matrix inverse(G.columns, across.columns);  // (G_d^T)^+ transposed
  for (int k = 0; k < singular.count(); ++k)
    for (int j = 0; j < inverse.columns; ++j)
      dense::add_multiple(inverse.rows, singular.right(k)[j] / singular.value(k), singular.left(k),
                          inverse.column(j));
  return G * inverse;
}

dense::Matrix ClosedKinematics::Impl::frame_jacobian(FrameId frame, Representation in) {
  dense::Matrix J(6, nv());
  kinematics.jacobian(frame, in, Into<double>(J.data(), 6, nv()));
  return J;
}

ClosedKinematics::ClosedKinematics(Robot robot) : impl_(std::make_unique<Impl>(std::move(robot))) {}
ClosedKinematics::ClosedKinematics(ClosedKinematics&&) noexcept = default;
ClosedKinematics& ClosedKinematics::operator=(ClosedKinematics&&) noexcept = default;
ClosedKinematics::~ClosedKinematics() = default;
const Robot& ClosedKinematics::robot() const { return impl_->robot(); }
int ClosedKinematics::mobility() const { return impl_->dyn.mobility(); }
int ClosedKinematics::decide_rank(const VectorArg& q, double time) {
  return impl_->dyn.decide_rank(q, time);
}

int ClosedKinematics::driven_count(std::span<const bool> driven) const {
  const std::span<const bool> flags = impl_->driven_or_motors("motion", driven);
  return int(std::count(flags.begin(), flags.end(), true));
}

void ClosedKinematics::motion(const VectorArg& q, std::span<const bool> driven,
                              const Into<double>& found, double time) {
  Impl& d = *impl_;
  d.time = time;
  const std::span<const bool> flags = d.driven_or_motors("motion", driven);
  double* to =
      detail::checked_into(d.robot(), "motion", "found", found, d.nv(), driven_count(driven));
  d.robot().check_q("motion", "q", q);
  const dense::Matrix X = d.motion("motion", q, flags);
  require_finite("motion", "the motion", all_finite(X.numbers));
  std::copy(X.numbers.begin(), X.numbers.end(), to);
}

void ClosedKinematics::jacobian(const VectorArg& q, FrameId frame, Representation in,
                                std::span<const bool> driven, const Into<double>& found,
                                double time) {
  Impl& d = *impl_;
  d.time = time;
  const char* name = "closed_jacobian";
  const std::span<const bool> flags = d.driven_or_motors(name, driven);
  double* to = detail::checked_into(d.robot(), name, "found", found, 6, driven_count(driven));
  d.robot().check_q(name, "q", q);
  d.kinematics.at(q);
  const dense::Matrix J = d.frame_jacobian(frame, in) * d.motion(name, q, flags);
  require_finite(name, "the Jacobian", all_finite(J.numbers));
  std::copy(J.numbers.begin(), J.numbers.end(), to);
}

Singularity ClosedKinematics::singularity(const VectorArg& q, FrameId frame,
                                          std::span<const bool> driven, double time) {
  Impl& d = *impl_;
  d.time = time;
  const std::span<const bool> flags = d.driven_or_motors("singularity", driven);
  d.robot().check_q("singularity", "q", q);
  d.kinematics.at(q);
  const dense::Matrix A = d.rows(q), G = d.basis(A, {});
  const int rank = d.nv() - d.dyn.mobility();
  const std::vector<double> all = sorted_singular_values(A);
  const double largest = at_or_zero(all, 0);
  Singularity found;
  found.mobility = d.dyn.mobility();
  const auto counts = [&](double x) { return x > no_direction * largest; };
  const auto here = int(std::count_if(all.begin(), all.end(), counts));
  found.instantaneous = d.nv() - std::min(here, rank);
  if (rank > 0) found.rows = at_or_zero(all, rank - 1) / largest;
  const dense::Matrix A_p = columns_of(A, flags, false);
  if (A_p.columns > rank) found.passive = 0;
  else if (A_p.columns > 0)
    found.passive = at_or_zero(sorted_singular_values(A_p), A_p.columns - 1) / largest;
  const dense::Matrix J = d.frame_jacobian(frame, Representation::body) * G;
  const dense::Matrix origin = dense::block(J, 3, 0, 3, J.columns);
  found.frame = at_or_zero(sorted_singular_values(J), std::min(6, J.columns) - 1);
  found.position = at_or_zero(sorted_singular_values(origin), std::min(3, J.columns) - 1);
  const double sum = found.rows + found.passive + found.frame + found.position;
  require_finite("singularity", "a singular value", std::isfinite(sum));
  return found;
}

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
dense::Matrix ClosedKinematics::Impl::linearise(std::span<const PoseGoal> goals) {
  dense::Matrix task(int(6 * goals.size()), nv());
  for (size_t k = 0; k < goals.size(); ++k) {
    const SE3<double> T = kinematics.pose(goals[k].frame);
    const Vec3<double> turn = error_of(goals[k], T).w;
    const dense::Matrix J = frame_jacobian(goals[k].frame, Representation::body);
    for (int j = 0; j < nv(); ++j) {
      const double* X = J.column(j);
      write_twist(taken_by(goals[k], T, turn, {{X[0], X[1], X[2]}, {X[3], X[4], X[5]}}),
                  task.column(j) + 6 * k);
    }
  }
  return task;
}

/// G y with (J_t J_t^T + mu) x = e, y = J_t^T x, J_t = task G.
std::vector<double> ClosedKinematics::Impl::damped_step(const dense::Matrix& A,
                                                        const dense::Matrix& task, double mu,
                                                        bool respect_limits) {
  held.clear();
  while (true) {
    const dense::Matrix G = basis(A, held), J = task * G;
    dense::Matrix gram = J * dense::transposed(J);
    for (int k = 0; k < gram.rows; ++k) gram(k, k) += mu;
    dense::SymmetricFactors factors;
    factors.resize(gram.rows);
    factors.factor(gram);
    std::vector<double> x = error, step(static_cast<size_t>(nv()));
    factors.solve(x);
    for (int k = 0; k < G.columns; ++k)
      dense::add_multiple(nv(), dense::dot(J.rows, J.column(k), x.data()), G.column(k),
                          step.data());
    if (!respect_limits || !hold_at_limits(step)) return step;
  }
}

/// Holds those at a limit that the step pushes further; whether there are more than before.
bool ClosedKinematics::Impl::hold_at_limits(const std::vector<double>& step) {
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
std::unique_ptr<bool[]> ClosedKinematics::Impl::stop_at_limits(std::vector<double>& step) const {
  const Limits& limits = robot().limits();
  auto stopped = std::make_unique<bool[]>(size_t(nv()));
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
  return stopped;
}

/// Takes the step, closes the loops, and keeps what is nearer to the goals.
bool ClosedKinematics::Impl::follow(std::vector<double> step, double& residual,
                                    std::span<const PoseGoal> goals, const IkOptions& options) {
  std::unique_ptr<bool[]> stopped;
  if (options.respect_limits) stopped = stop_at_limits(step);
  std::vector<double> moved(q.size()), back(step.size());
  robot().integrate(q, step, moved);
  const std::span<const bool> kept(stopped.get(), stopped ? step.size() : 0);
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
  trial = q;
  found.assembly = dyn.assemble(q, {}, into(trial), time);
  q = trial;
  if (!found.assembly.converged) return found;
  found.end = ClosedIkEnd::limits;
  if (options.respect_limits && !within_limits(q)) return found;
  found.residual = residual_at(goals, q);
  double lambda = 0.5;
  int idle = 0;
  for (; found.iterations < options.max_iterations && idle < 16; ++found.iterations) {
    if (found.residual <= options.tolerance) break;
    residual_at(goals, q);
    const double before = found.residual, mu = lambda * before * before + 1e-12;
    const bool nearer = follow(damped_step(rows(q), linearise(goals), mu, options.respect_limits),
                               found.residual, goals, options);
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
  std::vector<double> q_best;
  int iterations = 0;
  for (int start = 0; start <= options.max_restarts; ++start) {
    if (start > 0) d.robot().random(options.seed + std::uint64_t(start), d.q);
    ClosedIkReport found = d.descend(goals, options);
    iterations += found.iterations;
    const bool better = q_best.empty() || found.residual < best.residual;
    if (better) best = found, q_best = d.q;
    best.iterations = iterations;
    best.restarts = start;
    if (best.converged) break;
  }
  std::copy(q_best.begin(), q_best.end(), to);
  return best;
}

}  // namespace jounce
