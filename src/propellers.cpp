// SPDX-License-Identifier: BSD-3-Clause
// Allocation of a wrench to propeller speeds and back.
#include <Eigen/LU>
#include <cmath>
#include <jounce/error.hpp>
#include <jounce/propellers.hpp>
#include <jounce/scalar/stumpff.hpp>
#include <string>

namespace jounce {

Propellers::Propellers(std::vector<Propeller> propellers) {
  if (propellers.size() != 6)
    throw InputError("Propellers: " + std::to_string(propellers.size()) + " propellers, needs 6");
  for (int k = 0; k < 6; ++k) {
    const Propeller& p = propellers[static_cast<size_t>(k)];
    const Vec3<double> f = p.axis * p.thrust;
    const Vec3<double> m = cross(p.position, f) - p.axis * (p.spin * p.drag);  // (28)
    allocation_.col(k) << m.x, m.y, m.z, f.x, f.y, f.z;
  }
  const Eigen::FullPivLU<Eigen::Matrix<double, 6, 6>> lu(allocation_);
  if (!lu.isInvertible()) throw InputError("Propellers: these propellers cannot give every wrench");
  inverse_ = lu.inverse();
}

Eigen::Matrix<double, 6, 1> Propellers::wrench(const Eigen::Matrix<double, 6, 1>& speeds) const {
  return allocation_ * speeds.cwiseAbs2();
}

/// With u = w^2 and Taylor coefficients, w[k] = (u[k] - sum_{0<l<k} w[l] w[k-l]) / (2 w[0]).
Eigen::Matrix<double, 6, Eigen::Dynamic> Propellers::speeds(
    const Eigen::Matrix<double, 6, Eigen::Dynamic>& wrenches) const {
  Eigen::Matrix<double, 6, Eigen::Dynamic> w = inverse_ * wrenches;
  const auto orders = static_cast<int>(w.cols());
  for (int k = 0; k < orders; ++k) w.col(k) *= detail::inverse_factorial(k);
  for (int i = 0; i < 6 && orders > 0; ++i) {
    if (!(w(i, 0) > 0))
      throw ComputationError("Propellers: propeller " + std::to_string(i + 1) +
                             " would need the squared speed " + std::to_string(w(i, 0)));
    w(i, 0) = std::sqrt(w(i, 0));
    for (int k = 1; k < orders; ++k) {
      for (int l = 1; l < k; ++l) w(i, k) -= w(i, l) * w(i, k - l);
      w(i, k) /= 2 * w(i, 0);
    }
  }
  for (int k = 0; k < orders; ++k) w.col(k) /= detail::inverse_factorial(k);
  return w;
}

Propellers tilted_hexarotor(double arm, double height, double tilt, double thrust, double drag) {
  std::vector<Propeller> all;
  for (int k = 0; k < 6; ++k) {
    const double angle = k * M_PI / 3, lean = k % 2 == 0 ? tilt : -tilt;
    const double c = std::cos(angle), s = std::sin(angle);
    all.push_back({.position = {arm * c, arm * s, height},
                   .axis = {s * std::sin(lean), -c * std::sin(lean), std::cos(lean)},
                   .thrust = thrust,
                   .drag = drag,
                   .spin = k % 2 == 0 ? 1 : -1});
  }
  return Propellers(std::move(all));
}

}  // namespace jounce
