// SPDX-License-Identifier: BSD-3-Clause
// The pose of a Gough-Stewart platform from its leg lengths, at every tick of a control loop.
//
//   jounce::PoseSolver solver(platform, home);
//   const jounce::PoseSolution& now = solver.solve(measured_lengths);
//   if (!now.converged || now.branch_flip) stop();
// Newton's method on SE(3) from the last pose, about 3 iterations at 1 kHz; no allocation. Lengths
// that no pose has end with converged = false and the nearest pose that the platform can take; far
// from the start, so may lengths that a pose has, at a singular pose. `failure` says which it was.
#pragma once

#include <jounce/stewart/workspace.hpp>
#include <memory>
#include <optional>
#include <string>

namespace jounce {

struct PoseSolverOptions {
  int max_iterations = 15;   ///< of Newton's method
  int max_descent = 300;     ///< of the search for the nearest pose, where Newton's method fails
  double tolerance = 1e-12;  ///< of a length, relative to the platform's size, beyond rounding
  /// How many more starts are tried, home turned about x, y and z, where start and home lead to no
  /// pose; of the poses found the nearest to the start is the answer. At most 12. At a tick leave
  /// it at 0: a pose of another mode is no answer there.
  int restarts = 0;
  /// D of [Xie] (20): poses out of these limits are no answer, even where they have the lengths.
  std::optional<StewartLimits> domain = {};
};

/// Why lengths were not answered with a pose.
enum class PoseFailure : unsigned char {
  none,
  impossible_lengths,  ///< no pose has them: two legs are too far apart, or all too short
  singular_minimum,    ///< the errors have a local minimum there; a pose may exist elsewhere
  max_descent,         ///< the search was given up
  outside_domain       ///< the pose with these lengths is out of the domain
};

struct PoseSolution {
  SE3<double> pose;
  bool converged = false;
  double residual = 0;     ///< largest error of a length, in its unit
  int iterations = 0;      ///< linear systems solved
  double determinant = 0;  ///< normalised, as of Stewart::normalised_determinant; near 0: singular
  bool branch_flip = false;  ///< its sign is not that of the home pose: the platform has passed a
                             ///< singular pose, or these lengths were answered with another mode
  PoseFailure failure = PoseFailure::none;
  std::uint8_t out_of_reach = 0;  ///< which limits of the domain the pose breaks: a sum of reach::
  int leg_1 = -1, leg_2 = -1;     ///< the two legs of impossible_lengths, 0 to 5
};

/// A sentence about a failure, with its numbers; empty where there is none.
std::string explain_failure(const Stewart& platform, const SixNumbers& lengths,
                            const PoseSolution& found);

/// Owns all its memory; one per thread.
class PoseSolver {
 public:
  /// home is the first start and says which sign of the determinant is the right one. Throws
  /// InputError for a singular home pose, and one out of the domain.
  PoseSolver(const Stewart& platform, const SE3<double>& home,
             const PoseSolverOptions& options = {});
  PoseSolver(PoseSolver&&) noexcept;
  PoseSolver& operator=(PoseSolver&&) noexcept;
  ~PoseSolver();

  const Stewart& platform() const noexcept;

  /// From the last converged pose. Throws InputError for lengths that are not positive and finite;
  /// the solver is then as before the call. The result is valid until the next call.
  const PoseSolution& solve(const SixNumbers& lengths);
  /// From a given pose.
  const PoseSolution& solve(const SixNumbers& lengths, const SE3<double>& start);
  /// The next call starts from here; home is kept.
  void restart(const SE3<double>& pose);

  const PoseSolution& last() const noexcept;
  /// Smallest singular value of the normalised Jacobian at the last solution, 0 where singular.
  double singularity_distance() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace jounce
