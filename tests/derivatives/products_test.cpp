// SPDX-License-Identifier: BSD-3-Clause
// Products of the derivatives with vectors, against the matrices.
#include "derivatives/cases.hpp"
#include "support/allocation_guard.hpp"

namespace jounce::test {
namespace {

/// Both are sums of the same entries: 1e-12 of the largest for each of up to 180 of them.
TEST(DerivativeProducts, AreThoseOfTheMatrices) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(300); ++seed) {
    DerivativeCase c(seed);
    const Vector y = c.random(), dq = c.random(), dv = c.random(), da = c.random();
    const InverseDerivativesResult m = c.dynamics.inverse_derivatives(c.q, c.v, c.a, c.around());
    const DenseMatrix J_q = m.dtau_dq, J_v = m.dtau_dv, J_a = m.dtau_da;
    const double size = 1e-12 * (largest(J_q) + largest(J_v) + largest(J_a)) * c.robot.nv() + 1e-15;
    const VectorJacobianResult row =
        c.dynamics.inverse_vector_jacobian(y, c.q, c.v, c.a, c.around());
    EXPECT_LE(largest(row.dq - J_q.transpose() * y), size) << seed;
    EXPECT_LE(largest(row.dv - J_v.transpose() * y), size) << seed;
    EXPECT_LE(largest(row.da - J_a.transpose() * y), size) << seed;
    const Vector column = c.dynamics.inverse_jacobian_vector(c.q, c.v, c.a, dq, dv, da, c.around());
    EXPECT_LE(largest(column - (J_q * dq + J_v * dv + J_a * da)), size) << seed;
  }
}

/// Random trees have conditions of up to 1e5, of which both ways lose the digits: 1e-9.
TEST(DerivativeProducts, OfForwardDynamics) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(100); ++seed) {
    DerivativeCase c(seed);
    const Vector y = c.random(), dq = c.random(), dv = c.random(), dtau = c.random();
    const Vector tau = c.dynamics.inverse(c.q, c.v, c.a, c.around());
    const ForwardDerivativesResult m = c.dynamics.forward_derivatives(c.q, c.v, tau, c.around());
    const DenseMatrix J_q = m.da_dq, J_v = m.da_dv, J_tau = m.da_dtau;
    const VectorJacobianResult row =
        c.dynamics.forward_vector_jacobian(y, c.q, c.v, tau, c.around());
    const double bound = 1e-9 * c.robot.nv();
    EXPECT_LE(largest(row.dq - J_q.transpose() * y), bound * largest(J_q) + 1e-13) << seed;
    EXPECT_LE(largest(row.dv - J_v.transpose() * y), bound * largest(J_v) + 1e-13) << seed;
    EXPECT_LE(largest(row.da - J_tau * y), bound * largest(J_tau)) << seed;
    const Vector column =
        c.dynamics.forward_jacobian_vector(c.q, c.v, tau, dq, dv, dtau, c.around());
    EXPECT_LE(largest(column - (J_q * dq + J_v * dv + J_tau * dtau)),
              bound * (largest(J_q) + largest(J_v) + largest(J_tau)))
        << seed;
  }
}

TEST(DerivativeProducts, AllocateNothing) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    DerivativeCase c(seed);
    NoAllocation scope;
    c.dynamics.inverse_vector_jacobian(c.v, c.q, c.v, c.a, c.around());
    c.dynamics.inverse_jacobian_vector(c.q, c.v, c.a, c.v, c.v, c.v, c.around());
    c.dynamics.forward_vector_jacobian(c.v, c.q, c.v, c.a, c.around());
    c.dynamics.forward_jacobian_vector(c.q, c.v, c.a, c.v, c.v, c.v, c.around());
  }
}

TEST(DerivativeProducts, RefuseBadInput) {
  Dynamics dynamics(load("builtin:arm7"));
  const std::vector<double> q(7), six(6), bad = {0, 0, NAN, 0, 0, 0, 0};
  EXPECT_EQ(message([&] { dynamics.inverse_vector_jacobian(six, q, q, q); }),
            "inverse_vector_jacobian: y has 6 elements, robot \"arm7\" needs 7");
  EXPECT_EQ(message([&] { dynamics.inverse_jacobian_vector(q, q, q, q, bad, q); }),
            "inverse_jacobian_vector: dv[2] is NaN");
  EXPECT_EQ(message([&] { dynamics.forward_vector_jacobian(q, q, six, q); }),
            "forward_vector_jacobian: v has 6 elements, robot \"arm7\" needs 7");
  EXPECT_EQ(message([&] { dynamics.forward_jacobian_vector(q, q, bad, q, q, q); }),
            "forward_jacobian_vector: tau[2] is NaN");
}

}  // namespace
}  // namespace jounce::test
