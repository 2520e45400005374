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
    const InverseDerivatives m = c.derivatives.inverse(c.q, c.v, c.a, c.around());
    const DenseMatrix J_q = m.dq, J_v = m.dv, J_a = m.da;
    const double size = 1e-12 * (largest(J_q) + largest(J_v) + largest(J_a)) * c.robot.nv() + 1e-15;
    const VectorJacobian row = c.derivatives.inverse_vector_jacobian(y, c.q, c.v, c.a, c.around());
    EXPECT_TRUE(within(size, row.dq, J_q.transpose() * y, c));
    EXPECT_TRUE(within(size, row.dv, J_v.transpose() * y, c));
    EXPECT_TRUE(within(size, row.da, J_a.transpose() * y, c));
    const Vector column =
        c.derivatives.inverse_jacobian_vector(c.q, c.v, c.a, dq, dv, da, c.around());
    EXPECT_TRUE(within(size, column, J_q * dq + J_v * dv + J_a * da, c));
  }
}

/// Random trees have conditions of up to 1e5, of which both ways lose the digits: 1e-9.
TEST(DerivativeProducts, OfForwardDynamics) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(100); ++seed) {
    DerivativeCase c(seed);
    const Vector y = c.random(), dq = c.random(), dv = c.random(), dtau = c.random();
    const Vector tau = c.dynamics.inverse(c.q, c.v, c.a, c.around());
    const ForwardDerivatives m = c.derivatives.forward(c.q, c.v, tau, c.around());
    const DenseMatrix J_q = m.dq, J_v = m.dv, J_tau = m.dtau;
    const VectorJacobian row = c.derivatives.forward_vector_jacobian(y, c.q, c.v, tau, c.around());
    const double bound = 1e-9 * c.robot.nv();
    EXPECT_TRUE(within(bound * largest(J_q) + 1e-13, row.dq, J_q.transpose() * y, c));
    EXPECT_TRUE(within(bound * largest(J_v) + 1e-13, row.dv, J_v.transpose() * y, c));
    EXPECT_TRUE(within(bound * largest(J_tau), row.da, J_tau * y, c));
    const Vector column =
        c.derivatives.forward_jacobian_vector(c.q, c.v, tau, dq, dv, dtau, c.around());
    EXPECT_TRUE(within(bound * (largest(J_q) + largest(J_v) + largest(J_tau)), column,
                       J_q * dq + J_v * dv + J_tau * dtau, c));
  }
}

TEST(DerivativeProducts, AllocateNothing) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    DerivativeCase c(seed);
    Derivatives& d = c.derivatives;
    Vector dq(c.robot.nv()), dv(dq), da(dq);
    NoAllocation scope;
    d.inverse_vector_jacobian(c.v, c.q, c.v, c.a, c.around(), into(dq), into(dv), into(da));
    d.inverse_jacobian_vector(c.q, c.v, c.a, c.v, c.v, c.v, c.around(), into(dq));
    d.forward_vector_jacobian(c.v, c.q, c.v, c.a, c.around(), into(dq), into(dv), into(da));
    d.forward_jacobian_vector(c.q, c.v, c.a, c.v, c.v, c.v, c.around(), into(dq));
  }
}

TEST(DerivativeProducts, RefuseBadInput) {
  Derivatives derivatives(load("builtin:arm7"));
  const std::vector<double> q(7), six(6), bad = {0, 0, NAN, 0, 0, 0, 0};
  EXPECT_EQ(message([&] { derivatives.inverse_vector_jacobian(six, q, q, q); }),
            "inverse_vector_jacobian: y has 6 elements, robot \"arm7\" needs 7");
  EXPECT_EQ(message([&] { derivatives.inverse_jacobian_vector(q, q, q, q, bad, q); }),
            "inverse_jacobian_vector: dv[2] is NaN");
  EXPECT_EQ(message([&] { derivatives.forward_vector_jacobian(q, q, six, q); }),
            "forward_vector_jacobian: v has 6 elements, robot \"arm7\" needs 7");
  EXPECT_EQ(message([&] { derivatives.forward_jacobian_vector(q, q, bad, q, q, q); }),
            "forward_jacobian_vector: tau[2] is NaN");
}

}  // namespace
}  // namespace jounce::test
