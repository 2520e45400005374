// SPDX-License-Identifier: BSD-3-Clause
// Speed and reliability of all poses of Gough-Stewart platforms.
#include "benchmarks/stewart_all_poses.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <jounce/stewart/all_poses.hpp>
#include <jounce/stewart/xie_tables.hpp>

#include "benchmarks/bench.hpp"
#include "src/split_mix.hpp"

namespace jounce::bench {
namespace {

constexpr double pi = 3.14159265358979323846;

Vec3<double> normal(SplitMix& random) {
  const double x = random.normal(), y = random.normal();
  return {x, y, random.normal()};
}

SixPoints random_points(RandomPlatforms kind, SplitMix& random, double size) {
  SixPoints points;
  for (Vec3<double>& x : points) {
    x = normal(random) * size;
    if (kind == RandomPlatforms::planar) x.z = 0;
  }
  if (kind == RandomPlatforms::semi_regular)
    for (int i = 5; i >= 0; --i)
      points[size_t(i)] = exp(Vec3<double>{0, 0, 2 * pi / 3 * (i / 2)}) *
                          Vec3<double>{points[0].x, i % 2 ? -points[0].y : points[0].y, 0};
  return points;
}

Stewart random_platform(RandomPlatforms kind, SplitMix& random) {
  const SixPoints base = random_points(kind, random, 1);
  SixPoints platform = random_points(kind, random, 0.7);
  for (size_t i = 1; i < 6 && kind == RandomPlatforms::paired; i += 2)
    platform[i] = platform[i - 1];
  return {base, platform};
}

SE3<double> random_pose(SplitMix& random) {
  const double x = random.normal(), y = random.normal(), z = random.normal();
  const Quaternion<double> q = normalize(Quaternion<double>{x, y, z, random.normal()});
  return {to_rotation(q), normal(random) + Vec3<double>{0, 0, 1}};
}

bool contains(const AllPoses& all, const SE3<double>& T) {
  for (const AssemblyMode& mode : all.poses) {
    const Twist<double> X = log(inverse_times(T, mode.pose));
    if (norm(X.w) + norm(X.v) < 1e-5) return true;
  }
  return false;
}

void count(const AllPoses& all, const SE3<double>& T, AllPosesSweep& sweep) {
  sweep.expected = all.paths;
  sweep.family = all.family;
  sweep.right += all.complex_count == all.paths;
  sweep.known_found += contains(all, T);
  sweep.poses += int(all.poses.size());
  sweep.retracked += all.retracked;
  sweep.more_gammas += all.gammas > 1;
  for (const AssemblyMode& mode : all.poses) {
    sweep.certified += mode.certified;
    sweep.residual = std::max(sweep.residual, mode.residual);
  }
}

/// The median of the times of single solutions, the fastest of five each.
Row all_poses_row(const char* robot, RandomPlatforms kind, int platforms) {
  SplitMix random(7);
  std::vector<double> times;
  for (int k = 0; k < platforms; ++k) {
    const Stewart platform = random_platform(kind, random);
    const SixNumbers L = platform.lengths(random_pose(random));
    double best = 1e300;
    for (int repeat = 0; repeat < 5; ++repeat)
      best = std::min(best, all_poses(platform, L).seconds);
    times.push_back(best);
  }
  std::sort(times.begin(), times.end());
  return {.robot = robot, .algorithm = "stewart-all", .ns = 1e9 * times[times.size() / 2]};
}

}  // namespace

AllPosesSweep sweep_all_poses(RandomPlatforms kind, int platforms, unsigned long long seed) {
  SplitMix random(seed);
  AllPosesSweep sweep;
  sweep.platforms = platforms;
  std::vector<double> seconds;
  for (int k = 0; k < platforms; ++k) {
    const Stewart platform = random_platform(kind, random);
    const SE3<double> T = random_pose(random);
    const SixNumbers L = platform.lengths(T);
    const std::clock_t start = std::clock();
    const AllPoses all = all_poses(platform, L);
    seconds.push_back(double(std::clock() - start) / CLOCKS_PER_SEC);
    count(all, T, sweep);
  }
  std::sort(seconds.begin(), seconds.end());
  sweep.median = seconds[seconds.size() / 2];
  sweep.p99 = seconds[seconds.size() * 99 / 100];
  sweep.largest = seconds.back();
  return sweep;
}

std::vector<Row> stewart_all_poses() {
  const XieExperiment paper = xie_experiment();
  Row xie{.robot = "stewart",
          .algorithm = "stewart-all",
          .ns = nanoseconds([&] { keep(all_poses(paper.platform, paper.lengths)); })};
  return {all_poses_row("random_general", RandomPlatforms::general, 1000),
          all_poses_row("random_planar", RandomPlatforms::planar, 1000),
          all_poses_row("random_semi_regular", RandomPlatforms::semi_regular, 1000),
          all_poses_row("random_6_3", RandomPlatforms::paired, 1000), xie};
}

}  // namespace jounce::bench
