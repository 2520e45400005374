// SPDX-License-Identifier: BSD-3-Clause
// Tour, chapter "Gough-Stewart": the paper's experiments, poses at every tick, reach, dynamics.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <jounce/stewart.hpp>

#include "apps/jounce/stewart_report.hpp"
#include "apps/jounce/tour/chapters.hpp"
#include "apps/jounce/tour/stewart_modes.hpp"
#include "report/text.hpp"

namespace jounce::app {
namespace {

constexpr double rad = 3.14159265358979323846 / 180;
const SE3<double> home{{}, {0, 0, 50}};

void append(std::vector<report::Block>& to, std::vector<report::Block> blocks) {
  for (report::Block& block : blocks) to.push_back(std::move(block));
}

/// Cells of 0 or 100 % that are not the paper's, and how many cells are.
struct CellCounts {
  int extremes_off = 0, equal = 0;

  void add(const std::vector<XieCell>& cells) {
    for (const XieCell& cell : cells) {
      const bool extreme = cell.paper_percent == 0 || cell.paper_percent == 100;
      equal += cell.difference() == 0 ? 1 : 0;
      extremes_off += extreme && cell.difference() != 0 ? 1 : 0;
    }
  }
};

/// The pinned cells: all that are 0 or 100 %, and the whole column of LM-SE(3).
report::Checks table_checks(const XieExperiment& x) {
  const auto damped = xie_table(x, StewartMethod::levenberg_marquardt);
  CellCounts counts;
  counts.add(xie_table(x, StewartMethod::gauss_newton));
  counts.add(damped);
  int column = 0;
  for (const XieCell& cell : damped)
    if (cell.chart == StewartChart::se3) column += std::abs(cell.difference());
  const double signs = x.platform.normalised_determinant(x.true_pose) *
                       x.platform.normalised_determinant(x.branch_pose);
  return {{report::at_most("LM-SE(3) column, sum of differences in percent", column, 0),
           report::at_most("cells of 0 or 100 % that differ", counts.extremes_off, 0),
           report::at_least("cells of 30 with the paper's percentage", counts.equal, 21),
           report::at_most("determinant at the true pose times that at T_s", signs, -0.1)}};
}

SE3<double> motion(double t) {
  const double turn = 360 * rad;
  return {exp(Vec3<double>{0, 0, 15 * rad * std::sin(1.1 * turn * t + 5)}) *
              exp(Vec3<double>{0, 12 * rad * std::sin(0.9 * turn * t + 4), 0}) *
              exp(Vec3<double>{12 * rad * std::sin(0.7 * turn * t + 3), 0, 0}),
          {10 * std::sin(0.6 * turn * t), 10 * std::sin(0.8 * turn * t + 1),
           50 + 10 * std::sin(1.3 * turn * t + 2)}};
}

double apart(const SE3<double>& T, const SE3<double>& U) {
  const Twist<double> e = log(inverse_times(T, U));
  return std::max(norm(e.w), norm(e.v));
}

/// 20 s at 1 kHz and 20000 poses of a box from home.
report::Checks solver_checks(const Stewart& s) {
  PoseSolver solver(s, home);
  double worst = 0, iterations = 0;
  const int ticks = 20000;
  for (int k = 0; k < ticks; ++k) {
    const SE3<double> T = motion(1e-3 * k);
    const PoseSolution& found = solver.solve(s.lengths(T));
    worst = std::max(worst, apart(found.pose, T));
    iterations += found.iterations;
  }
  int right = 0;
  for (int k = 0; k < ticks; ++k) {
    const auto part = [k](double step) { return 2 * std::fmod(k * step, 1.0) - 1; };  // Kronecker
    const SE3<double> T{exp(Vec3<double>{0, 0, 30 * rad * part(0.8191725)}) *
                            exp(Vec3<double>{0, 25 * rad * part(0.6710436), 0}) *
                            exp(Vec3<double>{25 * rad * part(0.5497004), 0, 0}),
                        {15 * part(0.4503018), 15 * part(0.3688740), 50 + 10 * part(0.3021604)}};
    right += apart(solver.solve(s.lengths(T), home).pose, T) < 1e-6 ? 1 : 0;
  }
  return {{report::at_most("pose error over 20 s at 1 kHz, cm and rad", worst, 1e-7),
           report::at_most("iterations per tick", iterations / ticks, 3.05),
           report::at_least("of 20000 poses of the box found from home", right, 20000)}};
}

/// What the paper's platform reaches at home orientation, and where it is singular.
std::vector<report::Block> reach_blocks(const Stewart& s) {
  StewartLimits limits;
  limits.shortest.fill(42), limits.longest.fill(65);
  limits.base_tilt = limits.platform_tilt = 30 * rad;
  limits.mounts = s.mounts_at(home);
  const WorkspaceGrid grid{{}, {-30, 0, 25}, {30, 0, 70}, 121, 1, 91};
  const WorkspaceMap map = scan_grid(s, limits, grid);
  report::HeatMap heat{
      .rows = 91, .columns = 121, .x = report::Range{-30, 30}, .y = report::Range{25, 70}};
  heat.colour = {.label = "|determinant| where reachable"};
  for (size_t k = 0; k < map.verdicts.size(); ++k)
    heat.values.push_back(map.verdicts[k] == 0 ? std::abs(map.determinants[k]) : NAN);
  const report::Plot plot{.title = "Reach of the level platform",
                          .x = {.label = "x", .unit = "cm"},
                          .y = {.label = "z", .unit = "cm"},
                          .heat_map = heat,
                          .equal_aspect = true,
                          .width = 560,
                          .height = 420};
  const PoseSlice slice{home, {{1, 0, 0}, {}}, {{0, 1, 0}, {}}, -2, 2, -2, 2};
  report::Series curve{.name = "", .mark = report::Mark::segments};
  for (const SlicePoint& x : singularity_curves(s, slice, 90)) {
    curve.x.push_back(x.s / rad);
    curve.y.push_back(x.t / rad);
  }
  const report::Plot tilts{.title = "Singular tilts at home",
                           .x = {.label = "rotation about x", .unit = "deg"},
                           .y = {.label = "rotation about y", .unit = "deg"},
                           .series = {curve},
                           .equal_aspect = true,
                           .width = 480,
                           .height = 420};
  return {report::Figure{
              report::both_widths(plot),
              "Legs from 42 to 65 cm, joints to 30 degrees: " + std::to_string(map.reachable) +
                  " of " + std::to_string(grid.points()) + " positions."},
          report::Figure{report::both_widths(tilts), "Where the determinant vanishes."}};
}

}  // namespace

report::Chapter tour_stewart() {
  const XieExperiment x = xie_experiment();
  report::Chapter chapter{"Gough-Stewart", "gough-stewart", {}};
  chapter.blocks.push_back(report::Paragraph{
      "A platform on six legs. From a pose to lengths is one formula; from lengths to a pose is "
      "not, and there are up to 40 poses. At every tick: Newton's method from the last pose."});
  chapter.blocks.push_back(solver_checks(x.platform));
  append(chapter.blocks, reach_blocks(x.platform));
  add_all_poses(chapter);
  chapter.blocks.push_back(report::Paragraph{
      "The claims of Xie, Dai and Liu 2021, each computed; (!) marks what does not come out as "
      "printed. Samples are small here: jounce stewart tables, survey and branches draw more."});
  chapter.blocks.push_back(table_checks(x));
  append(chapter.blocks, claim_blocks(x, 5));
  append(chapter.blocks, branch_blocks(10));
  append(chapter.blocks, survey_blocks(100));
  append(chapter.blocks, sensor_blocks(10));
  append(chapter.blocks, figure_blocks(x));
  return chapter;
}

}  // namespace jounce::app
