// SPDX-License-Identifier: BSD-3-Clause
// Six iterative ways from leg lengths to a pose: Gauss-Newton and Levenberg-Marquardt, each on
// SE(3), on unit quaternions and on R^6.
//
// [Xie] (17), (22)-(28), Algorithms A1 and A2. The residual is r_i = |R b_i + p - a_i|^2 - L_i^2.
// Departures: the tolerances are scaled (the paper's 1e-14 is out of reach in its unit, cm); the
// line search of A1 squares the factor until (27) holds, and halves one that starts at 1; the
// damping of A2 starts with nu = 2. Levenberg-Marquardt adds rad and lengths: its path depends on
// the unit of length, and on whether an increment is taken in the body (A2) or in space (the
// tables). For control loops use PoseSolver.
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

struct StewartMethodOptions {
  StewartMethod method = StewartMethod::levenberg_marquardt;
  StewartChart chart = StewartChart::se3;
  Increment increment = Increment::space;  ///< of SE(3)
  double step_factor = 1;                  ///< alpha_0 of Gauss-Newton, in (0, 1]
  double damping = 1e-6;                   ///< tau of Levenberg-Marquardt, positive
  int max_iterations = 200;                ///< every trial step of Levenberg-Marquardt counts
  double gradient_tolerance = 1e-14;  ///< epsilon_1: of |J^T r|, relative to |J| and the lengths
  double step_tolerance = 1e-14;      ///< epsilon_2: of a step, in rad and platform sizes
  double least_factor = 1e-14;        ///< epsilon_3: of alpha
  double length_tolerance = 1e-9;     ///< of converged, relative to the longest leg
};

enum class StewartStop : unsigned char { gradient, small_step, no_descent, max_iterations };

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
