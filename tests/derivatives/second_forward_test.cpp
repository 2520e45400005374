// SPDX-License-Identifier: BSD-3-Clause
// Second derivatives of forward dynamics and of the mass matrix.
#include "derivatives/second_cases.hpp"

namespace jounce::test {
namespace {

Slices minus_solved(const DenseMatrix& M, const Slices& right) {
  Slices found;
  for (const DenseMatrix& slice : right) found.push_back(-solve_positive(M, slice));
  return found;
}

/// The chain rule with dense matrices and Cholesky's factors on what dual numbers give. M x = y
/// loses as many digits as M has condition, and the first derivatives come in once more: 1e-13 of
/// the condition, of the largest entry of all blocks.
TEST(ForwardSecondDerivatives, ByTheChainRule) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(100); ++seed) {
    SecondCase c(seed);
    c.passive = false;
    const size_t n = size_t(c.robot.nv());
    if (n == 0) continue;
    const Vector tau = c.dynamics.inverse(c.q, c.v, c.a, c.around());
    SecondSlices x = second_by_dual(c);
    const ExactDerivatives first = by_dual_numbers(c);
    const DenseMatrix& M = first.da;
    const DenseMatrix a_q = -solve_positive(M, first.dq), a_v = -solve_positive(M, first.dv),
                      inverse =
                          solve_positive(M, DenseMatrix::Identity(c.robot.nv(), c.robot.nv()));
    for (size_t k = 0; k < n; ++k) {
      const DenseMatrix by_q = x.dadq[k] * a_q, by_v = x.dadq[k] * a_v;
      const Eigen::Index at = Eigen::Index(k);
      for (size_t l = 0; l < n; ++l) {
        x.dqdq[l].col(at) += by_q.col(Eigen::Index(l));
        x.dqdq[k].col(Eigen::Index(l)) += by_q.col(Eigen::Index(l));
        x.dqdv[l].col(at) += by_v.col(Eigen::Index(l));
      }
      x.dadq[k] = x.dadq[k] * inverse;
    }
    const double bound = 1e-13 * condition(M);
    const SecondSlices exact{minus_solved(M, x.dqdq), minus_solved(M, x.dqdv),
                             minus_solved(M, x.dvdv), minus_solved(M, x.dadq)};
    expect_blocks(
        slices(c.second.forward(c.q, c.v, tau, c.around())), exact,
        [bound](double size) { return bound * (size + 1); }, seed);
  }
}

/// What Dynamics returns, with every joint, wrench and passive force. Differences keep what the
/// first derivatives have, 1e-13 of M's condition of up to 1e5, over the step 1e-3.
TEST(ForwardSecondDerivatives, ByDifferences) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(30); ++seed) {
    DerivativeCase c(seed, 7);
    for (double& x : c.v) x = std::copysign(0.2 + std::abs(x), x);
    SecondDerivatives second(c.robot);
    const Vector tau = c.dynamics.inverse(c.q, c.v, c.a, c.around());
    const SecondSlices found = slices(second.forward(c.q, c.v, tau, c.around()));
    const SecondSlices expected =
        second_by_differences(c, [&](const Vector& q, const Vector& v) -> ExactDerivatives {
          const auto x = c.derivatives.forward(q, v, tau, c.around());
          return {x.dq, x.dv, x.dtau};
        });
    expect_blocks(
        found, expected, [](double size) { return 1e-5 * (size + 1e-4); }, seed);
  }
}

/// Random trees have conditions of up to 1e5, of which both ways lose the digits: 1e-9.
TEST(ForwardSecondDerivatives, ProductsAreThoseOfTheTensors) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(60); ++seed) {
    DerivativeCase c(seed, 10);
    SecondDerivatives second(c.robot);
    const Vector y = c.random(), tau = c.dynamics.inverse(c.q, c.v, c.a, c.around());
    const SecondSlices T = slices(second.forward(c.q, c.v, tau, c.around()));
    const double bound = 1e-9 * c.robot.nv();
    expect_products(
        second.forward_products(y, c.q, c.v, tau, c.around()), T, y,
        [bound](double size) { return bound * size + 1e-13; }, seed);
  }
}

/// With every joint, custom ones too: 1e-16 over the step 1e-3.
TEST(MassDerivatives, ByDifferences) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(12); ++seed) {
    DerivativeCase c(seed, 4);
    SecondDerivatives second(c.robot);
    const int n = c.robot.nv();
    const Slices slope = matrix_differences(
        n, [&](const Vector& d) -> DenseMatrix { return c.dynamics.mass(c.moved(d)); });
    EXPECT_LE(distance(slices(second.mass(c.q)), slope), 1e-9 * (largest(slope) + 1)) << seed;
    for (int k = 0; k < n; ++k) {
      const Slices curves = matrix_differences(
          n, [&](const Vector& d) -> DenseMatrix { return second.mass(c.moved(d)).slice(k); });
      for (int l = 0; l < n; ++l)
        EXPECT_TRUE(within(1e-9 * (largest(curves) + 1), second.mass_second(c.q, k, l),
                           curves[size_t(l)], c))
            << k << " " << l;
    }
  }
}

}  // namespace
}  // namespace jounce::test
