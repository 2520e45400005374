// SPDX-License-Identifier: BSD-3-Clause
// Second derivatives of inverse dynamics on random trees: dual numbers, differences, symmetry.
#include "derivatives/second_cases.hpp"
#include "support/allocation_guard.hpp"

namespace jounce::test {
namespace {

/// What remains is the rounding of sums over up to 12 bodies, or that of masses of order one,
/// 1e-14, where a block is zero.
TEST(SecondDerivatives, ByDualNumbers) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(300); ++seed) {
    SecondCase c(seed);
    c.passive = false;
    const SecondSlices exact = second_by_dual(c);
    const SecondSlices found =
        slices(c.dynamics.inverse_second_derivatives(c.q, c.v, c.a, c.around()));
    expect_blocks(
        found, exact, [](double size) { return 1e-12 * size + 1e-14; }, seed);
  }
}

/// Every joint, wrenches in every representation, passive forces. Differences of fourth order have
/// errors of 1e-10 of the block, and the rounding of the first derivatives over the step 1e-3.
TEST(SecondDerivatives, ByDifferences) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(60); ++seed) {
    DerivativeCase c(seed, 8);
    for (double& x : c.v) x = std::copysign(0.2 + std::abs(x), x);  // away from friction's step
    c.dynamics.reserve_second_derivatives();
    const auto first = [&](const Vector& q, const Vector& v) -> ExactDerivatives {
      const auto x = c.dynamics.inverse_derivatives(q, v, c.a, c.around());
      return {x.dtau_dq, x.dtau_dv, x.dtau_da};
    };
    const ExactDerivatives here = first(c.q, c.v);
    const double size = largest(here.dq) + largest(here.dv) + largest(here.da);
    const SecondSlices found =
        slices(c.dynamics.inverse_second_derivatives(c.q, c.v, c.a, c.around()));
    expect_blocks(
        found, second_by_differences(c, first),
        [size](double block) { return 1e-8 * block + 1e-11 * size; }, seed);
  }
}

/// Friction where it bends: the step of the differences is a thousandth of its width.
TEST(SecondDerivatives, OfFriction) {
  RobotDescription description = generate_chain(2);
  for (JointDescription& joint : description.joints) joint.properties.friction = {0.3};
  Dynamics dynamics{Robot(description)};
  dynamics.reserve_second_derivatives();
  const Vector zero = Vector::Zero(2), v = Vector::Constant(2, 0.004);
  const Slices dvdv = slices(dynamics.inverse_second_derivatives(zero, v, zero).d2tau_dvdv);
  const Slices expected = matrix_differences(
      2,
      [&](const Vector& d) -> DenseMatrix {
        return dynamics.inverse_derivatives(zero, v + d, zero).dtau_dv;
      },
      1e-5);
  EXPECT_LE(distance(dvdv, expected), 1e-8 * largest(expected));
}

/// Along coordinates of different parts derivatives commute; along those of one part the tensor
/// less its transpose is the bracket of the screws times the first derivative.
TEST(SecondDerivatives, AreSymmetricUpToTheBracket) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(100); ++seed) {
    DerivativeCase c(seed, 12);
    if (c.robot.has_mimic()) continue;  // their own coordinates have no bracket of their own
    c.dynamics.reserve_second_derivatives();
    const int n = c.robot.nv();
    const InverseSecondDerivativesResult x =
        c.dynamics.inverse_second_derivatives(c.q, c.v, c.a, c.around());
    const double size = 1e-12 * (largest(slices(x.d2tau_dqdq)) + 1),
                 size_v = 1e-13 * (largest(slices(x.d2tau_dvdv)) + 1);
    const DenseMatrix dq = c.dynamics.inverse_derivatives(c.q, c.v, c.a, c.around()).dtau_dq;
    for (int k = 0; k < n; ++k)
      for (int l = 0; l < n; ++l) {
        const Vector difference = x.d2tau_dqdq.slice(l).col(k) - x.d2tau_dqdq.slice(k).col(l);
        EXPECT_LE(largest(difference - dq * bracket(c.robot, l, k)), size) << seed;
        EXPECT_LE(largest(x.d2tau_dvdv.slice(l).col(k) - x.d2tau_dvdv.slice(k).col(l)), size_v)
            << seed;
      }
    for (int l = 0; l < n; ++l) {
      const DenseMatrix slope = x.d2tau_dadq.slice(l);
      EXPECT_LE(largest(slope - DenseMatrix(slope.transpose())), 1e-12 * (largest(slope) + 1));
    }
  }
}

/// sum_l dM/dq_l v_l is the rate of M that the Coriolis matrix comes with.
TEST(SecondDerivatives, GiveTheRateOfTheMassMatrix) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(60); ++seed) {
    DerivativeCase c(seed, 20);
    c.dynamics.reserve_second_derivatives();
    const TensorView slope = c.dynamics.mass_derivatives(c.q);
    DenseMatrix rate = DenseMatrix::Zero(slope.n, slope.n);
    for (int l = 0; l < slope.n; ++l) rate += slope.slice(l) * c.v[l];
    const DenseMatrix expected = c.dynamics.coriolis(c.q, c.v).mass_rate;
    EXPECT_LE(largest(rate - expected), 1e-12 * largest(expected) + 1e-14) << seed;
  }
}

/// Both are sums of the same entries, rounded at every step: 1e-13 of the largest for each.
TEST(SecondDerivatives, ProductsAreThoseOfTheTensors) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(200); ++seed) {
    DerivativeCase c(seed, 14);
    c.dynamics.reserve_second_derivatives();
    const Vector y = c.random();
    const SecondSlices T = slices(c.dynamics.inverse_second_derivatives(c.q, c.v, c.a, c.around()));
    const SecondProductsResult H = c.dynamics.inverse_second_products(y, c.q, c.v, c.a, c.around());
    const double bound = 1e-13 * c.robot.nv();
    expect_products(
        H, T, y, [bound](double size) { return bound * size + 1e-15; }, seed);
  }
}

/// A fixed base with two arms, whose coordinates do not meet: a call leaves nothing behind for the
/// zeros of the next. Dual numbers do all of it, for custom joints or a wrench in ground axes.
TEST(SecondDerivatives, OfTwoArmsForgetThePreviousCall) {
  for (const bool custom : {false, true}) {
    Case c(Robot(generate({.shape = TreeShape::branches,
                           .bodies = 12,
                           .branches = 2,
                           .kinds = {custom ? JointKind::custom : JointKind::revolute}})),
           1);
    std::vector<OutsideWrench<double>> external;
    if (!custom) external.push_back({FrameId(3), c.rng.wrench(), Representation::hybrid});
    const int n = c.robot.nv();
    const Vector y = c.random();
    Dynamics fresh(c.robot);
    for (Dynamics* one : {&c.dynamics, &fresh}) one->reserve_second_derivatives();
    const SecondSlices expected =
        slices(fresh.inverse_second_derivatives(c.q, c.v, c.a, {.wrenches = external}));
    const DenseMatrix curve = fresh.mass_second_derivative(c.q, 0, n - 1);
    c.dynamics.inverse_second_products(y, c.q, c.v, c.a, {.wrenches = external});
    EXPECT_EQ(largest(c.dynamics.mass_second_derivative(c.q, 0, n - 1) - curve), 0) << custom;
    expect_blocks(
        slices(c.dynamics.inverse_second_derivatives(c.q, c.v, c.a, {.wrenches = external})),
        expected, [](double) { return 0.0; }, custom);
  }
}

/// Where no coordinate carries the other there is nothing, also after a call in ground axes, which
/// goes by dual numbers: no rounding of it is left behind.
TEST(SecondDerivatives, LeaveNothingBehind) {
  for (std::uint64_t seed = 1; seed < scaled<std::uint64_t>(40); ++seed) {
    DerivativeCase c(seed, 10);
    Dynamics fresh(c.robot);
    for (Dynamics* one : {&c.dynamics, &fresh}) one->reserve_second_derivatives();
    const OutsideWrench<double> push{FrameId(int(c.robot.frames().size()) - 1), c.rng.wrench(),
                                     Representation::hybrid};
    const Surroundings around{.wrenches = {&push, 1}};
    const Vector y = c.random(), fast = 1e5 * c.v;
    c.dynamics.inverse_second_derivatives(c.q, fast, c.a, around);
    c.dynamics.inverse_second_products(y, c.q, fast, c.a, around);
    const auto none = [](double) { return 0.0; };
    const SecondSlices expected = slices(fresh.inverse_second_derivatives(c.q, c.v, c.a));
    expect_blocks(slices(c.dynamics.inverse_second_derivatives(c.q, c.v, c.a)), expected, none,
                  seed);
    const DenseMatrix product = fresh.inverse_second_products(y, c.q, c.v, c.a).dqdq;
    EXPECT_EQ(largest(c.dynamics.inverse_second_products(y, c.q, c.v, c.a).dqdq - product), 0)
        << seed;
  }
}

/// The origin of the sums moves with the robot: at 1e6 m the positions still have ten digits.
TEST(SecondDerivatives, KeepTheirDigitsFarFromTheOrigin) {
  Case c(Robot(load("builtin:quadruped")), 1);
  c.dynamics.reserve_second_derivatives();
  const Slices near = slices(c.dynamics.inverse_second_derivatives(c.q, c.v, c.a).d2tau_dqdq);
  c.q.head(3) += Eigen::Vector3d(1e6, -1e6, 1e6);
  EXPECT_LE(distance(slices(c.dynamics.inverse_second_derivatives(c.q, c.v, c.a).d2tau_dqdq), near),
            1e-8 * largest(near));
}

TEST(SecondDerivatives, AllocateNothing) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    DerivativeCase c(seed, 8);
    c.dynamics.reserve_second_derivatives();
    NoAllocation scope;
    c.dynamics.inverse_second_derivatives(c.q, c.v, c.a, c.around());
    c.dynamics.inverse_second_products(c.v, c.q, c.v, c.a, c.around());
    c.dynamics.forward_second_derivatives(c.q, c.v, c.a, c.around());
    c.dynamics.forward_second_products(c.v, c.q, c.v, c.a, c.around());
    c.dynamics.mass_derivatives(c.q);
    if (c.robot.nv() > 0) c.dynamics.mass_second_derivative(c.q, 0, c.robot.nv() - 1);
  }
}

TEST(SecondDerivatives, RefuseBadInput) {
  Dynamics dynamics(load("builtin:arm7"));
  const std::vector<double> q(7), six(6), bad = {0, 0, NAN, 0, 0, 0, 0};
  EXPECT_EQ(message([&] { dynamics.inverse_second_products(q, q, q, q); }),
            "inverse_second_products: call reserve_second_derivatives() first");
  dynamics.reserve_second_derivatives(SecondOrder::products);
  dynamics.inverse_second_products(q, q, q, q);
  EXPECT_EQ(message([&] { dynamics.inverse_second_derivatives(q, q, q); }),
            "inverse_second_derivatives: call reserve_second_derivatives(SecondOrder::tensors) "
            "first");
  EXPECT_EQ(message([&] { dynamics.mass_derivatives(q); }),
            "mass_derivatives: call reserve_second_derivatives(SecondOrder::tensors) first");
  dynamics.reserve_second_derivatives();
  EXPECT_EQ(message([&] { dynamics.inverse_second_derivatives(six, q, q); }),
            "inverse_second_derivatives: q has 6 elements, robot \"arm7\" needs 7");
  EXPECT_EQ(message([&] { dynamics.inverse_second_products(bad, q, q, q); }),
            "inverse_second_products: y[2] is NaN");
  EXPECT_EQ(message([&] { dynamics.forward_second_derivatives(q, bad, q); }),
            "forward_second_derivatives: v[2] is NaN");
  EXPECT_EQ(message([&] { dynamics.forward_second_products(q, q, q, six); }),
            "forward_second_products: tau has 6 elements, robot \"arm7\" needs 7");
  EXPECT_EQ(message([&] { dynamics.mass_derivatives(six); }),
            "mass_derivatives: q has 6 elements, robot \"arm7\" needs 7");
  EXPECT_EQ(message([&] { dynamics.mass_second_derivative(q, 0, 7); }),
            "mass_second_derivative: there is no coordinate 7, robot \"arm7\" has 7");
}

}  // namespace
}  // namespace jounce::test
