// SPDX-License-Identifier: BSD-3-Clause
// Allocation of a wrench to propeller speeds and back.
#include <algorithm>
#include <cmath>
#include <jounce/error.hpp>
#include <jounce/propellers.hpp>
#include <jounce/scalar/stumpff.hpp>
#include <string>

#include "linear_algebra/six_columns.hpp"
#include "numbers.hpp"

namespace jounce {
namespace {

void check_propeller(const Propeller& p, int place) {
  const auto refuse = [&](const std::string& what) {
    throw InputError("Propellers: propeller " + std::to_string(place) + ": " + what);
  };
  const double length = norm(p.axis);
  if (!(std::abs(length - 1) <= 1e-9))
    refuse("axis has length " + short_text(length) + ", needs 1");
  if (!std::isfinite(dot(p.position, p.position))) refuse("position is not finite");
  if (!(std::isfinite(p.thrust) && std::isfinite(p.drag))) refuse("a coefficient is not finite");
  if (p.spin != 1 && p.spin != -1) refuse("spin is " + std::to_string(p.spin) + ", needs 1 or -1");
}

}  // namespace

Propellers::Propellers(const std::vector<Propeller>& propellers) {
  if (propellers.empty()) throw InputError("Propellers: 0 propellers, needs 1 or more");
  for (const Propeller& p : propellers) {
    check_propeller(p, count() + 1);
    const Vec3<double> f = p.axis * p.thrust;
    const Vec3<double> m = cross(p.position, f) - p.axis * (p.spin * p.drag);  // (28)
    for (const double x : {m.x, m.y, m.z, f.x, f.y, f.z}) allocation_.push_back(x);
  }
  const int n = count();
  std::vector<double> Q(size_t(2 * dense::six_rows(n)));  // A^T = Q F, A^+ = Q G^T
  for (int k = 0; k < n; ++k) std::copy_n(allocation_.data() + 6 * k, 6, Q.data() + 8 * k);
  const dense::SixColumns span = dense::span_of(n, Q.data(), 0);
  rank_ = span.rank;
  inverse_.assign(allocation_.size(), 0.0);
  for (int j = 0; j < rank_; ++j)
    for (int i = 0; i < 6; ++i)
      for (int k = 0; k < n; ++k)
        inverse_[size_t(n * i + k)] += Q[size_t(n * j + k)] * span.G[j][i];
}

void Propellers::require_rows(const char* call, const char* what, long rows, long needed) {
  if (rows == needed) return;
  throw InputError(std::string("Propellers::") + call + ": " + what + " have " +
                   std::to_string(rows) + " rows, need " + std::to_string(needed));
}

/// With Taylor coefficients, u[k] = sum_l w[l] w[k-l].
void Propellers::to_wrench(const double* speeds, int orders, double* wrenches) const {
  const int n = count();
  for (int k = 0; k < orders; ++k) {
    std::fill_n(wrenches + 6 * k, 6, 0.0);
    for (int p = 0; p < n; ++p) {
      double u = 0;
      for (int l = 0; l <= k; ++l)
        u += speeds[n * l + p] * speeds[n * (k - l) + p] * detail::inverse_factorial(l) *
             detail::inverse_factorial(k - l);
      u /= detail::inverse_factorial(k);
      for (int i = 0; i < 6; ++i) wrenches[6 * k + i] += allocation_[size_t(6 * p + i)] * u;
    }
  }
}

/// Coefficient k of the squared speeds, checked where they must give the wrench.
void Propellers::allocate(const double* wrench, int k, bool exact, double* u) const {
  const int n = count();
  double missed = 0, size = 0;
  for (int p = 0; p < n; ++p) {
    u[p] = 0;
    for (int i = 0; i < 6; ++i) u[p] += inverse_[size_t(n * i + p)] * wrench[i];
  }
  for (int i = 0; i < 6; ++i) {
    double given = 0;
    for (int p = 0; p < n; ++p) given += allocation_[size_t(6 * p + i)] * u[p];
    missed = std::hypot(missed, given - wrench[i]);
    size = std::hypot(size, wrench[i]);
  }
  if (exact && !(missed <= 1e-9 * size))
    throw ComputationError("Propellers: " + std::to_string(n) + " propellers of rank " +
                           std::to_string(rank_) + " miss derivative " + std::to_string(k) +
                           " of the wrench by " + short_text(missed) + " of " + short_text(size));
  for (int p = 0; p < n; ++p) u[p] *= detail::inverse_factorial(k);
}

/// w[k] = (u[k] - sum_{0<l<k} w[l] w[k-l]) / (2 w[0]).
void Propellers::to_speeds(const double* wrenches, int orders, bool exact, double* speeds) const {
  const int n = count();
  const auto w = [&](int p, int k) -> double& { return speeds[n * k + p]; };
  for (int k = 0; k < orders; ++k) allocate(wrenches + 6 * k, k, exact, speeds + n * k);
  for (int p = 0; p < n && orders > 0; ++p) {
    if (!(w(p, 0) > 0))
      throw ComputationError("Propellers: propeller " + std::to_string(p + 1) +
                             " would need the squared speed " + std::to_string(w(p, 0)));
    w(p, 0) = std::sqrt(w(p, 0));
    for (int k = 1; k < orders; ++k) {
      for (int l = 1; l < k; ++l) w(p, k) -= w(p, l) * w(p, k - l);
      w(p, k) /= 2 * w(p, 0);
    }
    for (int k = 0; k < orders; ++k) w(p, k) /= detail::inverse_factorial(k);
  }
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
  return Propellers(all);
}

}  // namespace jounce
