// SPDX-License-Identifier: BSD-3-Clause
// Another gravity, another base.
#include <algorithm>
#include <cmath>

#include "model/edit.hpp"

namespace jounce {
namespace {

bool is_identity(const SE3<double>& T) {
  const auto& [a, b, c] = T.R.m.row;
  return T.p.x == 0 && T.p.y == 0 && T.p.z == 0 && a.x == 1 && a.y == 0 && a.z == 0 && b.x == 0 &&
         b.y == 1 && b.z == 0 && c.x == 0 && c.y == 0 && c.z == 1;
}

/// "base", or the first of base_free, base_free_2, ... where that is taken.
std::string base_name(const std::vector<JointDescription>& joints) {
  const auto is_taken = [&](const std::string& name) {
    return std::any_of(joints.begin(), joints.end(),
                       [&](const JointDescription& joint) { return joint.name == name; });
  };
  std::string name = "base";
  for (int k = 1; is_taken(name); ++k)
    name = k == 1 ? "base_free" : "base_free_" + std::to_string(k);
  return name;
}

}  // namespace

Robot with_gravity(const Robot& robot, const Vec3<double>& gravity) {
  for (const double x : {gravity.x, gravity.y, gravity.z})
    if (!std::isfinite(x))
      throw InputError(std::string("with_gravity: gravity is ") +
                       (std::isnan(x) ? "NaN" : "infinite"));
  RobotDescription description = robot.description();
  description.gravity = gravity;
  return Robot(std::move(description));
}

Robot with_base(const Robot& robot, const JointGeometry& geometry) {
  RobotDescription description = robot.description();
  std::vector<JointDescription>& joints = description.joints;
  const detail::Tree tree(description);
  if (tree.base() >= 0) joints.erase(joints.begin() + tree.base());
  if (!is_fixed(geometry) || !is_identity(geometry.placement)) {
    const auto at = joints.begin() + std::max(tree.base(), 0);
    joints.insert(at, {base_name(joints), "", description.links[tree.root].name, geometry});
  }
  return Robot(std::move(description));
}

}  // namespace jounce
