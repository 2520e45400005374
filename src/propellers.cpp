// SPDX-License-Identifier: BSD-3-Clause
// Allocation of a wrench to propeller speeds and back.
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <jounce/error.hpp>
#include <jounce/propellers.hpp>
#include <jounce/scalar/stumpff.hpp>
#include <string>

namespace jounce {

namespace {

using Matrix6 = Eigen::Matrix<double, 6, 6>;

}  // namespace

Propellers::Propellers(std::vector<Propeller> propellers) {
  if (propellers.size() != 6)
    throw InputError("Propellers: " + std::to_string(propellers.size()) + " propellers, needs 6");
  for (int k = 0; k < 6; ++k) {
    const Propeller& p = propellers[static_cast<size_t>(k)];
    const Vec3<double> f = p.axis * p.thrust;
    const Vec3<double> m = cross(p.position, f) - p.axis * (p.spin * p.drag);  // (28)
    const double column[6] = {m.x, m.y, m.z, f.x, f.y, f.z};
    std::copy(column, column + 6, allocation_ + 6 * k);
  }
  const Eigen::FullPivLU<Matrix6> lu(allocation());
  if (!lu.isInvertible()) throw InputError("Propellers: these propellers cannot give every wrench");
  Matrix6::Map(inverse_) = lu.inverse();
}

void Propellers::require_six(const char* call, const char* what, long rows) {
  if (rows == 6) return;
  throw InputError(std::string("Propellers::") + call + ": " + what + " have " +
                   std::to_string(rows) + " rows, need 6");
}

/// With u = w^2 and Taylor coefficients, w[k] = (u[k] - sum_{0<l<k} w[l] w[k-l]) / (2 w[0]).
void Propellers::to_speeds(std::span<double> columns) const {
  if (columns.size() % 6 != 0)
    throw InputError("Propellers::to_speeds: " + std::to_string(columns.size()) +
                     " numbers, needs six for every order");
  const int orders = static_cast<int>(columns.size()) / 6;
  Eigen::Map<Eigen::Matrix<double, 6, Eigen::Dynamic>> w(columns.data(), 6, orders);
  const Eigen::Map<const Matrix6> inverse(inverse_);
  for (int k = 0; k < orders; ++k) {
    const Eigen::Matrix<double, 6, 1> u = inverse * w.col(k) * detail::inverse_factorial(k);
    w.col(k) = u;
  }
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
