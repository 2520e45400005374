// SPDX-License-Identifier: BSD-3-Clause
// What a Dynamics owns for the calls of higher order.
#pragma once

#include <jounce/dynamics.hpp>

#include "kernels/lanes/series_lanes_storage.hpp"
#include "kernels/series_kernels.hpp"

namespace jounce {

struct SeriesImpl {
  static constexpr int first_max_order = 4;
  static constexpr int short_order = 4;  ///< Taylor numbers of it cost a tenth of the longest

  /// Coulomb friction of unit size: v / slip_speed, its tanh, and the slope of that.
  struct Friction {
    Taylor<double, highest_order> ratio, slip, slope;
    /// Coefficient k of the tanh, from coefficient k of v and those below.
    double extend(double speed, int k);
  };

  SeriesImpl(const Robot& robot, int order);

  /// Order in range, and at least `columns` columns of nv finite numbers.
  void check(const char* caller, const Robot& robot, int order, const char* argument,
             const MatrixArg& x, int columns) const;
  /// Refuses frames, wrenches, torques and motions of the ground that are not there or not finite.
  void check(const char* caller, const Robot& robot, int order,
             const SeriesSurroundings& around) const;
  void check_ground(const char* caller, std::span<const Twist<double>> derivatives) const;
  /// V, V', ... of the ground frame, for one call.
  void set_ground(std::span<const Twist<double>> derivatives);
  /// The motion of the ground as Taylor coefficients; null where it rests.
  const Twist<double>* ground() const { return ground_moves ? V_0.data() : nullptr; }

  /// Coefficients of the robot's own velocities: the tree's where there is no mimic joint.
  Rows<double> own_v(const Robot& robot) const {
    return robot.has_mimic() ? Rows<double>{const_cast<double*>(v.data()), robot.nv()}
                             : storage.view().v;
  }
  /// Coefficients of the forces that callers give.
  Rows<double> own_tau(const Robot& robot) {
    return robot.has_mimic() ? Rows<double>{taus.data(), robot.nv()} : storage.view().tau;
  }
  /// The robot's velocities -> the tree's, coefficient k.
  void expand(const Robot& robot, int k);
  /// Tree forces -> the robot's, coefficient k.
  void fold(const Robot& robot, int k, double* out) const;

  /// On the tree m of the robot, with or without gravity.
  void run_inverse(const Robot& robot, const Model<double>& m, const double* q, int wanted,
                   std::span<const OutsideWrenchSeries> wrenches);

  /// Coefficient k of what damping, friction and springs take, [nv]. Orders one after the other.
  const double* passive_forces(const Robot& robot, const double* q, int k);
  /// Coefficients k of the wrenches from outside, in body frames, added to F_ext.
  void add_outside(const Robot& robot, std::span<const OutsideWrenchSeries> wrenches, int first,
                   int last);
  void clear_outside(const Robot& robot);
  /// Whether a call runs in lanes: they have no poses in the ground for wrenches in its axes.
  bool in_lanes(std::span<const OutsideWrenchSeries> wrenches) const;

  const SeriesKernels& kernel = series_kernels();
  int order;
  SeriesStorage<double> storage;
  SeriesLanesStorage lanes;
  std::vector<double> v;  ///< [order + 2][nv] of the robot, where mimic joints share them
  std::vector<double> motion, taus;  ///< results
  std::vector<Twist<double>> V_0;    ///< [order + 2]
  int kinematics_order = -1;  ///< of the kinematics_series whose results stand here; -1: none
  bool ground_moves = false;
  bool has_outside = false;        ///< F_ext of the workspace is not all zero
  std::vector<double> passive;     ///< [nv]
  std::vector<Friction> friction;  ///< [nv]
  std::vector<double> positions;   ///< [order + 1][nq] coefficients, for springs
  std::unique_ptr<bool[]> none;    ///< [nv] nothing is prescribed
};

}  // namespace jounce
