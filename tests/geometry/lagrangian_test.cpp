// SPDX-License-Identifier: BSD-3-Clause
// Park's closed form on random trees: factors, Propositions 1 and 2, the three cases (55)-(57),
// potential and pullback, against the recursions and against differences.
#include <gtest/gtest.h>

#include <jounce/paper/lagrangian.hpp>
#include <jounce/second_derivatives.hpp>

#include "geometry/cases.hpp"
#include "support/message.hpp"

namespace jounce::test {
namespace {

Robot tree_of_screws(int seed) {
  GeneratorOptions options;
  options.seed = std::uint64_t(seed);
  options.shape = TreeShape(seed % 4);
  options.branches = 2;
  options.bodies = 2 + seed % 4;
  options.kinds = {JointKind::revolute,    JointKind::prismatic, JointKind::helical,
                   JointKind::cylindrical, JointKind::universal, JointKind::euler_ball};
  options.child_placements = true;
  return Robot(generate(options));
}

struct ScrewCase {
  explicit ScrewCase(int seed_)
      : seed(seed_),
        robot(tree_of_screws(seed)),
        n(robot.nv()),
        q(robot.random(std::uint64_t(seed))),
        form(robot, q),
        M(Dynamics(robot).mass(q)) {}
  LagrangianForm moved(int k, double h) const {
    Numbers x = q;
    x[size_t(k)] += h;
    return {robot, x};
  }
  /// Differences along coordinate k, of the fourth order.
  template <class F>
  Eigen::MatrixXd slope(int k, F f, double h = 1e-3) const {
    const auto at = [&](double t) -> Eigen::MatrixXd { return f(moved(k, t)); };
    return (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
  }

  int seed;
  Robot robot;
  int n;
  Numbers q;
  LagrangianForm form;
  Eigen::MatrixXd M;
};

TEST(LagrangianForm, FactorsOfTheMassMatrix) {
  for (int seed = 1; seed <= 40; ++seed) {
    const ScrewCase c(seed);
    Eigen::MatrixXd entries(c.n, c.n), linear = Eigen::MatrixXd::Zero(c.n, c.n);
    for (int i = 0; i < c.n; ++i)
      for (int j = 0; j < c.n; ++j) entries(i, j) = c.form.mass(i, j);
    for (int k = 0; k < c.n; ++k) {
      const Inertia<double>& G = c.form.D[size_t(k)];
      const double parameters[] = {G.mass, G.h.x,  G.h.y,  G.h.z,  G.I.xx,
                                   G.I.xy, G.I.yy, G.I.xz, G.I.yz, G.I.zz};
      for (int p = 0; p < 10; ++p) linear += parameters[p] * c.form.mass_of_parameter(k, p);
    }
    const ParkFactors park = c.form.factors();
    const NewtonEulerFactors newton = c.form.newton_euler_factors();
    const ShiftFactors shift = c.form.shift_factors();
    for (const Eigen::MatrixXd& M : {entries, linear, park.M(), newton.M(), shift.M()})
      EXPECT_LE(largest(M - c.M), 1e-13 * largest(c.M)) << "seed " << seed;
    EXPECT_LE(largest(newton.Q * newton.S - park.A), 1e-13 * largest(park.A));
    EXPECT_LE(largest(newton.Q * newton.G - park.L * newton.Q), 1e-12 * largest(park.L));
    EXPECT_LE(largest(newton.Q.transpose() * park.D * newton.Q - newton.J),
              1e-12 * largest(newton.J));
    // links that turn about their own centres of mass: no products between turning and moving
    for (int k = 0; k < c.n; ++k)
      EXPECT_LE(largest(newton.J.block<3, 3>(6 * k, 6 * k + 3)), 1e-12 * largest(park.D) + 1e-15);
    for (int k = 0; k < c.n; ++k)
      for (int j = 0; j < k; ++j) {
        const Eigen::Matrix3d turn = shift.phi.block<3, 3>(6 * k, 6 * j);
        EXPECT_TRUE(c.form.carries(j, k) ? turn.isIdentity(0) : turn.isZero(0));
      }
  }
}

TEST(LagrangianForm, PropositionsOneAndTwo) {
  for (int seed = 1; seed <= 20; ++seed) {
    const ScrewCase c(seed);
    const Twist<double> B{{0.3, -0.2, 0.5}, {0.7, 0.1, -0.4}};
    const int j = c.n - 1;
    for (int i = 0; i <= j; ++i)
      for (int k = 0; k < c.n; ++k) {
        const auto value = [&](const LagrangianForm& f) { return to_eigen(f.Ad_chain(j, i, B)); };
        const Eigen::MatrixXd first = to_eigen(c.form.chain_derivative(j, i, B, k));
        EXPECT_LE(largest(first - c.slope(k, value)), 1e-9 * (1 + largest(value(c.form))));
        for (int l = 0; l < c.n; ++l) {
          const auto slope = [&](const LagrangianForm& f) {
            return to_eigen(f.chain_derivative(j, i, B, k));
          };
          const Eigen::MatrixXd second = to_eigen(c.form.chain_second_derivative(j, i, B, k, l));
          EXPECT_LE(largest(second - c.slope(l, slope)), 1e-9 * (1 + largest(value(c.form))))
              << "seed " << seed << " " << i << " " << k << " " << l;
        }
      }
  }
}

TEST(LagrangianForm, DerivativesOfTheMassMatrixAndTheThreeCases) {
  for (int seed = 1; seed <= 40; ++seed) {
    const ScrewCase c(seed);
    SecondDerivatives second(c.robot);
    const MassDerivatives dM = second.mass(c.q);
    Geometry geometry(c.robot);
    const Christoffel gamma = geometry.christoffel(c.q);
    double first = 0, cases = 0, twice = 0, scale = largest(c.M);
    for_each_triple(c.n, [&](int i, int j, int k) {
      first = worse(first, std::abs(c.form.mass_derivative(i, j, k) - dM(i, j, k)));
      cases = worse(cases, std::abs(c.form.christoffel(i, j, k) - gamma(i, j, k)));
      scale = std::max(scale, std::abs(gamma(i, j, k)));
    });
    const int k = seed % c.n, l = (seed / 2) % c.n;
    const Eigen::MatrixXd d2M = second.mass_second(c.q, k, l);
    for (int i = 0; i < c.n; ++i)
      for (int j = 0; j < c.n; ++j)
        twice = worse(twice, std::abs(c.form.mass_second_derivative(i, j, k, l) - d2M(i, j)));
    EXPECT_LE(first, 1e-12 * scale) << "seed " << seed;
    EXPECT_LE(cases, 1e-12 * scale) << "seed " << seed;
    EXPECT_LE(twice, 1e-11 * scale) << "seed " << seed;
  }
}

TEST(LagrangianForm, Potential) {
  for (int seed = 1; seed <= 40; ++seed) {
    const ScrewCase c(seed);
    Dynamics dyn(c.robot);
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(c.n), phi = dyn.gravity(c.q);
    EXPECT_NEAR(c.form.potential(), dyn.energy(c.q, zero).potential, 1e-11);
    for (int k = 0; k < c.n; ++k)
      EXPECT_NEAR(c.form.gravity_force(k), phi[k], 1e-11) << "seed " << seed;
  }
}

/// (65): the map to all link frames, its Jacobian, and the metric pulled back along it.
TEST(LagrangianForm, Pullback) {
  for (int seed = 1; seed <= 20; ++seed) {
    const ScrewCase c(seed);
    const Eigen::MatrixXd J = c.form.pullback_jacobian();
    const ParkFactors f = c.form.factors();
    EXPECT_LE(largest(J - f.L * f.A), 1e-13 * largest(J));
    EXPECT_LE(largest(J.transpose() * f.D * J - c.M), 1e-13 * largest(c.M));
    for (int k = 0; k < c.n; ++k)
      for (int j = 0; j < c.n; ++j) {
        const Eigen::MatrixXd rate =
            c.slope(j, [&](const LagrangianForm& at) { return to_eigen(at.pose(k)); });
        const Eigen::Matrix4d body = to_eigen(inverse(c.form.pose(k))) * rate;  // f^-1 df
        const Twist<double> V{{body(2, 1), body(0, 2), body(1, 0)},
                              {body(0, 3), body(1, 3), body(2, 3)}};
        const Eigen::VectorXd found = to_eigen(Ad(c.form.M[size_t(k)], V));
        EXPECT_LE(largest(found - J.block<6, 1>(6 * k, j)), 1e-9 * (1 + largest(J)));
      }
  }
}

TEST(LagrangianForm, TheGeneral2R) {
  for (int seed = 1; seed <= 50; ++seed) {
    GeneratorOptions options;
    options.seed = std::uint64_t(seed);
    options.bodies = 2;
    RobotDescription description = generate(options);
    description.gravity = {};
    const Robot robot(description);
    const Numbers q = robot.random(std::uint64_t(seed));
    const TwoScrewArm arm(LagrangianForm(robot, q));
    Dynamics dyn(robot);
    Geometry geometry(robot);
    const Curvature R = geometry.curvature(q);
    const double v1 = 0.7, v2 = -1.3;
    const Eigen::MatrixXd C = dyn.coriolis(q, Eigen::Vector2d(v1, v2)).matrix;
    EXPECT_LE(largest(arm.M - R.mass), 1e-14 * largest(R.mass));
    EXPECT_LE(largest(arm.C(v1, v2) - C), 1e-13 * (largest(C) + largest(R.mass)));
    EXPECT_NEAR(arm.R_1212(), R(0, 1, 0, 1), 1e-12 * (std::abs(arm.X_slope) + 1e-3));
    EXPECT_NEAR(arm.scalar_curvature(), R.scalar(), 1e-9 * (std::abs(R.scalar()) + 1e-3));
  }
}

TEST(LagrangianForm, RefusesWhatIsNoExponent) {
  const Robot quadruped = load("builtin:quadruped");
  EXPECT_EQ(message([&] { LagrangianForm(quadruped, quadruped.neutral()); }),
            "lagrangian form: a free joint has coordinates that are no exponents");
}

}  // namespace
}  // namespace jounce::test
