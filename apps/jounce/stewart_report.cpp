// SPDX-License-Identifier: BSD-3-Clause
// The experiments of [Xie] as tables and figures.
#include "apps/jounce/stewart_report.hpp"

#include <cmath>

#include "report/text.hpp"

namespace jounce::app {
namespace {

const char* name_of(StewartChart chart) {
  return chart == StewartChart::se3 ? "SE(3)" : chart == StewartChart::euler ? "R^6" : "Quat";
}
std::string name_of(const XieCell& cell) {
  return std::string(cell.method == StewartMethod::gauss_newton ? "GN-" : "LM-") +
         name_of(cell.chart);
}

constexpr const char* starts[5] = {"[0, 20, 20 | 10, 100, 5]", "[0, 20, 40 | 0, -50, -70]",
                                   "[20, -15, 70 | 20, -20, 50]", "[-20, 10, 70 | 50, -20, 70]",
                                   "[20, -10, 40 | 60, 70, 50]"};

std::string percent(int value) { return std::to_string(value) + " %"; }

std::string marked(const XieCell& cell) {
  return percent(cell.percent(XieOutcome::true_pose)) + (cell.difference() == 0 ? "" : " (!)");
}

report::Table table_block(const std::vector<XieCell>& cells, const std::string& caption) {
  report::Table table{caption, {"start: cm | deg"}, {}};
  for (size_t c = 0; c < 3; ++c) {
    table.header.push_back(name_of(cells[c]));
    table.header.push_back("paper");
  }
  for (size_t k = 0; k < 5; ++k) {
    std::vector<std::string> row{starts[k]};
    for (size_t c = 0; c < 3; ++c) {
      row.push_back(marked(cells[3 * k + c]));
      row.push_back(percent(cells[3 * k + c].paper_percent));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// What the runs show of why a cell differs; the words are those of `reasons`.
std::string reason(const XieCell& cell, const XieRange& range) {
  const int here = cell.percent(XieOutcome::true_pose);
  const int branch = cell.percent(XieOutcome::branch);
  if (range.least <= cell.paper_percent && cell.paper_percent <= range.most) return "rounding";
  return branch > 0 && here + branch == cell.paper_percent ? "T_s counted" : "open";
}

constexpr const char* reasons =
    "Rounding: the paper's number lies between those under rounding. T_s counted: with the runs "
    "that end at T_s the number is the paper's. Open: the paper leaves unsaid what decides, so a "
    "choice was made here: alpha of Algorithm A1 is squared until (27) holds; the rotation is that "
    "of q / |q|, and |q|^2 - 1 a seventh residual; increments are added to the angles.";

/// Cells of row `start` that are the paper's.
int agreeing(const std::vector<XieCell>& cells, int start) {
  int count = 0;
  for (const XieCell& cell : cells) count += cell.start == start && cell.difference() == 0 ? 1 : 0;
  return count;
}

/// Two misprints, and what the runs say of them.
report::Paragraph misprints(const XieExperiment& x, const std::vector<XieCell>& gauss_newton,
                            const std::vector<XieCell>& damped) {
  XieExperiment as_printed = x;
  as_printed.starts[1].R = exp(Vec3<double>{0, 0, 140 * M_PI / 180}) * x.starts[1].R;
  const int with = agreeing(gauss_newton, 1) + agreeing(damped, 1);
  const int without = agreeing(xie_table(as_printed, StewartMethod::gauss_newton), 1) +
                      agreeing(xie_table(as_printed, StewartMethod::levenberg_marquardt), 1);
  std::string column;
  for (const XieCell& cell : xie_table(x, StewartMethod::levenberg_marquardt, Increment::body))
    if (cell.chart == StewartChart::se3)
      column += (column.empty() ? "" : ", ") + percent(cell.percent(XieOutcome::true_pose));
  return {
      "Percentage of 50 runs that end at the true pose; columns \"paper\" are the paper's. Two "
      "misprints are corrected. Leg 6 of (29), printed 55.9910 cm, has " +
      report::fixed(x.lengths[5], 4) +
      " cm at the true pose. The last angle of start 2, printed 70 degrees, is taken as -70: "
      "with it " +
      std::to_string(with) + " of the row's six cells are the paper's, as printed " +
      std::to_string(without) +
      ". The increment of LM-SE(3) is spatial; the body increment of Algorithm A2 gives " + column +
      "."};
}

report::Table differences(const std::vector<XieCell>& cells, const std::vector<XieRange>& ranges) {
  report::Table table{
      "Cells that differ (!). Under rounding: least and most over sets of lengths "
      "with errors of 5e-5 cm",
      {"cell", "start", "here", "paper", "under rounding", "to T_s", "why"},
      {}};
  for (size_t k = 0; k < cells.size(); ++k)
    if (cells[k].difference() != 0)
      table.rows.push_back(
          {name_of(cells[k]), std::to_string(cells[k].start + 1),
           percent(cells[k].percent(XieOutcome::true_pose)), percent(cells[k].paper_percent),
           std::to_string(ranges[k].least) + " to " + percent(ranges[k].most),
           percent(cells[k].percent(XieOutcome::branch)), reason(cells[k], ranges[k])});
  return table;
}

/// Iterations against alpha or tau; upward to the true pose, downward to another one.
report::Figure iterations_figure(const std::vector<XieCell>& cells, size_t start, int figure) {
  const bool newton = cells[0].method == StewartMethod::gauss_newton;
  report::Plot plot{
      .title = "Figure " + std::to_string(figure) + ": start " + std::to_string(start + 1),
      .x = {.label = newton ? "step factor alpha" : "log10 of the damping tau"},
      .y = {.label = "iterations"},
      .width = 560,
      .height = 300};
  for (size_t c = 0; c < 3; ++c) {
    const XieCell& cell = cells[3 * start + c];
    report::Series series{.name = name_of(cell), .mark = report::Mark::scatter};
    for (const XieRun& run : cell.runs) {
      if (run.outcome == XieOutcome::nowhere) continue;
      series.x.push_back(newton ? run.factor : std::log10(run.factor));
      series.y.push_back(run.outcome == XieOutcome::true_pose ? run.iterations : -run.iterations);
    }
    plot.series.push_back(std::move(series));
  }
  return {report::to_svg(plot),
          "Iterations to the true pose (up) or to another one (down); no mark: did not converge."};
}

}  // namespace

report::Figure platform_picture(const Stewart& platform, const std::vector<SE3<double>>& poses,
                                const std::string& title, const std::string& unit) {
  report::Series base{.name = "base", .mark = report::Mark::segments, .width = 2};
  report::Series top{.name = "platform", .mark = report::Mark::segments, .width = 2.5};
  report::Series legs{.name = "legs", .mark = report::Mark::segments, .width = 1};
  const auto add = [](report::Series& to, const Vec3<double>& p) {
    to.x.push_back(0.94 * p.y - 0.34 * p.x);
    to.y.push_back(p.z - 0.25 * p.x - 0.1 * p.y);
  };
  for (size_t i = 0; i < 6; ++i) {
    add(base, platform.base()[i]), add(base, platform.base()[(i + 1) % 6]);
    for (const SE3<double>& T : poses) {
      add(top, T * platform.platform()[i]), add(top, T * platform.platform()[(i + 1) % 6]);
      add(legs, platform.base()[i]), add(legs, T * platform.platform()[i]);
    }
  }
  const report::Plot plot{.title = title,
                          .x = {.label = "", .unit = unit},
                          .y = {.label = "", .unit = unit},
                          .series = {base, top, legs},
                          .equal_aspect = true,
                          .width = 420,
                          .height = 340};
  return {report::to_svg(plot), title + "."};
}

std::vector<report::Block> xie_blocks(const XieExperiment& x, int draws) {
  std::vector<report::Block> blocks;
  const auto gauss_newton = xie_table(x, StewartMethod::gauss_newton);
  const auto damped = xie_table(x, StewartMethod::levenberg_marquardt);
  blocks.push_back(misprints(x, gauss_newton, damped));
  blocks.push_back(table_block(gauss_newton, "Table 2, Gauss-Newton: 50 step factors"));
  blocks.push_back(differences(gauss_newton, xie_ranges(x, StewartMethod::gauss_newton, draws)));
  blocks.push_back(table_block(damped, "Table 3, Levenberg-Marquardt: 50 dampings"));
  blocks.push_back(differences(damped, xie_ranges(x, StewartMethod::levenberg_marquardt, draws)));
  blocks.push_back(report::Paragraph{reasons});
  blocks.push_back(platform_picture(x.platform, {x.true_pose}, "Figure 4a: true pose", "cm"));
  for (size_t k = 0; k < 5; ++k)
    blocks.push_back(platform_picture(
        x.platform, {x.starts[k]},
        std::string("Figure 4").append(1, char('b' + k)).append(": start ") + char('1' + k), "cm"));
  blocks.push_back(platform_picture(x.platform, {x.branch_pose}, "Figure 5: the pose T_s", "cm"));
  for (size_t k = 0; k < 5; ++k)
    blocks.push_back(iterations_figure(gauss_newton, k, k < 3 ? 6 : 7));
  for (size_t k = 0; k < 5; ++k) blocks.push_back(iterations_figure(damped, k, k < 3 ? 8 : 9));
  return blocks;
}

}  // namespace jounce::app
