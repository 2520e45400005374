// SPDX-License-Identifier: BSD-3-Clause
// The charts mu_T of [Xie] (16), (19), (20): numbers for poses, and the objective phi as a function
// of them. The six methods move on these.
#pragma once

#include <jounce/stewart/methods.hpp>
#include <span>

namespace jounce {

/// phi o mu_T at one point of a chart.
struct ChartValue {
  SE3<double> pose;              ///< mu_T(x)
  std::vector<double> residual;  ///< r, (17); on quaternions |q|^2 - 1 after them
  std::vector<double> jacobian;  ///< dr/dx by rows, square
  double objective = 0;          ///< r.r / 2, (19)
  std::vector<double> gradient;  ///< of it, J^T r
};

/// mu_T: x -> T exp(x) or exp(x) T on SE(3), (p, q) -> pose on quaternions (x, y, z, w), and
/// (p, phi, theta, psi) -> Rz(psi) Ry(theta) Rx(phi), p.
class PoseChart {
 public:
  /// at: the pose with x = 0 on SE(3); the two others have no such pose and leave it.
  explicit PoseChart(StewartChart kind, const SE3<double>& at = {},
                     Increment increment = Increment::body);

  int unknowns() const noexcept { return kind_ == StewartChart::quaternion ? 7 : 6; }
  /// x with pose(x) = T: rotations by at most pi, theta between -pi/2 and pi/2.
  std::vector<double> coordinates(const SE3<double>& T) const;
  /// mu_T(x). Throws InputError for another number of unknowns and quaternions of no length.
  SE3<double> pose(std::span<const double> x) const;
  ChartValue evaluate(const Stewart& platform, const SixNumbers& lengths,
                      std::span<const double> x) const;

 private:
  StewartChart kind_;
  SE3<double> at_;
  Increment increment_;
};

}  // namespace jounce
