// SPDX-License-Identifier: BSD-3-Clause
// All variants of the six methods on independent samples of geometry, pose and start.
#include <algorithm>
#include <cmath>
#include <jounce/stewart/method_survey.hpp>

#include "stewart/random_geometry.hpp"
#include "stewart/stewart_checks.hpp"

namespace jounce {
namespace {

using namespace stewart_detail;

constexpr std::pair<const char*, StewartChart> survey_charts[] = {
    {"R^6", StewartChart::euler}, {"Quat", StewartChart::quaternion}, {"SE(3)", StewartChart::se3}};
constexpr std::pair<const char*, StewartScaling> survey_scalings[] = {
    {"cm", StewartScaling::none},
    {"size", StewartScaling::platform_size},
    {"diagonal", StewartScaling::diagonal}};

void add_gauss_newton(std::vector<MethodVariant>& to) {
  for (const auto& [name, chart] : survey_charts) {
    StewartMethodOptions options{.method = StewartMethod::gauss_newton, .chart = chart};
    const std::string gn = std::string("GN-") + name;
    to.push_back({gn + " alpha 1", options});
    options.step_factor = 0.9;
    to.push_back({gn + " alpha 0.9", options});
    options.line_search = LineSearch::printed;
    to.push_back({gn + " alpha 0.9 printed", options});
  }
}

void add_levenberg_marquardt(std::vector<MethodVariant>& to, const char* name,
                             StewartMethodOptions options) {
  constexpr std::pair<const char*, double> dampings[] = {
      {"1e-9", 1e-9}, {"1e-6", 1e-6}, {"1e-3", 1e-3}, {"1", 1}};
  for (const auto& [unit, scaling] : survey_scalings)
    for (const auto& [text, tau] : dampings) {
      options.scaling = scaling;
      options.damping = tau;
      to.push_back({std::string("LM-") + name + " " + unit + " tau " + text, options});
    }
}

/// What a sample is about: the geometry's own numbers and the pose's distance from singular ones.
struct SurveyTask {
  Stewart platform;
  SE3<double> pose, start;
  std::vector<double> parameters;
};

/// A start turned by up to 60 degrees about each axis and moved by up to 0.7 base radii along each.
SE3<double> far_start(SplitMix& random, const SE3<double>& pose) {
  const Vec3<double> turn = random.uniform({-1, -1, -1}, {1, 1, 1});
  const Vec3<double> away = random.uniform({-1, -1, -0.5}, {1, 1, 1});
  return {pose.R * exp(turn * (std::acos(-1.0) / 3)), pose.p + away * (0.7 * base_radius)};
}

SurveyTask draw_task(SurveyFamily family, SplitMix& random) {
  if (family == SurveyFamily::semi_regular) {
    const SemiRegular shape = draw_semi_regular(random);
    const SE3<double> pose = draw_pose(random, shape.height);
    return {platform_of(shape),
            pose,
            far_start(random, pose),
            {shape.radius_ratio, shape.base_spread, shape.platform_spread, shape.height}};
  }
  const GeneralShape shape = draw_general(random);
  const Stewart platform = platform_of(shape, random);
  const SE3<double> pose = draw_pose(random, shape.height);
  return {
      platform, pose, far_start(random, pose), {shape.radius_ratio, shape.thickness, shape.height}};
}

void run_task(const SurveyTask& task, MethodSurvey& survey) {
  const SE3<double> apart = inverse_times(task.pose, task.start);
  survey.turn = std::max(survey.turn, norm(log(apart.R)));
  survey.offset = std::max(survey.offset, norm(apart.p));
  for (size_t k = 0; k < task.parameters.size(); ++k)
    survey.columns[k].push_back(task.parameters[k]);
  survey.columns.back().push_back(task.platform.singularity_distance(task.pose));
  const SixNumbers L = task.platform.lengths(task.pose);
  for (size_t k = 0; k < survey.variants.size(); ++k) {
    const StewartMethodResult found =
        solve_pose(task.platform, L, task.start, survey.variants[k].options);
    const bool right = found.converged && same_pose(task.platform, found.pose, task.pose);
    survey.iterations[k].push_back(right ? std::max(1, found.iterations) : 0);
    survey.endless += found.stop == StewartStop::endless_search ? 1 : 0;
  }
}

}  // namespace

std::vector<MethodVariant> survey_variants() {
  std::vector<MethodVariant> all;
  add_gauss_newton(all);
  for (const auto& [name, chart] : survey_charts)
    add_levenberg_marquardt(all, name, {.chart = chart});
  add_levenberg_marquardt(all, "SE(3) body", {.increment = Increment::body});
  return all;
}

size_t MethodSurvey::variant(const std::string& name) const {
  for (size_t k = 0; k < variants.size(); ++k)
    if (variants[k].name == name) return k;
  refuse("survey", "there is no variant \"" + name + "\"");
}

Estimate MethodSurvey::success(size_t v) const {
  const std::vector<int>& runs = iterations.at(v);
  return share_of(
      static_cast<int>(std::count_if(runs.begin(), runs.end(), [](int k) { return k > 0; })),
      samples());
}

Estimate MethodSurvey::mean_iterations(size_t v) const {
  std::vector<double> right;
  for (const int k : iterations.at(v))
    if (k > 0) right.push_back(k);
  return mean_of(right);
}

Estimate MethodSurvey::advantage(size_t a, size_t b) const {
  std::vector<double> difference;
  for (size_t k = 0; k < iterations.at(a).size(); ++k)
    difference.push_back((iterations[a][k] > 0 ? 1.0 : 0.0) - (iterations.at(b)[k] > 0 ? 1 : 0));
  return mean_of(difference);
}

Estimate MethodSurvey::fewer_iterations(size_t a, size_t b) const {
  int both = 0, fewer = 0;
  for (size_t k = 0; k < iterations.at(a).size(); ++k) {
    if (iterations[a][k] == 0 || iterations.at(b)[k] == 0) continue;
    ++both;
    fewer += iterations[a][k] < iterations[b][k] ? 1 : 0;
  }
  return share_of(fewer, both);
}

std::vector<Estimate> MethodSurvey::slopes(size_t v) const {
  std::vector<double> right;
  for (const int k : iterations.at(v)) right.push_back(k > 0 ? 1 : 0);
  return slopes_of(columns, right);
}

MethodSurvey survey_methods(SurveyFamily family, int samples, std::uint64_t seed,
                            const std::function<void()>& after_each) {
  if (samples < 2)
    refuse("survey", "there are " + std::to_string(samples) + " samples, needs 2 at least");
  MethodSurvey survey;
  survey.family = family;
  survey.variants = survey_variants();
  if (family == SurveyFamily::semi_regular)
    survey.parameters = {"radius ratio", "base spread", "platform spread", "height", "distance"};
  else survey.parameters = {"radius ratio", "thickness", "height", "distance"};
  survey.columns.resize(survey.parameters.size());
  survey.iterations.resize(survey.variants.size());
  SplitMix random(seed);
  for (int k = 0; k < samples; ++k) {
    run_task(draw_task(family, random), survey);
    if (after_each) after_each();
  }
  return survey;
}

}  // namespace jounce
