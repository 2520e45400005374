// SPDX-License-Identifier: BSD-3-Clause
// Damping, Coulomb friction and springs as power series in time.
//
// y = tanh(x) obeys y' = (1 - y^2) x'. A spring's deflection is the difference on the joint's
// manifold: where that is a logarithm (planar, spherical, free), it is evaluated on Taylor numbers.
#include <algorithm>
#include <cmath>
#include <jounce/algorithm/coordinate_series.hpp>
#include <jounce/algorithm/series_joint.hpp>
#include <jounce/algorithm/spring_deflection.hpp>

#include "dynamics/series_impl.hpp"

namespace jounce {
namespace {

using Series = Taylor<double, highest_order>;

/// Coefficient k of friction tanh(v / slip_speed).
double coulomb(const Rows<double>& v, int j, int k, double* y, double* slope) {
  const auto x = [&](int l) { return v[l][j] / slip_speed; };
  if (k == 0) {
    y[0] = std::tanh(x(0));
    slope[0] = 1 - y[0] * y[0];
    return y[0];
  }
  y[k] = slope[k] = 0;
  for (int l = 1; l <= k; ++l) y[k] += l * x(l) * slope[k - l] / k;
  for (int l = 0; l <= k; ++l) slope[k] -= y[l] * y[k - l];
  return y[k];
}

/// The pose away from rest as a Taylor number, to coefficient k: T' = T [S v].
SE3<Series> relative_pose(const Part<double>& part, const SE3<double>& start, const Rows<double>& v,
                          int k) {
  SE3<double> T[highest_order + 1];
  Twist<double> V_J[highest_order + 1];
  T[0] = start;
  for (int l = 1; l <= k; ++l) {
    V_J[l - 1] = part_twist(part, v[l - 1] + part.v);
    detail::extend_pose(V_J, l, T);
  }
  const auto number = [&](auto entry) {
    Series x;
    for (int l = 0; l <= k; ++l) x.c[l] = entry(T[l]);
    return x;
  };
  const auto vector = [&](auto row) {
    return Vec3<Series>{number([&](const SE3<double>& at) { return row(at).x; }),
                        number([&](const SE3<double>& at) { return row(at).y; }),
                        number([&](const SE3<double>& at) { return row(at).z; })};
  };
  SE3<Series> pose;
  for (int n = 0; n < 3; ++n)
    pose.R.m.row[n] = vector([n](const SE3<double>& at) { return at.R.m.row[n]; });
  pose.p = vector([](const SE3<double>& at) { return at.p; });
  return pose;
}

/// Coefficient k of the difference of a planar, spherical or free part from its rest.
void manifold_deflection(const Part<double>& part, const double* rest, const double* q,
                         const Rows<double>& v, int k, double* to) {
  const SE3<double> start = inverse_times(detail::manifold_pose<double>(part.kind, rest),
                                          detail::manifold_pose<double>(part.kind, q));
  const SE3<Series> T = relative_pose(part, start, v, k);
  Vec3<Series> w;
  if (part.kind == JointKind::planar) {  // a plain angle, which may exceed pi
    w.z.c[0] = q[2] - rest[2];
    for (int l = 1; l <= k; ++l) w.z.c[l] = v[l - 1][part.v] / l;
  } else {
    w = log(T.R);
  }
  const Vec3<Series> p =
      part.kind == JointKind::spherical ? Vec3<Series>{} : dexp_space_inv(w, T.p);
  if (part.kind == JointKind::planar) {
    to[0] = w.z.c[k], to[1] = p.x.c[k], to[2] = p.y.c[k];
    return;
  }
  to[0] = w.x.c[k], to[1] = w.y.c[k], to[2] = w.z.c[k];
  if (part.kind == JointKind::free) to[3] = p.x.c[k], to[4] = p.y.c[k], to[5] = p.z.c[k];
}

/// Coefficient k of the difference from rest of all coordinates that a spring holds.
void deflections(const Robot& robot, const double* q, const Rows<double>& v, int k, double* to) {
  const Model<double>& m = robot.model();
  const PassiveData& passive = robot.passive();
  for (const JointInfo& joint : robot.joints()) {
    if (joint.mimic) continue;
    for (int n = m.part_at[joint.body]; n < m.part_at[joint.body + 1]; ++n) {
      Part<double> part = m.part[n];
      part.q += joint.q - m.q_at[joint.body];
      part.v += joint.v - m.v_at[joint.body];
      const int dof = part.kind == JointKind::custom ? joint.nv : elementary_nv(part.kind);
      const double* stiffness = passive.stiffness.data() + part.v;
      if (std::all_of(stiffness, stiffness + dof, [](double x) { return x == 0; })) continue;
      const double* rest = passive.rest.data() + part.q;
      if (turns_with_its_body(part.kind)) {
        manifold_deflection(part, rest, q + part.q, v, k, to + part.v);
        continue;
      }
      for (int j = 0; j < dof; ++j)
        to[part.v + j] = k == 0 ? q[part.q + j] - rest[j] : v[k - 1][part.v + j] / k;
    }
  }
}

}  // namespace

const double* SeriesImpl::passive_forces(const Robot& robot, const double* q, int k) {
  const PassiveData& p = robot.passive();
  const Rows<double> rates = own_v(robot);
  const int n = order + 2;
  for (int j = 0; j < robot.nv(); ++j) {
    const auto at = size_t(j);
    passive[at] = p.damping[at] * rates[k][j];
    if (p.friction[at] != 0)
      passive[at] += p.friction[at] *
                     coulomb(rates, j, k, &tanh_row[size_t(n) * at], &slope_row[size_t(n) * at]);
  }
  if (!robot.has_springs()) return passive.data();
  std::fill(deflection.begin(), deflection.end(), 0.0);
  deflections(robot, q, rates, k, deflection.data());
  for (size_t j = 0; j < passive.size(); ++j) passive[j] += p.stiffness[j] * deflection[j];
  return passive.data();
}

}  // namespace jounce
