// SPDX-License-Identifier: BSD-3-Clause
#include "closed_move.hpp"

#include <algorithm>
#include <cmath>

#include "linear_algebra/pivoted_qr.hpp"
#include "numbers.hpp"
#include "quotes.hpp"

namespace jounce {
namespace {

/// How much longer the columns of joints without motors count when those that follow are chosen: a
/// motor follows where it cannot lead to this share.
constexpr double preference = 1e4;
/// The whole move in at least so many steps, and none in which a leading coordinate goes farther.
constexpr int least_steps = 200;
constexpr double longest_way = 0.1;
/// What a step leaves to its assembly is of second order in it; more is another branch.
constexpr double most_unforeseen = 0.3;

std::string at_moment(double t) { return "at " + short_text(t) + " s "; }

double farthest(const std::vector<double>& x) {
  double most = 0;
  for (const double one : x) most = std::max(most, std::abs(one));
  return most;
}

}  // namespace

ClosedMove::ClosedMove(const Robot& robot, const Move& move, const AlongOptions& options)
    : move_(move),
      dynamics_(robot),
      kinematics_(robot),
      series_(robot, 1),
      leads_(std::make_unique<bool[]>(size_t(robot.nv()))),
      q_(size_t(robot.nq())),
      open_q_(q_),
      given_(robot.nv(), 3),
      t_(move.start()) {
  around_.passive = options.passive;
  around_.gravity = options.gravity;
  look(t_);
  close(open_q_, t_);
  if (dynamics_.rank() < 0) {
    dynamics_.decide_rank(q_, t_);
    kinematics_.decide_rank(q_, t_);
    series_.decide_rank(q_, t_);
  }
  choose_leading();
  refuse_parts_of_joints();
  close(open_q_, t_);
}

/// Columns of A that determine those that follow, joints without motors first.
void ClosedMove::choose_leading() {
  const int m = dynamics_.rows(), n = robot().nv(), rank = dynamics_.rank();
  dense::Matrix A(m, n);
  dynamics_.jacobian(q_, {}, {A.data(), m, n}, t_);
  const std::span<const bool> motors = robot().actuated();
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < m && !motors[size_t(k)]; ++i) A(i, k) *= preference;
  std::vector<double> factors(size_t(std::min(m, n)) + 1);
  std::vector<int> order(static_cast<size_t>(n));
  dense::pivoted_qr(m, n, A.data(), factors.data(), order.data());
  std::fill_n(leads_.get(), n, false);
  for (int k = rank; k < n; ++k) leads_[size_t(order[size_t(k)])] = true;
  bool all_motors = true;
  for (int k = 0; k < n; ++k) all_motors = all_motors && (!leads_[size_t(k)] || motors[size_t(k)]);
  motors_strain_ = all_motors && std::count(motors.begin(), motors.end(), true) > n - rank;
}

/// A joint whose velocities are no rates of its coordinates leads as a whole or not at all.
void ClosedMove::refuse_parts_of_joints() const {
  for (const JointInfo& joint : robot().joints()) {
    if (has_rates(robot().description().joints[size_t(joint.description)].geometry)) continue;
    const bool* const first = leads_.get() + joint.v;
    const auto count = std::count(first, first + joint.nv, true);
    if (count > 0 && count < joint.nv)
      throw InputError("along: joint " + in_quotes(joint.name) + " is " + name(joint.kind) +
                       ", and the loops of robot " + in_quotes(robot().name()) + " leave it " +
                       std::to_string(count) + " of " + std::to_string(joint.nv) +
                       " velocities: a move cannot lead a part of it");
  }
}

/// What the move alone says.
void ClosedMove::look(double t) { move_.at(robot(), t, open_q_, {given_.data(), robot().nv(), 3}); }

/// The leading coordinates of q become those of the move at t.
void ClosedMove::move_leading(double t, std::vector<double>& q) {
  look(t);
  for (const JointInfo& joint : robot().joints())
    for (int k = 0; k < joint.nq && !joint.mimic; ++k)
      if (joint.nv > 0 && leads_[size_t(joint.v + std::min(k, joint.nv - 1))])
        q[size_t(joint.q + k)] = open_q_[size_t(joint.q + k)];
}

void ClosedMove::close(const std::vector<double>& guess, double t) {
  const AssemblyReport found = dynamics_.assemble(guess, flags(), into(q_), t);
  if (!found.converged)
    throw ComputationError("along: " + at_moment(t) + "loop " +
                           in_quotes(robot().loops()[size_t(std::max(found.worst_loop, 0))].name) +
                           " of robot " + in_quotes(robot().name()) +
                           " cannot be closed: open by " + short_text(found.residual));
  t_ = t;
}

/// Of the leading coordinates' velocities v_d in `given_`: v = p + X (v_d - p_d): p are velocities
/// that the loops have by themselves, where they depend on time, the columns of X those of each
/// leading coordinate.
std::vector<double> ClosedMove::velocities(double t) {
  const int n = robot().nv();
  std::vector<double> v(static_cast<size_t>(n)), own(v);
  dynamics_.project(q_, v, {}, into(own), t);
  const std::vector<int> driven = leading();
  dense::Matrix X(n, int(driven.size()));
  try {
    kinematics_.motion(q_, flags(), {X.data(), n, X.columns}, t);
  } catch (const ComputationError& error) {
    throw ComputationError("along: " + at_moment(t) + error.what());
  }
  v = own;
  for (int j = 0; j < X.columns; ++j) {
    const auto d = size_t(driven[size_t(j)]);
    for (int i = 0; i < n; ++i) v[size_t(i)] += X(i, j) * (given_(int(d), 0) - own[d]);
  }
  return v;
}

int ClosedMove::steps_to(double t) {
  std::vector<double> there = q_, way(size_t(robot().nv()));
  move_leading(t, there);
  robot().difference(q_, there, way);
  const double share = (t - t_) / (move_.end() - move_.start());
  return int(std::ceil(std::max(least_steps * share, farthest(way) / longest_way) - 1e-9));
}

/// Follows the branch of the loops: steps along the velocities, each closed by an assembly.
void ClosedMove::advance(double t) {
  const int steps = steps_to(t);
  const double from = t_;
  std::vector<double> guess(q_.size()), way;
  for (int k = 1; k <= steps; ++k) {
    const double next = k == steps ? t : from + (t - from) * k / steps;
    look(t_);
    way = velocities(t_);
    for (double& x : way) x *= next - t_;
    robot().integrate(q_, way, guess);
    move_leading(next, guess);
    close(guess, next);
    robot().difference(guess, q_, way);
    if (!(farthest(way) <= most_unforeseen))
      throw ComputationError("along: " + at_moment(next) + "the loops of robot " +
                             in_quotes(robot().name()) + " jump by " + short_text(farthest(way)) +
                             ": the move goes where they are singular");
  }
}

std::vector<int> ClosedMove::leading() const {
  std::vector<int> found;
  for (int k = 0; k < robot().nv(); ++k)
    if (leads_[size_t(k)]) found.push_back(k);
  return found;
}

void ClosedMove::at(double t, std::span<double> q, dense::Matrix& motion, dense::Matrix& taus) {
  const int n = robot().nv();
  advance(t);
  look(t);
  std::copy(q_.begin(), q_.end(), q.begin());
  const std::vector<double> v = velocities(t);
  std::copy(v.begin(), v.end(), given_.column(0));
  const dense::Matrix no_forces(n, 2);
  dense::Matrix lambdas(series_.rows(), 2);
  around_.time = t;
  const Into<double> to_motion(motion.data(), n, 3), to_taus(taus.data(), n, 2),
      to_lambdas(lambdas.data(), lambdas.rows, 2);
  series_.hybrid(flags(), q_, MatrixArg(given_.numbers, n), MatrixArg(no_forces.numbers, n),
                 around_, {}, Optimum::force, to_motion, to_taus, to_lambdas);
  if (!motors_strain_) return;
  const dense::Matrix found = motion;
  series_.inverse(q_, MatrixArg(found.numbers, n), around_, {}, Optimum::force, to_motion, to_taus,
                  to_lambdas);
}

}  // namespace jounce
