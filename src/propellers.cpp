// SPDX-License-Identifier: BSD-3-Clause
// Allocation of a wrench to propeller speeds and back.
#include <algorithm>
#include <cmath>
#include <jounce/error.hpp>
#include <jounce/propellers.hpp>
#include <jounce/scalar/stumpff.hpp>
#include <string>

#include "linear_algebra/elimination.hpp"
#include "linear_algebra/six_columns.hpp"

namespace jounce {

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
  double room[36];
  std::copy(allocation_, allocation_ + 36, room);
  if (dense::span_of(6, room, 0).rank < 6)
    throw InputError("Propellers: these propellers cannot give every wrench");
  dense::Elimination<6>([this](int i, int j) { return allocation_[6 * j + i]; }).inverse(inverse_);
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
  const auto w = [&](int i, int k) -> double& { return columns[static_cast<size_t>(6 * k + i)]; };
  for (int k = 0; k < orders; ++k) {
    double u[6] = {};
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < 6; ++i) u[i] += inverse_[6 * j + i] * w(j, k);
    for (int i = 0; i < 6; ++i) w(i, k) = u[i] * detail::inverse_factorial(k);
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
  for (int k = 0; k < orders; ++k)
    for (int i = 0; i < 6; ++i) w(i, k) /= detail::inverse_factorial(k);
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
