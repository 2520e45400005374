// SPDX-License-Identifier: BSD-3-Clause
// The Coriolis matrix in four factorisations: laws on random trees with every kind of joint.
//
// C v is compared with Newton-Euler, Mdot with dual numbers through the mass matrix, christoffel
// with Koszul's formula from derivatives of M, and each body's block with its printed matrix.
#include <jounce/group/eigen.hpp>
#include <jounce/model/operations.hpp>

#include "matrices/cases.hpp"
#include "support/allocation_guard.hpp"
#include "support/near.hpp"

namespace jounce::test {
namespace {

TEST(Coriolis, TimesVelocityIsTheBias) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(500); ++seed) {
    Case c(seed);
    const Vector bias = c.dynamics.bias(c.q, c.v), gravity = c.dynamics.gravity(c.q);
    for (const Factorization f : all_factorizations) {
      const DenseMatrix C = c.dynamics.coriolis(c.q, c.v, f).matrix;
      const double scale = std::max(largest(bias), largest(C));
      EXPECT_TRUE(within(1e-12 * scale, C * c.v, bias - gravity, c)) << int(f);
    }
  }
}

/// Mdot by dual numbers: the one that coriolis returns is C + C^T, which proves nothing.
TEST(Coriolis, MassRateMinusTwiceItIsSkew) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(500); ++seed) {
    Case c(seed);
    const DenseMatrix rate = mass_rate_by_dual(c);
    for (const Factorization f : all_factorizations) {
      const DenseMatrix C = c.dynamics.coriolis(c.q, c.v, f).matrix, defect = rate - 2 * C;
      if (f == Factorization::plain) {
        const double power = c.v.dot(defect * c.v), scale = largest(C) * c.v.squaredNorm();
        EXPECT_LE(std::abs(power), 1e-12 * scale) << seed;
      } else {
        EXPECT_LE(largest(defect + defect.transpose()), 1e-12 * largest(C)) << seed << int(f);
      }
    }
  }
}

/// Rows of chains that are long, with origins of their own along the way (origins.hpp).
TEST(Coriolis, LongChainsWithSeveralOrigins) {
  for (const int n : {60, 100}) {
    Case c(Robot(generate_chain(n)), std::uint64_t(n));
    ASSERT_GT(c.robot.model().anchors, 1);
    const Vector bias = c.dynamics.bias(c.q, c.v), gravity = c.dynamics.gravity(c.q);
    const DenseMatrix M = c.dynamics.mass(c.q), rate = mass_rate_by_dual(c);
    const Vector inertial = c.dynamics.inverse(c.q, c.v, c.a, {.passive = false}) - bias;
    EXPECT_TRUE(within(1e-11 * largest(M) * n, M * c.a, inertial, c));
    EXPECT_EQ(M, M.transpose());
    for (const Factorization f : all_factorizations) {
      const CoriolisMatrices found = c.dynamics.coriolis(c.q, c.v, f);
      const DenseMatrix C = found.matrix;
      EXPECT_TRUE(within(1e-11 * largest(C) * n, C * c.v, bias - gravity, c)) << int(f);
      EXPECT_TRUE(within(1e-11 * largest(rate), found.mass_rate, rate, c)) << int(f);
    }
  }
}

/// Plain is not skew, and no two factorisations are the same matrix: they would not be four.
TEST(Coriolis, FactorizationsDiffer) {
  Case c(Robot(generate_chain(6)), 3);
  DenseMatrix C[4];
  for (const Factorization f : all_factorizations)
    C[int(f)] = c.dynamics.coriolis(c.q, c.v, f).matrix;
  const DenseMatrix defect = c.dynamics.coriolis(c.q, c.v).mass_rate - 2 * C[0];
  EXPECT_GE(largest(defect + defect.transpose()), 0.1 * largest(C[0]));
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < i; ++j) EXPECT_GE(largest(C[i] - C[j]), 1e-3 * largest(C[0])) << i << j;
}

TEST(Coriolis, MassRateByDualNumbers) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(100); ++seed) {
    Case c(seed);
    const DenseMatrix rate = mass_rate_by_dual(c);
    for (const Factorization f : all_factorizations)
      EXPECT_TRUE(
          within(1e-12 * largest(rate), c.dynamics.coriolis(c.q, c.v, f).mass_rate, rate, c))
          << int(f);
  }
}

/// The velocities of [E_i, E_j]: left-invariant fields of one part; other pairs commute.
Vector bracket(const Robot& robot, int i, int j) {
  const Model<double>& m = robot.model();
  Vector found = Vector::Zero(m.nv);
  for (int p = 0; p < m.part_at[m.bodies]; ++p) {
    const Part<double>& part = m.part[p];
    const int a = i - part.v, b = j - part.v, n = elementary_nv(part.kind);
    if (a < 0 || b < 0 || a >= n || b >= n) continue;
    const Twist<double> X = ad(part_screw<double>(part, a), part_screw<double>(part, b));
    for (int k = 0; k < n; ++k) {  // unit screws: the coordinates are dot products
      const Twist<double> S = part_screw<double>(part, k);
      found[part.v + k] = dot(S.w, X.w) + dot(S.v, X.v);
    }
  }
  return found;
}

/// 2 <D_i E_j, E_k> = E_i M_jk + E_j M_ik - E_k M_ij + <[E_i,E_j],E_k> - <[E_i,E_k],E_j>
/// - <[E_j,E_k],E_i>: Koszul's formula. With coordinate fields these are Christoffel's symbols.
DenseMatrix connection_times(const Robot& robot, const Vector& q, const Vector& v,
                             const DenseMatrix& M) {
  const int n = robot.model().nv;
  std::vector<DenseMatrix> dM;
  for (int k = 0; k < n; ++k) dM.push_back(mass_rate_by_dual(robot, q, Vector::Unit(n, k)));
  DenseMatrix C = DenseMatrix::Zero(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        const double brackets = M.col(k).dot(bracket(robot, i, j)) -
                                M.col(j).dot(bracket(robot, i, k)) -
                                M.col(i).dot(bracket(robot, j, k));
        C(k, j) += 0.5 * v[i] *
                   (dM[size_t(i)](j, k) + dM[size_t(j)](i, k) - dM[size_t(k)](i, j) + brackets);
      }
  return C;
}

TEST(Coriolis, ChristoffelIsTheLeviCivitaConnection) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(40); ++seed) {
    Case c(seed, 7);
    if (c.robot.has_mimic()) continue;
    DenseMatrix M = c.dynamics.mass(c.q);
    for (int k = 0; k < c.robot.nv(); ++k)  // rotors add a constant to M and nothing to C
      M(k, k) -= c.robot.model().armature[k];
    const DenseMatrix expected = connection_times(c.robot, c.q, c.v, M);
    const DenseMatrix C = c.dynamics.coriolis(c.q, c.v, Factorization::christoffel).matrix;
    EXPECT_TRUE(within(1e-12 * (largest(C) + largest(M)), C, expected, c));
  }
}

TEST(Coriolis, MimicJointsFoldTheMatrixOfTheFreeRobot) {
  for (std::uint64_t seed = 0; seed < 40; seed += 5) {
    Case c(seed);
    RobotDescription description = c.robot.description();
    for (JointDescription& joint : description.joints) joint.mimic.reset();
    Dynamics free{Robot(description)};
    const DenseMatrix A = coupling_matrix(c.robot);
    for (const Factorization f : all_factorizations) {
      const DenseMatrix tree = free.coriolis(tree_q(c.robot, c.q), A * c.v, f).matrix;
      const DenseMatrix C = c.dynamics.coriolis(c.q, c.v, f).matrix;
      EXPECT_TRUE(within(1e-13 * largest(tree), C, A.transpose() * tree * A, c));
    }
  }
}

/// The blocks as the papers print them, against their products and their moved form.
TEST(Coriolis, BlocksOfOneBody) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(100); ++seed) {
    Random rng(seed);
    const Inertia<double> G = rng.inertia();
    const Twist<double> V = rng.twist(), W = rng.twist();
    const Eigen::Matrix<double, 6, 6> g = to_eigen(to_matrix(G)), a = to_eigen(ad_matrix(V));
    const Eigen::Matrix3d w = to_eigen(hat(V.w)), I = to_eigen(to_matrix(G.I)),
                          h = to_eigen(hat(G.h));
    Eigen::Matrix<double, 6, 6> Cb[4], N;
    const Wrench<double> p = G * V;
    N << -to_eigen(hat(p.m)), -to_eigen(hat(p.f)), -to_eigen(hat(p.f)), Eigen::Matrix3d::Zero();
    Cb[0] = -a.transpose() * g;
    Cb[1] << w * I + I * w, h * w, -w * h, G.mass * w;
    Cb[2] = g * a - a.transpose() * g;
    Cb[3] = 0.5 * (Cb[2] + N);
    const auto expect = [&](const Wrench<double>& found, const Eigen::Matrix<double, 6, 1>& x) {
      EXPECT_TRUE(within(1e-14 * (1 + largest(g)), to_eigen(found), x, seed));
    };
    const Eigen::Matrix<double, 6, 6> rate = -(g * a + a.transpose() * g);
    const double half_trace = 0.5 * I.trace();
    for (const Factorization f : all_factorizations) {
      const Eigen::Matrix<double, 6, 6>& block = Cb[int(f)];
      expect(coriolis_wrench(f, G, V, W), block * to_eigen(W));
      expect(coriolis_wrench(f, G, V, V), -a.transpose() * g * to_eigen(V));
      const double even = f == Factorization::plain ? 1 : 0.5;
      expect((inertia_rate(G, V) * W) * even + skew_part(f, G, V, half_trace) * W,
             (block - g * a) * to_eigen(W));
    }
    expect(inertia_rate(G, V) * W, rate * to_eigen(W));
    const SE3<double> T = rng.pose();
    const Wrench<double> there = coriolis_wrench(Factorization::ploen, G, V, Ad_inv(T, W));
    const SkewBlock<double> moved = ploen_block(push_forward(T, G), Ad(T, V), half_trace);
    expect(moved * W, to_eigen(dual_Ad_inv(T, there)));
  }
}

/// The origin moves with the robot: at 1e6 m the positions still have ten digits.
TEST(Coriolis, KeepsItsDigitsFarFromTheOrigin) {
  Case c(Robot(load("builtin:quadruped")), 1);
  const DenseMatrix near_origin = c.dynamics.coriolis(c.q, c.v).matrix;
  c.q.head(3) += Eigen::Vector3d(1e6, -1e6, 1e6);
  EXPECT_TRUE(
      within(1e-8 * largest(near_origin), c.dynamics.coriolis(c.q, c.v).matrix, near_origin, c));
}

TEST(Coriolis, AllocatesNothing) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    Case c(seed);
    CoriolisMatrices found(c.robot);
    NoAllocation scope;
    for (const Factorization f : all_factorizations) c.dynamics.coriolis(c.q, c.v, f, into(found));
  }
}

TEST(Coriolis, RefusesBadInput) {
  Dynamics dynamics(load("builtin:arm7"));
  const std::vector<double> q(7), six(6), bad = {0, 0, NAN, 0, 0, 0, 0};
  EXPECT_EQ(message([&] { dynamics.coriolis(six, q); }),
            "coriolis: q has 6 elements, robot \"arm7\" needs 7");
  EXPECT_EQ(message([&] { dynamics.coriolis(q, bad); }), "coriolis: v[2] is NaN");
}

}  // namespace
}  // namespace jounce::test
