// SPDX-License-Identifier: BSD-3-Clause
// The statements of [Xie] section 5 about its methods.
#include <algorithm>
#include <cmath>

#include "stewart/claim_text.hpp"

namespace jounce {
namespace {

using namespace stewart_detail;

/// Both tables; cell(newton, chart, start) with charts R^6, Quat, SE(3) as 0, 1, 2 and starts 1
/// to 5.
struct BothTables {
  const std::vector<XieCell>& newton;
  const std::vector<XieCell>& damped;

  const XieCell& gn(size_t chart, size_t start) const { return newton.at(3 * (start - 1) + chart); }
  const XieCell& lm(size_t chart, size_t start) const { return damped.at(3 * (start - 1) + chart); }
};

constexpr auto to_true = XieOutcome::true_pose, to_branch = XieOutcome::branch;

int arrives(const XieCell& cell) { return 100 - cell.percent(XieOutcome::nowhere); }

/// More than one range, or one that leaves factors out.
bool isolated(const XieCell& cell, XieOutcome outcome) {
  const auto all = cell.ranges(outcome);
  return !all.empty() && cell.percent(outcome) < 100 && all.size() > 1;
}

std::string share_and_ranges(const XieCell& cell, XieOutcome outcome) {
  return percent_text(cell.percent(outcome)) + " to " + (outcome == to_true ? "q_C" : "T_s") +
         (cell.method == StewartMethod::gauss_newton ? ", alpha " : ", log tau ") +
         ranges_text(cell, outcome);
}

std::string start_and_shares(const XieCell& cell) {
  return "start " + std::to_string(cell.start + 1) + ": " + shares_text(cell);
}

/// How iterations change from the smallest third of the factors to the largest.
struct Speeds {
  double small = 0, large = 0, slowest = 0;
};
Speeds speeds_of(const XieCell& cell) {
  Speeds s;
  const size_t third = cell.runs.size() / 3;
  for (size_t k = 0; k < third; ++k) {
    s.small += cell.runs[k].iterations / double(third);
    const int late = cell.runs[cell.runs.size() - 1 - k].iterations;
    s.large += late / double(third);
    s.slowest = std::max(s.slowest, double(late));
  }
  return s;
}

std::string speeds_text(const XieCell& cell) {
  const Speeds s = speeds_of(cell);
  return "start " + std::to_string(cell.start + 1) + ": " + decimals(s.small, 1) +
         " iterations in the smallest third of alpha, " + decimals(s.large, 1) +
         " in the largest, " + decimals(s.slowest, 0) + " at most there";
}

/// Shares of runs to q_C with log tau in a range, and out of it.
struct RangeShares {
  int inside = 0, outside = 0;
};
RangeShares shares_inside(const XieCell& cell, double from, double to) {
  int right[2] = {}, all[2] = {};
  for (const XieRun& run : cell.runs) {
    const double x = std::log10(run.factor);
    const int place = x >= from - 1e-9 && x <= to + 1e-9 ? 0 : 1;
    ++all[place];
    right[place] += run.outcome == to_true ? 1 : 0;
  }
  return {100 * right[0] / std::max(1, all[0]), 100 * right[1] / std::max(1, all[1])};
}

void euclidean_newton(const BothTables& t, std::vector<XieClaim>& to) {
  const auto &two = t.gn(0, 2), &three = t.gn(0, 3), &five = t.gn(0, 5), &four = t.gn(0, 4);
  to.push_back(
      {"section 5 GN 1", "GN-R^6 converges fast from starts 2, 3, 5 [every run]",
       start_and_shares(two) + "; " + start_and_shares(three) + "; " + start_and_shares(five),
       arrives(two) == 100 && arrives(three) == 100 && arrives(five) == 100});
  to.push_back({"section 5 GN 1", "GN-R^6 from start 2 more likely reaches T_s", shares_text(two),
                two.percent(to_branch) > two.percent(to_true)});
  to.push_back({"section 5 GN 1", "GN-R^6 from start 4 is inclined to T_s in isolated ranges",
                share_and_ranges(four, to_branch), isolated(four, to_branch)});
  const int lost = t.gn(0, 1).percent(XieOutcome::nowhere);
  to.push_back({"section 5 GN 1", "GN-R^6 from start 1 diverges in a large range [over half]",
                percent_text(lost) + " go nowhere", lost > 50});
}

void quaternion_newton(const BothTables& t, std::vector<XieClaim>& to) {
  const auto &one = t.gn(1, 1), &two = t.gn(1, 2), &three = t.gn(1, 3), &five = t.gn(1, 5);
  to.push_back({"section 5 GN 2", "GN-Quat from start 1 reaches q_C in isolated ranges",
                share_and_ranges(one, to_true), isolated(one, to_true)});
  to.push_back({"section 5 GN 2", "GN-Quat from start 2 always reaches T_s", shares_text(two),
                two.percent(to_branch) == 100});
  const Speeds a = speeds_of(three), b = speeds_of(five);
  const bool slow = a.slowest > a.small || b.slowest > b.small;
  to.push_back({"section 5 GN 2",
                "GN-Quat from starts 3 and 5 reaches q_C, slower at some larger alpha",
                speeds_text(three) + "; " + speeds_text(five),
                three.percent(to_true) == 100 && five.percent(to_true) == 100 && slow});
  const auto& four = t.gn(1, 4);
  to.push_back({"section 5 GN 2", "GN-Quat from start 4 is not suitable [under 25 % to q_C]",
                shares_text(four), four.percent(to_true) < 25});
}

void group_newton(const BothTables& t, std::vector<XieClaim>& to) {
  const auto &one = t.gn(2, 1), &three = t.gn(2, 3), &five = t.gn(2, 5), &four = t.gn(2, 4);
  const Speeds a = speeds_of(three), b = speeds_of(five);
  to.push_back({"section 5 GN 3",
                "GN-SE(3) from starts 3 and 5 always reaches q_C, faster with larger alpha",
                speeds_text(three) + "; " + speeds_text(five),
                three.percent(to_true) == 100 && five.percent(to_true) == 100 &&
                    a.large < a.small && b.large < b.small});
  to.push_back({"section 5 GN 3", "GN-SE(3) from start 1 reaches q_C in more than 50 %",
                shares_text(one), one.percent(to_true) > 50});
  const auto ranges = four.ranges(to_true);
  const bool range = ranges.size() == 1 && std::abs(ranges[0].first - 0.60) < 0.015 &&
                     std::abs(ranges[0].last - 0.84) < 0.015;
  to.push_back({"section 5 GN 3", "GN-SE(3) from start 4 reaches q_C for alpha 0.60 to 0.84",
                share_and_ranges(four, to_true), range});
}

void euclidean_damped(const BothTables& t, std::vector<XieClaim>& to) {
  const auto &one = t.lm(0, 1), &two = t.lm(0, 2), &four = t.lm(0, 4), &five = t.lm(0, 5);
  to.push_back({"section 5 LM 1", "LM-R^6 from start 5 reaches q_C for every tau",
                shares_text(five), five.percent(to_true) == 100});
  to.push_back({"section 5 LM 1", "LM-R^6 from start 2 more likely reaches T_s", shares_text(two),
                two.percent(to_branch) > two.percent(to_true)});
  to.push_back({"section 5 LM 1", "LM-R^6 from start 4 reaches q_C in isolated ranges",
                share_and_ranges(four, to_true), isolated(four, to_true)});
  to.push_back({"section 5 LM 1",
                "LM-R^6 from start 1 has a higher chance of T_s, in isolated ranges",
                shares_text(one) + "; log tau " + ranges_text(one, to_branch),
                one.percent(to_branch) > one.percent(to_true) && isolated(one, to_branch)});
}

void quaternion_damped(const BothTables& t, std::vector<XieClaim>& to) {
  const auto &one = t.lm(1, 1), &two = t.lm(1, 2), &four = t.lm(1, 4), &five = t.lm(1, 5);
  to.push_back({"section 5 LM 2", "LM-Quat from start 5 reaches q_C", shares_text(five),
                five.percent(to_true) == 100});
  to.push_back({"section 5 LM 2", "LM-Quat from start 2 almost always reaches T_s [over 90 %]",
                shares_text(two), two.percent(to_branch) > 90});
  to.push_back({"section 5 LM 2",
                "LM-Quat from start 1 reaches no solution for any tau (Table 3 has 4 % to q_C)",
                shares_text(one), arrives(one) == 0});
  to.push_back({"section 5 LM 2", "LM-Quat from start 4 reaches q_C in isolated ranges",
                share_and_ranges(four, to_true), isolated(four, to_true)});
}

void group_damped(const BothTables& t, std::vector<XieClaim>& to) {
  const auto &one = t.lm(2, 1), &two = t.lm(2, 2), &four = t.lm(2, 4), &five = t.lm(2, 5);
  const auto ranges = five.ranges(to_true);
  to.push_back({"section 5 LM 3",
                "LM-SE(3) from start 5 reaches q_C for all tau but some large ones",
                share_and_ranges(five, to_true),
                ranges.size() == 1 && ranges[0].first == five.runs.front().factor &&
                    ranges[0].last < five.runs.back().factor});
  const RangeShares inside = shares_inside(two, -5.5, -3.12);
  to.push_back({"section 5 LM 3",
                "LM-SE(3) from start 2 is better for log tau -5.5 to -3.12 [all runs there, fewer "
                "elsewhere]",
                percent_text(inside.inside) + " to q_C there, " + percent_text(inside.outside) +
                    " elsewhere; log tau " + ranges_text(two, to_true, 8),
                inside.inside == 100 && inside.outside < 100});
  to.push_back({"section 5 LM 3", "LM-SE(3) from starts 1 and 4 seldom reaches q_C [under 25 %]",
                start_and_shares(one) + "; " + start_and_shares(four),
                one.percent(to_true) < 25 && four.percent(to_true) < 25});
  bool all = true;
  std::string found;
  for (size_t chart = 0; chart < 3; ++chart) {
    const XieCell& cell = t.lm(chart, 3);
    all = all && cell.percent(to_true) == 100;
    found += (chart == 0 ? "" : "; ") + cell.name() + ": " + shares_text(cell);
  }
  to.push_back({"section 5 LM", "all three from start 3 reach q_C for every tau", found, all});
}

/// The starts from which a method reaches q_C in at least `least` percent.
std::string suitable(const BothTables& t, bool newton, size_t chart, int least) {
  std::string starts;
  for (size_t start = 1; start <= 5; ++start)
    if ((newton ? t.gn(chart, start) : t.lm(chart, start)).percent(to_true) >= least)
      starts += (starts.empty() ? "" : ", ") + std::to_string(start);
  return starts.empty() ? "none" : starts;
}

void conclusions(const BothTables& t, std::vector<XieClaim>& to) {
  const std::string gn_group = suitable(t, true, 2, 50), gn_flat = suitable(t, true, 0, 50);
  to.push_back({"section 5 end", "starts 1, 4, 5 suit GN-SE(3) (and 3) [half of the runs or more]",
                "starts " + gn_group, gn_group == "1, 3, 4, 5"});
  to.push_back({"section 5 end", "start 5 (and 3) alone suits GN-R^6 [half of the runs or more]",
                "starts " + gn_flat, gn_flat == "3, 5"});
  const std::string lm_group = suitable(t, false, 2, 50);
  to.push_back({"section 5 end", "starts 5, and on condition 2, suit LM-SE(3) (and 3)",
                "starts " + lm_group, lm_group == "2, 3, 5"});
  std::string found;
  bool better = true;
  for (const bool newton : {true, false})
    for (size_t other = 0; other < 2; ++other) {
      int more = 0, fewer = 0;
      for (size_t start = 1; start <= 5; ++start) {
        const XieCell& a = newton ? t.gn(2, start) : t.lm(2, start);
        const XieCell& b = newton ? t.gn(other, start) : t.lm(other, start);
        more += a.percent(to_true) > b.percent(to_true) ? 1 : 0;
        fewer += a.percent(to_true) < b.percent(to_true) ? 1 : 0;
      }
      better = better && fewer == 0;
      found += (found.empty() ? "" : "; ") + (newton ? t.gn(2, 1) : t.lm(2, 1)).name() +
               " against " + (newton ? t.gn(other, 1) : t.lm(other, 1)).name() + ": more from " +
               std::to_string(more) + " starts, fewer from " + std::to_string(fewer);
    }
  to.push_back({"section 5 end, abstract",
                "SE(3) leaves more space for the initial guess [from no start fewer runs to q_C]",
                found, better});
}

/// Runs caught at T_s in all ten cells of a chart.
void stuck(const BothTables& t, std::vector<XieClaim>& to) {
  int caught[3] = {}, runs = 0;
  for (size_t chart = 0; chart < 3; ++chart)
    for (size_t start = 1; start <= 5; ++start)
      for (const XieCell* cell : {&t.gn(chart, start), &t.lm(chart, start)})
        for (const XieRun& run : cell->runs) {
          caught[chart] += run.outcome == to_branch || run.outcome == XieOutcome::other_pose;
          runs += chart == 0 ? 1 : 0;
        }
  to.push_back({"section 5 end",
                "SE(3) has few chances to be stuck in another solution [the fewest, these starts]",
                "of " + std::to_string(runs) + " runs each: R^6 " + std::to_string(caught[0]) +
                    ", Quat " + std::to_string(caught[1]) + ", SE(3) " + std::to_string(caught[2]),
                caught[2] < caught[0] && caught[2] < caught[1]});
}

}  // namespace

std::vector<XieClaim> xie_text_claims(const std::vector<XieCell>& gauss_newton,
                                      const std::vector<XieCell>& levenberg_marquardt) {
  const BothTables t{gauss_newton, levenberg_marquardt};
  std::vector<XieClaim> all;
  euclidean_newton(t, all);
  quaternion_newton(t, all);
  group_newton(t, all);
  euclidean_damped(t, all);
  quaternion_damped(t, all);
  group_damped(t, all);
  conclusions(t, all);
  stuck(t, all);
  return all;
}

}  // namespace jounce
