// SPDX-License-Identifier: BSD-3-Clause
// All poses: counts known from the literature, and laws that poses of any platform obey.
#include <gtest/gtest.h>

#include <functional>
#include <jounce/error.hpp>
#include <jounce/stewart/all_poses.hpp>

#include "stewart/modes_support.hpp"
#include "stewart/platforms.hpp"
#include "support/message.hpp"
#include "support/scale.hpp"

namespace jounce {
namespace {

using test::message;
using test::Random;

double distance(const SE3<double>& T, const SE3<double>& U) {
  const Twist<double> X = log(inverse_times(T, U));
  return std::hypot(norm(X.w), norm(X.v));
}

bool contains(const AllPoses& all, const SE3<double>& T, double within) {
  for (const AssemblyMode& mode : all.poses)
    if (distance(mode.pose, T) < within) return true;
  return false;
}

/// What holds for every answer. Lengths are of order one, so 1e-10 is a million roundings.
void expect_sound(const AllPoses& all, std::uint64_t seed) {
  EXPECT_TRUE(all.converged) << seed;
  EXPECT_EQ(all.complex_count + all.at_infinity, all.paths) << seed;
  EXPECT_EQ(all.poses.size() % 2, all.complex_count % 2) << seed;  // complex ones come in pairs
  for (size_t i = 0; i < all.poses.size(); ++i) {
    EXPECT_LT(all.poses[i].residual, 1e-10) << seed;
    EXPECT_EQ(all.poses[i].certified, *all.poses[i].reason == 0) << all.poses[i].reason;
    for (size_t k = 0; k < i; ++k)
      EXPECT_GT(distance(all.poses[i].pose, all.poses[k].pose), 1e-9) << seed;
  }
}

size_t uncertified(const AllPoses& all) {
  size_t sum = 0;
  for (const AssemblyMode& mode : all.poses) sum += !mode.certified;
  return sum;
}

TEST(AllPoses, DietmaiersPlatformHasFortyRealPoses) {
  const auto [platform, lengths] = test::dietmaier();
  const AllPoses all = all_poses(platform, lengths);
  expect_sound(all, 0);
  EXPECT_EQ(all.complex_count, 40);
  EXPECT_EQ(all.poses.size(), 40u);
  EXPECT_EQ(uncertified(all), 0u);
}

TEST(AllPoses, ThePapersPlatformHasFourRealPosesOf28) {
  const Stewart platform = test::paper_platform();
  const SE3<double> q_C = test::pose_of(0, 0, 50, 20, 0, -30);
  AllPosesOptions options;
  options.near = q_C;
  const AllPoses all = all_poses(platform, platform.lengths(q_C), options);
  EXPECT_STREQ(all.family, "semi-regular");
  EXPECT_EQ(all.complex_count, 28);
  ASSERT_EQ(all.poses.size(), 4u);
  EXPECT_EQ(uncertified(all), 0u);
  EXPECT_LT(distance(all.poses[0].pose, q_C), 1e-9);
  const SE3<double> T_s = test::pose_of(17.575821, 10.339346, 36.711912, 89.2772, -67.8204,
                                        -142.0038);  // to the digits it is known to
  EXPECT_TRUE(contains(all, T_s, 1e-5));
  EXPECT_TRUE(contains(all, test::mirrored(q_C), 1e-9));
  EXPECT_TRUE(contains(all, test::mirrored(T_s), 1e-5));
}

TEST(AllPoses, RandomGeneralPlatformsHaveForty) {
  size_t poses = 0, open = 0;
  for (std::uint64_t seed = 1; seed <= std::uint64_t(test::scaled(100)); ++seed) {
    Random random(seed);
    const Stewart platform = test::random_platform(random, seed % 3 == 0 ? 0 : 1);
    const SE3<double> T = test::random_pose(random);
    const AllPoses all = all_poses(platform, platform.lengths(T));
    expect_sound(all, seed);
    EXPECT_EQ(all.complex_count, 40) << seed;
    EXPECT_TRUE(contains(all, T, 1e-6)) << seed;
    poses += all.poses.size();
    open += uncertified(all);
  }
  EXPECT_LE(double(open), 1e-3 * double(poses) + 1);
}

TEST(AllPoses, RandomSemiRegularPlatformsHave28) {
  for (std::uint64_t seed = 1; seed <= std::uint64_t(test::scaled(100)); ++seed) {
    Random random(seed);
    const Stewart platform = test::random_semi_regular(random);
    const SE3<double> T = test::random_pose(random);
    const AllPoses all = all_poses(platform, platform.lengths(T));
    expect_sound(all, seed);
    EXPECT_STREQ(all.family, "semi-regular") << seed;
    EXPECT_EQ(all.complex_count, 28) << seed;
    EXPECT_TRUE(contains(all, T, 1e-6)) << seed;
  }
}

TEST(AllPoses, LegsThatShareJointsInPairsHave16) {
  for (std::uint64_t seed = 1; seed <= std::uint64_t(test::scaled(40)); ++seed) {
    Random random(seed);
    SixPoints a = test::random_points(random, 1), b = test::random_points(random, seed % 2);
    b[4] = b[0], b[1] = b[3], b[5] = b[2];
    const SE3<double> T = test::random_pose(random);
    const Stewart top(a, b), bottom(b, a);
    const AllPoses all = all_poses(top, top.lengths(T));
    const AllPoses swapped = all_poses(bottom, bottom.lengths(inverse(T)));
    for (const AllPoses* each : {&all, &swapped}) {
      expect_sound(*each, seed);
      EXPECT_STREQ(each->family, "paired");
      EXPECT_EQ(each->complex_count, 16) << seed;
    }
    EXPECT_TRUE(contains(all, T, 1e-6)) << seed;
    ASSERT_EQ(all.poses.size(), swapped.poses.size()) << seed;
    for (const AssemblyMode& mode : all.poses)
      EXPECT_TRUE(contains(swapped, inverse(mode.pose), 1e-6)) << seed;
  }
}

TEST(AllPoses, FewerSharedJointsSendPathsToInfinity) {
  Random random(5);
  SixPoints a = test::random_points(random, 1), b = test::random_points(random, 1);
  b[1] = b[0], b[3] = b[2];
  const Stewart platform(a, b);
  const AllPoses all = all_poses(platform, platform.lengths(test::random_pose(random)));
  expect_sound(all, 5);
  EXPECT_EQ(all.complex_count, 32);  // Faugere, Lazard 1995: 6-4
  EXPECT_EQ(all.at_infinity, 8);
}

TEST(AllPoses, OrderOfLegsUnitsAndFramesDoNotMatter) {
  for (std::uint64_t seed = 1; seed <= std::uint64_t(test::scaled(20)); ++seed) {
    Random random(seed);
    const Stewart platform =
        seed % 2 ? test::random_platform(random) : test::random_semi_regular(random);
    const SixNumbers L = platform.lengths(test::random_pose(random));
    const SE3<double> A = random.pose(), B = random.pose();
    const double unit = 1000;
    SixPoints base, top;
    SixNumbers lengths;
    for (size_t i = 0; i < 6; ++i) {
      const size_t from = (i * 5 + seed) % 6;
      base[i] = (A * platform.base()[from]) * unit;
      top[i] = (B * platform.platform()[from]) * unit;
      lengths[i] = L[from] * unit;
    }
    const AllPoses all = all_poses(platform, L);
    const AllPoses moved = all_poses(Stewart(base, top), lengths);
    EXPECT_EQ(all.complex_count, moved.complex_count) << seed;
    ASSERT_EQ(all.poses.size(), moved.poses.size()) << seed;
    for (const AssemblyMode& mode : moved.poses) {
      SE3<double> T = mode.pose;
      T.p = T.p * (1 / unit);
      EXPECT_TRUE(contains(all, inverse(A) * T * B, 1e-6)) << seed;
    }
  }
}

TEST(AllPoses, PlanarPlatformsHaveMirroredPoses) {
  Random random(3);
  for (int k = 0; k < 10; ++k) {
    const Stewart platform = test::random_platform(random, 0);
    const AllPoses all = all_poses(platform, platform.lengths(test::random_pose(random)));
    for (const AssemblyMode& mode : all.poses)
      EXPECT_TRUE(contains(all, test::mirrored(mode.pose), 1e-7));
  }
}

TEST(AllPoses, SortsByDistanceOrHeight) {
  const auto [platform, lengths] = test::dietmaier();
  AllPosesOptions options;
  options.near = test::pose_of(0.3, 0.2, 0.5, 10, 20, 30);
  const AllPoses near = all_poses(platform, lengths, options), high = all_poses(platform, lengths);
  for (size_t i = 1; i < near.poses.size(); ++i) {
    EXPECT_LE(near.poses[i - 1].distance, near.poses[i].distance);
    EXPECT_GE(high.poses[i - 1].pose.p.z, high.poses[i].pose.p.z);
  }
  const SE3<double> between = inverse_times(*options.near, near.poses[7].pose);
  EXPECT_NEAR(near.poses[7].distance,
              std::hypot(norm(between.p), platform.size() * norm(log(between.R))), 1e-12);
}

TEST(AllPoses, LengthsThatNoPoseHasGiveNoPose) {
  const Stewart platform = test::paper_platform();
  const AllPoses all = all_poses(platform, {1, 100, 1, 100, 1, 100});
  EXPECT_TRUE(all.converged);
  EXPECT_EQ(all.poses.size(), 0u);
  EXPECT_EQ(all.complex_count, 28);
}

TEST(AllPoses, ASingularPoseIsReturnedUncertified) {
  Random random(8);  // lengths at a pose where det J changes sign, found by bisection
  const Stewart platform = test::random_platform(random);
  SE3<double> low = test::random_pose(random), high = low;
  for (int k = 0; k < 100; ++k) {
    high = test::random_pose(random);
    if (platform.normalised_determinant(low) * platform.normalised_determinant(high) < 0) break;
  }
  const Twist<double> X = log(inverse_times(low, high));
  double a = 0, b = 1;
  const auto det = [&](double s) { return platform.normalised_determinant(low * exp(X * s)); };
  for (int k = 0; k < 60; ++k) (det(a) * det((a + b) / 2) > 0 ? a : b) = (a + b) / 2;
  const SE3<double> T = low * exp(X * a);
  const AllPoses all = all_poses(platform, platform.lengths(T));
  bool found = false;
  for (const AssemblyMode& mode : all.poses)
    if (distance(mode.pose, T) < 1e-5) {
      found = true;
      EXPECT_FALSE(mode.certified);
      EXPECT_NE(*mode.reason, 0);
      EXPECT_LT(mode.residual, 1e-8);
    }
  EXPECT_TRUE(found);
}

TEST(AllPoses, PosesNextToASingularOneAreFoundAndTheSingularOneUncertified) {
  const Stewart platform = test::paper_platform();
  const SE3<double> nearly_flat = test::pose_of(0, 0, 1e-3, 0, 0, 0);  // its image is 2e-3 away
  const AllPoses both = all_poses(platform, platform.lengths(nearly_flat));
  EXPECT_TRUE(both.converged);
  EXPECT_TRUE(contains(both, nearly_flat, 1e-6));
  EXPECT_TRUE(contains(both, test::mirrored(nearly_flat), 1e-6));
  EXPECT_EQ(uncertified(both), 0u);
  const SE3<double> turned = test::pose_of(0, 0, 50, 0, 0, 90);  // det J = 0
  const AllPoses one = all_poses(platform, platform.lengths(turned));
  EXPECT_TRUE(contains(one, turned, 1e-3));
  EXPECT_EQ(uncertified(one), one.poses.size());
  EXPECT_GT(one.multiple, 0);
  EXPECT_EQ(one.complex_count + one.multiple, 28);
}

TEST(AllPoses, APlatformThatMovesWithLockedLegsDoesNotConverge) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    Random random(seed);
    const SixPoints points = test::random_points(random, seed % 2);
    const AllPoses all = all_poses(Stewart(points, points), {2, 2, 2, 2, 2, 2});  // it translates
    EXPECT_FALSE(all.converged) << seed;
    for (const AssemblyMode& mode : all.poses) EXPECT_LT(mode.residual, 1e-8) << seed;
  }
}

TEST(AllPoses, LongLegsAndSmallPlatformsKeepTheirPoses) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Random random(seed);
    SixPoints top = test::random_points(random, 1);
    for (Vec3<double>& x : top) x = x * 0.01;
    const Stewart platform(test::random_points(random, 1), top);
    const SE3<double> T{random.rotation(), {0, 0, 100}};
    const AllPoses all = all_poses(platform, platform.lengths(T));
    EXPECT_EQ(all.complex_count, 40) << seed;
    EXPECT_TRUE(contains(all, T, 1e-3)) << seed;
  }
}

TEST(AllPoses, RefusesBadInput) {
  const Stewart platform = test::paper_platform();
  const SixNumbers good = platform.lengths(test::pose_of(0, 0, 50, 0, 0, 0));
  const auto with = [&](size_t i, double value) {
    SixNumbers lengths = good;
    lengths[i] = value;
    return message([&] { all_poses(platform, lengths); });
  };
  const std::string needed = ", it must be positive and below 1e100";
  EXPECT_EQ(with(2, NAN), "stewart all_poses: length 3 is nan" + needed);
  EXPECT_EQ(with(2, -1), "stewart all_poses: length 3 is -1" + needed);
  EXPECT_EQ(with(5, 0), "stewart all_poses: length 6 is 0" + needed);
  EXPECT_EQ(with(0, 1e101), "stewart all_poses: length 1 is 1e+101" + needed);
  AllPosesOptions options;
  options.max_gammas = 0;
  EXPECT_EQ(message([&] { all_poses(platform, good, options); }),
            "stewart all_poses: max_gammas must be positive");
  options = {};
  options.near = SE3<double>{{}, {0, NAN, 0}};
  EXPECT_EQ(message([&] { all_poses(platform, good, options); }),
            "stewart all_poses: the pose is not finite");
}

}  // namespace
}  // namespace jounce
