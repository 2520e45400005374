// SPDX-License-Identifier: BSD-3-Clause
// d a/d(q, v, tau) and the derivatives of hybrid dynamics, on random trees.
#include "derivatives/changes.hpp"
#include "support/allocation_guard.hpp"

namespace jounce::test {
namespace {

/// M x = y loses as many digits as M has condition: 1e-13 of it, or 1e-15 where the derivative is
/// zero.
TEST(ForwardDerivatives, ByDualNumbers) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(300); ++seed) {
    DerivativeCase c(seed);
    c.passive = false;
    const Vector tau = c.dynamics.inverse(c.q, c.v, c.a, c.around());
    const ForwardDerivatives found = c.derivatives.forward(c.q, c.v, tau, c.around());
    const ExactDerivatives exact = by_dual_numbers(c);
    const DenseMatrix& M = exact.da;
    const double bound = 1e-13 * condition(M);
    const int n = c.robot.nv();
    const DenseMatrix dq = -solve_positive(M, exact.dq), dv = -solve_positive(M, exact.dv),
                      inverse = solve_positive(M, DenseMatrix::Identity(n, n));
    EXPECT_TRUE(within(bound * largest(dq), found.dq, dq, c));
    EXPECT_TRUE(within(bound * largest(dv) + 1e-15, found.dv, dv, c));
    EXPECT_TRUE(within(bound * largest(inverse), found.dtau, inverse, c));
  }
}

/// A difference of forward dynamics of heavy and light bodies keeps fewer digits; 1e-12 where all
/// derivatives are zero.
TEST(ForwardDerivatives, ByDifferences) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(40); ++seed) {
    DerivativeCase c(seed, 10);
    for (double& x : c.v) x = std::copysign(0.2 + std::abs(x), x);
    const Vector tau = c.dynamics.inverse(c.q, c.v, c.a, c.around());
    const int n = c.robot.nv();
    const DenseMatrix dq = differences(n, [&](const Vector& d) -> Vector {
      return c.dynamics.forward(c.moved(d), c.v, tau, c.around());
    });
    const DenseMatrix dv = differences(n, [&](const Vector& d) -> Vector {
      return c.dynamics.forward(c.q, c.v + d, tau, c.around());
    });
    const ForwardDerivatives found = c.derivatives.forward(c.q, c.v, tau, c.around());
    EXPECT_TRUE(within(1e-6 * largest(dq) + 1e-12, found.dq, dq, c));
    EXPECT_TRUE(within(1e-6 * largest(dv) + 1e-12, found.dv, dv, c));
  }
}

TEST(HybridDerivatives, BySplittingTheMassMatrix) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(300); ++seed) {
    DerivativeCase c(seed);
    c.passive = false;
    const int n = c.robot.nv();
    const auto flags = random_flags(c);
    const Vector tau = c.dynamics.inverse(c.q, c.v, c.a, c.around());
    const HybridDerivatives found =
        c.derivatives.hybrid({flags.get(), size_t(n)}, c.q, c.v, c.a, tau, c.around());
    const ExactDerivatives exact = by_dual_numbers(c);
    std::vector<int> p, f;
    for (int k = 0; k < n; ++k) (flags[size_t(k)] ? p : f).push_back(k);
    const DenseMatrix& M = exact.da;
    const auto expect = [&](const DenseMatrix& X, const DenseMatrix& result) {
      DenseMatrix expected(n, X.cols());
      const DenseMatrix a = f.empty() ? DenseMatrix(0, X.cols())
                                      : DenseMatrix(-solve_positive(M(f, f), X(f, Eigen::all)));
      expected(f, Eigen::all) = a;
      expected(p, Eigen::all) = X(p, Eigen::all) + DenseMatrix(M(p, f)) * a;
      EXPECT_TRUE(within(1e-13 * condition(M) * largest(expected) + 1e-15, result, expected, c));
    };
    expect(exact.dq, found.dq);
    expect(exact.dv, found.dv);
    DenseMatrix given = -DenseMatrix::Identity(n, n);
    for (const int k : p) given.col(k) = M.col(k);
    expect(given, found.dgiven);
  }
}

TEST(HybridDerivatives, ByDifferences) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(24); ++seed) {
    DerivativeCase c(seed, 8);
    for (double& x : c.v) x = std::copysign(0.2 + std::abs(x), x);
    const int n = c.robot.nv();
    const auto flags = random_flags(c);
    const Vector tau = c.dynamics.inverse(c.q, c.v, c.a, c.around());
    const auto answer = [&](const Vector& q, const Vector& v, const Vector& given) -> Vector {
      Vector x(n);
      const HybridResult found =
          c.dynamics.hybrid({flags.get(), size_t(n)}, q, v, c.a + given, tau + given, c.around());
      for (int k = 0; k < n; ++k) x[k] = flags[size_t(k)] ? found.tau[k] : found.a[k];
      return x;
    };
    const Vector none = Vector::Zero(n);
    const DenseMatrix dq =
        differences(n, [&](const Vector& d) { return answer(c.moved(d), c.v, none); });
    const DenseMatrix dv =
        differences(n, [&](const Vector& d) { return answer(c.q, c.v + d, none); });
    const DenseMatrix given = differences(n, [&](const Vector& d) { return answer(c.q, c.v, d); });
    const HybridDerivatives found =
        c.derivatives.hybrid({flags.get(), size_t(n)}, c.q, c.v, c.a, tau, c.around());
    EXPECT_TRUE(within(1e-6 * largest(dq) + 1e-12, found.dq, dq, c));
    EXPECT_TRUE(within(1e-6 * largest(dv) + 1e-12, found.dv, dv, c));
    EXPECT_TRUE(within(1e-6 * largest(given), found.dgiven, given, c));
  }
}

TEST(ForwardDerivatives, AllocateNothing) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    DerivativeCase c(seed);
    const auto flags = random_flags(c);
    ForwardDerivatives forward(c.robot);
    HybridDerivatives hybrid(c.robot);
    NoAllocation scope;
    c.derivatives.forward(c.q, c.v, c.a, c.around(), into(forward));
    c.derivatives.hybrid({flags.get(), size_t(c.robot.nv())}, c.q, c.v, c.a, c.a, c.around(),
                         into(hybrid));
  }
}

TEST(ForwardDerivatives, RefuseBadInput) {
  Derivatives derivatives(load("builtin:arm7"));
  const std::vector<double> q(7), six(6), bad = {0, 0, NAN, 0, 0, 0, 0};
  EXPECT_EQ(message([&] { derivatives.forward(six, q, q); }),
            "forward_derivatives: q has 6 elements, robot \"arm7\" needs 7");
  EXPECT_EQ(message([&] { derivatives.forward(q, q, bad); }), "forward_derivatives: tau[2] is NaN");
  const bool flags[7] = {};
  EXPECT_EQ(message([&] {
              derivatives.hybrid({flags, 3}, q, q, q, q);
            }),
            "hybrid_derivatives: prescribed has 3 elements, robot \"arm7\" needs 7");
  EXPECT_EQ(message([&] {
              derivatives.hybrid({flags, 7}, q, six, q, q);
            }),
            "hybrid_derivatives: v has 6 elements, robot \"arm7\" needs 7");
}

TEST(ForwardDerivatives, NamesTheJointThatMovesNoMass) {
  RobotDescription description = generate_chain(3);
  description.links.back().mass = 0;
  description.links.back().I_com = {};
  Derivatives derivatives{Robot(description)};
  const std::vector<double> zero(3);
  EXPECT_EQ(message([&] { derivatives.forward(zero, zero, zero); }),
            "forward_derivatives: joint \"joint_3\" moves link \"" + description.links.back().name +
                "\", which has no mass");
}

}  // namespace
}  // namespace jounce::test
