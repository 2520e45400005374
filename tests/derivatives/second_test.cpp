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
    const SecondSlices found = slices(c.second.inverse(c.q, c.v, c.a, c.around()));
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
    SecondDerivatives second(c.robot);
    const auto first = [&](const Vector& q, const Vector& v) -> ExactDerivatives {
      const auto x = c.derivatives.inverse(q, v, c.a, c.around());
      return {x.dq, x.dv, x.da};
    };
    const ExactDerivatives here = first(c.q, c.v);
    const double size = largest(here.dq) + largest(here.dv) + largest(here.da);
    const SecondSlices found = slices(second.inverse(c.q, c.v, c.a, c.around()));
    expect_blocks(
        found, second_by_differences(c, first),
        [size](double block) { return 1e-8 * block + 1e-11 * size; }, seed);
  }
}

/// Friction where it bends: the step of the differences is a thousandth of its width.
TEST(SecondDerivatives, OfFriction) {
  RobotDescription description = generate_chain(2);
  for (JointDescription& joint : description.joints) joint.properties.friction = {0.3};
  const Robot robot(description);
  Derivatives derivatives(robot);
  SecondDerivatives second(robot);
  const Vector zero = Vector::Zero(2), v = Vector::Constant(2, 0.004);
  const Slices dvdv = slices(second.inverse(zero, v, zero).dvdv);
  const Slices expected = matrix_differences(
      2, [&](const Vector& d) -> DenseMatrix { return derivatives.inverse(zero, v + d, zero).dv; },
      1e-5);
  EXPECT_LE(distance(dvdv, expected), 1e-8 * largest(expected));
}

/// Along coordinates of different parts derivatives commute; along those of one part the tensor
/// less its transpose is the bracket of the screws times the first derivative.
TEST(SecondDerivatives, AreSymmetricUpToTheBracket) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(100); ++seed) {
    DerivativeCase c(seed, 12);
    if (c.robot.has_mimic()) continue;  // their own coordinates have no bracket of their own
    SecondDerivatives second(c.robot);
    const int n = c.robot.nv();
    const InverseSecondDerivatives x = second.inverse(c.q, c.v, c.a, c.around());
    const double size = 1e-12 * (largest(slices(x.dqdq)) + 1),
                 size_v = 1e-13 * (largest(slices(x.dvdv)) + 1);
    const DenseMatrix dq = c.derivatives.inverse(c.q, c.v, c.a, c.around()).dq;
    for (int k = 0; k < n; ++k)
      for (int l = 0; l < n; ++l) {
        const Vector difference = x.dqdq.slice(l).col(k) - x.dqdq.slice(k).col(l);
        EXPECT_TRUE(within(size, difference, dq * bracket(c.robot, l, k), c));
        EXPECT_TRUE(within(size_v, x.dvdv.slice(l).col(k), x.dvdv.slice(k).col(l), c));
      }
    for (int l = 0; l < n; ++l) {
      const DenseMatrix slope = x.dadq.slice(l);
      EXPECT_TRUE(within(1e-12 * (largest(slope) + 1), slope, slope.transpose(), c));
    }
  }
}

/// sum_l dM/dq_l v_l is the rate of M that the Coriolis matrix comes with.
TEST(SecondDerivatives, GiveTheRateOfTheMassMatrix) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(60); ++seed) {
    DerivativeCase c(seed, 20);
    SecondDerivatives second(c.robot);
    const MassDerivatives slope = second.mass(c.q);
    const int n = c.robot.nv();
    DenseMatrix rate = DenseMatrix::Zero(n, n);
    for (int l = 0; l < n; ++l) rate += slope.slice(l) * c.v[l];
    const DenseMatrix expected = c.dynamics.coriolis(c.q, c.v).mass_rate;
    EXPECT_TRUE(within(1e-12 * largest(expected) + 1e-14, rate, expected, c));
  }
}

/// Both are sums of the same entries, rounded at every step: 1e-13 of the largest for each.
TEST(SecondDerivatives, ProductsAreThoseOfTheTensors) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(200); ++seed) {
    DerivativeCase c(seed, 14);
    SecondDerivatives second(c.robot);
    const Vector y = c.random();
    const SecondSlices T = slices(second.inverse(c.q, c.v, c.a, c.around()));
    const SecondProducts H = second.inverse_products(y, c.q, c.v, c.a, c.around());
    const double bound = 1e-13 * c.robot.nv();
    expect_products(
        H, T, y, [bound](double size) { return bound * size + 1e-15; }, seed);
  }
}

/// A fixed base with two arms, whose coordinates do not meet: a call leaves nothing behind for the
/// zeros of the next, in its own memory or in the result's. Dual numbers do all of it, for custom
/// joints or a wrench in ground axes.
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
    const Surroundings around{.wrenches = external};
    SecondDerivatives used(c.robot), fresh(c.robot);
    const SecondSlices expected = slices(fresh.inverse(c.q, c.v, c.a, around));
    const DenseMatrix curve = fresh.mass_second(c.q, 0, n - 1);
    InverseSecondDerivatives found(c.robot);
    used.inverse(c.q, y, y, around, into(found));
    used.inverse_products(y, c.q, c.v, c.a, around);
    EXPECT_TRUE(within(0, used.mass_second(c.q, 0, n - 1), curve, c)) << custom;
    used.inverse(c.q, c.v, c.a, around, into(found));
    expect_blocks(
        slices(found), expected, [](double) { return 0.0; }, custom);
  }
}

/// Where no coordinate carries the other there is nothing, also after a call in ground axes, which
/// goes by dual numbers: no rounding of it is left behind.
TEST(SecondDerivatives, LeaveNothingBehind) {
  for (std::uint64_t seed = 1; seed < scaled<std::uint64_t>(40); ++seed) {
    DerivativeCase c(seed, 10);
    SecondDerivatives used(c.robot), fresh(c.robot);
    InverseSecondDerivatives found(c.robot);
    SecondProducts products(c.robot);
    const OutsideWrench<double> push{FrameId(int(c.robot.frames().size()) - 1), c.rng.wrench(),
                                     Representation::hybrid};
    const Surroundings around{.wrenches = {&push, 1}};
    const Vector y = c.random(), fast = 1e5 * c.v;
    used.inverse(c.q, fast, c.a, around, into(found));
    used.inverse_products(y, c.q, fast, c.a, around, into(products));
    const auto none = [](double) { return 0.0; };
    const SecondSlices expected = slices(fresh.inverse(c.q, c.v, c.a));
    used.inverse(c.q, c.v, c.a, into(found));
    expect_blocks(slices(found), expected, none, seed);
    const DenseMatrix product = fresh.inverse_products(y, c.q, c.v, c.a).dqdq;
    used.inverse_products(y, c.q, c.v, c.a, {}, into(products));
    EXPECT_TRUE(within(0, products.dqdq, product, c));
  }
}

/// The origin of the sums moves with the robot: at 1e6 m the positions still have ten digits.
TEST(SecondDerivatives, KeepTheirDigitsFarFromTheOrigin) {
  Case c(Robot(load("builtin:quadruped")), 1);
  SecondDerivatives second(c.robot);
  const Slices near = slices(second.inverse(c.q, c.v, c.a).dqdq);
  c.q.head(3) += Eigen::Vector3d(1e6, -1e6, 1e6);
  EXPECT_LE(distance(slices(second.inverse(c.q, c.v, c.a).dqdq), near), 1e-8 * largest(near));
}

TEST(SecondDerivatives, AllocateNothing) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    DerivativeCase c(seed, 8);
    SecondDerivatives second(c.robot);
    InverseSecondDerivatives inverse(c.robot);
    ForwardSecondDerivatives forward(c.robot);
    SecondProducts products(c.robot);
    MassDerivatives mass(c.robot);
    NoAllocation scope;
    second.inverse(c.q, c.v, c.a, c.around(), into(inverse));
    second.inverse_products(c.v, c.q, c.v, c.a, c.around(), into(products));
    second.forward(c.q, c.v, c.a, c.around(), into(forward));
    second.forward_products(c.v, c.q, c.v, c.a, c.around(), into(products));
    second.mass(c.q, into(mass));
  }
}

TEST(SecondDerivatives, RefuseBadInput) {
  SecondDerivatives second(load("builtin:arm7"));
  const std::vector<double> q(7), six(6), bad = {0, 0, NAN, 0, 0, 0, 0};
  EXPECT_EQ(message([&] { second.inverse(six, q, q); }),
            "inverse_second_derivatives: q has 6 elements, robot \"arm7\" needs 7");
  EXPECT_EQ(message([&] { second.inverse_products(bad, q, q, q); }),
            "inverse_second_products: y[2] is NaN");
  EXPECT_EQ(message([&] { second.forward(q, bad, q); }), "forward_second_derivatives: v[2] is NaN");
  EXPECT_EQ(message([&] { second.forward_products(q, q, q, six); }),
            "forward_second_products: tau has 6 elements, robot \"arm7\" needs 7");
  EXPECT_EQ(message([&] { second.mass(six); }),
            "mass_derivatives: q has 6 elements, robot \"arm7\" needs 7");
  EXPECT_EQ(message([&] { second.mass_second(q, 0, 7); }),
            "mass_second_derivative: there is no coordinate 7, robot \"arm7\" has 7");
}

}  // namespace
}  // namespace jounce::test
