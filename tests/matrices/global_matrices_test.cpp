// SPDX-License-Identifier: BSD-3-Clause
// The global matrix forms against the recursions, on random trees with every kind of joint.
#include <jounce/global_matrices.hpp>
#include <jounce/mass_derivatives.hpp>

#include "derivatives/second_cases.hpp"

namespace jounce::test {
namespace {

TEST(GlobalMatrices, ParkAndPloenAreTheRecursions) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(30); ++seed) {
    Case c(seed, 14);
    const GlobalMatrices g = global_matrices(c.robot, c.q, c.v);
    const auto expect = [&](const DenseMatrix& found, const DenseMatrix& expected, double scale) {
      EXPECT_TRUE(within(1e-12 * scale, found, expected, c));
    };
    const DenseMatrix M = c.dynamics.mass(c.q);
    expect(g.M(), M, largest(M));
    expect(g.phi(), c.dynamics.gravity(c.q), largest(M) * 100);
    for (const Factorization f : {Factorization::plain, Factorization::ploen}) {
      const CoriolisMatrices found = c.dynamics.coriolis(c.q, c.v, f);
      const DenseMatrix C = f == Factorization::plain ? g.C_plain() : g.C_ploen();
      expect(C, found.matrix, largest(C) + largest(M));
      expect(g.Mdot(), found.mass_rate, largest(C) + largest(M));
    }
    const Eigen::Index n = g.G.rows();
    const DenseMatrix one = DenseMatrix::Identity(n, n);
    expect(g.G * (one - g.Gamma), one, largest(g.G));
    expect(g.V, g.GS() * c.v, largest(g.V));
    expect(g.Cb, -g.Cb.transpose(), largest(g.Cb));
    const Vector momentum = g.J * g.V;
    expect(g.Cb * g.V, g.adV_dual * momentum, largest(g.J) * largest(g.V) * largest(g.V));
  }
}

/// Ploen (29): Mdot - 2 C = N - N^T - 2 S^T G^T adV* J G S with N = S^T G^T Gamma^T adS^T G^T J G
/// S, and Sdot where a joint has one. Left side by the recursion and dual numbers.
TEST(GlobalMatrices, PloenTwentyNine) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Case c(seed, 14);
    const GlobalMatrices g = global_matrices(c.robot, c.q, c.v);
    const DenseMatrix GS = g.G * g.S, carried = g.Gamma * GS, momentum = g.J * GS;
    const DenseMatrix own = g.adS * carried, rate = g.G * DenseMatrix(own + g.Sdot);
    const DenseMatrix N = rate.transpose() * momentum, force = g.adV_dual * momentum;
    const DenseMatrix rest = GS.transpose() * force;
    const DenseMatrix C = c.dynamics.coriolis(c.q, c.v, Factorization::plain).matrix;
    const DenseMatrix defect = mass_rate_by_dual(c) - 2 * C,
                      expected = N - N.transpose() - 2 * rest;
    const double scale = largest(C) + largest(c.dynamics.mass(c.q));
    EXPECT_TRUE(within(1e-12 * scale, defect, expected, c));
    EXPECT_TRUE(within(1e-12 * scale, g.Mdot() - 2 * g.C_plain(), defect, c));
  }
}

/// Ploen (19)-(22) with V_0 and Vdot_0 against inverse dynamics on a ground that moves.
TEST(GlobalMatrices, PloenOnAGroundThatMoves) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(30); ++seed) {
    Case c(seed, 14);
    const GlobalMatrices g = global_matrices(c.robot, c.q, c.v);
    Random rng(seed + 1);
    const Ground<double> ground{rng.twist<double>(), rng.twist<double>()};
    const StackedMotion x = stacked_motion(g, c.v, c.a, ground.V, ground.Vdot);
    const Vector tau = c.dynamics.inverse(c.q, c.v, c.a, {.ground = ground, .passive = false});
    EXPECT_TRUE(within(1e-11 * (1 + largest(x.F)), x.tau, tau, c));
    const StackedMotion still = stacked_motion(g, c.v, c.a);
    EXPECT_TRUE(within(1e-12 * largest(g.V), still.V, g.V, c));
  }
}

/// Gamma^n = 0 for n bodies, before that it is not on a chain; Gdot (27) by differences.
TEST(GlobalMatrices, GammaIsNilpotentAndGdotItsRate) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(20); ++seed) {
    Case c(seed, 8);
    const GlobalMatrices g = global_matrices(c.robot, c.q, c.v);
    const int bodies = int(g.Gamma.rows()) / 6;
    DenseMatrix power = g.Gamma;
    for (int k = 1; k < bodies; ++k) power = DenseMatrix(power * g.Gamma);
    EXPECT_EQ(largest(power), 0) << seed;
    const double h = 1e-5;
    const auto G_at = [&](double t) {
      Vector q(c.q.size());
      const Vector along = c.v * t;
      c.robot.integrate({c.q.data(), size_t(q.size())}, {along.data(), size_t(along.size())},
                        {q.data(), size_t(q.size())});
      return global_matrices(c.robot, q, c.v).G;
    };
    const DenseMatrix slope = (G_at(h) - G_at(-h)) / (2 * h), Gdot = g.Gdot();
    EXPECT_TRUE(within(1e-7 * (1 + largest(g.G)) * (1 + largest(Gdot)), Gdot, slope, c));
  }
  const GlobalMatrices arm = global_matrices(load("builtin:arm7"), std::vector<double>(7, 0.3),
                                             std::vector<double>(7, 0.1));
  DenseMatrix power = arm.Gamma;
  for (int k = 1; k < 6; ++k) power = DenseMatrix(power * arm.Gamma);
  EXPECT_GT(largest(power), 0.1);
}

/// Proposition 1 written at the centres of mass: another C, the same C v, and Mdot - 2 C skew.
TEST(GlobalMatrices, PloensBlocksInFramesOfOnesChoice) {
  int differed = 0;
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(20); ++seed) {
    Case c(seed, 10);
    const GlobalMatrices g = global_matrices(c.robot, c.q, c.v);
    const Model<double>& m = c.robot.model();
    std::vector<SE3<double>> com, own(size_t(m.bodies - 1));
    Random rng(seed + 5);
    for (int i = 1; i < m.bodies; ++i) com.push_back(rng.pose<double>());
    const DenseMatrix blocks = ploen_blocks(c.robot, g, com), C = g.C_of(blocks);
    const double scale = 1 + largest(C) + largest(c.dynamics.mass(c.q));
    EXPECT_TRUE(within(1e-12 * largest(g.Cb), ploen_blocks(c.robot, g, own), g.Cb, c));
    const DenseMatrix defect = mass_rate_by_dual(c) - 2 * C;
    EXPECT_LE(largest(defect + defect.transpose()), 1e-11 * scale) << seed;
    const Vector found = C * c.v, expected = g.C_ploen() * c.v;
    EXPECT_TRUE(within(1e-11 * scale * (1 + largest(c.v)), found, expected, c));
    differed += largest(C - g.C_ploen()) > 1e-3 * scale ? 1 : 0;
  }
  EXPECT_GT(differed, scaled(20) / 2);
  const Robot arm = load("builtin:arm7");
  const std::vector<double> q(7, 0.2);
  const GlobalMatrices g = global_matrices(arm, q, q);
  EXPECT_EQ(message([&] { ploen_blocks(arm, g, {}); }),
            "ploen_blocks: 0 frames, robot \"arm7\" needs 7");
}

/// d/dt of SpatialMatrices::base: ad of its spatial twist times Ad of its pose.
DenseMatrix base_rate(const Robot& robot, const SpatialMatrices& s) {
  const Model<double>& m = robot.model();
  DenseMatrix rate = DenseMatrix::Zero(robot.nv(), robot.nv());
  for (int i = 1; i < m.bodies; ++i) {
    if (m.parent[i] != 0 || m.kind[i] != JointKind::free) continue;
    const int at = robot.system().coupling.v_source[size_t(m.v_at[i])];
    const Vector nu = s.nu.segment<6>(at);
    const Twist<double> V{{nu[0], nu[1], nu[2]}, {nu[3], nu[4], nu[5]}};
    const DenseMatrix ad = to_eigen(ad_matrix(V)), B = s.base.block<6, 6>(at, at);
    rate.block<6, 6>(at, at) = ad * B;
  }
  return rate;
}

/// In v = B^-1 nu: M_v = B^T M B, C_v = B^T (C B + M Bdot), Mdot_v from all three factors.
TEST(GlobalMatrices, AliInTheGroundFrame) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(30); ++seed) {
    Case c(seed, 14);
    const SpatialMatrices s = spatial_matrices(c.robot, c.q, c.v);
    DenseMatrix M = c.dynamics.mass(c.q);
    M.diagonal() -= global_matrices(c.robot, c.q, c.v).armature;
    const DenseMatrix B = s.base, Bdot = base_rate(c.robot, s), M_nu = s.M(), C_nu = s.C();
    const DenseMatrix MB = M_nu * B, turning = M_nu * Bdot, lie = C_nu * B + turning;
    const DenseMatrix mass = B.transpose() * MB, C_v = B.transpose() * lie;
    EXPECT_TRUE(within(1e-12 * largest(M), mass, M, c));
    const double scale = largest(C_nu) + largest(M_nu);
    EXPECT_TRUE(
        within(1e-12 * scale, C_v, c.dynamics.coriolis(c.q, c.v, Factorization::lie).matrix, c));
    const DenseMatrix X = B.transpose() * turning, inner = s.Mdot() * B,
                      rate = B.transpose() * inner;
    EXPECT_TRUE(within(1e-12 * scale, rate + X + X.transpose(), mass_rate_by_dual(c), c));
    const DenseMatrix defect = s.Mdot() - 2 * C_nu;
    EXPECT_LE(largest(defect + defect.transpose()), 1e-12 * scale) << seed;
    const Vector g = c.dynamics.gravity(c.q), bias = c.dynamics.bias(c.q, c.v) - g;
    const Vector force = C_nu * s.nu, weight = s.gravity();
    EXPECT_TRUE(within(1e-12 * (scale + largest(g)), B.transpose() * force, bias, c));
    EXPECT_TRUE(within(1e-12 * (scale + largest(g)), B.transpose() * weight, g, c));
  }
}

TEST(GlobalMatrices, RodriguezFactorsTheMassMatrixAndItsInverse) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(30); ++seed) {
    Case c(seed, 14);
    if (c.robot.has_mimic()) continue;
    const Innovations f = innovations(c.robot, c.q);
    const DenseMatrix M = c.dynamics.mass(c.q), inverse = f.M_inverse();
    EXPECT_TRUE(within(1e-12 * largest(M), f.M(), M, c));
    const DenseMatrix one = DenseMatrix::Identity(M.rows(), M.cols());
    EXPECT_TRUE(within(1e-12 * M.norm() * inverse.norm(), M * inverse, one, c));
  }
}

TEST(GlobalMatrices, RefuseBadInput) {
  const Robot robot = load("builtin:arm7");
  const std::vector<double> seven(7), six(6);
  EXPECT_EQ(message([&] { global_matrices(robot, six, seven); }),
            "global matrices: q has 6 elements, robot \"arm7\" needs 7");
  const std::vector<double> bad = {0, 0, NAN, 0, 0, 0, 0};
  EXPECT_EQ(message([&] { spatial_matrices(robot, seven, bad); }), "global matrices: v[2] is NaN");
  const Robot coupled(random_description(5));
  EXPECT_EQ(message([&] { innovations(coupled, coupled.neutral()); }),
            "innovations: robot \"" + coupled.name() + "\" has mimic joints");
}

/// Sums over subtrees against Park's propositions, body by body: rounding only.
TEST(MassDerivatives, ArePark1995) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(40); ++seed) {
    SecondCase c(seed, 8);
    const Slices slope = slices(c.second.mass(c.q));
    const int n = c.robot.nv();
    for (int k = 0; k < n; ++k) {
      const DenseMatrix first = park_mass_derivative(c.robot, c.q, k);
      EXPECT_TRUE(within(1e-12 * (largest(first) + 1), slope[size_t(k)], first, seed));
      for (int l = 0; l < n; ++l) {
        const DenseMatrix second = park_mass_second_derivative(c.robot, c.q, k, l);
        EXPECT_TRUE(
            within(1e-12 * (largest(second) + 1), c.second.mass_second(c.q, k, l), second, seed))
            << k << " " << l;
      }
    }
  }
}

}  // namespace
}  // namespace jounce::test
