// SPDX-License-Identifier: BSD-3-Clause
// Six methods from starts near a pose and near every other pose with its lengths.
#include <algorithm>
#include <cmath>
#include <jounce/stewart/all_poses.hpp>
#include <jounce/stewart/branch_survey.hpp>
#include <jounce/stewart/xie_tables.hpp>

#include "stewart/random_geometry.hpp"
#include "stewart/stewart_checks.hpp"

namespace jounce {
namespace {

using namespace stewart_detail;

struct BranchTask {
  Stewart platform;
  SE3<double> pose;
};

BranchTask draw_branch_task(BranchFamily family, const Stewart& table_1, SplitMix& random) {
  if (family == BranchFamily::table_1) return {table_1, draw_pose(random, 50)};
  if (family == BranchFamily::semi_regular) {
    const SemiRegular shape = draw_semi_regular(random);
    return {platform_of(shape), draw_pose(random, shape.height)};
  }
  const GeneralShape shape = draw_general(random);
  const Stewart platform = platform_of(shape, random);
  return {platform, draw_pose(random, shape.height)};
}

/// Turned about a random axis and moved in a random direction, by up to the largest of both.
SE3<double> start_near(const BranchSurveyOptions& o, const Stewart& s, const SE3<double>& T,
                       SplitMix& random) {
  const Vec3<double> turn = draw_direction(random) * random.uniform(0, o.turn);
  const Vec3<double> away = draw_direction(random) * random.uniform(0, o.offset * s.size());
  return {T.R * exp(turn), T.p + away};
}

struct Factors {
  double alpha, tau;
};

StewartMethodOptions options_of(size_t method, BranchFactors kind, const Factors& factors) {
  constexpr StewartChart charts[3] = {StewartChart::euler, StewartChart::quaternion,
                                      StewartChart::se3};
  StewartMethodOptions o{
      .method = method < 3 ? StewartMethod::gauss_newton : StewartMethod::levenberg_marquardt,
      .chart = charts[method % 3]};
  if (kind == BranchFactors::paper) {
    o.step_factor = factors.alpha;
    o.damping = factors.tau;
  } else {
    o.scaling = StewartScaling::platform_size;
  }
  return o;
}

/// One start: all six methods with the same factors.
void add_start(const BranchSurveyOptions& o, const BranchTask& task, const SixNumbers& L,
               const SE3<double>& start, const Factors& factors, double weight,
               std::array<BranchShares, 6>& shares) {
  for (size_t method = 0; method < 6; ++method) {
    const StewartMethodResult found =
        solve_pose(task.platform, L, start, options_of(method, o.factors, factors));
    BranchShares& share = shares[method];
    if (!found.converged) share.nowhere += weight;
    else if (same_pose(task.platform, found.pose, task.pose)) share.right += weight;
    else share.caught += weight;
  }
}

/// `starts` starts near each of these poses.
std::array<BranchShares, 6> shares_near(const BranchSurveyOptions& o, const BranchTask& task,
                                        const SixNumbers& L, const std::vector<SE3<double>>& poses,
                                        SplitMix& random) {
  std::array<BranchShares, 6> shares{};
  const double weight = 1.0 / (double(poses.size()) * o.starts);
  for (const SE3<double>& T : poses)
    for (int k = 0; k < o.starts; ++k) {
      const SE3<double> start = start_near(o, task.platform, T, random);
      const double alpha = random.uniform(0.5, 0.99), log_tau = random.uniform(-9, -3.12);
      add_start(o, task, L, start, {alpha, std::pow(10.0, log_tau)}, weight, shares);
    }
  return shares;
}

void check_branch_options(const BranchSurveyOptions& o) {
  if (o.samples < 2)
    refuse("branches", "there are " + std::to_string(o.samples) + " samples, needs 2 at least");
  if (o.starts < 1)
    refuse("branches", "there are " + std::to_string(o.starts) + " starts, needs 1 at least");
  if (!(o.turn > 0 && o.turn <= 3.1))
    refuse("branches", "turn is " + short_text(o.turn) + " rad, needs (0, 3.1]");
  if (!(o.offset > 0 && o.offset < 1e6))
    refuse("branches", "offset is " + short_text(o.offset) + ", needs a positive number");
}

using Part = double BranchShares::*;

std::vector<double> values_of(const std::vector<BranchShares>& shares, Part part) {
  std::vector<double> x;
  x.reserve(shares.size());
  for (const BranchShares& share : shares) x.push_back(share.*part);
  return x;
}

/// A mean of shares, its interval within 0 and 1.
Estimate share_estimate(const std::vector<BranchShares>& shares, Part part) {
  Estimate e = mean_of(values_of(shares, part));
  e.low = std::max(0.0, e.low), e.high = std::min(1.0, e.high);
  return e;
}

Estimate difference_of(const std::vector<BranchShares>& a, const std::vector<BranchShares>& b,
                       Part part) {
  std::vector<double> x = values_of(a, part);
  for (size_t k = 0; k < x.size(); ++k) x[k] -= b[k].*part;
  return mean_of(x);
}

}  // namespace

const char* BranchSurvey::name(size_t method) {
  constexpr const char* names[6] = {"GN-R^6", "GN-Quat", "GN-SE(3)",
                                    "LM-R^6", "LM-Quat", "LM-SE(3)"};
  return names[method];
}
Estimate BranchSurvey::right(size_t m, bool branch) const {
  return share_estimate((branch ? near_branch : near_pose).at(m), &BranchShares::right);
}
Estimate BranchSurvey::caught(size_t m, bool branch) const {
  return share_estimate((branch ? near_branch : near_pose).at(m), &BranchShares::caught);
}
Estimate BranchSurvey::caught_more(size_t a, size_t b, bool branch) const {
  const auto& all = branch ? near_branch : near_pose;
  return difference_of(all.at(a), all.at(b), &BranchShares::caught);
}
Estimate BranchSurvey::right_more(size_t a, size_t b, bool branch) const {
  const auto& all = branch ? near_branch : near_pose;
  return difference_of(all.at(a), all.at(b), &BranchShares::right);
}

BranchSurvey survey_branches(const BranchSurveyOptions& options) {
  check_branch_options(options);
  BranchSurvey survey;
  survey.options = options;
  const Stewart table_1 = xie_experiment().platform;
  SplitMix random(options.seed);
  for (int k = 0; k < options.samples; ++k) {
    const BranchTask task = draw_branch_task(options.family, table_1, random);
    const SixNumbers L = task.platform.lengths(task.pose);
    std::vector<SE3<double>> others;
    for (const AssemblyMode& mode : all_poses(task.platform, L, {.certify = false}).poses)
      if (!same_pose(task.platform, mode.pose, task.pose)) others.push_back(mode.pose);
    survey.branches += static_cast<long>(others.size());
    const auto at_pose = shares_near(options, task, L, {task.pose}, random);
    for (size_t m = 0; m < 6; ++m) survey.near_pose[m].push_back(at_pose[m]);
    if (others.empty()) continue;
    const auto at_branches = shares_near(options, task, L, others, random);
    for (size_t m = 0; m < 6; ++m) survey.near_branch[m].push_back(at_branches[m]);
  }
  return survey;
}

}  // namespace jounce
