// SPDX-License-Identifier: BSD-3-Clause
// Random robots without weight, and differences along their velocity coordinates.
#pragma once

#include <jounce/dynamics.hpp>
#include <jounce/geometry.hpp>
#include <jounce/model/generate.hpp>

#include "support/dense.hpp"
#include "support/sound_robot.hpp"

namespace jounce::test {

using Numbers = std::vector<double>;

inline double largest_of(const Numbers& x) {
  double found = 0;
  for (const double one : x) found = worse(found, std::abs(one));
  return found;
}

/// All kinds of tree, of joints, of bases; armature where it has a geometry.
inline Robot weightless_robot(int seed, bool mimic = false) {
  GeneratorOptions options;
  options.seed = std::uint64_t(seed);
  options.shape = TreeShape(seed % 4);
  options.branches = 2;
  options.bodies = 2 + seed % 4;
  const std::vector<JointKind> simple{JointKind::revolute, JointKind::prismatic,
                                      JointKind::helical};
  options.kinds = seed % 3 != 0 ? all_joint_kinds(false) : simple;
  options.free_base = seed % 2 == 1;
  options.child_placements = true;
  options.mimic = mimic;
  if (mimic) options.bodies += 3, options.kinds = simple;
  RobotDescription robot = with_sound_composites(generate(options));
  robot.gravity = {};
  for (JointDescription& joint : robot.joints)
    if (seed % 5 == 0 && (is_revolute(joint.geometry) || is_prismatic(joint.geometry)))
      joint.properties.armature = {0.3};
  return Robot(std::move(robot));
}

/// A robot without coordinates.
inline Robot stone() {
  RobotDescription nothing{.name = "stone"};
  nothing.links = {{.name = "rock", .mass = 1}};
  nothing.joints = {{"ground", "", "rock", {JointKind::fixed, {}, {}}}};
  return Robot(nothing);
}

/// d/dt of F(integrate(q, t e_l)) at 0, of the eighth order.
template <class F>
Numbers along(const Robot& robot, const Numbers& q, int l, F f, double h = 0.02) {
  constexpr double weight[] = {4. / 5, -1. / 5, 4. / 105, -1. / 280};
  Numbers sum;
  for (int s = 1; s <= 4; ++s)
    for (const int sign : {1, -1}) {
      Numbers dv(size_t(robot.nv())), moved(q.size());
      dv[size_t(l)] = sign * s * h;
      robot.integrate(q, dv, moved);
      const Numbers y = f(moved);
      sum.resize(y.size());
      for (size_t k = 0; k < y.size(); ++k) sum[k] += sign * weight[s - 1] * y[k] / h;
    }
  return sum;
}

/// A robot, a configuration, and what its geometry is there.
struct GeometryCase {
  explicit GeometryCase(int seed_, bool mimic = false)
      : seed(seed_),
        robot(weightless_robot(seed, mimic)),
        n(robot.nv()),
        q(robot.random(std::uint64_t(seed))),
        v(n) {
    for (int k = 0; k < n; ++k) v[k] = std::sin(1.7 * k + seed);
  }
  Numbers mass(const Numbers& at) {
    const Eigen::MatrixXd M = dyn.mass(at);
    return {M.data(), M.data() + n * n};
  }
  Numbers gamma(const Numbers& at) {
    const Christoffel found = geometry.christoffel(at);
    return {found.data(), found.data() + n * n * n};
  }
  /// c_ij^m M_mk.
  double bracket(const Eigen::MatrixXd& M, int i, int j, int k) const {
    double sum = 0;
    for (int m = 0; m < n; ++m) sum += geometry.structure_constant(i, j, m) * M(m, k);
    return sum;
  }
  bool regular() {
    const Eigen::MatrixXd M = dyn.mass(q);
    return positive_definite(M) && condition(M) < 1e10;
  }

  int seed;
  Robot robot;
  int n;
  Numbers q;
  Eigen::VectorXd v;
  Dynamics dyn{robot};
  Geometry geometry{robot};
};

/// Calls f(i, j, k) for all indices below n.
template <class F>
void for_each_triple(int n, F f) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) f(i, j, k);
}

}  // namespace jounce::test
