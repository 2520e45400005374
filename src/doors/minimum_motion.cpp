// SPDX-License-Identifier: BSD-3-Clause
// The cost of a motion along a B-spline and its gradient.
//
// Five Gauss points on each span. With y the forces (or rates) of a node,
//   energy      d(v.M v) = 2 d kinetic                      kinetic_dq, kinetic_dv
//   force       d|y|^2 = 2 y . (tau_q dq + tau_v dv + tau_a da)
//   rate        the same with the partials of tau' by q, v, a and jerk (minimum_model.cpp)
#include <cmath>
#include <jounce/door/check.hpp>

#include "doors/minimum_motion_impl.hpp"
#include "doors/regular_path.hpp"
#include "linear_algebra/vectors.hpp"

namespace jounce {
namespace {

constexpr double gauss_point[] = {-0.90617984593866399, -0.53846931010568309, 0,
                                  0.53846931010568309, 0.90617984593866399};
constexpr double gauss_weight[] = {0.23692688505618909, 0.47862867049936647, 0.56888888888888889,
                                   0.47862867049936647, 0.23692688505618909};

Robot with_rates(const std::string& caller, Robot robot) {
  for (const JointInfo& joint : robot.joints())
    for (const Factor& f : factors(robot.system())) {
      const bool additive = is_revolute(f) || is_prismatic(f) || is_helical(f) ||
                            f.kind == JointKind::cylindrical ||
                            f.kind == JointKind::translational || is_custom(f);
      if (!additive && f.v >= joint.v && f.v < joint.v + joint.nv)
        throw InputError(caller + ": joint \"" + joint.name + "\" is " + name(f.kind) +
                         ": its velocities are not the rates of its coordinates");
    }
  return robot;
}

MinimumMotionOptions checked(const MinimumMotionOptions& x) {
  const int least = x.cost == MotionCost::force_rate ? 9 : 7;
  if (x.control_points < least)
    throw InputError("MinimumMotion: control_points is " + std::to_string(x.control_points) +
                     ", needs at least " + std::to_string(least));
  if (!(x.duration > 0) || !std::isfinite(x.duration))
    throw InputError("MinimumMotion: duration must be positive");
  if (!(x.tolerance > 0)) throw InputError("MinimumMotion: tolerance must be positive");
  if (x.iterations < 0) throw InputError("MinimumMotion: iterations must not be negative");
  return x;
}

}  // namespace

MotionProblem::MotionProblem(Robot robot_, const MinimumMotionOptions& options_,
                             const char* caller_)
    : caller(caller_),
      robot(with_rates(caller, std::move(robot_))),
      options(checked(options_)),
      dynamics(robot),
      derivatives(robot),
      motion(4 * size_t(n())),
      pull(motion.size()),
      tau(size_t(n())) {
  const int spans = options.control_points - SplineBasis::degree;
  for (int s = 0; s < spans; ++s)
    for (int k = 0; k < 5; ++k) {
      Node node{{options.control_points, (s + 0.5 + 0.5 * gauss_point[k]) / spans, orders()},
                gauss_weight[k] / 2 / spans * options.duration};
      double scale = 1;
      for (auto& row : node.basis.value) {
        for (double& x : row) x *= scale;
        scale /= options.duration;
      }
      nodes.push_back(node);
    }
  second.emplace(robot);
  if (options.cost == MotionCost::energy) mass.emplace(robot);
  else inverse.emplace(robot);
  const bool rate = options.cost == MotionCost::force_rate;
  products.assign(rate ? 3 : 1, SecondProducts(robot));
  curves.assign(16, dense::Matrix(n(), n()));
  slopes = curves[0];
  if (!rate) return;
  series.emplace(robot, 1);
  tensors.emplace(robot);
  rate_partial.assign(4, dense::Matrix(n(), n()));
  taus.resize(2 * tau.size());
}

int MotionProblem::fixed() const {
  return options.cost == MotionCost::energy ? 1 : options.cost == MotionCost::force ? 3 : 4;
}
int MotionProblem::orders() const {
  return options.cost == MotionCost::energy ? 2 : options.cost == MotionCost::force ? 3 : 4;
}

SplinePath MotionProblem::line(std::span<const double> q0, std::span<const double> q1) const {
  const int points = options.control_points, stay = fixed();
  SplinePath path{options.duration, {n(), points}};
  for (int i = 0; i < points; ++i) {
    double s = SplineBasis::greville(points, i);
    if (stay > 1)
      s = i < stay ? 0 : i >= points - stay ? 1 : double(i - stay + 1) / (points - 2 * stay + 1);
    for (size_t k = 0; k < q0.size(); ++k) path.control.column(i)[k] = std::lerp(q0[k], q1[k], s);
  }
  return path;
}

void MotionProblem::move(const dense::Matrix& control, const Node& node) {
  std::fill(motion.begin(), motion.end(), 0.0);
  const double* first = control.column(node.basis.first);
  for (int j = 0; j <= SplineBasis::degree; ++j) {
    const double* point = control.column(node.basis.first + j);
    dense::add_multiple(n(), node.basis.value[0][j], point, motion.data());
    for (int s = 1; s < orders(); ++s)  // the functions' derivatives add up to zero
      for (int k = 0; k < n(); ++k)
        motion[size_t(n() * s + k)] += node.basis.value[s][j] * (point[k] - first[k]);
  }
}

double MotionProblem::energy_at_node(bool gradient) {
  const std::span<const double> q(motion.data(), size_t(n())), v(q.data() + n(), q.size());
  if (!gradient) return 2 * dynamics.energy(q, v).kinetic;
  const Into<double> dq(pull.data(), n(), 1), dv(pull.data() + n(), n(), 1);
  derivatives.energy(q, v, {}, dq, dv, into(tau));
  for (int k = 0; k < 2 * n(); ++k) pull[size_t(k)] *= 2;
  return dense::dot(n(), v.data(), pull.data() + n()) / 2;
}

double MotionProblem::force_at_node(bool gradient) {
  if (n() == 0) return 0;
  const size_t size = size_t(n());
  const std::span<const double> q(motion.data(), size), v(q.data() + n(), size),
      a(v.data() + n(), size);
  const Surroundings around{.passive = options.passive, .gravity = options.gravity};
  if (options.cost == MotionCost::force) {
    dynamics.inverse(q, v, a, around, into(tau));
    if (gradient) derivatives.inverse(q, v, a, around, into(*inverse));
  } else {
    series->inverse(q, MatrixArg({v.data(), 3 * size}, n()),
                    {.passive = options.passive, .gravity = options.gravity},
                    Into<double>(taus.data(), n(), 2));
    std::copy_n(taus.data() + n(), n(), tau.data());
    if (gradient) differentiate_rate(around);
  }
  if (gradient)
    for (int s = 0; s < orders(); ++s)
      for (int k = 0; k < n(); ++k)
        pull[size_t(n() * s + k)] = 2 * dense::dot(n(), partial(s) + n() * k, tau.data());
  return dense::dot(n(), tau.data(), tau.data());
}

double MotionProblem::add_node(const dense::Matrix& control, const Node& node,
                               dense::Matrix* gradient) {
  move(control, node);
  const bool pulls = gradient != nullptr;
  const double value =
      options.cost == MotionCost::energy ? energy_at_node(pulls) : force_at_node(pulls);
  for (int s = 0; s < orders() && pulls; ++s)
    for (int j = 0; j <= SplineBasis::degree; ++j)
      dense::add_multiple(n(), node.weight * node.basis.value[s][j], pull.data() + n() * s,
                          gradient->column(node.basis.first + j));
  return node.weight * value;
}

double MotionProblem::cost(const dense::Matrix& control, dense::Matrix* gradient) {
  double sum = 0;
  if (gradient != nullptr) *gradient = dense::Matrix(n(), control.columns);
  for (const Node& node : nodes) sum += add_node(control, node, gradient);
  if (gradient != nullptr)
    for (int i = 0; i < control.columns; ++i)
      if (i < fixed() || i >= control.columns - fixed()) std::fill_n(gradient->column(i), n(), 0.0);
  return sum;
}

void MotionProblem::check_ends(const dense::Matrix& control) const {
  const Limits& limits = robot.limits();
  for (const int end : {0, control.columns - 1})
    for (int k = 0; options.limits && k < n(); ++k) {
      const double x = control(k, end);
      const double low = limits.lower[size_t(k)], high = limits.upper[size_t(k)];
      if (x >= low && x <= high) continue;
      throw InputError(std::string(caller) + ": " + (end == 0 ? "q0[" : "q1[") + std::to_string(k) +
                       "]" + of_joint(robot, k) + " is " + std::to_string(x) + ", its limits are " +
                       std::to_string(low) + " and " + std::to_string(high));
    }
}

void MotionProblem::check_shape(const SplinePath& path) const {
  const int rows = path.control.rows, columns = path.control.columns;
  for (int j = 0; j < columns; ++j)
    for (int k = 0; k < rows; ++k)
      if (!std::isfinite(path.control(k, j)))
        throw InputError(std::string(caller) + ": control(" + std::to_string(k) + ", " +
                         std::to_string(j) + ") is not finite");
  if (rows == n() && columns == options.control_points && path.duration == options.duration) return;
  throw InputError(std::string(caller) + ": a path of " + std::to_string(rows) + " x " +
                   std::to_string(columns) + " numbers and duration " +
                   std::to_string(path.duration) + ", robot \"" + robot.name() + "\" needs " +
                   std::to_string(n()) + " x " + std::to_string(options.control_points) +
                   " and duration " + std::to_string(options.duration));
}

dense::Matrix MotionProblem::mean_mass(const dense::Matrix& control) {
  constexpr int samples = 9;
  dense::Matrix mean(n(), n());
  MassMatrix M(robot);
  std::vector<double> q(robot.neutral());
  for (int s = 0; s < samples; ++s) {
    const double t = double(s) / (samples - 1);
    for (int k = 0; k < n(); ++k)
      q[size_t(k)] = (1 - t) * control(k, 0) + t * control(k, control.columns - 1);
    dynamics.mass(q, into(M));
    dense::add_multiple(n() * n(), 1.0 / samples, M.data(), mean.data());
  }
  return mean;
}

void MotionProblem::require_regular_mass(const SplinePath& path) {
  const int samples = 8 * (options.control_points - SplineBasis::degree);
  RegularPath(robot).require(caller, 0, options.duration, samples,
                             [&](double t, std::span<double> q) { path.derivative(t, 0, q); });
}

MinimumMotion::MinimumMotion(Robot robot, const MinimumMotionOptions& options)
    : problem_(std::make_unique<MotionProblem>(std::move(robot), options, "MinimumMotion")) {}
MinimumMotion::MinimumMotion(MinimumMotion&&) noexcept = default;
MinimumMotion& MinimumMotion::operator=(MinimumMotion&&) noexcept = default;
MinimumMotion::~MinimumMotion() = default;

const Robot& MinimumMotion::robot() const { return problem_->robot; }
const MinimumMotionOptions& MinimumMotion::options() const { return problem_->options; }

SplinePath MinimumMotion::line(const VectorArg& q0, const VectorArg& q1) const {
  problem_->robot.check_q("MinimumMotion", "q0", q0);
  problem_->robot.check_q("MinimumMotion", "q1", q1);
  return problem_->line(q0, q1);
}

MinimumMotionResult MinimumMotion::find(const VectorArg& q0, const VectorArg& q1) {
  return find(line(q0, q1));
}
MinimumMotionResult MinimumMotion::find(const SplinePath& start) { return problem_->find(start); }

double MinimumMotion::cost(const SplinePath& path, dense::Matrix* gradient,
                           dense::Matrix* hessian) {
  problem_->check_shape(path);
  const double found = problem_->cost(path.control, gradient);
  require_finite_number("MinimumMotion", "cost", found);
  if (hessian != nullptr) *hessian = problem_->model(path.control).H;
  return found;
}

}  // namespace jounce
