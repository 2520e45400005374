// SPDX-License-Identifier: BSD-3-Clause
// Moves: laws of time for all coordinates of a robot.
#include <jounce/model/manifold.hpp>
#include <jounce/move.hpp>

#include "closed_move.hpp"
#include "model/robot_data.hpp"
#include "quotes.hpp"

namespace jounce {
namespace {

/// The pieces of one coordinate between rows, each a polynomial move.
class HermiteRows {
 public:
  HermiteRows(std::span<const double> times, std::span<const MatrixArg* const> derivatives)
      : times_(times), derivatives_(derivatives) {}

  PiecewisePolynomial coordinate(int k) const {
    std::vector<PiecewisePolynomial> moves;
    for (size_t i = 0; i + 1 < times_.size(); ++i)
      moves.push_back(polynomial_move(at(i, k), at(i + 1, k), times_[i + 1] - times_[i]));
    return one_after_the_other(moves, times_.front());
  }

 private:
  std::vector<double> at(size_t row, int k) const {
    std::vector<double> x;
    for (const MatrixArg* one : derivatives_) x.push_back(one->column(k)[row]);
    return x;
  }

  std::span<const double> times_;
  std::span<const MatrixArg* const> derivatives_;
};

std::string count_of(size_t n, const char* what) { return std::to_string(n) + " " + what; }

void check_rows(const char* caller, size_t times, const MatrixArg& x, int columns,
                const char* name) {
  if (size_t(x.rows()) != times || x.columns() != columns)
    throw InputError(std::string(caller) + ": " + name + " has shape (" + std::to_string(x.rows()) +
                     ", " + std::to_string(x.columns()) + "), needs (" + std::to_string(times) +
                     ", " + std::to_string(columns) + "), a row for each time");
}

Move between(const VectorArg& from, const VectorArg& to, PiecewisePolynomial progress) {
  const std::span<const double> a = from, b = to;
  return {{a.begin(), a.end()}, {b.begin(), b.end()}, std::move(progress)};
}

}  // namespace

bool has_rates(const JointGeometry& joint) {
  return is_flat(joint.kind) && std::all_of(joint.parts.begin(), joint.parts.end(), has_rates);
}

Move::Move(std::vector<double> from, std::vector<double> to, PiecewisePolynomial progress)
    : from_(std::move(from)), to_(std::move(to)), laws_{std::move(progress)} {
  if (from_.size() != to_.size())
    throw InputError("Move: from has " + count_of(from_.size(), "numbers") + ", to has " +
                     std::to_string(to_.size()));
  if (!all_finite(from_) || !all_finite(to_)) throw InputError("Move: an end is not finite");
}

Move::Move(std::vector<PiecewisePolynomial> coordinates) : laws_(std::move(coordinates)) {
  if (laws_.empty()) throw InputError("Move: there is no coordinate");
  for (const PiecewisePolynomial& law : laws_)
    if (law.start() != start() || law.end() != end())
      throw InputError("Move: the coordinates begin or end at different times");
}

int Move::size() const { return int(from_.empty() ? laws_.size() : from_.size()); }
double Move::start() const { return laws_.front().start(); }
double Move::end() const { return laws_.front().end(); }

void Move::derivatives(double t, const Into<double>& out) const {
  if (out.rows() != size())
    throw InputError("derivatives: into(...) has " + std::to_string(out.rows()) +
                     " rows, the move has " + count_of(size_t(size()), "coordinates"));
  std::vector<double> x(size_t(out.columns()));
  for (size_t i = 0; i < size_t(size()); ++i) {
    if (from_.empty() || i == 0) laws_[i].derivatives(t, x);
    for (size_t k = 0; k < x.size(); ++k) {
      const double along = from_.empty() ? x[k] : (to_[i] - from_[i]) * x[k];
      out.data()[k * size_t(size()) + i] = along + (k == 0 && !from_.empty() ? from_[i] : 0);
    }
  }
}

void Move::check(const Robot& robot, std::string_view caller) const {
  const std::string who = std::string(caller) + ": ";
  if (size() != robot.nq())
    throw InputError(who + "the move has " + count_of(size_t(size()), "coordinates") + ", robot " +
                     in_quotes(robot.name()) + " has " + std::to_string(robot.nq()));
  if (!from_.empty()) {
    robot.check_q(caller, "from", from_);
    robot.check_q(caller, "to", to_);
    return;
  }
  for (const JointInfo& joint : robot.joints())
    if (!has_rates(robot.description().joints[size_t(joint.description)].geometry))
      throw InputError(who + "joint " + in_quotes(joint.name) + " is " + name(joint.kind) +
                       ": its velocities are no rates of its coordinates, needs a move between "
                       "two configurations (septic, quintic)");
}

void Move::at(const Robot& robot, double t, std::span<double> q, const Into<double>& motion) const {
  check(robot, "Move::at");
  detail::checked_into(robot, "Move::at", "motion", motion, robot.nv(), motion.columns());
  const auto n = size_t(robot.nv()), count = size_t(motion.columns());
  if (from_.empty()) {
    std::vector<double> all(n * (count + 1));
    derivatives(t, {all.data(), long(n), long(count) + 1});
    std::copy_n(all.begin(), n, q.begin());
    std::copy(all.begin() + long(n), all.end(), motion.data());
    return;
  }
  std::vector<double> x(count + 1), way(n);
  laws_[0].derivatives(t, x);
  robot.difference(from_, to_, way);
  for (size_t k = 0; k < count; ++k)
    for (size_t i = 0; i < n; ++i) motion.data()[k * n + i] = x[k + 1] * way[i];
  for (double& w : way) w *= x[0];
  robot.integrate(from_, way, q);
}

Move quintic(const VectorArg& from, const VectorArg& to, double duration) {
  return between(from, to, quintic(0, 1, duration));
}
Move septic(const VectorArg& from, const VectorArg& to, double duration) {
  return between(from, to, septic(0, 1, duration));
}

Move spline(const VectorArg& times, const MatrixArg& points, int s) {
  const std::span<const double> at = times;
  check_rows("spline", at.size(), points, points.columns(), "points");
  std::vector<PiecewisePolynomial> laws;
  laws.reserve(static_cast<size_t>(points.columns()));
  for (int k = 0; k < points.columns(); ++k)
    laws.push_back(minimum_derivative_spline(points.column(k), at, s));
  return Move(std::move(laws));
}

Move interpolate(const VectorArg& times, const MatrixArg& q, const MatrixArg& v, const MatrixArg& a,
                 const MatrixArg& jerk) {
  const std::span<const double> at = times;
  check_rows("interpolate", at.size(), q, q.columns(), "q");
  if (at.size() < 2) throw InputError("interpolate: needs at least 2 times");
  if (a.columns() == 0 && jerk.columns() != 0) throw InputError("interpolate: jerk without a");
  std::vector<const MatrixArg*> given = {&q};
  for (const auto& [x, name] : {std::pair(&v, "v"), std::pair(&a, "a"), std::pair(&jerk, "jerk")}) {
    if (x != &v && x->columns() == 0) break;
    check_rows("interpolate", at.size(), *x, q.columns(), name);
    given.push_back(x);
  }
  const HermiteRows rows(at, given);
  std::vector<PiecewisePolynomial> laws;
  laws.reserve(static_cast<size_t>(q.columns()));
  for (int k = 0; k < q.columns(); ++k) laws.push_back(rows.coordinate(k));
  return Move(std::move(laws));
}

}  // namespace jounce
