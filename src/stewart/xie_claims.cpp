// SPDX-License-Identifier: BSD-3-Clause
// Data, cells and algorithms of [Xie], claim by claim.
#include <algorithm>
#include <cmath>
#include <jounce/stewart/all_poses.hpp>
#include <jounce/stewart/xie_claims.hpp>

#include "stewart/claim_text.hpp"
#include "stewart/random_geometry.hpp"

namespace jounce {
namespace {

using namespace stewart_detail;

/// The largest difference between lengths, legs 1 to `legs`.
double lengths_apart(const SixNumbers& a, const SixNumbers& b, size_t legs = 6) {
  double most = 0;
  for (size_t i = 0; i < legs; ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

/// The largest difference between the rotation of T and that of (30).
double off_print(const SE3<double>& T) {
  constexpr double T_s[3][3] = {
      {-0.2975, 0.7374, -0.6064}, {-0.2324, 0.5602, 0.7951}, {0.9260, 0.3775, 0.0047}};
  double most = 0;
  for (int i = 0; i < 3; ++i) {
    const Vec3<double>& row = T.R.m.row[i];
    const double here[3] = {row.x, row.y, row.z};
    for (int j = 0; j < 3; ++j) most = std::max(most, std::abs(here[j] - T_s[i][j]));
  }
  return most;
}

XieClaim length_claim(const XieExperiment& x) {
  const SixNumbers L = x.platform.lengths(x.true_pose);
  const double five = lengths_apart(L, xie_printed_lengths, 5);
  const double six = xie_printed_lengths[5] - L[5];
  return {"(29)", "q_C has the printed lengths, leg 6 55.9910 cm",
          "legs 1 to 5 agree to " + decimals(five, 5) + " cm, leg 6 is " + decimals(L[5], 4) +
              " cm, printed " + decimals(six, 4) + " more",
          lengths_apart(L, xie_printed_lengths) < 1e-4};
}

/// Which poses have the lengths as printed.
XieClaim printed_poses_claim(const XieExperiment& x) {
  const AllPoses all = all_poses(x.platform, xie_printed_lengths);
  int near = 0;
  for (const AssemblyMode& mode : all.poses)
    for (const SE3<double>* T : {&x.true_pose, &x.branch_pose})
      near += same_pose(x.platform, mode.pose, *T, 1e-2) ? 1 : 0;
  std::string heights;
  for (const AssemblyMode& mode : all.poses)
    heights += (heights.empty() ? "" : ", ") + decimals(mode.pose.p.z, 3);
  return {"(29)", "q_C and T_s have the lengths as printed",
          std::to_string(all.poses.size()) + " real poses have them, at heights " + heights +
              " cm; " + std::to_string(near) + " of q_C and T_s are among them",
          near == 2};
}

XieClaim branch_claim(const XieExperiment& x, const char* name, const SixNumbers& q) {
  const SE3<double> T = xie_pose(q);
  const double off = lengths_apart(x.platform.lengths(T), x.lengths);
  const double entry = off_print(T);
  return {"(30)", std::string(name) + " is T_s and has the lengths",
          "entries of its rotation agree to " + decimals(entry, 5) + ", lengths to " +
              decimals(off, 4) + " cm with leg 6 corrected",
          entry < 5e-4 && off < 0.02};
}

XieClaim poses_claim(const XieExperiment& x) {
  const AllPoses all = all_poses(x.platform, x.lengths);
  int above = 0, known = 0;
  for (const AssemblyMode& mode : all.poses) {
    if (mode.pose.p.z <= 0) continue;
    ++above;
    known += same_pose(x.platform, mode.pose, x.true_pose) ||
             same_pose(x.platform, mode.pose, x.branch_pose);
  }
  return {"section 5", "q_S1 and q_S2 are one branch solution T_s beside q_C",
          std::to_string(all.poses.size()) + " real poses, " + std::to_string(above) +
              " above the base; " + std::to_string(known) + " of those are q_C and T_s",
          above == 2 && known == 2};
}

XieClaim start_claim(const XieExperiment& x) {
  const XieExperiment printed = xie_experiment({.start_2 = true});
  int with = 0, as_printed = 0;
  for (const auto method : {StewartMethod::gauss_newton, StewartMethod::levenberg_marquardt}) {
    const auto corrected = xie_table(x, method), plain = xie_table(printed, method);
    for (size_t k = 3; k < 6; ++k) {
      with += corrected[k].difference() == 0 ? 1 : 0;
      as_printed += plain[k].difference() == 0 ? 1 : 0;
    }
  }
  return {"Tables 2, 3", "start 2 ends with psi = 70 degrees",
          std::to_string(as_printed) + " of the row's six cells come out with 70 degrees, " +
              std::to_string(with) + " with -70",
          as_printed >= with};
}

XieClaim cell_claim(const XieCell& cell) {
  const bool newton = cell.method == StewartMethod::gauss_newton;
  return {newton ? "Table 2" : "Table 3",
          cell.name() + " from start " + std::to_string(cell.start + 1) + ": " +
              percent_text(cell.paper_percent) + " to q_C",
          shares_text(cell) + (newton ? "; alpha " : "; log tau ") +
              ranges_text(cell, XieOutcome::true_pose),
          cell.difference() == 0};
}

/// Algorithm A1 word for word.
XieClaim printed_search_claim(const XieExperiment& x) {
  int endless = 0, right = 0, all = 0;
  for (const XieCell& cell :
       xie_table(x, {.method = StewartMethod::gauss_newton, .line_search = LineSearch::printed}))
    for (const XieRun& run : cell.runs) {
      ++all;
      endless += run.stop == StewartStop::endless_search ? 1 : 0;
      right += run.outcome == XieOutcome::true_pose ? 1 : 0;
    }
  return {"Algorithm A1", "lines 9 to 14 find a step factor, as printed",
          std::to_string(endless) + " of " + std::to_string(all) +
              " runs come to a loop that never ends, " + std::to_string(right) + " to q_C",
          endless == 0};
}

/// Two hexagons of one shape whose points lie on no conic, from nowhere in particular.
Stewart similar_hexagons() {
  const SixPoints base{
      {{30, 2, 0}, {12, 27, 0}, {-14, 20, 0}, {-31, -3, 0}, {-9, -24, 0}, {17, -22, 0}}};
  SixPoints platform = base;
  for (Vec3<double>& p : platform) p = p * 0.6;
  return {base, platform};
}

XieClaim similar_claim() {
  const Stewart s = similar_hexagons();
  const AllPoses all = all_poses(s, s.lengths({exp(Vec3<double>{0.2, -0.1, 0.3}), {3, -4, 40}}));
  return {"introduction", "similar hexagons: eight solutions (Ji)",
          std::to_string(all.complex_count) + " complex poses of one such platform: " +
              std::to_string(all.complex_count / 2) + " and their mirror images",
          all.complex_count == 16};
}

XieClaim general_claim() {
  SplitMix random(1);
  constexpr int platforms = 20;
  int most = 0, forty = 0;
  for (int k = 0; k < platforms; ++k) {
    const GeneralShape shape = draw_general(random);
    const Stewart s = platform_of(shape, random);
    const int count = all_poses(s, s.lengths(draw_pose(random, shape.height))).complex_count;
    most = std::max(most, count);
    forty += count == 40 ? 1 : 0;
  }
  return {"introduction", "at most 40 solutions in general (Raghavan, Ronga)",
          std::to_string(most) + " at most, exactly 40 on " + std::to_string(forty) + " of " +
              std::to_string(platforms) + " random platforms",
          most == 40};
}

XieClaim symmetric_claim(const XieExperiment& x) {
  const int count = all_poses(x.platform, x.lengths).complex_count;
  return {"introduction", "symmetrical 6-6 platforms: a polynomial of degree 14 (Huang)",
          std::to_string(count) + " complex poses of Table 1's platform: " +
              std::to_string(count / 2) + " and their mirror images",
          count == 28};
}

}  // namespace

std::vector<XieClaim> xie_data_claims(const XieExperiment& x) {
  return {length_claim(x),
          printed_poses_claim(x),
          branch_claim(x, "q_S1", xie_q_S1),
          branch_claim(x, "q_S2", xie_q_S2),
          poses_claim(x),
          start_claim(x)};
}

std::vector<XieClaim> xie_cell_claims(const std::vector<XieCell>& cells) {
  std::vector<XieClaim> all;
  all.reserve(cells.size());
  for (const XieCell& cell : cells) all.push_back(cell_claim(cell));
  return all;
}

std::vector<XieClaim> xie_algorithm_claims(const XieExperiment& x) {
  return {printed_search_claim(x), general_claim(), symmetric_claim(x), similar_claim()};
}

std::string xie_reason(const XieCell& cell, size_t place, const std::vector<XieVariant>& variants,
                       const XieRange& range) {
  if (cell.difference() == 0) return "";
  const int here = cell.percent(XieOutcome::true_pose), branch = cell.percent(XieOutcome::branch);
  std::string with;
  if (range.least <= cell.paper_percent && cell.paper_percent <= range.most)
    with = "errors of rounding in the lengths";
  if (branch > 0 && here + branch == cell.paper_percent)
    with += std::string(with.empty() ? "" : "; ") + "T_s counted too";
  for (const XieVariant& variant : variants)
    if (variant.cells.at(place).difference() == 0)
      with += (with.empty() ? "" : "; ") + variant.name;
  if (!with.empty()) return "the paper's with: " + with;
  int least = here, most = here;
  for (const XieVariant& variant : variants) {
    const int percent = variant.cells.at(place).percent(XieOutcome::true_pose);
    least = std::min(least, percent), most = std::max(most, percent);
  }
  return "none of " + std::to_string(variants.size()) + " variants has it: they give " +
         std::to_string(least) + " to " + percent_text(most);
}

}  // namespace jounce
