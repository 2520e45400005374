// SPDX-License-Identifier: BSD-3-Clause
// A move of a robot whose loops are closed: some coordinates lead and do what the move says, the
// others follow from the loops.
#pragma once

#include <jounce/closed_kinematics.hpp>
#include <jounce/constrained_series.hpp>
#include <jounce/move.hpp>
#include <memory>
#include <vector>

namespace jounce {

/// Whether the velocities of a joint, or of a part of it, are the rates of its coordinates.
bool has_rates(const JointGeometry& joint);

class ClosedMove {
 public:
  /// Closes the loops where the move begins. ComputationError where they cannot be.
  ClosedMove(const Robot& robot, const Move& move, const AlongOptions& options);

  /// As many velocity coordinates as the mechanism has degrees of freedom, motors where they do.
  std::vector<int> leading() const;
  /// Of a time that is not before that of the last call: q, the columns v, a and jerk of `motion`,
  /// tau and its rate in those of `taus`. ComputationError where the loops cannot be closed there
  /// or leave the leading coordinates no control.
  void at(double t, std::span<double> q, dense::Matrix& motion, dense::Matrix& taus);

 private:
  const Robot& robot() const { return dynamics_.robot(); }
  std::span<const bool> flags() const { return {leads_.get(), size_t(robot().nv())}; }
  void choose_leading();
  void refuse_parts_of_joints() const;
  void look(double t);
  void move_leading(double t, std::vector<double>& q);
  void close(const std::vector<double>& guess, double t);
  void advance(double t);
  int steps_to(double t);
  std::vector<double> velocities(double t);

  const Move& move_;
  ConstrainedDynamics dynamics_;
  ClosedKinematics kinematics_;
  ConstrainedSeries series_;
  SeriesSurroundings around_;
  bool motors_strain_ = false;      ///< there are more of them than degrees of freedom
  std::unique_ptr<bool[]> leads_;   ///< by velocity coordinate
  std::vector<double> q_, open_q_;  ///< where it is, and where the move alone would have it
  dense::Matrix given_;             ///< v, a, jerk of the move alone
  double t_ = 0;                    ///< of q_
};

}  // namespace jounce
