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
    const InverseDerivatives found = c.derivatives.inverse(c.q, c.v, c.a, c.around());
    EXPECT_TRUE(within(1e-12 * largest(exact.dq), found.dq, exact.dq, c));
    EXPECT_TRUE(within(1e-12 * largest(exact.dv) + 1e-15, found.dv, exact.dv, c));
    EXPECT_TRUE(within(1e-12 * largest(exact.da), found.da, exact.da, c));
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
    const InverseDerivatives found = c.derivatives.inverse(c.q, c.v, c.a, c.around());
    EXPECT_TRUE(within(1e-8 * largest(dq) + 1e-12, found.dq, dq, c));
    EXPECT_TRUE(within(1e-8 * largest(dv) + 1e-12, found.dv, dv, c));
    EXPECT_TRUE(within(0, found.da, found.da.transpose(), c));
    const DenseMatrix M = found.da;
    EXPECT_TRUE(within(1e-12 * largest(M), M, c.dynamics.mass(c.q), c));
  }
}

/// Friction where it is steepest: its slope at rest is f / 0.01.
TEST(InverseDerivatives, FrictionAtRest) {
  RobotDescription description = generate_chain(2);
  for (JointDescription& joint : description.joints) joint.properties.friction = {0.3};
  Derivatives derivatives{Robot(description)};
  const Vector zero = Vector::Zero(2);
  const DenseMatrix with = derivatives.inverse(zero, zero, zero).dv;
  const DenseMatrix without = derivatives.inverse(zero, zero, zero, {.passive = false}).dv;
  EXPECT_TRUE(within(1e-13, with - without, 30 * DenseMatrix::Identity(2, 2)));
}

/// The origin of the sums moves with the robot: at 1e6 m the positions still have ten digits.
TEST(InverseDerivatives, KeepTheirDigitsFarFromTheOrigin) {
  Case c(Robot(load("builtin:quadruped")), 1);
  Derivatives derivatives(c.robot);
  const DenseMatrix near_origin = derivatives.inverse(c.q, c.v, c.a).dq;
  c.q.head(3) += Eigen::Vector3d(1e6, -1e6, 1e6);
  EXPECT_TRUE(
      within(1e-8 * largest(near_origin), derivatives.inverse(c.q, c.v, c.a).dq, near_origin, c));
}

TEST(InverseDerivatives, AllocateNothing) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    DerivativeCase c(seed);
    InverseDerivatives d(c.robot);
    NoAllocation scope;
    c.derivatives.inverse(c.q, c.v, c.a, c.around(), into(d));
  }
}

TEST(InverseDerivatives, RefuseBadInput) {
  Derivatives derivatives(load("builtin:arm7"));
  const std::vector<double> q(7), six(6), bad = {0, 0, NAN, 0, 0, 0, 0};
  EXPECT_EQ(message([&] { derivatives.inverse(six, q, q); }),
            "inverse_derivatives: q has 6 elements, robot \"arm7\" needs 7");
  EXPECT_EQ(message([&] { derivatives.inverse(q, bad, q); }), "inverse_derivatives: v[2] is NaN");
  EXPECT_EQ(message([&] { derivatives.inverse(q, q, six); }),
            "inverse_derivatives: a has 6 elements, robot \"arm7\" needs 7");
}

}  // namespace
}  // namespace jounce::test
