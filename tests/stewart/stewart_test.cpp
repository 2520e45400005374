// SPDX-License-Identifier: BSD-3-Clause
// Lengths, rates, Jacobians, statics and stiffness of platforms against series arithmetic, and
// the paper's numbers.
#include <gtest/gtest.h>

#include <jounce/error.hpp>
#include <jounce/scalar/taylor.hpp>

#include "stewart/platforms.hpp"
#include "support/allocation_guard.hpp"
#include "support/near.hpp"
#include "support/scale.hpp"

namespace jounce::test {
namespace {

using Series = Taylor<double, 2>;

SE3<Series> series_pose(const SE3<double>& T, const Twist<double>& V, const Twist<double>& Vdot) {
  const auto line = [](double v, double a) {
    Series x(0.0);
    x.c[1] = v, x.c[2] = a / 2;
    return x;
  };
  const Twist<Series> X{{line(V.w.x, Vdot.w.x), line(V.w.y, Vdot.w.y), line(V.w.z, Vdot.w.z)},
                        {line(V.v.x, Vdot.v.x), line(V.v.y, Vdot.v.y), line(V.v.z, Vdot.v.z)}};
  return as<Series>(T) * exp(X);  // body twist V and its derivative Vdot at time zero
}

Matrix<double, 6, 1> column(const SixNumbers& x) {
  Matrix<double, 6, 1> c;
  for (int i = 0; i < 6; ++i) c(i, 0) = x[static_cast<size_t>(i)];
  return c;
}
Matrix<double, 6, 1> column(const Twist<double>& V) {
  return column(SixNumbers{V.w.x, V.w.y, V.w.z, V.v.x, V.v.y, V.v.z});
}
Matrix<double, 6, 1> column(const Wrench<double>& F) {
  return column(SixNumbers{F.m.x, F.m.y, F.m.z, F.f.x, F.f.y, F.f.z});
}

TEST(Stewart, HasThePapersLengthsAndDeterminants) {
  const Stewart s = paper_platform();
  const SE3<double> true_pose = pose_of(0, 0, 50, 20, 0, -30);
  const SixNumbers printed{55.8558, 62.5313, 52.7436,
                           55.1457, 44.7972, 51.9910};  // (29), leg 6 - 4
  const SixNumbers L = s.lengths(true_pose);
  for (size_t i = 0; i < 6; ++i) EXPECT_NEAR(L[i], printed[i], 1e-4);  // four printed decimals
  const SE3<double> branch = pose_of(17.575821, 10.339346, 36.711912, 89.2772, -67.8204, -142.0038);
  EXPECT_NEAR(s.normalised_determinant(pose_of(0, 0, 50, 0, 0, 0)), -1.083, 5e-4);  // digits known
  EXPECT_NEAR(s.normalised_determinant(true_pose), -0.745, 5e-4);
  EXPECT_NEAR(s.normalised_determinant(branch), 0.251, 1e-3);
  const SixNumbers L_branch = s.lengths(branch);
  for (size_t i = 0; i < 6; ++i) EXPECT_NEAR(L_branch[i], L[i], 1e-4);  // angles: four decimals
}

/// Lengths, rates and accelerations are the Taylor coefficients of |R b + p - a| along a motion.
TEST(Stewart, RatesAndAccelerationsAreDerivativesOfLengths) {
  for (std::uint64_t seed = 1; seed <= std::uint64_t(scaled(100)); ++seed) {
    Random random(seed);
    const Stewart s = random_platform(random, seed % 2 ? 1 : 0);
    const SE3<double> T = random_pose(random);
    const Twist<double> V = random.twist(), Vdot = random.twist();
    const SE3<Series> moving = series_pose(T, V, Vdot);
    SixNumbers L, rates, second;
    for (size_t i = 0; i < 6; ++i) {
      const Series length = norm(moving * as<Series>(s.platform()[i]) - as<Series>(s.base()[i]));
      L[i] = length.c[0], rates[i] = length.c[1], second[i] = 2 * length.c[2];
    }
    // A few roundings of sums of a dozen terms.
    expect_near(column(s.lengths(T)), column(L), 1e-14, seed);
    expect_near(column(s.rates(T, V)), column(rates), 1e-13, seed);
    expect_near(column(s.accelerations(T, V, Vdot)), column(second), 1e-12, seed);
  }
}

TEST(Stewart, JacobiansGiveTheRatesInBothFrames) {
  for (std::uint64_t seed = 1; seed <= std::uint64_t(scaled(100)); ++seed) {
    Random random(seed);
    const Stewart s = random_platform(random);
    const SE3<double> T = random_pose(random);
    const Twist<double> V = random.twist();
    const auto rates = column(s.rates(T, V));
    expect_near(s.jacobian_body(T) * column(V), rates, 1e-13, seed);
    expect_near(s.jacobian_space(T) * column(Ad(T, V)), rates, 1e-13, seed);
    const SixNumbers L = s.lengths(T);
    Mat6<double> body = s.jacobian_body(T), space = s.jacobian_space(T);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) body(i, j) *= 2 * L[size_t(i)], space(i, j) *= 2 * L[size_t(i)];
    expect_near(s.residual_jacobian_body(T), body, 1e-14, seed);    // (24)
    expect_near(s.residual_jacobian_space(T), space, 1e-14, seed);  // (23)
  }
}

TEST(Stewart, TwistAndForcesInvertRatesAndWrench) {
  for (std::uint64_t seed = 1; seed <= std::uint64_t(scaled(200)); ++seed) {
    Random random(seed);
    const Stewart s = random_platform(random);
    const SE3<double> T = random_pose(random);
    const double distance = s.singularity_distance(T);
    if (distance < 1e-3) continue;
    const Twist<double> V = random.twist();
    const Wrench<double> F = random.wrench();
    const SixNumbers f = s.leg_forces(T, F);
    // The condition number is at most about 5 / distance.
    expect_near(s.twist(T, s.rates(T, V)), V, 1e-14 / distance, seed);
    expect_near(s.platform_wrench(T, f), -F, 1e-14 / distance, seed);
    const SixNumbers rates = s.rates(T, V);
    double power = 0, size = 0;
    for (size_t i = 0; i < 6; ++i) power += f[i] * rates[i], size += std::abs(f[i] * rates[i]);
    EXPECT_NEAR(power, -dot(F, V), 1e-14 * size + 1e-13) << seed;  // rounding of six products
  }
}

TEST(Stewart, StiffnessIsTheLoadOfASmallTwist) {
  Random random(5);
  const Stewart s = random_platform(random);
  const SE3<double> T = random_pose(random);
  const SixNumbers k{1, 2, 3, 4, 5, 6};
  const Mat6<double> K = s.stiffness(T, k);
  expect_near(K, transpose(K), 1e-15);
  const Twist<double> V = random.twist();
  SixNumbers f = s.rates(T, V);
  for (size_t i = 0; i < 6; ++i) f[i] *= k[i];
  expect_near(K * column(V), column(s.platform_wrench(T, f)), 1e-14);
}

TEST(Stewart, JointAnglesVanishAtTheMountsAndRebuildTheLegs) {
  for (std::uint64_t seed = 1; seed <= std::uint64_t(scaled(50)); ++seed) {
    Random random(seed);
    const Stewart s = paper_platform();
    const LegMounts mounts = s.mounts_at(pose_of(0, 0, 50, 0, 0, 0));
    for (const LegAngles& angle : s.joint_angles(pose_of(0, 0, 50, 0, 0, 0), mounts)) {
      // The directions carry rounding, the angles too.
      EXPECT_NEAR(angle.first, 0, 1e-15);
      EXPECT_NEAR(angle.second, 0, 1e-15);
      EXPECT_NEAR(angle.base_tilt, 0, 1e-15);
      EXPECT_NEAR(angle.platform_tilt, 0, 1e-15);
    }
    const SE3<double> T{exp(random.vec3() * 0.4), random.vec3() * 10 + Vec3<double>{0, 0, 50}};
    const auto angles = s.joint_angles(T, mounts);
    const SixNumbers L = s.lengths(T);
    for (size_t i = 0; i < 6; ++i) {
      const Vec3<double> z{0, 0, 1}, leg = T * s.platform()[i] - s.base()[i];
      const Vec3<double> u = mounts.base[i] * (exp(Vec3<double>{angles[i].first, 0, 0}) *
                                               (exp(Vec3<double>{0, angles[i].second, 0}) * z));
      expect_near(u * L[i], leg, 1e-14, seed);
      const double cos_tilt = dot(mounts.base[i] * z, u);
      EXPECT_NEAR(std::cos(angles[i].base_tilt), cos_tilt, 1e-14);
      const Vec3<double> socket = T.R * (mounts.platform[i] * z);
      EXPECT_NEAR(std::cos(angles[i].platform_tilt), dot(socket, u), 1e-14);
    }
  }
}

/// In a pose where a leg's line and five others are dependent, the distance and determinant vanish.
TEST(Stewart, TwistsOfASingularPoseAreRefused) {
  const Stewart s = paper_platform();
  const SE3<double> flat = pose_of(0, 0, 0, 0, 0, 0);  // all legs in one plane
  EXPECT_LT(s.singularity_distance(flat), 1e-15);
  EXPECT_EQ(s.normalised_determinant(flat), 0);
  try {
    s.twist(flat, {1, 1, 1, 1, 1, 1});
    FAIL();
  } catch (const ComputationError& error) {
    EXPECT_STREQ(error.what(), "stewart twist: the pose is singular");
  }
  EXPECT_THROW(s.leg_forces(flat, {{0, 0, 0}, {0, 0, 1}}), ComputationError);
}

TEST(Stewart, ALegWithoutLengthMakesThePoseSingular) {
  SixPoints base = paper_platform().base();
  const SixPoints platform = paper_platform().platform();
  base[2] = platform[2];
  const Stewart s(base, platform);
  const SE3<double> T;  // leg 3 has length zero
  EXPECT_EQ(s.lengths(T)[2], 0);
  EXPECT_EQ(s.normalised_determinant(T), 0);
  EXPECT_EQ(s.rates(T, {{1, 2, 3}, {4, 5, 6}})[2], 0);
  EXPECT_THROW(s.mounts_at(T), InputError);
}

TEST(Stewart, CallsDoNotAllocate) {
  const Stewart s = paper_platform();
  const SE3<double> T = pose_of(1, 2, 50, 3, 4, 5);
  const Twist<double> V{{1, 2, 3}, {4, 5, 6}};
  const LegMounts mounts = s.mounts_at(T);
  NoAllocation none;
  s.lengths(T), s.rates(T, V), s.accelerations(T, V, V), s.jacobian_body(T), s.jacobian_space(T);
  s.twist(T, {1, 1, 1, 1, 1, 1}), s.leg_forces(T, {{1, 2, 3}, {4, 5, 6}});
  s.platform_wrench(T, {1, 1, 1, 1, 1, 1}), s.stiffness(T, {1, 1, 1, 1, 1, 1});
  s.joint_angles(T, mounts), s.normalised_determinant(T), s.singularity_distance(T);
  EXPECT_EQ(none.count(), 0);
}

}  // namespace
}  // namespace jounce::test
