// SPDX-License-Identifier: BSD-3-Clause
// Memory and steps of inverse kinematics.
#pragma once

#include <Eigen/Cholesky>
#include <jounce/group/eigen.hpp>
#include <jounce/inverse_kinematics.hpp>

namespace jounce {

struct InverseKinematics::Impl {
  explicit Impl(Robot robot_);

  struct Descent {
    double residual;
    int iterations;
  };

  void free_joints();
  void resize(int rows);
  double residual_at(std::span<const PoseGoal> goals, const Eigen::VectorXd& at);
  void linearise(std::span<const PoseGoal> goals);
  void solve_damped(double mu);
  void project_pull(std::span<const PoseGoal> goals, bool respect_limits);
  double distance_to(const std::vector<double>& preferred);
  int approach(std::span<const PoseGoal> goals, const IkOptions& options);
  bool freeze();
  void clamp(Eigen::VectorXd& x) const;
  Descent descend(std::span<const PoseGoal> goals, const IkOptions& options);

  Robot robot;
  Dynamics dynamics;
  std::vector<int> q_of_v;  ///< the coordinate that a velocity is the rate of, -1 for none
  Eigen::VectorXd q, q_trial, q_best, step, pull, q_kept;
  std::vector<char> frozen;
  Eigen::MatrixXd A, gram;
  Eigen::VectorXd error, dual;
  Eigen::LDLT<Eigen::MatrixXd> solver;

  /// Twists wanted of some frames, and their stacked Jacobian.
  struct Task {
    void resize(Eigen::Index rows, Eigen::Index columns);
    void decompose();
    template <class F>
    void apply(const Eigen::VectorXd& x, F f, Eigen::VectorXd& out);

    Eigen::MatrixXd J, gram, U;  ///< J J^T = U gram U^T, gram diagonal after decompose
    Eigen::VectorXd V, V_free, y, z;
  };
  void load(std::span<const TwistGoal> goals, Task& task);
  void project(Eigen::VectorXd& x);

  Task first, second;
  Eigen::MatrixXd second_J;
  Eigen::VectorXd scratch;
};

}  // namespace jounce
