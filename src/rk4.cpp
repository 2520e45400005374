// SPDX-License-Identifier: BSD-3-Clause
// The rate of exponential coordinates, joint by joint.
#include <jounce/model/manifold.hpp>
#include <jounce/rk4.hpp>

namespace jounce {
void tangent_rate(const Robot& robot, std::span<const double> u, std::span<const double> v,
                  std::span<double> udot) {
  robot.check_v("tangent_rate", "u", u);
  robot.check_v("tangent_rate", "v", v);
  if (udot.size() != u.size())
    throw InputError("tangent_rate: udot has " + std::to_string(udot.size()) +
                     " elements, robot \"" + robot.name() + "\" needs " + std::to_string(u.size()));
  for (const Factor& f : factors(robot.system()))
    dexp_inv(f, u.data() + f.v, v.data() + f.v, udot.data() + f.v);
}

}  // namespace jounce
