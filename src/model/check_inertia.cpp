// SPDX-License-Identifier: BSD-3-Clause
// Whether a link's mass, com and inertia are those of a rigid body.
//
// The second moment of mass about the com, tr(I)/2 1 - I, is not negative in any direction: its
// principal values are half of (b + c - a), (c + a - b), (a + b - c) for principal moments a, b, c,
// the triangle inequalities, which imply that a, b, c themselves are not negative.
#include <algorithm>
#include <array>
#include <cmath>
#include <jounce/model/physical_inertia.hpp>

#include "linear_algebra/symmetric.hpp"
#include "model/check.hpp"
#include "numbers.hpp"

namespace jounce {
namespace {

using Moments = std::array<double, 3>;

/// Principal moments, ascending.
Moments principal_moments(const Sym3<double>& I) {
  double S[9] = {I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz}, axes[9];
  dense::diagonalise(3, S, axes);
  Moments found = {S[0], S[4], S[8]};
  std::sort(found.begin(), found.end());
  return found;
}

/// Files round their numbers.
double rounding_of(const Moments& moment) { return 1e-6 * std::abs(moment[2]); }

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
  const Moments m = principal_moments(link.I_com);
  const double rounding = rounding_of(m);
  if (m[0] < -rounding)
    return "inertia is not positive definite (principal moment " + short_text(m[0]) + ")";
  if (m[0] + m[1] < m[2] - rounding)
    return "inertia violates the triangle inequality (principal moments " + moments_text(m) + ")";
  return link.mass == 0 && m[2] > 0 ? "has inertia but no mass" : "";
}

Sym3<double> nearest_inertia(const LinkDescription& link) {
  if (link.mass == 0) return {};
  return nearest_physical({link.mass, {}, link.I_com}).I;
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
