// SPDX-License-Identifier: BSD-3-Clause
// d tau/d(q, v, a): against dual numbers through rnea, against differences, on random trees.
#include "derivatives/cases.hpp"
#include "support/allocation_guard.hpp"

namespace jounce::test {
namespace {

/// Both ways round alike: what remains is the rounding of sums over up to 30 bodies, or 1e-15 where
/// the derivative is zero.
TEST(InverseDerivatives, ByDualNumbers) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(300); ++seed) {
    DerivativeCase c(seed);
    c.passive = false;
    const ExactDerivatives exact = by_dual_numbers(c);
    const InverseDerivativesResult found =
        c.dynamics.inverse_derivatives(c.q, c.v, c.a, c.around());
    EXPECT_LE(largest(found.dtau_dq - exact.dq), 1e-12 * largest(exact.dq)) << seed;
    EXPECT_LE(largest(found.dtau_dv - exact.dv), 1e-12 * largest(exact.dv) + 1e-15) << seed;
    EXPECT_LE(largest(found.dtau_da - exact.da), 1e-12 * largest(exact.da)) << seed;
  }
}

/// What Dynamics itself returns, passive forces included. Friction is a step of width 0.01 about v
/// = 0: v stays away from it, where differences of width 0.002 would not see its curve. 1e-12 where
/// a derivative is zero.
TEST(InverseDerivatives, ByDifferences) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(60); ++seed) {
    DerivativeCase c(seed, 12);
    for (double& x : c.v) x = std::copysign(0.2 + std::abs(x), x);
    const int n = c.robot.nv();
    const DenseMatrix dq = differences(n, [&](const Vector& d) -> Vector {
      return c.dynamics.inverse(c.moved(d), c.v, c.a, c.around());
    });
    const DenseMatrix dv = differences(n, [&](const Vector& d) -> Vector {
      return c.dynamics.inverse(c.q, c.v + d, c.a, c.around());
    });
    const InverseDerivativesResult found =
        c.dynamics.inverse_derivatives(c.q, c.v, c.a, c.around());
    EXPECT_LE(largest(found.dtau_dq - dq), 1e-8 * largest(dq) + 1e-12) << seed;
    EXPECT_LE(largest(found.dtau_dv - dv), 1e-8 * largest(dv) + 1e-12) << seed;
    EXPECT_EQ(largest(found.dtau_da - DenseMatrix(found.dtau_da.transpose())), 0) << seed;
    const DenseMatrix M = found.dtau_da;
    EXPECT_LE(largest(M - DenseMatrix(c.dynamics.mass(c.q))), 1e-12 * largest(M)) << seed;
  }
}

/// Friction where it is steepest: its slope at rest is f / 0.01.
TEST(InverseDerivatives, FrictionAtRest) {
  RobotDescription description = generate_chain(2);
  for (JointDescription& joint : description.joints) joint.properties.friction = {0.3};
  Dynamics dynamics{Robot(description)};
  const Vector zero = Vector::Zero(2);
  const DenseMatrix with = dynamics.inverse_derivatives(zero, zero, zero).dtau_dv;
  const DenseMatrix without =
      dynamics.inverse_derivatives(zero, zero, zero, {.passive = false}).dtau_dv;
  EXPECT_LE(largest(with - without - 30 * DenseMatrix::Identity(2, 2)), 1e-13);
}

/// The origin of the sums moves with the robot: at 1e6 m the positions still have ten digits.
TEST(InverseDerivatives, KeepTheirDigitsFarFromTheOrigin) {
  Case c(Robot(load("builtin:quadruped")), 1);
  const DenseMatrix near_origin = c.dynamics.inverse_derivatives(c.q, c.v, c.a).dtau_dq;
  c.q.head(3) += Eigen::Vector3d(1e6, -1e6, 1e6);
  EXPECT_LE(largest(c.dynamics.inverse_derivatives(c.q, c.v, c.a).dtau_dq - near_origin),
            1e-8 * largest(near_origin));
}

TEST(InverseDerivatives, AllocateNothing) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    DerivativeCase c(seed);
    NoAllocation scope;
    c.dynamics.inverse_derivatives(c.q, c.v, c.a, c.around());
  }
}

TEST(InverseDerivatives, RefuseBadInput) {
  Dynamics dynamics(load("builtin:arm7"));
  const std::vector<double> q(7), six(6), bad = {0, 0, NAN, 0, 0, 0, 0};
  EXPECT_EQ(message([&] { dynamics.inverse_derivatives(six, q, q); }),
            "inverse_derivatives: q has 6 elements, robot \"arm7\" needs 7");
  EXPECT_EQ(message([&] { dynamics.inverse_derivatives(q, bad, q); }),
            "inverse_derivatives: v[2] is NaN");
  EXPECT_EQ(message([&] { dynamics.inverse_derivatives(q, q, six); }),
            "inverse_derivatives: a has 6 elements, robot \"arm7\" needs 7");
}

}  // namespace
}  // namespace jounce::test
