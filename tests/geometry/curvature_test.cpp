// SPDX-License-Identifier: BSD-3-Clause
// Curvature: (66) with differences of Christoffel symbols and with their derivatives, symmetries
// and Bianchi's identity on random robots; closed forms; 100-digit numbers.
#include <gtest/gtest.h>

#include <jounce/io.hpp>
#include <jounce/model/custom.hpp>

#include "geometry/cases.hpp"
#include "geometry/references.hpp"
#include "support/message.hpp"

namespace jounce::test {
namespace {

/// L^-1 Gamma_ij of all i and j, M = L L^T: their products are what R is a difference of.
struct Whitened {
  explicit Whitened(GeometryCase& c) : n(c.n) {
    const Christoffel gamma = c.geometry.christoffel(c.q);
    Eigen::MatrixXd all(n, n * n);
    for (int i = 0; i < n; ++i) all.middleCols(i * n, n) = gamma.slice(i);
    products = all.transpose() * solve_positive(c.dyn.mass(c.q), all);
    terms = largest(products);
  }
  double operator()(int i, int j, int k, int l) const { return products(i * n + j, k * n + l); }

  int n;
  Eigen::MatrixXd products;
  double terms = 0;
};

class CurvatureLaws : public testing::TestWithParam<bool> {};

/// R_ijkl = X_k Gamma_lji - X_l Gamma_kji - Gamma_ki M^-1 Gamma_lj + Gamma_li M^-1 Gamma_kj
///          - c_kl^m Gamma_mji: (66) in a moving frame.
TEST_P(CurvatureLaws, ParksFormula) {
  int checked = 0;
  for (int seed = 1; seed <= 200; ++seed) {
    GeometryCase c(seed, GetParam());
    const int n = c.n;
    if (n > 12 || !c.regular()) continue;
    ++checked;
    const Curvature R = c.geometry.curvature(c.q);
    const Christoffel gamma = c.geometry.christoffel(c.q);
    const ChristoffelDerivatives exact = c.geometry.christoffel_derivatives(c.q);
    const Whitened white(c);
    std::vector<Numbers> d;
    for (int l = 0; l < n; ++l)
      d.push_back(along(c.robot, c.q, l, [&](const Numbers& q) { return c.gamma(q); }));
    double by_differences = 0, by_derivatives = 0, bianchi = 0;
    for (int i = 0; i < n; ++i)
      for_each_triple(n, [&](int j, int k, int l) {
        double common = white(l, i, k, j) - white(k, i, l, j);
        for (int m = 0; m < n; ++m)
          common -= c.geometry.structure_constant(k, l, m) * gamma(m, j, i);
        const auto slope = [&](int x, int y) { return d[size_t(x)][size_t((y * n + j) * n + i)]; };
        by_differences =
            worse(by_differences, std::abs(R(i, j, k, l) - common - slope(k, l) + slope(l, k)));
        by_derivatives = worse(by_derivatives, std::abs(R(i, j, k, l) - common - exact(k, l, j, i) +
                                                        exact(l, k, j, i)));
        EXPECT_EQ(R(i, j, k, l), -R(j, i, k, l));
        EXPECT_EQ(R(i, j, k, l), R(k, l, i, j));
        bianchi = worse(bianchi, std::abs(R(i, j, k, l) + R(i, k, l, j) + R(i, l, j, k)));
      });
    const double scale = std::max(white.terms, largest(R.pairs)) + 1e-6 * largest(R.mass);
    EXPECT_LE(by_differences, 1e-8 * scale) << "seed " << seed;
    EXPECT_LE(by_derivatives, 1e-8 * scale) << "seed " << seed;
    EXPECT_LE(bianchi, 1e-10 * scale) << "seed " << seed;
  }
  EXPECT_GE(checked, 80);
}

TEST_P(CurvatureLaws, RicciScalarAndSectional) {
  for (int seed = 1; seed <= 60; ++seed) {
    GeometryCase c(seed, GetParam());
    const int n = c.n;
    if (n > 12 || n < 2 || !c.regular()) continue;
    const Curvature R = c.geometry.curvature(c.q);
    const Eigen::MatrixXd inverse = solve_positive(R.mass, Eigen::MatrixXd::Identity(n, n));
    Eigen::MatrixXd ricci = Eigen::MatrixXd::Zero(n, n);
    double terms = 0;
    for (int i = 0; i < n; ++i)
      for_each_triple(n, [&](int j, int k, int l) {
        ricci(j, l) += inverse(i, k) * R(i, j, k, l);
        terms = std::max(terms, std::abs(inverse(i, k) * R(i, j, k, l)));
      });
    EXPECT_LE(largest(ricci - R.ricci), 1e-12 * condition(R.mass) * terms + 1e-12);
    const double scalar = ricci.cwiseProduct(inverse).sum();
    EXPECT_NEAR(scalar, R.scalar(),
                1e-12 * condition(R.mass) * terms * largest(inverse) * n + 1e-12);
    // the plane of two coordinates, and any other pair of vectors in it
    const Eigen::VectorXd x = Eigen::VectorXd::Unit(n, 0), y = Eigen::VectorXd::Unit(n, 1);
    const double area = R.mass(0, 0) * R.mass(1, 1) - R.mass(0, 1) * R.mass(0, 1);
    const double expected = R(0, 1, 0, 1) / area, size = std::abs(expected) + 1e-6;
    EXPECT_NEAR(R.sectional(x, y), expected, 1e-12 * size);
    EXPECT_NEAR(R.sectional(2 * x - y, x + 3 * y), expected, 1e-9 * size);
  }
}

INSTANTIATE_TEST_SUITE_P(Trees, CurvatureLaws, testing::Bool(),
                         [](const auto& x) { return x.param ? "Mimic" : "Plain"; });

TEST(Curvature, OfBundledRobotsIn100Digits) {
  for (const CurvatureReference& exact : curvature_references) {
    RobotDescription description = read_robot("builtin:" + exact.robot).robot;
    if (!exact.motors)
      for (JointDescription& joint : description.joints) joint.properties.armature.clear();
    const Robot robot(description);
    Geometry geometry(robot);
    Numbers q{0.3, -0.5, 0.7, -1.1, 0.4, 0.9, -0.2};
    q.resize(size_t(robot.nv()));
    const Curvature R = geometry.curvature(q);
    const int n = robot.nv();
    const Eigen::MatrixXd ricci = Eigen::Map<const Eigen::MatrixXd>(exact.ricci.data(), n, n);
    EXPECT_NEAR(R(0, 1, 0, 1), exact.R_0101, 1e-14) << exact.robot;
    EXPECT_LE(largest(R.ricci - ricci), 1e-12 * largest(ricci)) << exact.robot;
    EXPECT_NEAR(R.scalar(), exact.scalar, 1e-12 * std::abs(exact.scalar)) << exact.robot;
  }
}

/// A point mass on two crossing axes moves on a sphere.
TEST(Curvature, OfAUnitSphereIsPositive) {
  RobotDescription robot{.name = "sphere"};
  robot.links = {{.name = "ring"}, {.name = "point", .mass = 1, .com = {0, 0, 1}}};
  robot.joints = {{"azimuth", "", "ring", {JointKind::revolute, {}, {{0, 0, 1}}}},
                  {"polar", "ring", "point", {JointKind::revolute, {}, {{0, 1, 0}}}}};
  Geometry geometry{Robot(robot)};
  const double angle = 0.7;
  const Curvature R = geometry.curvature({0.2, angle});
  EXPECT_NEAR(R(0, 1, 0, 1), std::sin(angle) * std::sin(angle), 1e-15);
  EXPECT_NEAR(R.scalar(), 2, 1e-14);
  EXPECT_NEAR(R.sectional(Eigen::Vector2d(1, 2), Eigen::Vector2d(0, 1)), 1, 1e-14);
  EXPECT_EQ(message([&] { R.sectional(Eigen::Vector2d(1, 2), Eigen::Vector2d(2, 4)); }),
            "sectional: x and y span no plane");
}

/// A slide that turns, its slide first among the coordinates, as one custom joint and as two
/// joints.
TEST(Curvature, OfACustomJointWithTwoCoordinates) {
  const LinkDescription bar{"bar", 2, {0.3, 0.1, 0.2}, {0.4, 0.1, 0.5, 0, 0.1, 0.6}, {}, {}};
  RobotDescription two{.name = "two"};
  two.links = {{.name = "hub"}, bar};
  two.joints = {{"turn", "", "hub", {JointKind::revolute, {}, {{0, 1, 0}}}},
                {"roll", "hub", "bar", {JointKind::revolute, {{}, {0.2, 0.3, 0.1}}, {{1, 0, 0}}}}};
  RobotDescription one{.name = "one"};
  one.links = {bar};
  one.joints = {{"both", "", "bar", {JointKind::custom, {}, {}}}};
  one.joints[0].geometry.custom = custom_joint<2>([](const auto* q) {
    using Real = std::decay_t<decltype(*q)>;
    const SO3<Real> turn = exp(Vec3<Real>{Real(0), q[1], Real(0)});
    const SO3<Real> roll = exp(Vec3<Real>{q[0], Real(0), Real(0)});
    return SE3<Real>{turn * roll, turn * Vec3<Real>{Real(0.2), Real(0.3), Real(0.1)}};
  });
  const Curvature a = Geometry(Robot(two)).curvature({0.7, 0.4});
  const Curvature b = Geometry(Robot(one)).curvature({0.4, 0.7});
  EXPECT_GT(std::abs(a.scalar()), 1e-2);
  EXPECT_NEAR(a.scalar(), b.scalar(), 1e-12 * std::abs(a.scalar()));
  EXPECT_NEAR(a(0, 1, 0, 1), b(0, 1, 0, 1), 1e-13);
}

/// M_11 = a + 2 b cos q2, M_12 = c + b cos q2, M_22 = c.
TEST(Curvature, OfThePlanar2RInClosedForm) {
  Geometry geometry(load("builtin:planar_2r"));
  const double b = 0.5 * 0.4 * 1.0;
  for (double q2 = -3; q2 < 3; q2 += 0.37) {
    const Curvature R = geometry.curvature({0.3, q2});
    const double c = R.mass(1, 1), a = R.mass(0, 0) - 2 * b * std::cos(q2);
    const double det = a * c - c * c - b * b * std::cos(q2) * std::cos(q2);
    const double exact = b * std::cos(q2) * (a * c - c * c - b * b) / det;
    EXPECT_NEAR(R(0, 1, 0, 1), exact, 1e-15);
    EXPECT_NEAR(R.scalar(), 2 * exact / det, 1e-13);
  }
}

}  // namespace
}  // namespace jounce::test
