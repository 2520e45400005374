// SPDX-License-Identifier: BSD-3-Clause
// Dynamics of double and float, and what only double has.
#include <jounce/door/dynamics.hpp>

#include "kernels/kernel_tree.hpp"
#include "state_check.hpp"

namespace jounce {

template <>
Vec3<double> Dynamics::zero_moment_point(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                                         const Plane& plane, const Surroundings& around) {
  Impl& d = *impl_;
  const char* name = "zero_moment_point";
  const std::span<const double> at = q, speed = v, change = a;
  d.check(name, at, {{"v", speed}, {"a", change}}, around);
  const double length = norm(plane.normal);
  if (!(length > 0) || !std::isfinite(length) || !std::isfinite(norm(plane.point)))
    throw InputError("zero_moment_point: the plane needs a finite point and a normal");
  d.equations().inverse_with_wrenches({at.data(), speed.data(), change.data()}, around);
  const Wrench<double>& F = d.workspace().F[0];
  const Vec3<double> n = plane.normal * (1 / length), moment = F.m - cross(plane.point, F.f);
  const double push = dot(n, F.f);
  if (!detail::finite(F)) throw_not_finite(name, "the wrench of the ground");
  if (!(push > 1e-9 * norm(F.f)))
    throw ComputationError("zero_moment_point: the ground does not push along the normal");
  const Vec3<double> point = plane.point + cross(n, moment) * (1 / push);
  if (!detail::finite(point)) throw_not_finite(name, "the point");
  return point;
}

template class BasicDynamics<double>;
template class BasicDynamics<float>;

}  // namespace jounce
