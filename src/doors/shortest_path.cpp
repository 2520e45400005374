// SPDX-License-Identifier: BSD-3-Clause
// Geodesics between two configurations: descent on the energy of a B-spline, then collocation.
//
// Newton's method on the equation of free motion at Chebyshev points is spectral and fast, but does
// not find its way from afar on arms with light links; the energy of a spline goes down from
// anywhere. The length is measured by Clenshaw and Curtis' quadrature of v . M v: its error is the
// square of the path's.
#include <algorithm>
#include <cmath>
#include <jounce/derivatives.hpp>
#include <jounce/dynamics.hpp>
#include <jounce/geometry.hpp>
#include <numbers>

#include "doors/minimum_motion_impl.hpp"
#include "doors/regular_path.hpp"
#include "linear_algebra/matrix.hpp"
#include "linear_algebra/solve.hpp"
#include "linear_algebra/vectors.hpp"

namespace jounce {
namespace {

/// Points 0 ... N on [0, 1], their first and second derivative matrices, and weights.
struct Chebyshev {
  explicit Chebyshev(int N) : t(size_t(N) + 1), weight(t), D(N + 1, N + 1) {
    const double pi = std::numbers::pi;
    for (int i = 0; i <= N; ++i) t[size_t(i)] = (1 - std::cos(pi * i / N)) / 2;
    for (int i = 0; i <= N; ++i) {
      double sum = 0;
      for (int j = 0; j <= N; ++j) {
        if (i == j) continue;
        const double ends = (i % N == 0 ? 2.0 : 1.0) / (j % N == 0 ? 2.0 : 1.0);
        D(i, j) = ((i + j) % 2 == 0 ? 1 : -1) * ends / (t[size_t(i)] - t[size_t(j)]);
        sum += D(i, j);
      }
      D(i, i) = -sum;
      double w = 1;
      for (int k = 1; k <= N / 2; ++k)
        w -= (2 * k == N ? 1.0 : 2.0) / (4.0 * k * k - 1) * std::cos(2 * pi * k * i / N);
      weight[size_t(i)] = w / N * (i % N == 0 ? 0.5 : 1);
    }
    D2 = D * D;
  }
  /// The polynomial through the columns of x at `when`, by barycentric weights.
  void interpolate(const dense::Matrix& x, double when, std::span<double> found) const {
    std::fill(found.begin(), found.end(), 0.0);
    double below = 0;
    for (size_t j = 0; j < t.size(); ++j) {
      if (when == t[j]) return void(std::copy_n(x.column(int(j)), x.rows, found.data()));
      const double half = j == 0 || j + 1 == t.size() ? 0.5 : 1;
      const double w = (j % 2 == 0 ? half : -half) / (when - t[j]);
      dense::add_multiple(x.rows, w, x.column(int(j)), found.data());
      below += w;
    }
    dense::scale(x.rows, 1 / below, found.data());
  }
  std::vector<double> t, weight;
  dense::Matrix D, D2;
};

/// The equation of free motion at the inner points, and Newton's method on it.
class Collocation {
 public:
  Collocation(const Robot& robot, int points)
      : n_(robot.nv()),
        at_(points - 1),
        dynamics_(robot),
        derivatives_(robot),
        slopes_(robot),
        zero_(size_t(n_)),
        a_(zero_) {}

  const Chebyshev& points() const { return at_; }
  int inner() const { return int(at_.t.size()) - 2; }

  /// a - forward(q, v, 0) at the inner points, one after the other.
  dense::Matrix residual(const dense::Matrix& q) {
    const dense::Matrix v = q * dense::transposed(at_.D), a = q * dense::transposed(at_.D2);
    dense::Matrix found(n_ * inner(), 1);
    for (int i = 1; i <= inner(); ++i) {
      dynamics_.forward(column(q, i), column(v, i), zero_, around, into(a_));
      for (int k = 0; k < n_; ++k) found(n_ * (i - 1) + k, 0) = a(k, i) - a_[size_t(k)];
    }
    return found;
  }
  dense::Matrix jacobian(const dense::Matrix& q) {
    const dense::Matrix v = q * dense::transposed(at_.D);
    dense::Matrix J(n_ * inner(), n_ * inner());
    for (int i = 1; i <= inner(); ++i) {
      derivatives_.forward(column(q, i), column(v, i), zero_, around, into(slopes_));
      for (int j = 1; j <= inner(); ++j)
        for (int c = 0; c < n_; ++c) {
          double* to = J.column(n_ * (j - 1) + c) + n_ * (i - 1);
          for (int r = 0; r < n_; ++r)
            to[r] = -at_.D(i, j) * slopes_.dv(r, c) - (i == j ? slopes_.dq(r, c) : 0);
          to[c] += at_.D2(i, j);
        }
    }
    return J;
  }
  /// The integral of v . M v.
  double energy(const dense::Matrix& q, const dense::Matrix& v) {
    double sum = 0;
    for (int i = 0; i < int(at_.t.size()); ++i)
      sum += 2 * at_.weight[size_t(i)] * dynamics_.energy(column(q, i), column(v, i)).kinetic;
    return sum;
  }

  /// The largest difference of the speed between points from the length, relative to it.
  double unevenness(const dense::Matrix& q, const dense::Matrix& v, double length) {
    std::vector<double> place(zero_), speed(zero_);
    double worst = 0;
    for (size_t k = 0; k + 1 < at_.t.size(); ++k) {
      const double between = (at_.t[k] + at_.t[k + 1]) / 2;
      at_.interpolate(q, between, place);
      at_.interpolate(v, between, speed);
      const double square = 2 * dynamics_.energy(place, speed).kinetic;
      worst = std::max(worst, std::abs(std::sqrt(square) / length - 1));
    }
    return worst;
  }

 private:
  static std::span<const double> column(const dense::Matrix& x, int k) {
    return {x.column(k), size_t(x.rows)};
  }
  static constexpr Surroundings around{.passive = false, .gravity = false};

  int n_;
  Chebyshev at_;
  Dynamics dynamics_;
  Derivatives derivatives_;
  ForwardDerivatives slopes_;
  std::vector<double> zero_, a_;
};

double norm(const dense::Matrix& x) { return dense::norm(int(x.numbers.size()), x.data()); }

/// The path moved by -s step at its inner points.
dense::Matrix moved(const dense::Matrix& q, double s, const dense::Matrix& step) {
  dense::Matrix next = q;
  dense::add_multiple(int(step.numbers.size()), -s, step.data(), next.column(1));
  return next;
}

/// Newton's method with halved steps, from `found.q`.
void solve_collocation(Collocation& equation, ShortestPath& found) {
  constexpr int most = 40;
  dense::Matrix r = equation.residual(found.q);
  for (; found.iterations < most && !found.converged; ++found.iterations) {
    const dense::Matrix step = dense::solve(equation.jacobian(found.q), r);
    if (!dense::all_finite(step)) break;
    double s = 1;
    dense::Matrix next, change;
    for (; s > 1e-4; s /= 2) {
      next = moved(found.q, s, step);
      change = equation.residual(next);
      if (norm(change) < (1 - s / 4) * norm(r) || s * norm(step) < 1e-9) break;
    }
    if (!(s > 1e-4)) break;
    found.q = next;
    r = change;
    found.converged = s * norm(step) < 1e-10;
  }
  found.residual = dense::largest(r);
}

/// A path that stands still at q0, at the times of `found`.
void stand_still(std::span<const double> q0, ShortestPath& found) {
  for (int k = 0; k < found.q.columns; ++k) std::copy(q0.begin(), q0.end(), found.q.column(k));
  found.converged = true;
}

/// Collocation at so many points, from a path at other times: `from` writes it.
template <class From>
double collocate(const Robot& robot, int points, From from, ShortestPath& found) {
  Collocation equation(robot, points);
  found.times = equation.points().t;
  dense::Matrix q(robot.nv(), points);
  for (int k = 0; k < points; ++k)
    from(found.times[size_t(k)], std::span(q.column(k), size_t(robot.nv())));
  found.q = q;
  found.converged = false;
  solve_collocation(equation, found);
  found.v = found.q * dense::transposed(equation.points().D);
  const double energy = equation.energy(found.q, found.v);
  found.length = std::sqrt(energy);
  found.unevenness = equation.unevenness(found.q, found.v, found.length);
  return energy;
}

}  // namespace

ShortestPath Geometry::shortest_path(const VectorArg& q0, const VectorArg& q1, int points) {
  if (points < 5) throw InputError("shortest_path: points must be at least 5");
  constexpr int control_points = 20, iterations = 500, most_unknowns = 600;
  constexpr double even = 1e-6;
  const char* name = "shortest_path";
  robot().check_q(name, "q0", q0);
  robot().check_q(name, "q1", q1);
  MotionProblem motion(robot(),
                       {.control_points = control_points,
                        .limits = false,
                        .tolerance = 1e-6,
                        .iterations = iterations},
                       name);
  const MinimumMotionResult start = motion.find(motion.line(q0, q1));
  ShortestPath found;
  if (start.value == 0) {
    found.times = Chebyshev(points - 1).t;
    found.q = found.v = dense::Matrix(robot().nv(), points);
    stand_still(q0, found);
    return found;
  }
  double energy = collocate(
      robot(), points, [&](double t, std::span<double> q) { start.path.derivative(t, 0, q); },
      found);
  while (found.converged && found.unevenness > even &&
         robot().nv() * (2 * points - 3) <= most_unknowns) {
    const Chebyshev coarse(points - 1);
    const dense::Matrix q = found.q;
    points = 2 * points - 1;
    energy = collocate(
        robot(), points, [&](double t, std::span<double> at) { coarse.interpolate(q, t, at); },
        found);
  }
  const Chebyshev at(points - 1);
  RegularPath(robot()).require(name, 0, 1, 4 * points, [&](double t, std::span<double> q) {
    at.interpolate(found.q, t, q);
  });
  found.converged = found.converged && energy <= 1.01 * start.value;
  return found;
}

}  // namespace jounce
