// SPDX-License-Identifier: BSD-3-Clause
// Physical consistency of inertias: which a rigid body has, and the nearest of those to others.
//
// The second moment of mass about the com, tr(I)/2 1 - I, is not negative in any direction: its
// principal values are half of (b + c - a), (c + a - b), (a + b - c) for principal moments a, b, c,
// the triangle inequalities, which imply that a, b, c themselves are not negative.
#include <algorithm>
#include <array>
#include <cmath>

#include "linear_algebra/symmetric.hpp"
#include "model/check.hpp"
#include "numbers.hpp"

namespace jounce {
namespace {

using Moments = std::array<double, 3>;

/// Principal moments, ascending, and their axes.
struct PrincipalInertia {
  Moments moment;
  std::array<Vec3<double>, 3> axis;
};

PrincipalInertia principal(const Sym3<double>& I) {
  double S[9] = {I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz}, U[9];
  dense::diagonalise(3, S, U);
  std::array<size_t, 3> order = {0, 1, 2};
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return S[4 * a] < S[4 * b]; });
  PrincipalInertia result;
  for (size_t k = 0; k < 3; ++k) {
    const double* column = U + 3 * order[k];
    result.moment[k] = S[4 * order[k]];
    result.axis[k] = {column[0], column[1], column[2]};
  }
  return result;
}

/// Files round their numbers.
double rounding_of(const Moments& moment) { return 1e-6 * std::abs(moment[2]); }

/// The point nearest to ascending moments in the cone of the triangle inequalities: itself, on the
/// face a + b = c, on the edge (0, t, t), or zero.
Moments nearest_moments(const Moments& m) {
  const double excess = m[2] - m[0] - m[1];
  if (excess <= 0) return m;
  const Moments face = {m[0] + excess / 3, m[1] + excess / 3, m[2] - excess / 3};
  if (face[0] >= 0) return face;
  const double t = std::max(0.0, (m[1] + m[2]) / 2);
  return {0, t, t};
}

std::string moments_text(const Moments& m) {
  return short_text(m[0]) + ", " + short_text(m[1]) + ", " + short_text(m[2]);
}

void check_finite(const LinkDescription& link) {
  const Sym3<double>& I = link.I_com;
  const double sum = I.xx + I.xy + I.yy + I.xz + I.yz + I.zz;
  if (link.mass >= 0 && std::isfinite(link.mass) && is_finite(link.com) && std::isfinite(sum))
    return;
  const std::string where = named("link", link.name);
  if (!std::isfinite(link.mass) || link.mass < 0)
    throw InputError(where + ": mass " + short_text(link.mass) +
                     " must be finite and not negative");
  if (!is_finite(link.com))
    throw InputError(where + ": com " + short_text(link.com) + " is not finite");
  for (const double x : {I.xx, I.xy, I.yy, I.xz, I.yz, I.zz})
    if (!std::isfinite(x)) throw InputError(where + ": inertia is not finite");
}

}  // namespace

std::string inertia_defect(const LinkDescription& link) {
  const Moments m = principal(link.I_com).moment;
  const double rounding = rounding_of(m);
  if (m[0] < -rounding)
    return "inertia is not positive definite (principal moment " + short_text(m[0]) + ")";
  if (m[0] + m[1] < m[2] - rounding)
    return "inertia violates the triangle inequality (principal moments " + moments_text(m) + ")";
  return link.mass == 0 && m[2] > 0 ? "has inertia but no mass" : "";
}

Sym3<double> nearest_inertia(const LinkDescription& link) {
  if (link.mass == 0) return {};
  const PrincipalInertia from = principal(link.I_com);
  const Moments to = nearest_moments(from.moment);
  Sym3<double> I{};
  for (size_t k = 0; k < 3; ++k) {
    const Vec3<double>& u = from.axis[k];
    I.xx += to[k] * u.x * u.x, I.xy += to[k] * u.x * u.y, I.yy += to[k] * u.y * u.y;
    I.xz += to[k] * u.x * u.z, I.yz += to[k] * u.y * u.z, I.zz += to[k] * u.z * u.z;
  }
  return I;
}

void check_inertias(const RobotDescription& robot, Notices& notices) {
  for (const LinkDescription& link : robot.links) {
    const bool finite = notices.attempt(Subject::link, link.name, [&] { check_finite(link); });
    if (!finite || !notices.wants(FindingKind::inertia)) continue;
    if (const std::string defect = inertia_defect(link); !defect.empty())
      notices.add({Subject::link, link.name, FindingKind::inertia,
                   named("link", link.name) + ": " + defect});
  }
}

}  // namespace jounce
