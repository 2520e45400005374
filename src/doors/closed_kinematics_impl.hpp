// SPDX-License-Identifier: BSD-3-Clause
// What ClosedKinematics works with: bases of what suits the loops, and steps along them.
#pragma once

#include <jounce/closed_kinematics.hpp>

#include "linear_algebra/matrix.hpp"
#include "linear_algebra/singular_values.hpp"
#include "linear_algebra/solve.hpp"

namespace jounce {

struct ClosedKinematics::Impl {
  explicit Impl(Robot robot_);

  const Robot& robot() const { return dyn.robot(); }
  int nv() const { return robot().nv(); }
  std::span<const bool> driven_or_motors(const char* caller, std::span<const bool> driven) const;

  void write_rows(std::span<const double> q);  ///< A
  void write_basis();                          ///< G, from A and held
  void write_motion(const char* caller, std::span<const double> q, std::span<const bool> driven);
  void write_jacobian(FrameId frame, Representation in);  ///< J
  /// The columns of A with a flag, or of G^T.
  void take_columns(std::span<const bool> flags, bool flag);
  void take_rows_of_basis(std::span<const bool> flags);
  /// All of a matrix in `values`, the largest first.
  void sort_singular_values(const dense::Matrix& of);

  // inverse kinematics
  double residual_at(std::span<const PoseGoal> goals, const std::vector<double>& at);
  void linearise(std::span<const PoseGoal> goals);
  void damped_step(double mu, bool respect_limits);
  bool hold_at_limits();
  bool within_limits(const std::vector<double>& at) const;
  void stop_at_limits();
  bool follow(double& residual, std::span<const PoseGoal> goals, const IkOptions& options);
  ClosedIkReport descend(std::span<const PoseGoal> goals, const IkOptions& options);

  ConstrainedDynamics dyn;
  Kinematics kinematics;
  double time = 0;  ///< of the call
  dense::Matrix A, G, J;
  dense::Matrix X, frame;  ///< G G_d^+, and what it does to a frame
  dense::Matrix some;      ///< columns of A or G^T, or rows of J
  dense::Matrix across;    ///< A^T and its factors, or (G_d^T)^+ transposed
  dense::SingularValues singular;
  std::vector<double> values, tau;
  std::vector<int> order;

  std::vector<double> q, trial, error, step, moved, back, weight, best;
  dense::Matrix task, gram;
  dense::SymmetricFactors factors;
  std::vector<int> held;            ///< coordinates that stand at a limit in a step
  std::unique_ptr<bool[]> stopped;  ///< [nv] and those that a step brings to theirs
};

}  // namespace jounce
