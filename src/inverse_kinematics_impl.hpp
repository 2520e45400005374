// SPDX-License-Identifier: BSD-3-Clause
// Memory and steps of inverse kinematics.
#pragma once

#include <jounce/inverse_kinematics.hpp>

#include "linear_algebra/singular_values.hpp"
#include "linear_algebra/solve.hpp"
#include "pose_goals.hpp"

namespace jounce {

struct InverseKinematics::Impl {
  explicit Impl(Robot robot_);

  struct Descent {
    double residual;
    int iterations;
  };

  void free_joints();
  /// Of a frame at the last configuration, angular first, column by column.
  const double* jacobian_of(FrameId frame, Representation in) {
    kinematics.jacobian(frame, in, Into<double>(jacobian.data(), 6, robot.nv()));
    return jacobian.data();
  }
  void resize(int rows);
  double residual_at(std::span<const PoseGoal> goals, const std::vector<double>& at);
  void linearise(std::span<const PoseGoal> goals);
  void factor_gram(double mu);
  void solve_damped(double mu);
  void project_pull(std::span<const PoseGoal> goals, bool respect_limits);
  double distance_to(const std::vector<double>& preferred);
  int approach(std::span<const PoseGoal> goals, const IkOptions& options);
  bool freeze();
  void clamp(std::vector<double>& x) const;
  /// `step` from a configuration; false where no number can hold where it leads.
  bool stepped(const std::vector<double>& from, std::vector<double>& to) const;
  Descent descend(std::span<const PoseGoal> goals, const IkOptions& options);
  IkReport search(std::span<const PoseGoal> goals, const IkOptions& options);

  Robot robot;
  Kinematics kinematics;
  std::vector<int> q_of_v;  ///< the coordinate that a velocity is the rate of, -1 for none
  std::vector<double> q, q_trial, q_best, step, pull, q_kept;
  std::vector<char> frozen;
  dense::Matrix A, gram;
  std::vector<double> error, dual;
  dense::SymmetricFactors factors;  ///< of A A^T + mu 1

  /// Twists wanted of some frames, and their stacked Jacobian.
  struct Task {
    void resize(int rows, int columns);
    /// V -= J x.
    void subtract_motion(const std::vector<double>& x);

    dense::Matrix J;
    dense::SingularValues singular;
    std::vector<double> V;
  };
  void load(std::span<const TwistGoal> goals, Task& task);
  void project(double* x) const;
  void free_second_task();

  Task first, second;
  dense::Matrix free_J;  ///< J_2 N_1
  std::vector<double> scratch;
  std::vector<double> jacobian;  ///< [6 nv]
};

}  // namespace jounce
