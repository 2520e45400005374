// SPDX-License-Identifier: BSD-3-Clause
// The headline claim of [Xie] as an experiment, and sensors that pick the pose.
#include <jounce/stewart/branch_survey.hpp>
#include <jounce/stewart/extra_sensors.hpp>

#include "apps/jounce/stewart_report.hpp"
#include "report/text.hpp"

namespace jounce::app {
namespace {

const char* name_of(BranchFamily family) {
  constexpr const char* names[] = {"Table 1", "semi-regular", "general"};
  return names[static_cast<size_t>(family)];
}

std::string setting_of(const BranchSurvey& s) {
  return std::string(name_of(s.options.family)) + ", " +
         (s.options.factors == BranchFactors::paper ? "paper's factors" : "full steps") + ", " +
         report::significant(s.options.turn, 2) + " rad";
}

/// How often each method is caught, near the pose and near a branch.
void add_rows(const BranchSurvey& s, report::Table& table) {
  for (const bool branch : {false, true}) {
    std::vector<std::string> row{setting_of(s), branch ? "a branch" : "the pose"};
    for (size_t m = 0; m < 6; ++m) row.push_back(text_of(s.caught(m, branch), 100, 1));
    table.rows.push_back(std::move(row));
  }
}

/// How often comparisons of SE(3) with another chart were won.
struct Score {
  int fewer = 0, more = 0, open = 0;

  void add(const Estimate& difference) {
    if (difference.below_zero()) ++fewer;
    else if (difference.above_zero()) ++more;
    else ++open;
  }
  int all() const { return fewer + more + open; }
  std::string text() const {
    return "surely less often in " + std::to_string(fewer) + ", surely more often in " +
           std::to_string(more) + ", no difference shown in " + std::to_string(open) + " of " +
           std::to_string(all()) + " comparisons";
  }
};

/// Near the pose and near a branch, each by Gauss-Newton and by Levenberg-Marquardt.
struct Scores {
  Score pose[2], branch[2];

  std::string text(const Score (&two)[2]) const {
    return "with Gauss-Newton " + two[0].text() + ", with Levenberg-Marquardt " + two[1].text();
  }
};

void add_differences(const BranchSurvey& s, report::Table& table, Scores& scores) {
  constexpr std::pair<size_t, size_t> pairs[] = {{2, 0}, {2, 1}, {5, 3}, {5, 4}};
  for (const bool branch : {false, true}) {
    std::vector<std::string> row{setting_of(s), branch ? "a branch" : "the pose"};
    for (const auto& [a, b] : pairs) {
      const Estimate difference = s.caught_more(a, b, branch);
      (branch ? scores.branch : scores.pose)[a / 3].add(difference);
      row.push_back(text_of(difference, 100, 2));
    }
    table.rows.push_back(std::move(row));
  }
}

/// What the comparisons near the pose and near a branch come to.
report::Paragraph headline(int samples, long branches, const Scores& scores) {
  const auto &pose = scores.pose, &branch = scores.branch;
  const int all = branch[0].all() + branch[1].all();
  const int more = pose[0].more + pose[1].more + branch[0].more + branch[1].more;
  const bool confirmed = 2 * (branch[0].fewer + branch[1].fewer) > all && more == 0;
  return {
      "Claim: the algorithm on SE(3) has few chances to be stuck in other solutions even though "
      "the initial guess is near to one. Samples of " +
      std::to_string(samples) +
      " platforms and poses each (seed 1), starts within an angle and as many platform sizes of "
      "the pose and of each of its other poses, " +
      std::to_string(branches) +
      " of them in all. Methods on SE(3) are caught at another pose, from starts near the pose: " +
      scores.text(pose) + "; from starts near another pose: " + scores.text(branch) +
      ". At this level one interval of 20 leaves out zero by chance where there is no difference. "
      "That methods on SE(3) are caught less often near a branch is " +
      (confirmed ? "confirmed" : "not confirmed") +
      " by this sample [surely less often in most comparisons near a branch, surely more often in "
      "none]."};
}

}  // namespace

std::vector<report::Block> branch_blocks(int samples, const AfterEach& done) {
  report::Table caught{"Caught at another pose, percent of starts, 95 % intervals",
                       {"platform, factors, start within", "near"},
                       {}};
  for (size_t m = 0; m < 6; ++m) caught.header.emplace_back(BranchSurvey::name(m));
  report::Table apart{
      "SE(3) minus the other chart, percentage points of starts caught, on the same starts",
      {"platform, factors, start within", "near", "GN: minus R^6", "GN: minus Quat",
       "LM: minus R^6", "LM: minus Quat"},
      {}};
  Scores scores;
  long branches = 0;
  for (const BranchFamily family :
       {BranchFamily::table_1, BranchFamily::semi_regular, BranchFamily::general})
    for (const BranchFactors factors : {BranchFactors::paper, BranchFactors::full})
      for (const double reach : {0.5, 1.0}) {
        const BranchSurvey s = survey_branches({.family = family,
                                                .factors = factors,
                                                .samples = samples,
                                                .turn = reach,
                                                .offset = reach});
        branches += s.branches;
        add_rows(s, caught);
        add_differences(s, apart, scores);
        if (done) done();
      }
  std::vector<report::Block> blocks;
  blocks.emplace_back(headline(samples, branches, scores));
  blocks.emplace_back(std::move(caught));
  blocks.emplace_back(std::move(apart));
  return blocks;
}

std::vector<report::Block> sensor_blocks(int places) {
  const Stewart platform = dietmaier_platform();
  const AllPoses all = all_poses(platform, dietmaier_lengths);
  report::Table table{"Poses of Dietmaier's platform that one more sensor leaves, " +
                          std::to_string(places) + " random places each (seed 1), 95 % intervals",
                      {"sensor", "accuracy", "poses", "remain", "unique, %", "at worst"},
                      {}};
  for (const double accuracy : {1e-3, 1e-2})
    for (const SensorSurvey& s : survey_sensors(platform, all, accuracy, places))
      table.rows.push_back({s.sensor, report::significant(s.accuracy, 1), std::to_string(s.poses),
                            text_of(s.remaining, 1, 2), text_of(s.unique, 100, 1),
                            std::to_string(s.most)});
  return {
      report::Paragraph{"Sensors beside the six lengths pick the pose among all that have them. "
                        "Accuracy in rad, or in platform sizes."},
      table};
}

}  // namespace jounce::app
