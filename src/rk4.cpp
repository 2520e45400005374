// SPDX-License-Identifier: BSD-3-Clause
// The rate of exponential coordinates, joint by joint.
#include <algorithm>
#include <jounce/algorithm/coordinate_series.hpp>
#include <jounce/model/joint.hpp>
#include <jounce/rk4.hpp>

namespace jounce {
namespace {

void part_rate(const Part<double>& part, const double* u, const double* v, double* udot) {
  const Twist<double> rate = dexp_body_inv(part_twist(part, u), part_twist(part, v));
  switch (part.kind) {
    case JointKind::planar:
      udot[0] = rate.w.z, udot[1] = rate.v.x, udot[2] = rate.v.y;
      return;
    case JointKind::free:
      udot[3] = rate.v.x, udot[4] = rate.v.y, udot[5] = rate.v.z;
      [[fallthrough]];
    default:
      udot[0] = rate.w.x, udot[1] = rate.w.y, udot[2] = rate.w.z;
  }
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
      if (turns_with_its_body(m.part[p].kind))
        part_rate(m.part[p], u.data() + at, v.data() + at, udot.data() + at);
    }
  }
}

}  // namespace jounce
