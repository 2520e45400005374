// SPDX-License-Identifier: BSD-3-Clause
// The metric and its connection by parameters: Koszul's formula is linear in the metric.
#include <gtest/gtest.h>

#include <jounce/geometry_sensitivity.hpp>

#include "geometry/cases.hpp"
#include "support/message.hpp"

namespace jounce::test {
namespace {

TEST(GeometrySensitivity, KoszulOfTheDerivative) {
  for (int seed = 1; seed <= 20; ++seed) {
    GeometryCase c(seed);
    if (c.n > 10) continue;
    const std::string link = c.robot.description().links.back().name;
    const std::string joint = c.robot.joints().back().name;
    GeometrySensitivity to(c.robot, {{ParameterKind::inertia, link, 0},
                                     {ParameterKind::inertia, link, 5},
                                     {ParameterKind::placement, joint, 4}});
    const dense::Matrix dM = to.mass(c.q), found = to.christoffel(c.q);
    const int n = c.n;
    for (int p = 0; p < 3; ++p) {
      const auto metric = [&](const Numbers& q) -> Numbers {
        const dense::Matrix at = to.mass(q);
        return {at.column(p), at.column(p) + n * n};
      };
      std::vector<Numbers> slope;
      for (int l = 0; l < n; ++l) slope.push_back(along(c.robot, c.q, l, metric));
      const Eigen::MatrixXd M = Eigen::Map<const Eigen::MatrixXd>(dM.column(p), n, n);
      double error = 0, scale = largest(M);
      for_each_triple(n, [&](int i, int j, int k) {
        const auto d = [&](int l, int a, int b) { return slope[size_t(l)][size_t(a * n + b)]; };
        const auto b = [&](int e, int f, int g) { return c.bracket(M, e, f, g); };
        const double koszul =
            (d(i, j, k) + d(j, i, k) - d(k, i, j) + b(i, j, k) - b(i, k, j) - b(j, k, i)) / 2;
        const double one = found((i * n + j) * n + k, p);
        error = worse(error, std::abs(one - koszul));
        scale = std::max(scale, std::abs(one));
      });
      EXPECT_LE(error, 1e-9 * scale + 1e-14)  // nothing depends on some
          << "seed " << seed << " parameter " << p;
    }
  }
}

/// Masses scale: M is linear in inertial parameters, so that M = sum of parameter times dM.
TEST(GeometrySensitivity, InertiasAreLinear) {
  const Robot arm = load("builtin:arm7");
  std::vector<Parameter> all;
  Numbers values;
  for (const LinkDescription& link : arm.description().links) {
    const Inertia<double> G = link_inertia(link);
    const double numbers[] = {G.mass, G.h.x,  G.h.y,  G.h.z,  G.I.xx,
                              G.I.xy, G.I.yy, G.I.xz, G.I.yz, G.I.zz};
    for (int k = 0; k < 10; ++k) {
      all.push_back({ParameterKind::inertia, link.name, k});
      values.push_back(numbers[k]);
    }
  }
  GeometrySensitivity to(arm, all);
  Geometry geometry(arm);
  const Numbers q = arm.random(4);
  const dense::Matrix dGamma = to.christoffel(q);
  const Christoffel gamma = geometry.christoffel(q);
  double error = 0, scale = 0;
  for (int row = 0; row < dGamma.rows; ++row) {
    double sum = 0;
    for (size_t p = 0; p < all.size(); ++p) sum += dGamma(row, int(p)) * values[p];
    error = worse(error, std::abs(sum - gamma.data()[row]));
    scale = std::max(scale, std::abs(sum));
  }
  EXPECT_LE(error, 1e-12 * scale);
}

TEST(GeometrySensitivity, RefusesArmatureThatGeometryRefuses) {
  const std::string text =
      " and has armature, which is in the mass matrix alone: it has no Christoffel symbols";
  for (const JointKind kind : {JointKind::planar, JointKind::spherical, JointKind::free}) {
    const Robot robot(generate({.bodies = 1, .kinds = {kind}}));
    for (int k = 0; k < robot.nv(); ++k)
      EXPECT_EQ(message([&] {
                  GeometrySensitivity(robot, {{ParameterKind::armature, "joint_1", k}});
                }),
                "GeometrySensitivity: joint \"joint_1\" is " + std::string(name(kind)) + text);
  }
  const Robot arm = load("builtin:arm7");
  const std::string joint = arm.joints()[2].name;
  GeometrySensitivity to(arm, {{ParameterKind::armature, joint, 0}});
  EXPECT_EQ(to.mass(arm.random(1))(7 * 2 + 2, 0), 1);
}

}  // namespace
}  // namespace jounce::test
