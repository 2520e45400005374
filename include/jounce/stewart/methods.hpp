// SPDX-License-Identifier: BSD-3-Clause
// Six iterative ways from leg lengths to a pose: Gauss-Newton and Levenberg-Marquardt, each on
// SE(3), on unit quaternions and on R^6.
//
// [Xie] (17), (22)-(28), Algorithms A1 and A2. The residual is r_i = |R b_i + p - a_i|^2 - L_i^2.
// Departures: the tolerances are scaled (the paper's 1e-14 is out of reach in its unit, cm); the
// line search of A1 squares the factor until (27) holds, and halves one that starts at 1 (other
// readings by LineSearch); the damping of A2 starts with nu = 2. Levenberg-Marquardt as printed
// adds rad and lengths: its path depends on the unit of length (StewartScaling removes that), and
// on whether an increment is taken in the body (A2) or in space (the tables). For control loops use
// PoseSolver.
#pragma once

#include <jounce/stewart/stewart.hpp>
#include <vector>

namespace jounce {

enum class StewartMethod : unsigned char { gauss_newton, levenberg_marquardt };

/// What an increment is added to.
enum class StewartChart : unsigned char {
  se3,         ///< T exp(s) or exp(s) T
  quaternion,  ///< (p, q) in R^7, with |q|^2 = 1 as a seventh equation
  euler        ///< (p, phi, theta, psi) in R^6, R = Rz(psi) Ry(theta) Rx(phi)
};

enum class Increment : unsigned char { body, space };

/// Readings of lines 9 to 14 of Algorithm A1: how Gauss-Newton finds its step factor alpha.
enum class LineSearch : unsigned char {
  squared,              ///< alpha_0, its square, ... until (27) holds; a factor of 1 is halved
  squared_after_test,   ///< until (27) held, but alpha is squared once more after the test
  printed,              ///< "while (accept or alpha <= epsilon_3)": it never ends once it accepts
  printed_until_small,  ///< "while accept", given up where alpha <= epsilon_3
  multiplied,           ///< alpha_0, alpha_0^2, alpha_0^3, ...; a factor of 1 is halved
  halved                ///< alpha_0, alpha_0 / 2, alpha_0 / 4, ...
};

/// What makes angles comparable with lengths where a method adds them.
enum class StewartScaling : unsigned char {
  none,           ///< as printed: rad and the unit of the lengths, and |q|^2 - 1 beside lengths^2
  platform_size,  ///< angles times the platform's size, |q|^2 - 1 times its square: no unit
  diagonal        ///< damping by the diagonal of J^T J (Marquardt 1963); |q|^2 - 1 as above
};

struct StewartMethodOptions {
  StewartMethod method = StewartMethod::levenberg_marquardt;
  StewartChart chart = StewartChart::se3;
  Increment increment = Increment::space;  ///< of SE(3)
  LineSearch line_search = LineSearch::squared;
  StewartScaling scaling = StewartScaling::none;
  double step_factor = 1;             ///< alpha_0 of Gauss-Newton, in (0, 1]
  double damping = 1e-6;              ///< tau of Levenberg-Marquardt, positive
  int max_iterations = 200;           ///< every trial step of Levenberg-Marquardt counts
  double gradient_tolerance = 1e-14;  ///< epsilon_1: of |J^T r|, relative to |J| and the lengths
  double step_tolerance = 1e-14;      ///< epsilon_2: of a step, in rad and platform sizes
  double least_factor = 1e-14;        ///< epsilon_3: of alpha
  double length_tolerance = 1e-9;     ///< of converged, relative to the longest leg
};

enum class StewartStop : unsigned char {
  gradient,
  small_step,
  no_descent,
  max_iterations,
  endless_search  ///< Algorithm A1 as printed would go on for ever here
};

/// One line of the record of a solution.
struct StewartIteration {
  SE3<double> pose;     ///< before the step
  double residual = 0;  ///< |r| there
  double factor = 0;    ///< alpha or mu of the step
  double step = 0;      ///< its size in rad and platform sizes
  bool accepted = true;
};

struct StewartMethodResult {
  SE3<double> pose;
  bool converged = false;   ///< the pose has the lengths
  double length_error = 0;  ///< largest | |leg_i| - L_i |
  int iterations = 0;
  StewartStop stop = StewartStop::max_iterations;
};

/// One run from a start pose; trace, where given, gets a line per iteration. Throws InputError for
/// lengths that are not positive and finite, a start that is no pose, options out of range.
StewartMethodResult solve_pose(const Stewart& platform, const SixNumbers& lengths,
                               const SE3<double>& start, const StewartMethodOptions& options = {},
                               std::vector<StewartIteration>* trace = nullptr);

}  // namespace jounce
