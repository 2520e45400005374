// SPDX-License-Identifier: BSD-3-Clause
// Lengths, rates, Jacobians, statics and stiffness of Gough-Stewart platforms.
#include <algorithm>
#include <jounce/stewart/stewart.hpp>

#include "linear_algebra/elimination.hpp"
#include "stewart/rows.hpp"
#include "stewart/singular_values.hpp"
#include "stewart/stewart_checks.hpp"

namespace jounce {

using stewart_detail::body_rows;
using stewart_detail::check_finite;
using stewart_detail::check_lengths;
using stewart_detail::check_pose;
using stewart_detail::leg_in_platform;
using stewart_detail::positive_length;
using stewart_detail::set_row;
using stewart_detail::singular_values;
using stewart_detail::space_rows;
using stewart_detail::squared_residual;

namespace {

/// J with moments about the platform's centre, divided by its size.
Mat6<double> normalised(const Stewart& s, const SE3<double>& T) {
  Mat6<double> J;
  for (size_t i = 0; i < 6; ++i) {
    const Vec3<double> leg = leg_in_platform(T, s.base()[i], s.platform()[i]);
    const Vec3<double> u = leg * (1 / positive_length(leg));
    set_row(J, static_cast<int>(i),
            cross(s.platform()[i] - s.platform_centre(), u) * (1 / s.size()), u);
  }
  return J;
}

/// J^T r as a wrench.
Wrench<double> transposed_product(const Mat6<double>& J, const SixNumbers& r) {
  double sum[6] = {};
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) sum[j] += J(i, j) * r[static_cast<size_t>(i)];
  return {{sum[0], sum[1], sum[2]}, {sum[3], sum[4], sum[5]}};
}

/// A determinant this small against its size() is rounding: the pose is singular.
constexpr double singular_determinant = 1e-12;

dense::Elimination<> invertible(const Stewart& s, const SE3<double>& T, const char* call) {
  const dense::Elimination<> lu(normalised(s, T));
  if (!(std::abs(lu.determinant) > singular_determinant))
    throw ComputationError(std::string("stewart ") + call + ": the pose is singular");
  return lu;
}

}  // namespace

SixNumbers Stewart::lengths(const SE3<double>& T) const {
  check_pose("lengths", T);
  SixNumbers L;
  for (size_t i = 0; i < 6; ++i) L[i] = norm(T * platform_[i] - base_[i]);  // (16)
  return L;
}

SixNumbers Stewart::rates(const SE3<double>& T, const Twist<double>& V) const {
  check_pose("rates", T);
  check_finite("rates", "the twist", V.w, V.v);
  SixNumbers rates;
  for (size_t i = 0; i < 6; ++i) {
    const Vec3<double> leg = leg_in_platform(T, base_[i], platform_[i]);
    rates[i] = dot(leg, V.v + cross(V.w, platform_[i])) / positive_length(leg);
  }
  return rates;
}

/// With x = R^T leg and y = V.v + w x b (the velocity of b in platform axes):
/// L L' = x.y and L'^2 + L L'' = y.y + x.(v' + w' x b + w x y).
SixNumbers Stewart::accelerations(const SE3<double>& T, const Twist<double>& V,
                                  const Twist<double>& Vdot) const {
  check_pose("accelerations", T);
  check_finite("accelerations", "the twist", V.w, V.v);
  check_finite("accelerations", "the twist's derivative", Vdot.w, Vdot.v);
  SixNumbers second;
  for (size_t i = 0; i < 6; ++i) {
    const Vec3<double> x = leg_in_platform(T, base_[i], platform_[i]);
    const Vec3<double> y = V.v + cross(V.w, platform_[i]);
    const Vec3<double> ydot = Vdot.v + cross(Vdot.w, platform_[i]) + cross(V.w, y);
    const double L = positive_length(x), rate = dot(x, y) / L;
    second[i] = (dot(y, y) + dot(x, ydot) - rate * rate) / L;
  }
  return second;
}

Mat6<double> Stewart::jacobian_body(const SE3<double>& T) const {
  check_pose("jacobian_body", T);
  return body_rows(*this, T, true);
}
Mat6<double> Stewart::jacobian_space(const SE3<double>& T) const {
  check_pose("jacobian_space", T);
  return space_rows(*this, T, true);
}
Mat6<double> Stewart::residual_jacobian_body(const SE3<double>& T) const {
  check_pose("residual_jacobian_body", T);
  return body_rows(*this, T, false);
}
Mat6<double> Stewart::residual_jacobian_space(const SE3<double>& T) const {
  check_pose("residual_jacobian_space", T);
  return space_rows(*this, T, false);
}

SixNumbers Stewart::residual(const SE3<double>& T, const SixNumbers& lengths) const {
  check_pose("residual", T);
  check_lengths("residual", lengths);
  SixNumbers r;
  squared_residual(*this, lengths, T, r.data());
  return r;
}

double Stewart::objective(const SE3<double>& T, const SixNumbers& lengths) const {
  double sum = 0;
  for (const double r : residual(T, lengths)) sum += r * r;
  return sum / 2;  // (18)
}

Wrench<double> Stewart::objective_gradient_body(const SE3<double>& T,
                                                const SixNumbers& lengths) const {
  const SixNumbers r = residual(T, lengths);
  return transposed_product(body_rows(*this, T, false), r);
}
Wrench<double> Stewart::objective_gradient_space(const SE3<double>& T,
                                                 const SixNumbers& lengths) const {
  const SixNumbers r = residual(T, lengths);
  return transposed_product(space_rows(*this, T, false), r);
}

/// The normalised Jacobian acts on (size w, v_c), v_c = v + w x centre.
Twist<double> Stewart::twist(const SE3<double>& T, const SixNumbers& rates) const {
  check_pose("twist", T);
  check_finite("twist", "the rates", rates);
  double b[6], x[6];
  for (size_t i = 0; i < 6; ++i) b[i] = rates[i];
  invertible(*this, T, "twist").solve(b, x);
  const Vec3<double> w = Vec3<double>{x[0], x[1], x[2]} * (1 / size_);
  return {w, Vec3<double>{x[3], x[4], x[5]} - cross(w, centre_)};
}

SixNumbers Stewart::leg_forces(const SE3<double>& T, const Wrench<double>& F) const {
  check_pose("leg_forces", T);
  check_finite("leg_forces", "the wrench", F.m, F.f);
  const Vec3<double> m = (F.m - cross(centre_, F.f)) * (1 / size_);
  const double b[6] = {-m.x, -m.y, -m.z, -F.f.x, -F.f.y, -F.f.z};
  double x[6];
  invertible(*this, T, "leg_forces").solve_transposed(b, x);
  return {x[0], x[1], x[2], x[3], x[4], x[5]};
}

Wrench<double> Stewart::platform_wrench(const SE3<double>& T, const SixNumbers& forces) const {
  check_pose("platform_wrench", T);
  check_finite("platform_wrench", "the forces", forces);
  Wrench<double> F;
  for (size_t i = 0; i < 6; ++i) {
    const Vec3<double> leg = leg_in_platform(T, base_[i], platform_[i]);
    const Vec3<double> f = leg * (forces[i] / positive_length(leg));
    F += Wrench<double>{cross(platform_[i], f), f};
  }
  return F;
}

Mat6<double> Stewart::stiffness(const SE3<double>& T, const SixNumbers& leg_stiffness) const {
  check_pose("stiffness", T);
  check_finite("stiffness", "the legs' stiffnesses", leg_stiffness);
  const Mat6<double> J = body_rows(*this, T, true);
  Mat6<double> scaled = J;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) scaled(i, j) *= leg_stiffness[static_cast<size_t>(i)];
  return transpose(J) * scaled;
}

double Stewart::normalised_determinant(const SE3<double>& T) const {
  check_pose("normalised_determinant", T);
  return dense::Elimination<>(normalised(*this, T)).determinant;
}

double Stewart::singularity_distance(const SE3<double>& T) const {
  check_pose("singularity_distance", T);
  return singular_values(normalised(*this, T)).value[5];
}

}  // namespace jounce
