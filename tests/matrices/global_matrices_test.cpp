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
      EXPECT_LE(largest(found - expected), 1e-12 * scale) << seed;
    };
    const DenseMatrix M = c.dynamics.mass(c.q);
    expect(g.M(), M, largest(M));
    expect(g.phi(), c.dynamics.gravity(c.q), largest(M) * 100);
    for (const Factorization f : {Factorization::plain, Factorization::ploen}) {
      const CoriolisResult found = c.dynamics.coriolis(c.q, c.v, f);
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

/// Ploen (29): Mdot - 2 C = N - N^T - 2 S^T G^T adV* J G S, not skew; (36) with Cb, skew.
TEST(GlobalMatrices, PloenTwentyNine) {
  Case c(Robot(generate_chain(5)), 2);
  const GlobalMatrices g = global_matrices(c.robot, c.q, c.v);
  const DenseMatrix GS = g.GS(), momentum = g.J * GS, N = g.GS_rate().transpose() * momentum;
  const DenseMatrix rest = 2 * GS.transpose() * g.adV_dual * momentum;
  const DenseMatrix defect = g.Mdot() - 2 * g.C_plain();
  EXPECT_LE(largest(defect - (N - N.transpose() - rest)), 1e-13 * largest(defect));
  EXPECT_GE(largest(defect + defect.transpose()), 0.1 * largest(defect));
}

TEST(GlobalMatrices, AliInTheGroundFrame) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(30); ++seed) {
    Case c(seed, 14);
    const SpatialMatrices s = spatial_matrices(c.robot, c.q, c.v);
    DenseMatrix M = c.dynamics.mass(c.q);
    M.diagonal() -= global_matrices(c.robot, c.q, c.v).armature;
    const DenseMatrix M_nu = s.M(), C_nu = s.C(), rate = s.Mdot() - 2 * C_nu;
    EXPECT_LE(largest(s.base.transpose() * M_nu * s.base - M), 1e-12 * largest(M)) << seed;
    EXPECT_LE(largest(rate + rate.transpose()), 1e-12 * (largest(C_nu) + largest(M))) << seed;
    const Vector g = c.dynamics.gravity(c.q), bias = c.dynamics.bias(c.q, c.v) - g;
    const double scale = largest(C_nu) + largest(g);
    EXPECT_LE(largest(s.base.transpose() * C_nu * s.nu - bias), 1e-12 * scale) << seed;
    EXPECT_LE(largest(s.base.transpose() * s.gravity() - g), 1e-12 * scale) << seed;
    if (s.base.isIdentity(0)) {  // the same velocities: the same matrix as "lie"
      const DenseMatrix lie = c.dynamics.coriolis(c.q, c.v, Factorization::lie).matrix;
      EXPECT_LE(largest(lie - C_nu), 1e-12 * (largest(lie) + largest(M))) << seed;
    }
  }
}

TEST(GlobalMatrices, RodriguezFactorsTheMassMatrixAndItsInverse) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(30); ++seed) {
    Case c(seed, 14);
    if (c.robot.has_mimic()) continue;
    const Innovations f = innovations(c.robot, c.q);
    const DenseMatrix M = c.dynamics.mass(c.q), inverse = f.M_inverse();
    EXPECT_LE(largest(f.M() - M), 1e-12 * largest(M)) << seed;
    const DenseMatrix one = DenseMatrix::Identity(M.rows(), M.cols());
    EXPECT_LE(largest(M * inverse - one), 1e-12 * M.norm() * inverse.norm()) << seed;
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
    const Slices slope = slices(c.dynamics.mass_derivatives(c.q));
    const int n = c.robot.nv();
    for (int k = 0; k < n; ++k) {
      const DenseMatrix first = park_mass_derivative(c.robot, c.q, k);
      EXPECT_LE(largest(slope[size_t(k)] - first), 1e-12 * (largest(first) + 1)) << seed;
      for (int l = 0; l < n; ++l) {
        const DenseMatrix second = park_mass_second_derivative(c.robot, c.q, k, l);
        EXPECT_LE(largest(c.dynamics.mass_second_derivative(c.q, k, l) - second),
                  1e-12 * (largest(second) + 1))
            << seed << " " << k << " " << l;
      }
    }
  }
}

}  // namespace
}  // namespace jounce::test
