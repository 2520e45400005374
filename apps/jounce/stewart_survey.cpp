// SPDX-License-Identifier: BSD-3-Clause
// How geometry influences the choice of a method: tables, figures and sentences from one survey.
#include <algorithm>
#include <cmath>
#include <jounce/stewart/method_survey.hpp>

#include "apps/jounce/stewart_report.hpp"
#include "report/text.hpp"

namespace jounce::app {
namespace {

const char* name_of(SurveyFamily family) {
  return family == SurveyFamily::semi_regular ? "semi-regular" : "general";
}

report::Table variant_success(const MethodSurvey& s) {
  report::Table table{std::string("Success in percent and iterations, ") + name_of(s.family) +
                          " platforms, " + std::to_string(s.samples()) +
                          " independent samples, 95 % intervals",
                      {"method", "success, %", "iterations"},
                      {}};
  for (size_t k = 0; k < s.variants.size(); ++k) {
    const Estimate iterations = s.mean_iterations(k);
    table.rows.push_back({s.variants[k].name, text_of(s.success(k)),
                          iterations.count > 0 ? text_of(iterations, 1, 1) : "none arrived"});
  }
  return table;
}

/// The change of success per standard deviation of each parameter, of one variant per chart.
report::Table slope_table(const MethodSurvey& s) {
  report::Table table{
      std::string("Change of the success in percentage points per standard deviation "
                  "of a parameter, the others held, ") +
          name_of(s.family),
      {"method"},
      {}};
  for (const std::string& name : s.parameters) table.header.push_back(name);
  for (const char* name :
       {"GN-R^6 alpha 1", "GN-Quat alpha 1", "GN-SE(3) alpha 1", "LM-R^6 size tau 1e-3",
        "LM-Quat size tau 1e-3", "LM-SE(3) size tau 1e-3"}) {
    std::vector<std::string> row{name};
    for (const Estimate& slope : s.slopes(s.variant(name))) row.push_back(text_of(slope, 100, 1));
    table.rows.push_back(std::move(row));
  }
  std::vector<std::string> row{"correlation with the distance"};
  for (const std::vector<double>& column : s.columns)
    row.push_back(report::fixed(correlation_of(column, s.columns.back()), 2));
  table.rows.push_back(std::move(row));
  return table;
}

/// The parameters whose slope is surely of one sign, by name.
std::string decisive_parameters(const MethodSurvey& s, const char* variant) {
  std::string up, down;
  const std::vector<Estimate> slopes = s.slopes(s.variant(variant));
  for (size_t k = 0; k < slopes.size(); ++k) {
    std::string* to = slopes[k].above_zero() ? &up : slopes[k].below_zero() ? &down : nullptr;
    if (to != nullptr) *to += (to->empty() ? "" : ", ") + s.parameters[k];
  }
  std::string text;
  if (!up.empty()) text += "it rises with " + up;
  if (!down.empty()) text += (text.empty() ? "it falls with " : " and falls with ") + down;
  return text.empty() ? "no parameter changes it surely" : text;
}

std::string compared(const MethodSurvey& s, const char* a, const char* b) {
  const Estimate fewer = s.fewer_iterations(s.variant(a), s.variant(b));
  const Estimate more = s.advantage(s.variant(a), s.variant(b));
  const char* verdict = more.above_zero()   ? "succeeds more often than"
                        : more.below_zero() ? "succeeds less often than"
                                            : "succeeds about as often as";
  return std::string(a) + " " + verdict + " " + b + " (difference " + text_of(more, 100, 1) +
         " points) and needs fewer iterations on " + text_of(fewer, 100, 1) +
         " % of the samples that both solve";
}

/// The variants of Levenberg-Marquardt on one chart with one scaling: success by tau.
std::string spread_over_tau(const MethodSurvey& s, const std::string& prefix) {
  double least = 1, most = 0;
  for (size_t k = 0; k < s.variants.size(); ++k) {
    if (s.variants[k].name.rfind(prefix, 0) != 0) continue;
    const double value = s.success(k).value;
    least = std::min(least, value), most = std::max(most, value);
  }
  return report::fixed(100 * least, 0) + " to " + report::fixed(100 * most, 0) + " %";
}

report::Paragraph verdicts(const MethodSurvey& s) {
  size_t best = 0;
  for (size_t k = 0; k < s.variants.size(); ++k)
    if (s.success(k).value > s.success(best).value) best = k;
  int as_good = 0;
  for (size_t k = 0; k < s.variants.size(); ++k)
    as_good += k != best && !s.advantage(best, k).above_zero() ? 1 : 0;
  return {std::string(name_of(s.family)) + " platforms: most often successful is " +
          s.variants[best].name + " with " + text_of(s.success(best)) +
          " %; not surely worse: " + std::to_string(as_good) + " of the other variants. " +
          compared(s, "LM-SE(3) cm tau 1e-6", "GN-SE(3) alpha 1") + "; " +
          compared(s, "LM-SE(3) cm tau 1e-6", "GN-SE(3) alpha 0.9") + ". LM-SE(3) over tau: " +
          spread_over_tau(s, "LM-SE(3) cm") + " in cm, " + spread_over_tau(s, "LM-SE(3) size") +
          " with angles times the size, " + spread_over_tau(s, "LM-SE(3) diagonal") +
          " with the diagonal. Success of GN-SE(3) with "
          "alpha 1: " +
          decisive_parameters(s, "GN-SE(3) alpha 1") + "."};
}

/// Success in five equal parts of the samples, sorted by their distance from singular poses.
report::Figure success_by_distance(const MethodSurvey& s) {
  const std::vector<double>& distance = s.columns.back();
  std::vector<size_t> order(distance.size());
  for (size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return distance[a] < distance[b]; });
  report::Plot plot{.title = std::string("Success, ") + name_of(s.family) + " platforms",
                    .x = {.label = "singularity distance of the pose"},
                    .y = {.label = "success", .range = report::Range{0, 1}},
                    .width = 620,
                    .height = 360};
  constexpr size_t parts = 5;
  for (const char* name :
       {"GN-R^6 alpha 1", "GN-Quat alpha 1", "GN-SE(3) alpha 1", "LM-R^6 size tau 1e-3",
        "LM-Quat size tau 1e-3", "LM-SE(3) size tau 1e-3"}) {
    report::Series series{.name = name,
                          .mark = report::Mark::line_scatter,
                          .dashed = std::string_view(name).substr(0, 2) == "GN"};
    const std::vector<int>& runs = s.iterations[s.variant(name)];
    for (size_t part = 0; part < parts; ++part) {
      const size_t from = part * order.size() / parts, to = (part + 1) * order.size() / parts;
      double right = 0, middle = 0;
      for (size_t k = from; k < to; ++k)
        right += runs[order[k]] > 0 ? 1 : 0, middle += distance[order[k]];
      if (to == from) continue;
      series.x.push_back(middle / double(to - from));
      series.y.push_back(right / double(to - from));
    }
    plot.series.push_back(std::move(series));
  }
  return {report::both_widths(plot), "Five equal parts of the samples, by their distance."};
}

}  // namespace

std::vector<report::Block> survey_blocks(int samples, const AfterEach& done) {
  std::vector<report::Block> blocks;
  for (const SurveyFamily family : {SurveyFamily::semi_regular, SurveyFamily::general}) {
    const MethodSurvey s = survey_methods(family, samples, 1, done);
    if (blocks.empty())
      blocks.emplace_back(report::Paragraph{
          "Each sample is a geometry, a pose in its workspace and a start up to " +
          report::fixed(s.turn * 180 / M_PI, 0) + " degrees and " + report::fixed(s.offset, 0) +
          " cm away, drawn anew (seed 1); success: the run comes back to the pose. cm: rad and cm "
          "are added as the paper does; size: angles times the platform's size; diagonal: "
          "Marquardt's. Of " +
          std::to_string(3 * samples) + " runs of Algorithm A1 as printed " +
          std::to_string(s.endless) + " would never end."});
    blocks.emplace_back(verdicts(s));
    blocks.emplace_back(variant_success(s));
    blocks.emplace_back(slope_table(s));
    blocks.emplace_back(success_by_distance(s));
  }
  return blocks;
}

}  // namespace jounce::app
