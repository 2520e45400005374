// SPDX-License-Identifier: BSD-3-Clause
// The rate of exponential coordinates, joint by joint.
#include <algorithm>
#include <jounce/model/manifold.hpp>
#include <jounce/rk4.hpp>

namespace jounce {
namespace {

void part_rate(JointKind kind, const double* u, const double* v, double* udot) {
  const Twist<double> rate = dexp_body_inv(manifold_twist(kind, u), manifold_twist(kind, v));
  manifold_velocity(kind, rate.w, rate.v, udot);
}

}  // namespace

void tangent_rate(const Robot& robot, std::span<const double> u, std::span<const double> v,
                  std::span<double> udot) {
  robot.check_v("tangent_rate", "u", u);
  robot.check_v("tangent_rate", "v", v);
  if (udot.size() != u.size())
    throw InputError("tangent_rate: udot has " + std::to_string(udot.size()) +
                     " elements, robot \"" + robot.name() + "\" needs " + std::to_string(u.size()));
  std::copy(v.begin(), v.end(), udot.begin());
  const Model<double>& m = robot.model();
  for (const JointInfo& joint : robot.joints()) {
    if (joint.mimic) continue;
    for (int p = m.part_at[joint.body]; p < m.part_at[joint.body + 1]; ++p) {
      const int at = m.part[p].v + joint.v - m.v_at[joint.body];
      if (!is_flat(m.part[p].kind))
        part_rate(m.part[p].kind, u.data() + at, v.data() + at, udot.data() + at);
    }
  }
}

}  // namespace jounce
