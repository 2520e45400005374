// SPDX-License-Identifier: BSD-3-Clause
// Reach in lanes against one pose at a time, singularity curves, self-motions, paths.
#include <gtest/gtest.h>

#include <jounce/error.hpp>
#include <jounce/stewart/workspace.hpp>
#include <jounce/stewart/xie_tables.hpp>

#include "stewart/platforms.hpp"
#include "support/allocation_guard.hpp"
#include "support/message.hpp"
#include "support/near.hpp"

namespace jounce::test {
namespace {

StewartLimits paper_limits(const Stewart& s) {
  StewartLimits limits;
  limits.shortest.fill(42);
  limits.longest.fill(68);
  limits.base_tilt = 30 * pi / 180;
  limits.platform_tilt = 35 * pi / 180;
  limits.mounts = s.mounts_at(paper_home);
  limits.least_determinant = 0.3;
  limits.determinant_sign = -1;
  return limits;
}

/// The same verdict from the functions for one pose.
std::uint8_t verdict_of(const Stewart& s, const StewartLimits& limits, const SE3<double>& T) {
  std::uint8_t verdict = 0;
  const SixNumbers L = s.lengths(T);
  const auto angles = s.joint_angles(T, limits.mounts);
  for (size_t i = 0; i < 6; ++i) {
    if (L[i] < limits.shortest[i]) verdict |= reach::leg_too_short;
    if (L[i] > limits.longest[i]) verdict |= reach::leg_too_long;
    if (angles[i].base_tilt > limits.base_tilt) verdict |= reach::base_joint;
    if (angles[i].platform_tilt > limits.platform_tilt) verdict |= reach::platform_joint;
  }
  const double d = s.normalised_determinant(T);
  const double side = limits.determinant_sign == 0 ? std::abs(d) : d * limits.determinant_sign;
  if (!(side > limits.least_determinant)) verdict |= reach::singular;
  return verdict;
}

std::vector<SE3<double>> box_poses(int count) {
  Random random(7);
  std::vector<SE3<double>> poses;
  for (int k = 0; k < count; ++k)
    poses.push_back(pose_of(random.uniform(-30, 30), random.uniform(-30, 30),
                            random.uniform(20, 80), random.uniform(-60, 60),
                            random.uniform(-60, 60), random.uniform(-120, 120)));
  return poses;
}

TEST(Workspace, LanesGiveTheVerdictOfOnePose) {
  const Stewart s = paper_platform();
  const std::vector<SE3<double>> poses = box_poses(1003);  // not a multiple of the lanes
  for (int variant = 0; variant < 3; ++variant) {
    StewartLimits limits = paper_limits(s);
    if (variant == 1) limits.determinant_sign = 0;
    if (variant == 2) limits.base_tilt = limits.platform_tilt = 1e300;
    std::vector<std::uint8_t> verdicts(poses.size());
    std::vector<double> determinants(poses.size());
    scan_poses(s, limits, poses, verdicts, determinants);
    int seen = 0;
    for (size_t k = 0; k < poses.size(); ++k) {
      EXPECT_EQ(verdicts[k], verdict_of(s, limits, poses[k])) << k;
      // Twenty products of minors of size one.
      EXPECT_NEAR(determinants[k], s.normalised_determinant(poses[k]), 1e-13) << k;
      seen |= verdicts[k] == 0 ? 32 : verdicts[k];
    }
    EXPECT_EQ(seen, variant == 2 ? 1 + 2 + 16 + 32 : 63);  // every verdict occurs
  }
}

TEST(Workspace, DeterminantsOfGeneralPlatformsAgree) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Random random(seed);
    const Stewart s = random_platform(random);
    std::vector<SE3<double>> poses(8);
    for (SE3<double>& T : poses) T = random_pose(random);
    std::uint8_t verdicts[8];
    double determinants[8];
    scan_poses(s, {}, poses, verdicts, determinants);
    for (size_t k = 0; k < 8; ++k)
      EXPECT_NEAR(determinants[k], s.normalised_determinant(poses[k]), 1e-12) << seed;
  }
}

TEST(Workspace, GridIsAListOfPoses) {
  const Stewart s = paper_platform();
  const StewartLimits limits = paper_limits(s);
  const WorkspaceGrid grid{exp(Vec3<double>{0.1, 0.2, 0.3}), {-20, -15, 40}, {20, 15, 60}, 9, 7, 5};
  const WorkspaceMap map = scan_grid(s, limits, grid);
  ASSERT_EQ(map.verdicts.size(), 315u);
  expect_near(grid.pose(0).p, grid.lower, 0);
  expect_near(grid.pose(314).p, grid.upper, 1e-15);
  expect_near(grid.pose(1).p - grid.pose(0).p, Vec3<double>{5, 0, 0}, 1e-15);
  int reachable = 0;
  for (int k = 0; k < grid.points(); ++k) {
    EXPECT_EQ(map.verdicts[size_t(k)], verdict_of(s, limits, grid.pose(k))) << k;
    reachable += map.verdicts[size_t(k)] == 0 ? 1 : 0;
  }
  EXPECT_EQ(map.reachable, reachable);
  EXPECT_GT(reachable, 10);
  EXPECT_LT(reachable, 300);
}

/// Legs of any length: the reachable share of a box is that of a half space cut by one leg's limit,
/// which a finer scan of a grid gives too.
TEST(Workspace, SampleAgreesWithAGrid) {
  const Stewart s = paper_platform();
  StewartLimits limits;
  limits.longest.fill(60);
  const WorkspaceBox box{{-20, -20, 40}, {20, 20, 60}, {}, {}};
  const long poses = 200000;
  const WorkspaceSample sample = sample_workspace(s, limits, box, poses, 3);
  const WorkspaceGrid grid{{}, {-20, -20, 40}, {20, 20, 60}, 81, 81, 81};
  const double share = double(scan_grid(s, limits, grid).reachable) / grid.points();
  // Standard deviation of the sample 0.0011; the grid's surface cells shift its share by 1/80.
  EXPECT_NEAR(sample.share(), share, 0.02);
  EXPECT_EQ(sample.poses, poses);
  EXPECT_EQ(sample.reachable + sample.by_reason[1], poses);
  EXPECT_GE(sample.lower.z, 40);
  EXPECT_LE(sample.upper.x, 20);
  EXPECT_EQ(sample_workspace(s, limits, box, 1000, 3).reachable,
            sample_workspace(s, limits, box, 1000, 3).reachable);
  limits.longest.fill(1);
  EXPECT_EQ(sample_workspace(s, limits, box, 100, 3).reachable, 0);
}

/// A platform of threefold symmetry, level and centred, is singular at a yaw of 90 degrees
/// (Fichter 1986); Table 1 is rounded to 1e-4 of 30 cm.
TEST(Workspace, CurveOfTheSymmetricPlatformIsAYawOfNinetyDegrees) {
  const Stewart s = paper_platform();
  const PoseSlice slice{paper_home, {{0, 0, 1}, {}}, {{}, {0, 0, 1}}, 0.5, 2.5, -20, 20};
  const auto segments = singularity_curves(s, slice, 40);
  ASSERT_GE(segments.size(), 80u);
  for (const SlicePoint& x : segments) {
    EXPECT_NEAR(x.s, pi / 2, 1e-4);
    EXPECT_LT(std::abs(s.normalised_determinant(slice.pose(x.s, x.t))), 1e-13);
  }
}

TEST(Workspace, CurvesSeparateTheSigns) {
  const Stewart s = paper_platform();
  const PoseSlice slice{pose_of(0, 0, 40, 0, 0, 0), {{1, 0, 0}, {}}, {{0, 1, 0}, {}}, -2, 2, -2, 2};
  const auto segments = singularity_curves(s, slice, 60);
  ASSERT_GT(segments.size(), 50u);
  ASSERT_EQ(segments.size() % 2, 0u);
  const double cell = 4.0 / 60;
  for (size_t k = 0; k < segments.size(); k += 2) {
    const SlicePoint &a = segments[k], &b = segments[k + 1];
    EXPECT_LE(std::hypot(a.s - b.s, a.t - b.t), 1.5 * cell);  // within a cell
    EXPECT_LT(std::abs(s.normalised_determinant(slice.pose(a.s, a.t))), 1e-12);
  }
}

TEST(Workspace, SelfMotionsAreToldFromIsolatedSingularPoses) {
  Random random(2);
  const SixPoints points = random_points(random, 0);
  const Stewart twin(points, points);  // congruent: equal parallel legs let it shift on a sphere
  EXPECT_TRUE(has_self_motion(twin, {{}, {0.3, 0.2, 1}}));
  EXPECT_FALSE(has_self_motion(twin, {exp(Vec3<double>{0.1, 0.2, 0.3}), {0.3, 0.2, 1}}));
  const Stewart s = paper_platform();
  EXPECT_FALSE(has_self_motion(s, paper_home));
  const PoseSlice slice{paper_home, {{1, 0, 0}, {}}, {{0, 1, 0}, {}}, 0.05, 2, 0.05, 2};
  const auto segments = singularity_curves(s, slice, 20);
  ASSERT_FALSE(segments.empty());
  for (const SlicePoint& x : segments) EXPECT_FALSE(has_self_motion(s, slice.pose(x.s, x.t)));
}

/// The true pose and the branch have determinants of opposite sign: every path crosses.
TEST(Workspace, PathAcrossASingularityIsBroken) {
  const XieExperiment x = xie_experiment();
  const PathCheck found = check_path(x.platform, {}, x.true_pose, x.branch_pose);
  EXPECT_FALSE(found.passed);
  EXPECT_EQ(found.reason, reach::singular);
  const Twist<double> X = log(inverse_times(x.true_pose, x.branch_pose));
  const auto sign_at = [&](double s) {
    return x.platform.normalised_determinant(x.true_pose * exp(X * s));
  };
  // The bound on the determinant's speed is loose: the path is given up some resolutions early.
  EXPECT_LT(sign_at(found.at), 0);
  EXPECT_GT(sign_at(found.at + 1e-4), 0);
  EXPECT_LT(found.least_determinant, 1e-3);
}

TEST(Workspace, PathsAgreeWithDenseSampling) {
  const Stewart s = paper_platform();
  const StewartLimits limits = paper_limits(s);
  const std::vector<SE3<double>> ends = box_poses(60);
  int broken = 0, passed = 0;
  for (size_t k = 0; k + 1 < ends.size(); ++k) {
    const SE3<double> T = paper_home * exp(log(inverse_times(paper_home, ends[k])) * 0.3);
    const SE3<double> U = paper_home * exp(log(inverse_times(paper_home, ends[k + 1])) * 0.3);
    const Twist<double> X = log(inverse_times(T, U));
    const PathCheck found = check_path(s, limits, T, U);
    double first = 1;
    const int samples = 20000;
    for (int i = 0; i <= samples && first == 1; ++i)
      if (verdict_of(s, limits, T * exp(X * (double(i) / samples))) != 0)
        first = double(i) / samples;
    if (found.passed) {
      ++passed;
      EXPECT_EQ(first, 1) << k;
    } else {
      ++broken;
      EXPECT_NEAR(found.at, first, 1.0 / samples + 1e-6) << k;
    }
  }
  EXPECT_GT(passed, 5);
  EXPECT_GT(broken, 5);
}

TEST(Workspace, RefusesBadArguments) {
  const Stewart s = paper_platform();
  std::vector<SE3<double>> poses(2, paper_home);
  std::uint8_t verdicts[3];
  EXPECT_EQ(message([&] { scan_poses(s, {}, poses, verdicts); }),
            "stewart scan_poses: there are 2 poses, 3 verdicts and 0 determinants");
  StewartLimits limits;
  limits.shortest[1] = 5, limits.longest[1] = 4;
  EXPECT_EQ(message([&] { check_path(s, limits, paper_home, paper_home); }),
            "stewart check_path: leg 2 may be from 5 to 4 long; that is no range within 0 and "
            "1e100");
  limits = {};
  limits.base_tilt = -1;
  EXPECT_EQ(message([&] { scan_grid(s, limits, {}); }),
            "stewart scan_grid: a tilt limit is negative or not a number");
  limits = {};
  limits.least_determinant = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(message([&] { sample_workspace(s, limits, {}, 1); }),
            "stewart sample_workspace: least_determinant is negative or NaN");
  limits = {};
  limits.determinant_sign = 2;
  EXPECT_EQ(message([&] { sample_workspace(s, limits, {}, 1); }),
            "stewart sample_workspace: determinant_sign must be -1, 0 or 1");
  EXPECT_EQ(message([&] { sample_workspace(s, {}, {}, 0); }),
            "stewart sample_workspace: at least one pose is needed");
  EXPECT_EQ(message([&] { scan_grid(s, {}, {.nx = 0}); }),
            "stewart scan_grid: the grid must have 1 to 1e9 points, at least 1 along every edge");
  EXPECT_EQ(message([&] { singularity_curves(s, {}, 0); }),
            "stewart singularity_curves: cells must be 1 to 10000");
  EXPECT_EQ(message([&] { singularity_curves(s, {.s_min = 1, .s_max = 1}); }),
            "stewart singularity_curves: the slice is empty");
  EXPECT_EQ(message([&] { check_path(s, {}, paper_home, paper_home, 0); }),
            "stewart check_path: resolution must lie between 1e-9 and 1");
}

TEST(Workspace, ScanAndPathDoNotAllocate) {
  const Stewart s = paper_platform();
  const StewartLimits limits = paper_limits(s);
  const std::vector<SE3<double>> poses = box_poses(20);
  std::vector<std::uint8_t> verdicts(20);
  NoAllocation none;
  scan_poses(s, limits, poses, verdicts);
  sample_workspace(s, limits, {{-1, -1, 49}, {1, 1, 51}, {}, {}}, 100);
  check_path(s, limits, paper_home, poses[0]);
  has_self_motion(s, paper_home);
  EXPECT_EQ(none.count(), 0);
}

}  // namespace
}  // namespace jounce::test
