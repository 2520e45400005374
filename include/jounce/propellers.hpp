// SPDX-License-Identifier: BSD-3-Clause
// Propellers that are fixed to a body: from their speeds to the wrench on it and back.
//
// [Ali] (28): at speed w a propeller gives the force f = k_f w^2 z along its axis z at its place x,
// and the moment x cross f - spin k_d w^2 z about the body's origin. The sum over six propellers in
// general position is an invertible map from squared speeds to wrenches.
#pragma once

#include <Eigen/Core>
#include <jounce/group/se3.hpp>
#include <span>
#include <vector>

namespace jounce {

struct Propeller {
  Vec3<double> position, axis;  ///< axis: unit vector of the thrust, in the body's frame
  double thrust = 0, drag = 0;  ///< N s^2, N m s^2
  int spin = 1;                 ///< +1: it turns positively about its axis
};

class Propellers {
 public:
  /// InputError unless there are six whose allocation is invertible.
  explicit Propellers(std::vector<Propeller> propellers);

  /// Column k is the wrench of propeller k at unit squared speed, moment first.
  Eigen::Map<const Eigen::Matrix<double, 6, 6>> allocation() const {
    return Eigen::Map<const Eigen::Matrix<double, 6, 6>>(allocation_);
  }
  /// The wrench on the body, in its frame at its origin, moment first.
  template <class Vector>
  Eigen::Matrix<double, 6, 1> wrench(const Eigen::MatrixBase<Vector>& speeds) const {
    require_six("wrench", "speeds", speeds.rows());
    return allocation() * speeds.cwiseAbs2();
  }
  /// Speeds and their derivatives (one column per order) from the wrench and its derivatives.
  /// ComputationError where a propeller would have to pull backwards.
  template <class Matrix>
  Eigen::Matrix<double, 6, Eigen::Dynamic> speeds(const Eigen::MatrixBase<Matrix>& wrenches) const {
    require_six("speeds", "wrenches", wrenches.rows());
    Eigen::Matrix<double, 6, Eigen::Dynamic> columns = wrenches;
    to_speeds({columns.data(), static_cast<size_t>(columns.size())});
    return columns;
  }
  /// The same in place: six numbers per order, InputError where some are left over.
  void to_speeds(std::span<double> columns) const;

 private:
  static void require_six(const char* call, const char* what, long rows);

  double allocation_[36], inverse_[36];  // column by column: no Eigen type in a compiled class
};

/// Six propellers around the z axis, the first on +x, tilted about their arms by +tilt and -tilt
/// and spinning + and - in turn.
Propellers tilted_hexarotor(double arm, double height, double tilt, double thrust, double drag);

}  // namespace jounce
