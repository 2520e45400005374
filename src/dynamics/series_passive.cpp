// SPDX-License-Identifier: BSD-3-Clause
// Damping, Coulomb friction and springs as power series in time.
//
// y = tanh(x) obeys y' = (1 - y^2) x'. Where a spring's deflection is a logarithm (planar,
// spherical, free), it and the force are evaluated on Taylor numbers.
#include <algorithm>
#include <cmath>
#include <jounce/algorithm/coordinate_series.hpp>
#include <jounce/algorithm/series_joint.hpp>
#include <jounce/equations/passive.hpp>

#include "dynamics/series_impl.hpp"

namespace jounce {
namespace {

/// Coefficient k of coulomb(v), those below it at hand.
double coulomb_coefficient(const Rows<double>& v, int j, int k, double* y, double* slope) {
  const auto x = [&](int l) { return v[l][j] / slip_speed; };
  if (k == 0) {
    y[0] = std::tanh(x(0));
    slope[0] = sech_squared(x(0));
    return y[0];
  }
  y[k] = slope[k] = 0;
  for (int l = 1; l <= k; ++l) y[k] += l * x(l) * slope[k - l] / k;
  for (int l = 0; l <= k; ++l) slope[k] -= y[l] * y[k - l];
  return y[k];
}

/// The pose away from rest as a Taylor number, to coefficient k <= K: T' = T [S v].
template <int K>
SE3<Taylor<double, K>> relative_pose(const Factor& spring, const SE3<double>& start,
                                     const Rows<double>& v, int k) {
  SE3<double> T[K + 1];
  Twist<double> V_J[K + 1];
  T[0] = start;
  for (int l = 1; l <= k; ++l) {
    V_J[l - 1] = manifold_twist(spring.kind, v[l - 1] + spring.v);
    detail::extend_pose(V_J, l, T);
  }
  return taylor_pose<K>(T, k);
}

/// Coefficient k <= K of what a spring on a planar, spherical or free part takes.
template <int K>
void spring_coefficient(const Factor& spring, const double* rest, const double* stiffness,
                        const double* q, const Rows<double>& v, int k, double* to) {
  const SE3<double> start = inverse_times(manifold_pose<double>(spring.kind, rest),
                                          manifold_pose<double>(spring.kind, q));
  using Series = Taylor<double, K>;
  const SE3<Series> T = relative_pose<K>(spring, start, v, k);
  Vec3<Series> w;
  if (spring.kind == JointKind::planar) {
    w.z.c[0] = principal_angle(q[2] - rest[2]);
    for (int l = 1; l <= k; ++l) w.z.c[l] = v[l - 1][spring.v] / l;
  } else {
    w = log(T.R);
  }
  Series u[6], taken[6];
  manifold_velocity(spring.kind, w, dexp_space_inv(w, T.p), u);
  manifold_spring(spring.kind, stiffness, u, taken);
  for (int j = 0; j < spring.nv; ++j) to[j] += taken[j].c[k];
}

/// Adds coefficient k of what all springs take.
void add_spring_coefficients(const Passive<double>& passive, const double* q, const Rows<double>& v,
                             int k, double* to) {
  for (const Factor& spring : springs(passive)) {
    const double* rest = passive.rest + spring.q;
    const double* stiffness = passive.stiffness + spring.v;
    if (!is_flat(spring.kind)) {  // a logarithm's cost grows as the cube of the order
      const auto coefficient = k <= 2   ? spring_coefficient<2>
                               : k <= 5 ? spring_coefficient<5>
                                        : spring_coefficient<highest_order>;
      coefficient(spring, rest, stiffness, q + spring.q, v, k, to + spring.v);
      continue;
    }
    for (int j = 0; j < spring.nv; ++j)
      to[spring.v + j] +=
          stiffness[j] * (k == 0 ? q[spring.q + j] - rest[j] : v[k - 1][spring.v + j] / k);
  }
}

}  // namespace

const double* SeriesImpl::passive_forces(const Robot& robot, const double* q, int k) {
  const Passive<double>& p = robot.system().passive;
  const Rows<double> rates = own_v(robot);
  const int n = order + 2;
  for (int j = 0; j < robot.nv(); ++j) {
    const auto at = size_t(j);
    passive[at] = p.damping[at] * rates[k][j];
    if (p.friction[at] != 0)
      passive[at] += p.friction[at] * coulomb_coefficient(rates, j, k, &tanh_row[size_t(n) * at],
                                                          &slope_row[size_t(n) * at]);
  }
  add_spring_coefficients(p, q, rates, k, passive.data());
  return passive.data();
}

}  // namespace jounce
