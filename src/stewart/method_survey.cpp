// SPDX-License-Identifier: BSD-3-Clause
// How geometry influences the choice of a method: the question that [Xie] section 6 leaves open.
#include <algorithm>
#include <cmath>
#include <jounce/stewart/xie_tables.hpp>

#include "split_mix.hpp"

namespace jounce {

namespace {

constexpr double pi = 3.14159265358979323846, base_radius = 30, height = 50;
constexpr double platform_spread = 15 * pi / 180;  // Table 1's

/// Pairs of joints about the angles offset + 120 degrees k, `spread` to either side.
SixPoints pairs(double radius, double offset, double spread, bool outer_first) {
  SixPoints points;
  for (size_t i = 0; i < 6; ++i) {
    const size_t pair = i / 2;
    const double side = (i % 2 == 0) == outer_first ? 1 : -1;
    const double angle = offset + 2 * pi / 3 * double(pair) + side * spread;
    points[i] = {radius * std::cos(angle), radius * std::sin(angle), 0};
  }
  return points;
}

/// Legs join neighbours: base pairs about 0, 120, 240 degrees, platform pairs about 60, 180, 300.
Stewart semi_regular(double ratio, double spread) {
  const SixPoints around_0 = pairs(base_radius, 0, spread, true);
  const SixPoints around_60 = pairs(ratio * base_radius, pi / 3, platform_spread, false);
  SixPoints base, platform;
  for (size_t k = 0; k < 3; ++k) {
    base[2 * k] = around_0[2 * k], platform[2 * k] = around_60[2 * k];
    base[2 * k + 1] = around_0[(2 * k + 3) % 6], platform[2 * k + 1] = around_60[2 * k + 1];
  }
  return {base, platform};
}

struct Task {
  SE3<double> pose, start;
};

/// A pose in the workspace, and a start turned by up to 60 degrees about each axis and moved by up
/// to 0.7 base radii along each.
Task draw(SplitMix& random) {
  const Vec3<double> tilt = random.uniform({-0.35, -0.35, -0.5}, {0.35, 0.35, 0.5});
  const Vec3<double> shift = random.uniform({-10, -10, -10}, {10, 10, 10});
  const SE3<double> pose{exp(tilt), shift + Vec3<double>{0, 0, height}};
  const Vec3<double> turn = random.uniform({-1, -1, -1}, {1, 1, 1});
  const Vec3<double> away = random.uniform({-1, -1, -0.5}, {1, 1, 1});
  return {pose, {pose.R * exp(turn * (pi / 3)), pose.p + away * (0.7 * base_radius)}};
}

bool same(const SE3<double>& T, const SE3<double>& U) {
  const Twist<double> e = log(inverse_times(T, U));
  return norm(e.w) < 1e-5 && norm(e.v) < 1e-5 * base_radius;
}

void add_run(const Stewart& s, const Task& task, MethodSurvey& survey) {
  const SE3<double> apart = inverse_times(task.pose, task.start);
  survey.turn = std::max(survey.turn, norm(log(apart.R)));
  survey.offset = std::max(survey.offset, norm(apart.p));
  const SixNumbers L = s.lengths(task.pose);
  size_t k = 0;
  for (const auto method : {StewartMethod::gauss_newton, StewartMethod::levenberg_marquardt})
    for (const auto chart : {StewartChart::euler, StewartChart::quaternion, StewartChart::se3}) {
      const StewartMethodResult found =
          solve_pose(s, L, task.start, {.method = method, .chart = chart});
      if (found.converged && same(found.pose, task.pose)) {
        survey.success[k] += 1;
        survey.iterations[k] += found.iterations;
      }
      ++k;
    }
}

}  // namespace

std::vector<MethodSurvey> survey_methods(int starts, std::uint64_t seed) {
  std::vector<MethodSurvey> all;
  for (int i = 0; i < 10; ++i)
    for (int j = 0; j < 20; ++j) {
      MethodSurvey survey{.radius_ratio = 0.3 + 0.7 * j / 19,
                          .base_spread = (2 + 4 * i) * pi / 180};
      const Stewart s = semi_regular(survey.radius_ratio, survey.base_spread);
      survey.margin = s.singularity_distance({{}, {0, 0, height}});
      SplitMix random(seed);  // the same tasks for every geometry
      for (int k = 0; k < starts; ++k) add_run(s, draw(random), survey);
      for (size_t k = 0; k < 6; ++k) {
        if (survey.success[k] > 0) survey.iterations[k] /= survey.success[k];
        survey.success[k] /= starts;
      }
      all.push_back(survey);
    }
  return all;
}

}  // namespace jounce
