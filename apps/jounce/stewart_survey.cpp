// SPDX-License-Identifier: BSD-3-Clause
// How geometry influences the choice of a method, as a table and figures.
#include <algorithm>
#include <cmath>

#include "apps/jounce/stewart_report.hpp"
#include "report/text.hpp"

namespace jounce::app {
namespace {

constexpr const char* methods[6] = {"GN-R^6", "GN-Quat", "GN-SE(3)",
                                    "LM-R^6", "LM-Quat", "LM-SE(3)"};

/// Means over geometries of a range of margins.
struct Band {
  double least, most;
  int count = 0;
  double margin = 0, success[6] = {}, iterations[6] = {};
  int converged[6] = {};
};

std::vector<Band> bands_of(const std::vector<MethodSurvey>& all) {
  std::vector<Band> bands;
  for (const double from : {0.0, 0.15, 0.25, 0.35, 0.45, 0.55})
    bands.push_back({from, from == 0 ? 0.15 : from == 0.55 ? 1.0 : from + 0.1});
  for (Band& band : bands) {
    for (const MethodSurvey& s : all) {
      if (s.margin < band.least || s.margin >= band.most) continue;
      ++band.count;
      band.margin += s.margin;
      for (size_t k = 0; k < 6; ++k) {
        band.success[k] += s.success[k];
        if (s.success[k] > 0) band.iterations[k] += s.iterations[k], ++band.converged[k];
      }
    }
    band.margin /= std::max(1, band.count);
    for (size_t k = 0; k < 6; ++k) {
      band.success[k] /= std::max(1, band.count);
      band.iterations[k] /= std::max(1, band.converged[k]);
    }
  }
  std::erase_if(bands, [](const Band& band) { return band.count == 0; });
  return bands;
}

report::Table band_table(const std::vector<Band>& bands) {
  report::Table table{
      "Percentage of runs that return to their pose / mean iterations, by the "
      "singularity distance of the geometry's home pose",
      {"distance", "geometries"},
      {}};
  for (const char* method : methods) table.header.emplace_back(method);
  for (const Band& band : bands) {
    std::vector<std::string> row{report::fixed(band.margin, 2), std::to_string(band.count)};
    for (size_t k = 0; k < 6; ++k)
      row.push_back(report::fixed(100 * band.success[k], 0) + " / " +
                    report::fixed(band.iterations[k], 1));
    table.rows.push_back(std::move(row));
  }
  return table;
}

report::Figure band_figure(const std::vector<Band>& bands, bool success) {
  report::Plot plot{.title = success ? "Success by geometry" : "Iterations by geometry",
                    .x = {.label = "singularity distance of the home pose"},
                    .y = {.label = success ? "share that returns to its pose" : "iterations"},
                    .width = 620,
                    .height = 360};
  for (size_t k = 0; k < 6; ++k) {
    report::Series series{.name = methods[k], .mark = report::Mark::line_scatter, .dashed = k < 3};
    for (const Band& band : bands) {
      series.x.push_back(band.margin);
      series.y.push_back(success ? band.success[k] : band.iterations[k]);
    }
    plot.series.push_back(std::move(series));
  }
  return {report::to_svg(plot), "Means over bands of the distance."};
}

report::Figure map_of(const std::vector<MethodSurvey>& all, size_t method) {
  report::HeatMap map{.rows = 10, .columns = 20};
  map.x = report::Range{0.3, 1.0};
  map.y = report::Range{0, 40};
  map.colour = {.label = "success", .range = report::Range{0, 1}};
  for (const MethodSurvey& s : all) map.values.push_back(s.success[method]);
  const report::Plot plot{.title = methods[method],
                          .x = {.label = "platform radius / base radius"},
                          .y = {.label = "half spread of a base pair", .unit = "deg"},
                          .heat_map = map,
                          .width = 420,
                          .height = 280};
  return {report::to_svg(plot),
          std::string("Share of starts from which ") + methods[method] + " returns to the pose."};
}

}  // namespace

std::vector<report::Block> survey_blocks(int starts) {
  const std::vector<MethodSurvey> all = survey_methods(starts);
  const std::vector<Band> bands = bands_of(all);
  std::vector<report::Block> blocks;
  double turn = 0, offset = 0;
  for (const MethodSurvey& one : all)
    turn = std::max(turn, one.turn), offset = std::max(offset, one.offset);
  const StewartMethodOptions options;
  blocks.push_back(report::Paragraph{
      "The paper asks how geometry influences the choice of a method. Here are six methods on " +
      std::to_string(all.size()) +
      " semi-regular platforms (ratios of radii by spreads of the base pairs; all else as in Table "
      "1), each with " +
      std::to_string(starts) + " poses of the workspace and starts up to " +
      report::fixed(turn * 180 / M_PI, 0) + " degrees and " + report::fixed(offset, 0) +
      " cm away; alpha = " + report::significant(options.step_factor, 2) +
      ", tau = " + report::significant(options.damping, 2) +
      ", lengths in cm. Another damping or another unit of length gives other numbers for the "
      "damped methods, and in this family distance and spread go together."});
  blocks.push_back(band_table(bands));
  blocks.push_back(band_figure(bands, true));
  blocks.push_back(band_figure(bands, false));
  for (size_t k = 0; k < 6; ++k) blocks.push_back(map_of(all, k));
  return blocks;
}

}  // namespace jounce::app
