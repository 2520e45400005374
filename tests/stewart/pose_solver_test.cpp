// SPDX-License-Identifier: BSD-3-Clause
// Poses at every tick: motions, cold starts, branch flips, lengths that no pose has.
#include <gtest/gtest.h>

#include <jounce/error.hpp>
#include <jounce/stewart/all_poses.hpp>
#include <jounce/stewart/pose_solver.hpp>
#include <jounce/stewart/xie_tables.hpp>
#include <limits>

#include "stewart/impossible.hpp"
#include "stewart/platforms.hpp"
#include "support/allocation_guard.hpp"
#include "support/message.hpp"
#include "support/near.hpp"
#include "support/scale.hpp"
#include "support/worse.hpp"

namespace jounce::test {
namespace {

double distance(const SE3<double>& T, const SE3<double>& U) {
  const Twist<double> e = log(inverse_times(T, U));
  return worse(norm(e.w), norm(e.v));
}

/// +-10 cm, +-12 to 15 degrees, 0.6 to 1.3 Hz.
SE3<double> motion(double t) {
  const double turn = 2 * pi;
  return pose_of(10 * std::sin(0.6 * turn * t), 10 * std::sin(0.8 * turn * t + 1),
                 50 + 10 * std::sin(1.3 * turn * t + 2), 12 * std::sin(0.7 * turn * t + 3),
                 12 * std::sin(0.9 * turn * t + 4), 15 * std::sin(1.1 * turn * t + 5));
}

TEST(PoseSolver, FollowsAMotionWithThreeIterations) {
  const Stewart s = paper_platform();
  PoseSolver solver(s, paper_home);
  solver.restart(motion(0));
  const int ticks = scaled(20000);
  double iterations = 0;
  for (int k = 0; k < ticks; ++k) {
    const SE3<double> T = motion(1e-3 * k);
    const PoseSolution& found = solver.solve(s.lengths(T));
    ASSERT_TRUE(found.converged) << k;
    ASSERT_FALSE(found.branch_flip) << k;
    ASSERT_LT(distance(found.pose, T), 1e-9) << k;  // tolerance 2e-11 cm, amplified by ten
    iterations += found.iterations;
  }
  EXPECT_LE(iterations / ticks, 3.05);
  for (const Vec3<double>& row : solver.last().pose.R.m.row)
    EXPECT_NEAR(norm(row), 1, 1e-14);  // a unit quaternion does not drift
}

TEST(PoseSolver, FollowsAMotionSampledAtTenHertz) {
  const Stewart s = paper_platform();
  PoseSolver solver(s, paper_home);
  solver.solve(s.lengths(motion(0)));
  for (int k = 0; k < 2000; ++k) {
    const SE3<double> T = motion(0.1 * k);
    const PoseSolution& found = solver.solve(s.lengths(T));
    ASSERT_TRUE(found.converged && !found.branch_flip) << k;
    ASSERT_LT(distance(found.pose, T), 1e-7) << k;
  }
}

TEST(PoseSolver, FindsEveryPoseOfTheBoxFromHome) {
  const Stewart s = paper_platform();
  PoseSolver solver(s, paper_home);
  Random random(1);
  const int poses = scaled(20000);
  double iterations = 0;
  for (int k = 0; k < poses; ++k) {
    const SE3<double> T =
        pose_of(random.uniform(-15, 15), random.uniform(-15, 15), random.uniform(40, 60),
                random.uniform(-25, 25), random.uniform(-25, 25), random.uniform(-30, 30));
    const PoseSolution& found = solver.solve(s.lengths(T), paper_home);
    ASSERT_TRUE(found.converged) << k;
    ASSERT_LT(distance(found.pose, T), 1e-8) << k;  // tolerance times up to 1 / distance
    iterations += found.iterations;
  }
  EXPECT_LE(iterations / poses, 7);
}

/// Semi-regular, of radius 1 and 0.6.
Stewart semi_regular_platform() {
  SixPoints base, platform;
  for (size_t i = 0; i < 6; ++i) {
    const double side = i % 2 == 0 ? -1 : 1, corner = double(i / 2) * 2 * pi / 3;
    const double a = corner + 0.25 * side, b = corner + (pi / 3 - 0.25) * side;
    base[i] = {std::cos(a), std::sin(a), 0};
    platform[i] = {0.6 * std::cos(b), 0.6 * std::sin(b), 0};
  }
  return {base, platform};
}

struct Found {
  int failed = 0, flipped = 0;
};

/// Poses about one at height 1 that are not found from there; turns and shifts are standard
/// deviations. None is found wrongly, and every failure names its reason.
Found poses_not_found(double turn, double shift, int poses, int restarts) {
  const Stewart s = semi_regular_platform();
  const SE3<double> up{{}, {0, 0, 1}};
  PoseSolver solver(s, up, {.restarts = restarts});
  Random random(1);
  const auto normal = [&] {
    return Vec3<double>{random.normal(), random.normal(), random.normal()};
  };
  Found count;
  for (int k = 0; k < poses; ++k) {
    const SO3<double> R = exp(normal() * turn);
    const SixNumbers lengths = s.lengths({R, up.p + normal() * shift});
    const PoseSolution found = solver.solve(lengths, up);
    EXPECT_EQ(found.failure == PoseFailure::none, found.converged) << k;
    if (found.converged) {
      for (size_t i = 0; i < 6; ++i) EXPECT_NEAR(s.lengths(found.pose)[i], lengths[i], 1e-10) << k;
      count.flipped += found.branch_flip ? 1 : 0;
      continue;
    }
    ++count.failed;
    EXPECT_LT(std::abs(found.determinant), 1e-6) << k;
    EXPECT_EQ(found.failure, PoseFailure::singular_minimum) << k;
    EXPECT_NE(explain_failure(s, lengths, found).find("singular pose"), std::string::npos) << k;
  }
  std::printf("turns of %g rad, shifts of %g, %d restarts: %d of %d poses not found\n", turn, shift,
              restarts, count.failed, poses);
  return count;
}

/// Far from home the search may end in a singular pose where the errors of the lengths have a local
/// minimum, though a pose exists; it says so, and with restarts every one of these is answered.
TEST(PoseSolver, MayEndInASingularPoseAndSaysSo) {
  const int poses = scaled(10000);
  EXPECT_EQ(poses_not_found(0.2, 0.15, poses, 0).failed, 0);
  EXPECT_LE(poses_not_found(0.3, 0.2, poses, 0).failed, 1e-3 * poses);
  const Found without = poses_not_found(0.5, 0.3, poses, 0);
  EXPECT_GT(without.failed, 0);
  EXPECT_LE(without.failed, 1e-2 * poses);
  const Found with = poses_not_found(0.5, 0.3, poses, 12);
  EXPECT_EQ(with.failed, 0);
  EXPECT_GT(with.flipped, without.flipped);  // most of them lie across a singular pose
}

/// Lengths that two legs rule out are told from those that are merely not found.
TEST(PoseSolver, NamesLengthsThatNoPoseHas) {
  const Stewart s = paper_platform();
  PoseSolver solver(s, paper_home);
  const auto reason = [&](const SixNumbers& L) { return explain_failure(s, L, solver.solve(L)); };
  EXPECT_EQ(reason({50, 120, 50, 50, 50, 50}),
            "no pose has these lengths: legs 1 and 2 are 50 and 120 long, but their joints are "
            "42.4265 apart on the base and 10.3527 on the platform");
  EXPECT_EQ(solver.last().failure, PoseFailure::impossible_lengths);
  EXPECT_EQ(
      reason({5, 5, 5, 5, 5, 5}),
      "no pose has these lengths: legs 1 and 2 are 5 and 5 long, but their joints are 42.4265 "
      "apart on the base and 10.3527 on the platform");
  EXPECT_EQ(
      reason({558.558, 6253.13, 527.436, 551.457, 447.972, 519.91}),
      "no pose has these lengths: legs 1 and 2 are 558.558 and 6253.13 long, but their joints "
      "are 42.4265 apart on the base and 10.3527 on the platform; are lengths and points in "
      "one unit?");
  EXPECT_EQ(reason(s.lengths(paper_home)), "");
  // Every pair closes, and still no pose has these: all poses are complex.
  const SixNumbers none{38, 61, 38, 61, 38, 61};
  const PoseSolution found = solver.solve(none);
  ASSERT_FALSE(found.converged);
  EXPECT_EQ(found.failure, PoseFailure::singular_minimum);
  EXPECT_TRUE(all_poses(s, none).poses.empty());
  EXPECT_EQ(found.leg_1, -1);
}

/// A pair of legs whose lengths a pose has is never called impossible.
TEST(PoseSolver, CallsNoPossibleLengthsImpossible) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    Random random(seed);
    const Stewart s = random_platform(random);
    const SixNumbers L = s.lengths(random_pose(random));
    EXPECT_FALSE(stewart_detail::impossible_pair(s, L, 1e-12).found()) << seed;
  }
}

/// D of [Xie] (20): what has the lengths but breaks the limits is no answer, and is not kept.
TEST(PoseSolver, EnforcesItsDomain) {
  const XieExperiment x = xie_experiment();
  StewartLimits limits;
  limits.longest.fill(60);
  limits.determinant_sign = -1;
  PoseSolver solver(x.platform, paper_home, {.domain = limits});
  const PoseSolution outside = solver.solve(x.lengths);  // leg 2 is 62.5 long
  EXPECT_FALSE(outside.converged);
  EXPECT_EQ(outside.failure, PoseFailure::outside_domain);
  EXPECT_EQ(outside.out_of_reach, reach::leg_too_long);
  EXPECT_LT(distance(outside.pose, x.true_pose), 1e-9);
  EXPECT_EQ(explain_failure(x.platform, x.lengths, outside),
            "the pose with these lengths is outside the domain: leg too long");
  EXPECT_TRUE(solver.solve(x.platform.lengths(paper_home)).converged);
  EXPECT_EQ(solver.last().iterations, 0);  // home was kept, not the pose outside
  limits.longest.fill(70);
  limits.determinant_sign = 1;
  EXPECT_EQ(message([&] { PoseSolver(x.platform, paper_home, {.domain = limits}); }),
            "stewart PoseSolver: the home pose is outside the domain: singular");
  // On the other side of the singular poses T_s alone has the lengths.
  PoseSolver other(x.platform, x.branch_pose, {.restarts = 12, .domain = limits});
  const PoseSolution found = other.solve(x.lengths, paper_home);
  EXPECT_TRUE(found.converged);
  EXPECT_LT(distance(found.pose, x.branch_pose), 1e-8);
}

/// Any geometry, the platform's frame far from its points, lengths in any unit.
TEST(PoseSolver, WorksForGeneralPlatformsAndUnits) {
  int solved = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    const double unit = random.log_uniform(1e-3, 1e3);
    SixPoints base = random_points(random, 1), platform = random_points(random, 1);
    const Vec3<double> away = random.vec3() * 5;
    for (size_t i = 0; i < 6; ++i)
      base[i] = base[i] * unit, platform[i] = (platform[i] + away) * unit;
    const Stewart s(base, platform);
    SE3<double> T{random.rotation(), (random.vec3() + Vec3<double>{0, 0, 2}) * unit};
    T.p -= T.R * (away * unit);
    const double margin = s.singularity_distance(T);
    if (margin < 0.05) continue;
    ++solved;
    const SE3<double> twist =
        exp(Twist<double>{random.vec3(), random.vec3() * unit} * (0.03 * margin));
    const SE3<double> centre{{}, s.platform_centre()};
    const SE3<double> start = T * centre * twist * inverse(centre);
    PoseSolver solver(s, start);
    const PoseSolution& found = solver.solve(s.lengths(T));
    ASSERT_TRUE(found.converged) << seed;
    expect_near(found.pose.R, T.R, 1e-9 / margin, seed);  // tolerance 1e-10, amplified
    expect_near(found.pose.p, T.p, 1e-9 / margin, seed);
    EXPECT_FALSE(found.branch_flip);
    // The determinant is that of the last linear system: one small step away.
    EXPECT_NEAR(found.determinant, s.normalised_determinant(T), 1e-3) << seed;
    EXPECT_NEAR(solver.singularity_distance(), margin, 1e-8) << seed;
  }
  EXPECT_GT(solved, 100);
}

/// Semi-regular 6-6, 6-3 and 3-3 platforms, spatial ones: points may meet in pairs.
TEST(PoseSolver, WorksForSpecialFamilies) {
  const auto ring = [](double radius, double offset, double bend) {
    SixPoints points;
    for (size_t i = 0; i < 6; ++i) {
      const double angle = (60 * double(i) + (i % 2 ? -offset : offset)) * pi / 180;
      points[i] = {radius * std::cos(angle), radius * std::sin(angle), i % 2 ? bend : -bend};
    }
    return points;
  };
  const std::pair<SixPoints, SixPoints> families[] = {{ring(3, 10, 0), ring(2, 20, 0)},
                                                      {ring(3, 10, 0), ring(2, 30, 0)},
                                                      {ring(3, -30, 0), ring(2, 30, 0)},
                                                      {ring(3, 10, 0.4), ring(2, 20, -0.3)}};
  Random random(4);
  for (const auto& [base, platform] : families) {
    const Stewart s(base, platform);
    const SE3<double> start{{}, {0, 0, 4}};
    PoseSolver solver(s, start);
    for (int k = 0; k < 100; ++k) {
      const SE3<double> T = start * exp(Twist<double>{random.vec3() * 0.2, random.vec3() * 0.5});
      const PoseSolution& found = solver.solve(s.lengths(T));
      ASSERT_TRUE(found.converged && !found.branch_flip) << k;
      ASSERT_LT(distance(found.pose, T), 1e-9) << k;  // tolerance 2e-12, amplified
    }
  }
}

/// A base and a platform described from far away: rounding is larger than the tolerance.
TEST(PoseSolver, ConvergesToRoundingOfFarCoordinates) {
  SixPoints base = paper_platform().base(), platform = paper_platform().platform();
  for (Vec3<double>& x : base) x += Vec3<double>{1e6, -2e6, 3e6};
  const Stewart s(base, platform);
  const SE3<double> far{{}, {1e6, -2e6, 3e6 + 50}};
  PoseSolver solver(s, far);
  const SE3<double> T = far * pose_of(3, -2, 4, 5, 6, 7);
  const PoseSolution& found = solver.solve(s.lengths(T));
  EXPECT_TRUE(found.converged);
  EXPECT_LT(distance(found.pose, T), 1e-6);  // 1e-16 of 4e6, amplified
}

TEST(PoseSolver, SaysWhenTheBranchHasChanged) {
  const XieExperiment x = xie_experiment();
  PoseSolver solver(x.platform, paper_home);
  EXPECT_FALSE(solver.solve(x.lengths).branch_flip);
  EXPECT_LT(distance(solver.last().pose, x.true_pose), 1e-9);
  EXPECT_TRUE(solver.solve(x.lengths, x.branch_pose).branch_flip);
  EXPECT_TRUE(solver.last().converged);
  EXPECT_GT(solver.last().determinant, 0);
  solver.restart(x.true_pose);
  EXPECT_FALSE(solver.solve(x.lengths).branch_flip);  // no iteration: the determinant is fresh
  EXPECT_EQ(solver.last().iterations, 0);
  EXPECT_LT(solver.last().determinant, 0);
}

/// The answer to impossible lengths is stationary: no small motion lowers the sum of squares, so
/// the errors, taken as forces in the legs, balance.
TEST(PoseSolver, AnswersImpossibleLengthsWithTheNearestPose) {
  const Stewart s = paper_platform();
  PoseSolver solver(s, paper_home);
  const SE3<double> known = pose_of(1, 2, 51, 3, 4, 5);
  solver.solve(s.lengths(known));
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Random random(seed);
    SixNumbers L;
    for (double& length : L) length = random.uniform(5, 15);  // the bases are wider than that
    const PoseSolution found = solver.solve(L);
    ASSERT_FALSE(found.converged) << seed;
    const SixNumbers have = s.lengths(found.pose);
    SixNumbers e;
    double worst = 0, size = 0;
    for (size_t i = 0; i < 6; ++i) {
      e[i] = have[i] - L[i];
      worst = std::max(worst, std::abs(e[i]));
      size += e[i] * e[i];
    }
    EXPECT_NEAR(found.residual, worst, 1e-9) << seed;
    const Wrench<double> rest = s.platform_wrench(found.pose, e);
    EXPECT_LT(worse(norm(rest.f), norm(rest.m) / s.size()), 1e-4 * std::sqrt(size)) << seed;
    const PoseSolution& again = solver.solve(s.lengths(known));  // nothing lost
    EXPECT_TRUE(again.converged && again.iterations == 0);
  }
}

/// Whatever the lengths, the answer is a pose of finite numbers, and its residual is true.
TEST(PoseSolver, AnswersAbsurdLengthsWithAPose) {
  const Stewart s = paper_platform();
  PoseSolver solver(s, paper_home);
  for (const double length : {1e-90, 1e-3, 1.0, 20.0, 1e3, 1e9, 1e50, 9e99})
    for (const double others : {length, 50.0}) {
      const SixNumbers L{length, others, others, others, others, others};
      const PoseSolution& found = solver.solve(L);
      const SixNumbers have = s.lengths(found.pose);  // refuses what is no pose
      double worst = 0;
      for (size_t i = 0; i < 6; ++i) worst = std::max(worst, std::abs(have[i] - L[i]));
      EXPECT_NEAR(found.residual, worst, 1e-9 * (length + 1)) << length;  // rounding of lengths
      EXPECT_TRUE(std::isfinite(found.determinant)) << length;
    }
}

/// Far starts where Newton's method fails are solved by descent where they can be.
TEST(PoseSolver, DescendsWhereNewtonFails) {
  const Stewart s = paper_platform();
  PoseSolver solver(s, paper_home, {.max_iterations = 2});
  Random random(3);
  for (int k = 0; k < 100; ++k) {
    const SE3<double> T =
        pose_of(random.uniform(-10, 10), random.uniform(-10, 10), random.uniform(45, 55),
                random.uniform(-15, 15), random.uniform(-15, 15), random.uniform(-15, 15));
    const PoseSolution& found = solver.solve(s.lengths(T), paper_home);
    ASSERT_TRUE(found.converged) << k;
    EXPECT_LT(distance(found.pose, T), 1e-7) << k;
    EXPECT_GT(found.iterations, 2);
  }
}

TEST(PoseSolver, RefusesBadArgumentsAndKeepsItsState) {
  const Stewart s = paper_platform();
  PoseSolver solver(s, paper_home);
  const SE3<double> T = pose_of(1, 2, 51, 3, 4, 5);
  const PoseSolution before = solver.solve(s.lengths(T));
  EXPECT_EQ(message([&] {
              solver.solve({50, 50, -50, 50, 50, 50});
            }),
            "stewart PoseSolver: length 3 is -50, it must be positive and below 1e100");
  EXPECT_EQ(message([&] {
              solver.solve({50, 50, 50, nan, 50, 50});
            }),
            "stewart PoseSolver: length 4 is nan, it must be positive and below 1e100");
  SE3<double> bad = T;
  bad.R.m.row[0].x = nan;
  EXPECT_EQ(message([&] { solver.solve(s.lengths(T), bad); }),
            "stewart PoseSolver: the pose is not finite");
  EXPECT_EQ(message([&] { solver.restart(bad); }), "stewart PoseSolver: the pose is not finite");
  EXPECT_EQ(solver.solve(s.lengths(T)).iterations, 0);
  expect_near(solver.last().pose, before.pose, 0);
  EXPECT_EQ(message([&] {
              PoseSolver(s, {{}, {0, 0, 0}});
            }),
            "stewart PoseSolver: the home pose is singular");
  EXPECT_EQ(message([&] { PoseSolver(s, paper_home, {.tolerance = 0}); }),
            "stewart PoseSolver: tolerance must be positive");
  EXPECT_EQ(message([&] { PoseSolver(s, paper_home, {.max_iterations = 0}); }),
            "stewart PoseSolver: max_iterations must be positive and max_descent not negative");
  EXPECT_EQ(message([&] { PoseSolver(s, paper_home, {.restarts = 13}); }),
            "stewart PoseSolver: restarts is 13, needs 0 to 12");
}

TEST(PoseSolver, DoesNotAllocate) {
  const Stewart s = paper_platform();
  PoseSolver solver(s, paper_home);
  StewartLimits limits;
  limits.longest.fill(70);
  PoseSolver careful(s, paper_home, {.restarts = 12, .domain = limits});
  const SixNumbers L = s.lengths(pose_of(1, 2, 51, 3, 4, 5));
  NoAllocation none;
  solver.solve(L);
  solver.solve(L, paper_home);
  solver.solve({5, 5, 5, 5, 5, 5});
  solver.singularity_distance();
  careful.solve(L);
  careful.solve({38, 61, 38, 61, 38, 61});
  EXPECT_EQ(none.count(), 0);
}

}  // namespace
}  // namespace jounce::test
