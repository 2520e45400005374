// SPDX-License-Identifier: BSD-3-Clause
// Memory of the calls of higher order for one robot, and what they share.
//
// Users hand over and get derivatives; the recursions run on Taylor coefficients, x[k] = x^(k)/k!.
#pragma once

#include <jounce/matrix_arg.hpp>
#include <jounce/model/robot.hpp>
#include <jounce/series_surroundings.hpp>

#include "kernels/lanes/series_lanes_storage.hpp"
#include "kernels/series_kernels.hpp"

namespace jounce {

/// The order that a constructor is given, refused below 0.
int checked_series_order(const char* door, int order);
/// Refuses all but a given number of columns of nv finite numbers.
void check_columns(const char* caller, const Robot& robot, int order, const char* argument,
                   const MatrixArg& x, int columns);

/// What bushings take as power series, coefficient by coefficient (bushings.cpp).
class BushingSeries {
 public:
  virtual ~BushingSeries() = default;
  /// Adds coefficient k from q and the coefficients up to k of the robot's v, orders one after the
  /// other.
  virtual void add_coefficient(const double* q, const Rows<double>& v, int k, double* taken) = 0;
};
std::unique_ptr<BushingSeries> make_bushing_series(const Robot& robot, int order);

struct SeriesMemory {
  static constexpr int short_order = 4;  ///< up to it laws run on Taylor numbers

  SeriesMemory(Robot robot_, int order_);

  /// The order of an argument's columns, of which `lowest` are order 0; refused above the room.
  int order_of(const char* caller, const char* argument, const MatrixArg& x, int lowest) const;
  /// Refuses frames, wrenches, torques and motions of the ground that are not there or not finite.
  void check(const char* caller, int wanted, const SeriesSurroundings& around) const;
  void check_ground(const char* caller, std::span<const Twist<double>> derivatives) const;
  /// V, V', ... of the ground frame, for one call.
  void set_ground(std::span<const Twist<double>> derivatives);
  /// The motion of the ground as Taylor coefficients; null where it rests.
  const Twist<double>* ground() const { return ground_moves ? V_0.data() : nullptr; }

  /// Coefficients of the robot's own velocities: the tree's where there is no mimic joint.
  Rows<double> own_v() {
    return robot.has_mimic() ? Rows<double>{v.data(), robot.nv()} : storage.view().v;
  }
  /// Coefficients of the forces that callers give.
  Rows<double> own_tau() {
    return robot.has_mimic() ? Rows<double>{taus.data(), robot.nv()} : storage.view().tau;
  }
  /// Derivatives as coefficients 0 to last of the robot's velocities, or forces.
  static void load(const MatrixArg& derivatives, int last, const Rows<double>& to);
  /// The robot's velocities -> the tree's, coefficient k.
  void expand(int k);
  /// Tree forces -> the robot's, coefficient k.
  void fold(int k, double* out) const;

  /// The wrenches from outside and tau[0..wanted] of the tree, from v in the workspace, at the
  /// tree's q; m is the tree with or without gravity.
  void run_inverse(const Model<double>& m, const double* q, int wanted,
                   std::span<const OutsideWrenchSeries> wrenches);

  /// Coefficient k of what resistance of unit size takes from velocity j, orders one after the
  /// other.
  double unit_resistance(Resistance law, size_t j, int k);
  /// The same of friction, from coefficient k of the velocity.
  double extend_friction(size_t j, double speed, int k);
  /// Coefficient k of what resistance and springs take, [nv].
  const double* passive_forces(const double* q, int k);
  /// The same less what joint_torques give; null where nothing acts.
  const double* passive_less_given(const double* q, int k, const SeriesSurroundings& around);
  /// Coefficients first to last of the wrenches from outside, in body frames, added to F_ext, with
  /// twists up to last - 1 in lanes or in the workspace.
  void add_outside(std::span<const OutsideWrenchSeries> wrenches, const Vec3<double>& gravity,
                   int first, int last, bool in_lanes);
  /// Coefficients 0 to last of them, taken off the forces in lanes.
  void take_outside(std::span<const OutsideWrenchSeries> wrenches, const Vec3<double>& gravity,
                    int last);
  void clear_outside();
  SE3<double> pose_now(int body, bool in_lanes) const;
  void extend_pose_of(int body, const Vec3<double>& gravity, int last, bool in_lanes);
  Wrench<double> outside_in_body(const OutsideWrenchSeries& one, int k) const;
  bool in_lanes() const { return kernel.inverse_twists_in_lanes != nullptr; }

  const SeriesKernels& kernel = series_kernels();
  Robot robot;
  int order;
  SeriesStorage<double> storage;
  SeriesLanesStorage lanes;
  std::vector<double> v;           ///< [order + 2][nv] of the robot, where mimic joints share them
  std::vector<double> taus;        ///< [order + 2][nv] likewise
  std::vector<Twist<double>> V_0;  ///< [order + 2]
  bool ground_moves = false;
  bool has_outside = false;                 ///< F_ext of the workspace is not all zero
  std::vector<int> placed;                  ///< [bodies] coefficients of poses that are known
  std::vector<double> passive;              ///< [nv]
  std::vector<double> friction;             ///< [nv][3][order + 2] v / slip_speed, tanh, its slope
  std::vector<double> positions;            ///< [order + 1][nq] coefficients, for springs
  std::unique_ptr<BushingSeries> bushings;  ///< where there are any
};

}  // namespace jounce
