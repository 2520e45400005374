// SPDX-License-Identifier: BSD-3-Clause
// The cost of a motion along a B-spline, its gradient, and its second derivatives where the cost is
// a sum of squares.
//
// Five Gauss points on each span. With y the forces (or rates) of a node,
//   energy      d(v.M v) = 2 d kinetic                      kinetic_dq, kinetic_dv
//   force       d|y|^2 = 2 y . (tau_q dq + tau_v dv + tau_a da)
//   rate        the same with the partials of tau' by q, v, a and jerk, which are A', A + B',
//               B + M' and M, A, B and M those of tau by q, v and a: primes by second derivatives
// and the Hessian of a sum of squares is 2 (J^T J + sum_i y_i d2 y_i); the second part is
// SecondDerivatives::inverse_products for forces, and left out for rates.
#include <cmath>
#include <jounce/door/check.hpp>
#include <jounce/model/singular_mass.hpp>

#include "doors/minimum_motion_impl.hpp"
#include "linear_algebra/matrix.hpp"
#include "linear_algebra/vectors.hpp"

namespace jounce {
namespace {

constexpr double gauss_point[] = {-0.90617984593866399, -0.53846931010568309, 0,
                                  0.53846931010568309, 0.90617984593866399};
constexpr double gauss_weight[] = {0.23692688505618909, 0.47862867049936647, 0.56888888888888889,
                                   0.47862867049936647, 0.23692688505618909};

Robot with_rates(Robot robot) {
  for (const JointInfo& joint : robot.joints())
    for (const Factor& f : factors(robot.system())) {
      const bool additive = is_revolute(f) || is_prismatic(f) || is_helical(f) ||
                            f.kind == JointKind::cylindrical || f.kind == JointKind::translational;
      if (!additive && f.v >= joint.v && f.v < joint.v + joint.nv)
        throw InputError("MinimumMotion: joint \"" + joint.name + "\" is " + name(f.kind) +
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

MinimumMotion::Impl::Impl(Robot robot_, const MinimumMotionOptions& options_)
    : robot(with_rates(std::move(robot_))),
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
  if (options.cost == MotionCost::energy) return;
  inverse.emplace(robot);
  second.emplace(robot);
  if (options.cost == MotionCost::force) {
    products.emplace(robot);
  } else {
    series.emplace(robot, 1);
    tensors.emplace(robot);
    rate_partial.assign(4, dense::Matrix(n(), n()));
    taus.resize(2 * tau.size());
  }
}

int MinimumMotion::Impl::fixed() const {
  return options.cost == MotionCost::energy ? 1 : options.cost == MotionCost::force ? 3 : 4;
}
int MinimumMotion::Impl::orders() const {
  return options.cost == MotionCost::energy ? 2 : options.cost == MotionCost::force ? 3 : 4;
}

SplinePath MinimumMotion::Impl::line(std::span<const double> q0, std::span<const double> q1) const {
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

void MinimumMotion::Impl::move(const dense::Matrix& control, const Node& node) {
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

double MinimumMotion::Impl::energy_at_node() {
  const std::span<const double> q(motion.data(), size_t(n())), v(q.data() + n(), q.size());
  const Into<double> dq(pull.data(), n(), 1), dv(pull.data() + n(), n(), 1);
  derivatives.energy(q, v, {}, dq, dv, into(tau));
  for (int k = 0; k < 2 * n(); ++k) pull[size_t(k)] *= 2;
  return dense::dot(n(), v.data(), pull.data() + n()) / 2;
}

const double* MinimumMotion::Impl::partial(int s) const {
  if (tensors) return rate_partial[size_t(s)].data();
  return s == 0 ? inverse->dq.data() : s == 1 ? inverse->dv.data() : inverse->da.data();
}

void MinimumMotion::Impl::differentiate_rate(const Surroundings& around) {
  const int size = n(), square = size * size;
  const double *q = motion.data(), *v = q + size, *a = v + size, *jerk = a + size;
  const auto numbers = [&](const double* x) { return std::span(x, size_t(size)); };
  derivatives.inverse(numbers(q), numbers(v), numbers(a), around, into(*inverse));
  second->inverse(numbers(q), numbers(v), numbers(a), around, into(*tensors));
  const double* first[] = {inverse->dq.data(), inverse->dv.data(), inverse->da.data()};
  for (int s = 0; s < 4; ++s) {
    dense::Matrix& to = rate_partial[size_t(s)];
    if (s == 0) std::fill(to.numbers.begin(), to.numbers.end(), 0.0);
    else std::copy_n(first[s - 1], square, to.data());
  }
  const double *qq = tensors->dqdq.data(), *qv = tensors->dqdv.data();
  const double *vv = tensors->dvdv.data(), *aq = tensors->dadq.data();
  dense::Matrix &dq = rate_partial[0], &dv = rate_partial[1], &da = rate_partial[2];
  for (int l = 0; l < size; ++l) {
    dense::add_multiple(square, v[l], qq + square * l, dq.data());
    dense::add_multiple(square, a[l], qv + square * l, dq.data());
    dense::add_multiple(square, a[l], vv + square * l, dv.data());
    dense::add_multiple(square, v[l], aq + square * l, da.data());
    for (int k = 0; k < size; ++k) {  // entries (i, l, k): of number l first
      dense::add_multiple(size, jerk[l], aq + size * (l + size * k), dq.column(k));
      dense::add_multiple(size, v[l], qv + size * (l + size * k), dv.column(k));
    }
  }
}

double MinimumMotion::Impl::force_at_node(bool gradient) {
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

double MinimumMotion::Impl::cost(const dense::Matrix& control, dense::Matrix* gradient) {
  double sum = 0;
  if (gradient != nullptr) *gradient = dense::Matrix(n(), control.columns);
  for (const Node& node : nodes) {
    move(control, node);
    const bool pulls = gradient != nullptr;
    sum += node.weight *
           (options.cost == MotionCost::energy ? energy_at_node() : force_at_node(pulls));
    if (!pulls) continue;
    for (int s = 0; s < orders(); ++s)
      for (int j = 0; j <= SplineBasis::degree; ++j)
        dense::add_multiple(n(), node.weight * node.basis.value[s][j], pull.data() + n() * s,
                            gradient->column(node.basis.first + j));
  }
  if (gradient != nullptr)
    for (int i = 0; i < control.columns; ++i)
      if (i < fixed() || i >= control.columns - fixed()) std::fill_n(gradient->column(i), n(), 0.0);
  return sum;
}

void MinimumMotion::Impl::add_squares(const Node& node, Model& to) {
  const int six = SplineBasis::degree + 1, size = n(), free = free_points();
  dense::Matrix J(size, size * six);  // of the node's force by the six control points
  for (int j = 0; j < six; ++j)
    for (int s = 0; s < orders(); ++s)
      dense::add_multiple(size * size, node.basis.value[s][j], partial(s), J.column(size * j));
  const auto place = [&](int j) { return node.basis.first + j - fixed(); };
  for (int j = 0; j < six; ++j) {
    if (place(j) < 0 || place(j) >= free) continue;
    for (int k = 0; k < size; ++k) {
      const double* column = J.column(size * j + k);
      const int row = size * place(j) + k;
      to.g[size_t(row)] += 2 * node.weight * dense::dot(size, column, tau.data());
      to.damping[size_t(row)] += 2 * node.weight * dense::dot(size, column, column);
      for (int i = 0; i <= j; ++i) {
        if (place(i) < 0) continue;
        double* H = to.H.column(row) + size * place(i);
        for (int l = 0; l < size; ++l)
          H[l] += 2 * node.weight * dense::dot(size, J.column(size * i + l), column);
      }
    }
  }
}

void MinimumMotion::Impl::add_curves(const Node& node, Model& to) {
  const size_t size = size_t(n());
  const std::span<const double> q(motion.data(), size), v(q.data() + n(), size),
      a(v.data() + n(), size);
  const Surroundings around{.passive = options.passive, .gravity = options.gravity};
  second->inverse_products(tau, q, v, a, around, into(*products));
  const SecondProducts& z = *products;
  const auto place = [&](int j) { return node.basis.first + j - fixed(); };
  for (int j = 0; j <= SplineBasis::degree; ++j)
    for (int i = 0; i <= j; ++i) {
      if (place(i) < 0 || place(j) >= free_points() || place(j) < 0) continue;
      double b[3], c[3];  // of the row's and the column's control point
      for (int s = 0; s < 3; ++s)
        b[s] = 2 * node.weight * node.basis.value[s][i], c[s] = node.basis.value[s][j];
      for (int k = 0; k < n(); ++k)
        for (int l = 0; l < n(); ++l)
          to.H(n() * place(i) + l, n() * place(j) + k) +=
              b[0] * c[0] * z.dqdq(l, k) + b[0] * c[1] * z.dqdv(l, k) + b[1] * c[0] * z.dqdv(k, l) +
              b[1] * c[1] * z.dvdv(l, k) + b[2] * c[0] * z.dadq(l, k) + b[0] * c[2] * z.dadq(k, l);
    }
}

MinimumMotion::Impl::Model MinimumMotion::Impl::model(const dense::Matrix& control) {
  Model found{0, {unknowns(), unknowns()}, std::vector<double>(size_t(unknowns())), {}};
  found.damping = found.g;
  for (const Node& node : nodes) {
    move(control, node);
    found.value += node.weight * force_at_node(true);
    add_squares(node, found);
    if (products) add_curves(node, found);
  }
  for (int j = 0; j < unknowns(); ++j)  // above the diagonal all is there
    for (int i = 0; i < j; ++i) found.H(j, i) = found.H(i, j);
  return found;
}

void MinimumMotion::Impl::check_ends(const char* caller, const dense::Matrix& control) const {
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

dense::Matrix MinimumMotion::Impl::mean_mass(const char* caller, const dense::Matrix& control) {
  constexpr int samples = 9;
  const MassBounds bounds(robot);
  dense::Matrix mean(n(), n());
  MassMatrix M(robot);
  std::vector<double> q(robot.neutral());
  for (int s = 0; s < samples; ++s) {
    const double t = double(s) / (samples - 1);
    for (int k = 0; k < n(); ++k)
      q[size_t(k)] = (1 - t) * control(k, 0) + t * control(k, control.columns - 1);
    dynamics.mass(q, into(M));
    require_regular(robot, caller, M.data(), nullptr, bounds);
    dense::Matrix one(n(), n());
    std::copy_n(M.data(), n() * n(), one.data());
    mean = mean + 1.0 / samples * one;
  }
  return mean;
}

MinimumMotion::MinimumMotion(Robot robot, const MinimumMotionOptions& options)
    : impl_(std::make_unique<Impl>(std::move(robot), options)) {}
MinimumMotion::MinimumMotion(MinimumMotion&&) noexcept = default;
MinimumMotion& MinimumMotion::operator=(MinimumMotion&&) noexcept = default;
MinimumMotion::~MinimumMotion() = default;

const Robot& MinimumMotion::robot() const { return impl_->robot; }
const MinimumMotionOptions& MinimumMotion::options() const { return impl_->options; }

SplinePath MinimumMotion::line(const VectorArg& q0, const VectorArg& q1) const {
  impl_->robot.check_q("MinimumMotion", "q0", q0);
  impl_->robot.check_q("MinimumMotion", "q1", q1);
  return impl_->line(q0, q1);
}

MinimumMotionResult MinimumMotion::find(const VectorArg& q0, const VectorArg& q1) {
  return find(line(q0, q1));
}

double MinimumMotion::cost(const SplinePath& path, dense::Matrix* gradient) {
  const Impl& d = *impl_;
  const int rows = path.control.rows, columns = path.control.columns;
  if (rows != d.n() || columns != d.options.control_points || path.duration != d.options.duration)
    throw InputError("MinimumMotion: a path of " + std::to_string(rows) + " x " +
                     std::to_string(columns) + " numbers and duration " +
                     std::to_string(path.duration) + ", robot \"" + d.robot.name() + "\" needs " +
                     std::to_string(d.n()) + " x " + std::to_string(d.options.control_points) +
                     " and duration " + std::to_string(d.options.duration));
  const double found = impl_->cost(path.control, gradient);
  require_finite_number("MinimumMotion", "cost", found);
  return found;
}

}  // namespace jounce
