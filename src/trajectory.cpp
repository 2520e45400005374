// SPDX-License-Identifier: BSD-3-Clause
// Polynomial moves, splines and paths: small linear systems for their coefficients.
#include <algorithm>
#include <cmath>
#include <jounce/error.hpp>
#include <jounce/trajectory.hpp>
#include <limits>
#include <string>

#include "linear_algebra/solve.hpp"
#include "model/robot_data.hpp"

namespace jounce {
namespace {

/// n (n-1) ... (n-k+1): the k-th derivative of t^n is this times t^(n-k).
double falling(int n, int k) {
  double f = 1;
  for (int j = 0; j < k; ++j) f *= n - j;
  return f;
}

/// The derivative of sum_k c[k] x^k.
double polynomial_derivative(std::span<const double> c, double x, int order) {
  double sum = 0;
  for (int n = static_cast<int>(c.size()) - 1; n >= order; --n)
    sum = sum * x + falling(n, order) * c[static_cast<size_t>(n)];
  return sum;
}

/// x, x', ... by t as terms of a Taylor series in t / scale.
std::vector<double> taylor_terms(std::span<const double> derivatives, double scale) {
  std::vector<double> c(derivatives.begin(), derivatives.end());
  double factor = 1;
  for (size_t k = 1; k < c.size(); ++k) c[k] *= factor *= scale / static_cast<double>(k);
  return c;
}

/// The terms in u = 1 - s of (x - sum_k near[k] s^k) / s^n, where x has the terms `there` in u.
std::vector<double> far_terms(std::span<const double> near, std::span<const double> there) {
  const size_t n = near.size();
  std::vector<double> far(n, 0.0);
  for (size_t j = 0; j < n; ++j) {
    double missing = there[j], choose = 1;  // k over j
    for (size_t k = j; k < n; ++k) {
      missing -= (j % 2 == 0 ? 1 : -1) * choose * near[k];
      choose *= static_cast<double>(k + 1) / static_cast<double>(k + 1 - j);
    }
    double weight = 1;  // n - 1 + k - j over k - j
    for (size_t k = j; k < n; ++k) {
      far[k] += missing * weight;
      weight *= static_cast<double>(n + k - j) / static_cast<double>(k - j + 1);
    }
  }
  return far;
}

void require(bool good, const std::string& message) {
  if (!good) throw InputError(message);
}

/// Row of a linear system: the k-th derivative of a piece at time t, times scale.
void add_derivative(dense::Matrix& A, int row, int piece, int terms, int k, double t,
                    double scale) {
  for (int n = k; n < terms; ++n)
    A(row, piece * terms + n) += scale * falling(n, k) * std::pow(t, n - k);
}

void check_spline(std::span<const double> points, std::span<const double> times, int s) {
  const std::string caller = "minimum_derivative_spline: ";
  require(points.size() == times.size() && points.size() >= 2,
          caller + std::to_string(points.size()) + " points and " + std::to_string(times.size()) +
              " times, needs as many and at least 2");
  require(s >= 1 && s <= 6, caller + "s is " + std::to_string(s) + ", needs 1 to 6");
  require(all_finite(points) && all_finite(times), caller + "a point or a time is not finite");
  for (size_t k = 0; k + 1 < times.size(); ++k)
    require(times[k] < times[k + 1], caller + "times must increase");
}

}  // namespace

PiecewisePolynomial::PiecewisePolynomial(std::vector<double> times,
                                         std::vector<std::vector<double>> coefficients)
    : times_(std::move(times)) {
  require(times_.size() == coefficients.size() + 1 && !coefficients.empty(),
          "PiecewisePolynomial: " + std::to_string(times_.size()) + " times for " +
              std::to_string(coefficients.size()) + " pieces, needs one more than pieces");
  for (size_t k = 0; k + 1 < times_.size(); ++k) {
    require(times_[k] < times_[k + 1], "PiecewisePolynomial: times must increase");
    pieces_.push_back({times_[k], 1, std::move(coefficients[k]), {}});
  }
}
PiecewisePolynomial::PiecewisePolynomial(std::vector<Piece> pieces, std::vector<double> times)
    : times_(std::move(times)), pieces_(std::move(pieces)) {}

double PiecewisePolynomial::next_knot(double t) const {
  const auto next = std::upper_bound(times_.begin(), times_.end(), t);
  return next == times_.end() ? std::numeric_limits<double>::infinity() : *next;
}
int PiecewisePolynomial::degree() const {
  size_t most = 1;
  for (const Piece& piece : pieces_) most = std::max(most, piece.near.size() + piece.far.size());
  return static_cast<int>(most) - 1;
}

double PiecewisePolynomial::Piece::derivative(double s, int order) const {
  double sum = polynomial_derivative(near, s, order);
  if (far.empty()) return sum;
  const int m = static_cast<int>(near.size());
  double choose = 1;  // order over i
  for (int i = 0; i <= std::min(order, m); ++i) {
    const double sign = (order - i) % 2 == 0 ? 1 : -1;
    sum += choose * falling(m, i) * std::pow(s, m - i) * sign *
           polynomial_derivative(far, 1 - s, order - i);
    choose = choose * (order - i) / (i + 1);
  }
  return sum;
}

void PiecewisePolynomial::derivatives(double t, std::span<double> out) const {
  const auto after = std::upper_bound(times_.begin() + 1, times_.end() - 1, t);
  const Piece& piece = pieces_[static_cast<size_t>(after - times_.begin()) - 1];
  const double s = (t - piece.origin) / piece.scale;
  double scale = 1;
  for (size_t k = 0; k < out.size(); ++k) {
    out[k] = piece.derivative(s, static_cast<int>(k)) / scale;
    scale *= piece.scale;
  }
}

double PiecewisePolynomial::operator()(double t) const {
  double x = 0;
  derivatives(t, {&x, 1});
  return x;
}

/// Hermite's two-point formula from both ends: about each, its own terms, and n more that bring in
/// the other end's. Taylor's terms g of what is missing there, over (1 - u)^n, are sums with
/// binomial coefficients.
PiecewisePolynomial polynomial_move(std::span<const double> from, std::span<const double> to,
                                    double duration) {
  require(from.size() == to.size() && !from.empty(),
          "polynomial_move: " + std::to_string(from.size()) + " derivatives at the start and " +
              std::to_string(to.size()) + " at the end, needs as many");
  require(duration > 0 && std::isfinite(duration),
          "polynomial_move: duration is " + std::to_string(duration) + ", needs to be positive");
  require(all_finite(from) && all_finite(to), "polynomial_move: an end is not finite");
  const std::vector<double> start = taylor_terms(from, duration), end = taylor_terms(to, -duration);
  using Piece = PiecewisePolynomial::Piece;
  return {std::vector<Piece>{{0, duration, start, far_terms(start, end)},
                             {duration, -duration, end, far_terms(end, start)}},
          {0, duration / 2, duration}};
}

PiecewisePolynomial one_after_the_other(std::span<const PiecewisePolynomial> laws, double start) {
  require(!laws.empty(), "one_after_the_other: there is no law");
  std::vector<PiecewisePolynomial::Piece> pieces;
  std::vector<double> times = {start};
  for (const PiecewisePolynomial& law : laws) {
    require(law.start() == 0, "one_after_the_other: a law does not begin at time 0");
    for (size_t k = 0; k < law.pieces_.size(); ++k) {
      pieces.push_back(law.pieces_[k]);
      pieces.back().origin += start;
      times.push_back(start + law.times_[k + 1]);
    }
    start = times.back();
  }
  return {std::move(pieces), std::move(times)};
}

PiecewisePolynomial quintic(double from, double to, double duration) {
  const double a[3] = {from}, b[3] = {to};
  return polynomial_move(a, b, duration);
}
PiecewisePolynomial septic(double from, double to, double duration) {
  const double a[4] = {from}, b[4] = {to};
  return polynomial_move(a, b, duration);
}

PiecewisePolynomial minimum_derivative_spline(std::span<const double> points,
                                              std::span<const double> times, int s) {
  check_spline(points, times, s);
  const int pieces = static_cast<int>(points.size()) - 1, terms = 2 * s;
  dense::Matrix A(pieces * terms, pieces * terms), b(pieces * terms, 1);
  // Each piece in x = (t - t_k) / scale with one scale, so that powers stay of order one.
  const double scale = (times.back() - times.front()) / pieces;
  int row = 0;
  for (int k = 0; k < pieces; ++k) {
    const auto at = static_cast<size_t>(k);
    const double length = (times[at + 1] - times[at]) / scale;
    b(row, 0) = points[at];
    add_derivative(A, row++, k, terms, 0, 0, 1);
    b(row, 0) = points[at + 1];
    add_derivative(A, row++, k, terms, 0, length, 1);
    if (k == 0)
      for (int d = 1; d < s; ++d) add_derivative(A, row++, 0, terms, d, 0, 1);
    if (k + 1 == pieces)
      for (int d = 1; d < s; ++d) add_derivative(A, row++, k, terms, d, length, 1);
    else
      for (int d = 1; d <= 2 * s - 2; ++d) {
        add_derivative(A, row, k, terms, d, length, 1);
        add_derivative(A, row++, k + 1, terms, d, 0, -1);
      }
  }
  const dense::Matrix c = dense::solve(A, b);
  std::vector<std::vector<double>> coefficients(static_cast<size_t>(pieces));
  for (int k = 0; k < pieces; ++k)
    for (int n = 0; n < terms; ++n)
      coefficients[static_cast<size_t>(k)].push_back(c(k * terms + n, 0) / std::pow(scale, n));
  return {{times.begin(), times.end()}, std::move(coefficients)};
}

PiecewisePolynomial minimum_snap(std::span<const double> points, std::span<const double> times) {
  return minimum_derivative_spline(points, times, 4);
}

PosePath::PosePath(const SE3<double>& from, const SE3<double>& to, PiecewisePolynomial progress)
    : from_(from), screw_(log(inverse_times(from, to))), progress_(std::move(progress)) {}

SE3<double> PosePath::pose(double t) const { return from_ * exp(screw_ * progress_(t)); }

void PosePath::twists(double t, std::span<Twist<double>> out) const {
  constexpr size_t most = 32;
  require(out.size() < most,
          "PosePath: " + std::to_string(out.size()) + " derivatives, at most 31");
  double x[most];
  progress_.derivatives(t, {x, out.size() + 1});
  for (size_t k = 0; k < out.size(); ++k) out[k] = screw_ * x[k + 1];
}

}  // namespace jounce
