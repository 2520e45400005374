// SPDX-License-Identifier: BSD-3-Clause
// Propellers that are fixed to a body: from their speeds to the wrench on it and back.
//
// [Ali] (28): at speed w a propeller gives the force f = k_f w^2 z along its axis z at its place x,
// and the moment x cross f - spin k_d w^2 z about the body's origin. Squared speeds u = w^2 give
// the wrench A u. Back: u = A^+ wrench, of all u that come nearest the one of least size; six
// propellers in general position can give every wrench, more of them in many ways, fewer not all.
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
  /// InputError without any, or where one has an axis that is no unit vector, or bad numbers.
  explicit Propellers(const std::vector<Propeller>& propellers);

  int count() const { return int(allocation_.size()) / 6; }
  /// The dimension of the wrenches that they can give.
  int rank() const { return rank_; }
  /// Column k is the wrench of propeller k at unit squared speed, moment first.
  Eigen::Map<const Eigen::Matrix<double, 6, Eigen::Dynamic>> allocation() const {
    return {allocation_.data(), 6, count()};
  }
  /// The wrench on the body, in its frame at its origin, moment first; of speeds with derivatives
  /// (one column per order) the wrench with its derivatives.
  template <class Matrix>
  Eigen::Matrix<double, 6, Eigen::Dynamic> wrench(const Eigen::MatrixBase<Matrix>& speeds) const {
    require_rows("wrench", "speeds", speeds.rows(), count());
    const Eigen::MatrixXd given = speeds;
    Eigen::Matrix<double, 6, Eigen::Dynamic> found(6, given.cols());
    to_wrench(given.data(), int(given.cols()), found.data());
    return found;
  }
  /// Speeds and their derivatives from the wrench and its derivatives. ComputationError where the
  /// propellers cannot give it, or one would have to pull backwards.
  template <class Matrix>
  Eigen::MatrixXd speeds(const Eigen::MatrixBase<Matrix>& wrenches) const {
    return speeds_for(wrenches, true);
  }
  /// The same for the wrench nearest to it that they can give, in N and N m alike.
  template <class Matrix>
  Eigen::MatrixXd nearest_speeds(const Eigen::MatrixBase<Matrix>& wrenches) const {
    return speeds_for(wrenches, false);
  }
  /// A^+ wrench, whatever its signs.
  template <class Vector>
  Eigen::VectorXd squared_speeds(const Eigen::MatrixBase<Vector>& wrench) const {
    require_rows("squared_speeds", "wrench", wrench.rows(), 6);
    const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, 6>> back(inverse_.data(), count(),
                                                                          6);
    return back * wrench;
  }

 private:
  template <class Matrix>
  Eigen::MatrixXd speeds_for(const Eigen::MatrixBase<Matrix>& wrenches, bool exact) const {
    require_rows("speeds", "wrenches", wrenches.rows(), 6);
    const Eigen::Matrix<double, 6, Eigen::Dynamic> given = wrenches;
    Eigen::MatrixXd found(count(), given.cols());
    to_speeds(given.data(), int(given.cols()), exact, found.data());
    return found;
  }
  static void require_rows(const char* call, const char* what, long rows, long needed);
  /// Column by column, a column per order.
  void to_wrench(const double* speeds, int orders, double* wrenches) const;
  void allocate(const double* wrench, int k, bool exact, double* u) const;
  void to_speeds(const double* wrenches, int orders, bool exact, double* speeds) const;

  int rank_ = 0;
  std::vector<double> allocation_, inverse_;  // 6 x n and n x 6, column by column
};

/// Six propellers around the z axis, the first on +x, tilted about their arms by +tilt and -tilt
/// and spinning + and - in turn.
Propellers tilted_hexarotor(double arm, double height, double tilt, double thrust, double drag);

}  // namespace jounce
