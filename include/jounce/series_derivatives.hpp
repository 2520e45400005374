// SPDX-License-Identifier: BSD-3-Clause
// First partial derivatives of inverse and forward dynamics of any order.
//
//   jounce::SeriesDerivatives d(arm, 2);          // up to tau'' and snap
//   d.inverse_series(q, motion);                  // motion: v, a, jerk, snap
//   Eigen::MatrixXd x = d.force(2, 3);            // d tau''/d jerk
// s counts what a derivative is by: 0 is q (along integrate(q, dv)), 1 is v, then a, jerk, ... for
// forces, and tau, tau', ... for accelerations.
#pragma once

#include <jounce/dynamics.hpp>

namespace jounce {

/// No call allocates.
class SeriesDerivatives {
 public:
  /// Order 0 to 16 (InputError above).
  SeriesDerivatives(Robot robot, int order);
  SeriesDerivatives(SeriesDerivatives&&) noexcept;
  SeriesDerivatives& operator=(SeriesDerivatives&&) noexcept;
  ~SeriesDerivatives();

  const Robot& robot() const;
  int order() const;

  /// For a motion v, a, ..., v^(order + 1). Returns tau, tau', ..., as Dynamics::inverse_series.
  MatrixView inverse_series(const VectorArg& q, const MatrixArg& motion,
                            const SeriesSurroundings& around = {});
  /// d tau^(r) / d number s, s up to r + 2, after inverse_series; nv x nv.
  MatrixView force(int r, int s) const;

  /// For forces tau, ..., tau^(order). Returns the motion, as Dynamics::forward_series.
  MatrixView forward_series(const VectorArg& q, const VectorArg& v, const MatrixArg& taus,
                            const SeriesSurroundings& around = {});
  /// d a^(r) / d number s, s up to r + 2, after forward_series; nv x nv.
  MatrixView acceleration(int r, int s) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace jounce
