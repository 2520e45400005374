// SPDX-License-Identifier: BSD-3-Clause
// Christoffel symbols: Koszul's formula with differences of the mass matrix, the Coriolis matrix
// and the bias of other algorithms, and how they change, on random robots.
#include <gtest/gtest.h>

#include "geometry/cases.hpp"
#include "support/allocation_guard.hpp"
#include "support/message.hpp"

namespace jounce::test {
namespace {

constexpr int robots = 200;

class ChristoffelLaws : public testing::TestWithParam<bool> {};

/// 2 Gamma_ijk = X_i M_jk + X_j M_ik - X_k M_ij + c_ijk - c_ikj - c_jki, c_ijk = c_ij^m M_mk.
TEST_P(ChristoffelLaws, Koszul) {
  for (int seed = 1; seed <= robots; ++seed) {
    GeometryCase c(seed, GetParam());
    const int n = c.n;
    std::vector<Numbers> dM;
    for (int l = 0; l < n; ++l)
      dM.push_back(along(c.robot, c.q, l, [&](const Numbers& q) { return c.mass(q); }));
    const Eigen::MatrixXd M = c.dyn.mass(c.q);
    const Christoffel gamma = c.geometry.christoffel(c.q);
    double torsion = 0, koszul = 0, metric = 0;
    for_each_triple(n, [&](int i, int j, int k) {
      const auto d = [&](int l, int a, int b) { return dM[size_t(l)][size_t(a * n + b)]; };
      const auto b = [&](int x, int y, int z) { return c.bracket(M, x, y, z); };
      torsion = worse(torsion, std::abs(gamma(i, j, k) - gamma(j, i, k) - b(i, j, k)));
      const double sum =
          d(i, j, k) + d(j, i, k) - d(k, i, j) + b(i, j, k) - b(i, k, j) - b(j, k, i);
      koszul = worse(koszul, std::abs(gamma(i, j, k) - 0.5 * sum));
      metric = worse(metric, std::abs(gamma(i, j, k) + gamma(i, k, j) - d(i, j, k)));
    });
    const double scale = largest_of(c.gamma(c.q)) + largest(M) * 1e-3;
    EXPECT_LE(torsion, 1e-12 * scale) << "seed " << seed;
    EXPECT_LE(koszul, 1e-9 * scale) << "seed " << seed;
    EXPECT_LE(metric, 1e-9 * scale) << "seed " << seed;
  }
}

TEST_P(ChristoffelLaws, CoriolisMatrixAndBias) {
  for (int seed = 1; seed <= robots; ++seed) {
    GeometryCase c(seed, GetParam());
    const Christoffel gamma = c.geometry.christoffel(c.q);
    Eigen::MatrixXd C = Eigen::MatrixXd::Zero(c.n, c.n);
    for (int i = 0; i < c.n; ++i) C += c.v[i] * gamma.slice(i);
    const Eigen::MatrixXd expected = c.dyn.coriolis(c.q, c.v).matrix;
    const Eigen::VectorXd bias = c.dyn.bias(c.q, c.v);
    EXPECT_LE(largest(C - expected), 1e-12 * largest(expected) + 1e-15) << "seed " << seed;
    EXPECT_LE(largest(C * c.v - bias), 1e-12 * largest(bias) + 1e-15) << "seed " << seed;
  }
}

TEST_P(ChristoffelLaws, SecondKindAndGeodesicAcceleration) {
  for (int seed = 1; seed <= robots; ++seed) {
    GeometryCase c(seed, GetParam());
    if (!c.regular()) continue;
    const Christoffel first = c.geometry.christoffel(c.q), second = c.geometry.second_kind(c.q);
    const Eigen::MatrixXd M = c.dyn.mass(c.q);
    Eigen::VectorXd a = Eigen::VectorXd::Zero(c.n);
    for (int i = 0; i < c.n; ++i) {
      EXPECT_LE(largest(M * Eigen::MatrixXd(second.slice(i)) - first.slice(i)),
                1e-12 * largest(M) * (1 + largest(second.slice(i))));
      a -= c.v[i] * (second.slice(i) * c.v);
    }
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(c.n);
    const Eigen::VectorXd free = c.dyn.forward(c.q, c.v, zero);
    EXPECT_LE(largest(a - free), 1e-14 * condition(M) * largest(free) + 1e-13) << "seed " << seed;
    const Eigen::VectorXd parallel = c.geometry.covariant_derivative(c.q, c.v, c.v, free);
    EXPECT_LE(largest(parallel), 1e-14 * condition(M) * largest(free) + 1e-13) << "seed " << seed;
  }
}

TEST_P(ChristoffelLaws, Derivatives) {
  for (int seed = 1; seed <= robots / 4; ++seed) {
    GeometryCase c(seed, GetParam());
    const int n = c.n;
    if (n > 12) continue;
    const ChristoffelDerivatives found = c.geometry.christoffel_derivatives(c.q);
    double error = 0, scale = 1e-3 * largest_of(c.mass(c.q));
    for (int l = 0; l < n; ++l) {
      const Numbers d = along(c.robot, c.q, l, [&](const Numbers& q) { return c.gamma(q); });
      scale = std::max(scale, largest_of(d));
      for_each_triple(n, [&](int i, int j, int k) {
        error = worse(error, std::abs(found(l, i, j, k) - d[size_t((i * n + j) * n + k)]));
      });
    }
    EXPECT_LE(error, 1e-10 * scale) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Trees, ChristoffelLaws, testing::Bool(),
                         [](const auto& x) { return x.param ? "Mimic" : "Plain"; });

TEST(Christoffel, NoMemoryIsTaken) {
  const Robot robot = load("builtin:humanoid");
  Geometry geometry(robot);
  Christoffel gamma(robot);
  Curvature R(load("builtin:arm7"));
  Geometry of_arm(R.robot());
  const Numbers q = robot.random(1), arm_q = R.robot().random(1);
  ChristoffelDerivatives slopes(R.robot());
  Eigen::VectorXd x = Eigen::VectorXd::Ones(robot.nv());
  const NoAllocation guard;
  geometry.christoffel(q, into(gamma));
  geometry.second_kind(q, into(gamma));
  geometry.covariant_derivative(q, x, x, x, into(x));
  of_arm.curvature(arm_q, into(R));
  of_arm.christoffel_derivatives(arm_q, into(slopes));
}

/// second_kind fills what is zero for every q in the first kind.
TEST(Christoffel, IntoWhatSecondKindWrote) {
  const Robot robot = load("builtin:quadruped");
  Geometry geometry(robot);
  const Numbers q = robot.random(1);
  Christoffel found = geometry.second_kind(q);
  const Christoffel fresh = geometry.christoffel(q);
  for (int times = 0; times < 2; ++times) {
    geometry.christoffel(q, into(found));
    for_each_triple(robot.nv(), [&](int i, int j, int k) {
      EXPECT_EQ(found(i, j, k), fresh(i, j, k)) << i << " " << j << " " << k;
    });
  }
  const Christoffel second = geometry.second_kind(q);
  Christoffel copy = second;
  geometry.christoffel(q, into(copy));
  for_each_triple(robot.nv(),
                  [&](int i, int j, int k) { EXPECT_EQ(copy(i, j, k), fresh(i, j, k)); });
}

TEST(Christoffel, OfRobotsWithHardlyAnyCoordinates) {
  Geometry one(Robot(generate({.bodies = 1})));
  EXPECT_EQ(one.christoffel({0.3})(0, 0, 0), 0);
  EXPECT_EQ(one.curvature({0.3}).scalar(), 0);
  Geometry none{stone()};
  EXPECT_EQ(none.christoffel(Numbers{}).n(), 0);
  EXPECT_EQ(none.curvature(Numbers{}).scalar(), 0);
}

TEST(Christoffel, Refusals) {
  const Robot arm = load("builtin:arm7");
  Geometry geometry(arm);
  EXPECT_EQ(message([&] { geometry.christoffel(Numbers(6)); }),
            "christoffel: q has 6 elements, robot \"arm7\" needs 7");
  EXPECT_EQ(message([&] { geometry.structure_constant(0, 1, 7); }),
            "structure_constant: there is no coordinate 7, robot \"arm7\" has 7");
  Christoffel other(load("builtin:puma560"));
  EXPECT_NE(message([&] { geometry.christoffel(Numbers(7), into(other)); }), "no error");
  RobotDescription ball = generate({.bodies = 1, .kinds = {JointKind::spherical}});
  ball.joints[0].properties.armature = {0.1, 0.1, 0.1};
  EXPECT_EQ(
      message([&] { Geometry refused{Robot(ball)}; }),
      "Geometry: joint \"joint_1\" is spherical and has armature, which is in the mass matrix "
      "alone: it has no Christoffel symbols");
  RobotDescription light = generate_chain(2);
  light.links.back() = {.name = light.links.back().name};
  Geometry massless{Robot(light)};
  EXPECT_EQ(message([&] { massless.curvature(Numbers(2)); }),
            "curvature: joint \"joint_2\" moves link \"link_2\", which has no mass");
  EXPECT_EQ(message([&] { massless.christoffel(Numbers(2)); }), "no error");
}

}  // namespace
}  // namespace jounce::test
