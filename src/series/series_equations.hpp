// SPDX-License-Identifier: BSD-3-Clause
// The equations of motion of one robot with their time derivatives, behind the doors of higher
// order.
#pragma once

#include <jounce/door/robot_equations.hpp>
#include <jounce/vector_arg.hpp>

#include "kernels/kernel_tree.hpp"
#include "series/series_memory.hpp"
#include "state_check.hpp"

namespace jounce {

/// Calls check their arguments and leave derivatives in `motion` and `taus`; what they return is
/// the order, which follows from the columns given.
struct SeriesEquations : RobotEquations<double> {
  SeriesEquations(Robot robot_, int order);

  int inverse_series(const VectorArg& q, const MatrixArg& given_motion,
                     const SeriesSurroundings& around, const char* caller = "inverse_series");
  int forward_series(const VectorArg& q, const VectorArg& v, const MatrixArg& given_taus,
                     const SeriesSurroundings& around);
  int hybrid_series(std::span<const bool> prescribed, const VectorArg& q,
                    const MatrixArg& given_motion, const MatrixArg& given_taus,
                    const SeriesSurroundings& around);

  /// As inverse_series, one by one in body frames: leaves the wrenches through the joints and the
  /// poses in the ground in the workspace.
  int inverse_wrenches(const VectorArg& q, const MatrixArg& given_motion,
                       const SeriesSurroundings& around);
  /// What surrounds the robot at the instant itself, until the next call.
  Surroundings at_instant(const SeriesSurroundings& around);
  /// [nv] forces given to order 0 of forward and hybrid dynamics, with those of joint_torques.
  std::span<const double> given_forces() const { return series.passive; }
  /// [nv] flags of forward dynamics.
  const bool* nothing() const { return none.get(); }

  SeriesMemory series;
  std::vector<double> motion, taus;  ///< [order + 2][nv] derivatives

 private:
  /// Arguments checked, and the motion's coefficients in the workspace; the order.
  int start_inverse(const char* caller, std::span<const double> q, const MatrixArg& given_motion,
                    const SeriesSurroundings& around);
  /// The tree, without gravity where it does not act.
  const Model<double>& tree_in(const SeriesSurroundings& around) const {
    return around.gravity ? model() : weightless;
  }
  void run_hybrid(const char* caller, const double* q, const bool* prescribed, int order,
                  const SeriesSurroundings& around);
  void run_tree(const char* caller, const double* q, const bool* prescribed, int order,
                const SeriesSurroundings& around);
  void run_coupled(const char* caller, const double* q, const bool* prescribed, int order,
                   const SeriesSurroundings& around);
  /// Coefficient k of the actuators' forces from what the inverse recursion left in the tree.
  void actuator_forces(const double* q, int k, const SeriesSurroundings& around, double* to);
  void require_mass(const char* caller, const double* q, const bool* prescribed);
  /// Order 0 by the dynamics without series.
  void inverse_at_instant(const char* caller, const OwnState<double>& x,
                          const SeriesSurroundings& around);
  void hybrid_at_instant(const char* caller, const OwnState<double>& x, const double* tau,
                         const bool* prescribed, const SeriesSurroundings& around);

  Model<double> weightless;
  std::unique_ptr<bool[]> none;  ///< [nv] nothing is prescribed
  std::vector<OutsideWrench<double>> wrenches_now;
};

}  // namespace jounce
