// SPDX-License-Identifier: BSD-3-Clause
// Motions that supply their own derivatives: polynomial moves, splines of any order, paths on
// SE(3).
//
// What the calls of higher order need is x, x', x'', ... at a time. All of these are piecewise
// polynomials, so every derivative is exact.
#pragma once

#include <jounce/group/se3.hpp>
#include <span>
#include <vector>

namespace jounce {

/// A piecewise polynomial in time. Before the first knot and behind the last the end pieces go on.
class PiecewisePolynomial {
 public:
  /// Piece k runs from times[k] to times[k + 1], with coefficients of powers of t - times[k].
  PiecewisePolynomial(std::vector<double> times, std::vector<std::vector<double>> coefficients);

  double start() const { return times_.front(); }
  double end() const { return times_.back(); }
  std::span<const double> times() const { return times_; }
  int degree() const;
  /// The first knot after t; infinite where there is none.
  double next_knot(double t) const;

  /// x, x', x'', ... at time t, as many as out holds.
  void derivatives(double t, std::span<double> out) const;
  double operator()(double t) const;

 private:
  friend PiecewisePolynomial polynomial_move(std::span<const double> from,
                                             std::span<const double> to, double duration);
  friend PiecewisePolynomial one_after_the_other(std::span<const PiecewisePolynomial> laws,
                                                 double start);

  /// sum_k near[k] s^k + s^m sum_k far[k] (1 - s)^k, m = size of near, in s = (t - origin) / scale.
  struct Piece {
    double origin = 0, scale = 1;
    std::vector<double> near, far;

    double derivative(double s, int order) const;  ///< by s
  };

  PiecewisePolynomial(std::vector<Piece> pieces, std::vector<double> times);

  std::vector<double> times_;
  std::vector<Piece> pieces_;
};

/// The polynomial of least degree with the given x, x', ... at time 0 and at time `duration`: three
/// of each make a quintic, four a septic. Each half of it is held as seen from its own end, so that
/// both ends are met to rounding, however many derivatives are given. InputError for a duration
/// that is not positive or lists of different length.
PiecewisePolynomial polynomial_move(std::span<const double> from, std::span<const double> to,
                                    double duration);
/// Laws that each begin at time 0, one after the other from time `start` on.
PiecewisePolynomial one_after_the_other(std::span<const PiecewisePolynomial> laws, double start);
/// From rest to rest: velocity and acceleration (quintic), and jerk (septic), vanish at both ends.
PiecewisePolynomial quintic(double from, double to, double duration);
PiecewisePolynomial septic(double from, double to, double duration);

/// The spline through points at times that minimises the integral of the square of its derivative
/// of order s, starting and ending with x', ..., x^(s-1) zero: pieces of degree 2s - 1, smooth to
/// derivative 2s - 2. s = 2 is the cubic spline, 3 minimum jerk, 4 minimum snap; 1 <= s <= 6.
PiecewisePolynomial minimum_derivative_spline(std::span<const double> points,
                                              std::span<const double> times, int s);
PiecewisePolynomial minimum_snap(std::span<const double> points, std::span<const double> times);

/// A motion on SE(3) from one pose to another along one screw: T(t) = from exp(x(t) log(from^-1
/// to)), with x a polynomial move from 0 to 1. Its body twist is x'(t) times that screw.
class PosePath {
 public:
  PosePath(const SE3<double>& from, const SE3<double>& to, PiecewisePolynomial progress);

  const PiecewisePolynomial& progress() const { return progress_; }
  SE3<double> pose(double t) const;
  /// The body twist and its derivatives at time t, as many as out holds.
  void twists(double t, std::span<Twist<double>> out) const;

 private:
  SE3<double> from_;
  Twist<double> screw_;
  PiecewisePolynomial progress_;
};

}  // namespace jounce
