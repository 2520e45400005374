// SPDX-License-Identifier: BSD-3-Clause
// Measured costs of dynamics of any order as figures, tables and verdicts.
#include <algorithm>

#include "apps/jounce/tour/orders_figures.hpp"
#include "report/plot.hpp"
#include "report/text.hpp"

namespace jounce::app {
namespace {

report::Series curve_of(const bench::TimeCurve& curve, bool dashed = false) {
  report::Series one{.name = curve.name, .mark = report::Mark::line_scatter, .dashed = dashed};
  for (const auto& [x, y] : curve.points) {
    one.x.push_back(x);
    one.y.push_back(y);
  }
  return one;
}

report::Figure curves_figure(const std::string& title, const std::string& x, bool log_x,
                             const std::vector<bench::TimeCurve>& curves,
                             const std::string& caption) {
  report::Plot plot{.title = title,
                    .x = {.label = x, .log = log_x},
                    .y = {.label = "time", .unit = "us", .log = true}};
  for (const bench::TimeCurve& curve : curves) plot.series.push_back(curve_of(curve));
  return {report::both_widths(plot), caption};
}

/// t(r) / t(r - 1) where both are there, "" elsewhere.
std::string factor_at(const bench::Points& points, double r) {
  for (size_t k = 1; k < points.size(); ++k)
    if (points[k].first == r && points[k - 1].first == r - 1)
      return report::significant(points[k].second / points[k - 1].second, 3);
  return "";
}

report::Table factor_table(const bench::SeriesEvaluation& found) {
  report::Table table{"Time of an order over that of the order below, N = 101",
                      {"r", "inverse", "forward", "nested duals, inverse", "nested duals, forward"},
                      {}};
  const auto of_101 = [](const std::vector<bench::TimeCurve>& curves) {
    for (const bench::TimeCurve& curve : curves)
      if (curve.name == "N = 101") return curve.points;
    return curves.front().points;
  };
  for (int r = 1; r <= 5; ++r) {
    std::vector<std::string> row{std::to_string(r), factor_at(of_101(found.inverse_of_order), r),
                                 factor_at(of_101(found.forward_of_order), r),
                                 factor_at(found.nested_inverse.points, r),
                                 factor_at(found.nested_forward.points, r)};
    const auto told = [](const std::string& cell) { return !cell.empty(); };
    if (std::any_of(row.begin() + 1, row.end(), told)) table.rows.push_back(std::move(row));
  }
  return table;
}

using CostPick = bench::OfFrames bench::FrameCost::*;

report::Figure cost_figure(const char* title, const std::vector<bench::FrameCost>& costs,
                           int bench::FrameCost::*x, CostPick pick, double scale,
                           const char* label) {
  report::Plot plot{.title = title,
                    .x = {.label = x == &bench::FrameCost::order ? "order" : "bodies"},
                    .y = {.label = label}};
  if (x == &bench::FrameCost::bodies) plot.x.log = plot.y.log = true;
  for (size_t n = 0; n < 3; ++n) {
    report::Series one{.name = bench::frame_names[n], .mark = report::Mark::line_scatter};
    for (const bench::FrameCost& cost : costs) {
      one.x.push_back(cost.*x);
      one.y.push_back((cost.*pick)[n] * scale);
    }
    plot.series.push_back(one);
  }
  return {report::both_widths(plot), "The same sweeps, each form as well written as the others."};
}

report::Figure error_figure(const char* title, const std::vector<bench::FrameError>& errors,
                            bench::OfFrames bench::FrameError::*pick) {
  report::Plot plot{.title = title,
                    .x = {.label = "distance from the origin", .unit = "m", .log = true},
                    .y = {.label = "error / largest", .log = true}};
  for (size_t n = 0; n < 3; ++n) {
    report::Series one{.name = bench::frame_names[n], .mark = report::Mark::line_scatter};
    for (const bench::FrameError& error : errors) {
      one.x.push_back(error.distance);
      one.y.push_back(std::max(1e-19, (error.*pick)[n]));
    }
    plot.series.push_back(one);
  }
  return {report::both_widths(plot), "Order 3, seven bodies, against long double."};
}

/// One row: the three numbers, and which is least.
std::vector<std::string> least_row(const std::string& what, const bench::OfFrames& x) {
  const auto least = size_t(std::min_element(x.begin(), x.end()) - x.begin());
  std::vector<std::string> row{what};
  for (const double value : x) row.push_back(report::significant(value, 3));
  row.push_back(bench::frame_names[least]);
  return row;
}

report::Table verdict_table(const bench::FramesComparison& found) {
  report::Table table{
      "Verdict: the least of each, as this run found it",
      {"measure", bench::frame_names[0], bench::frame_names[1], bench::frame_names[2], "least"},
      {}};
  for (const bench::FrameCost& cost : found.of_order) {
    if (cost.order != 0 && cost.order != 4 && cost.order != 8) continue;
    const std::string at = ", r = " + std::to_string(cost.order) + ", N = 101";
    table.rows.push_back(least_row("operations, inverse" + at, cost.inverse_flops));
    table.rows.push_back(least_row("operations, forward" + at, cost.forward_flops));
    table.rows.push_back(least_row("ns, inverse" + at, cost.inverse_ns));
    table.rows.push_back(least_row("ns, forward" + at, cost.forward_ns));
  }
  for (const bench::FrameError& error : found.errors) {
    const std::string at = " error, " + report::significant(error.distance, 1) + " m";
    table.rows.push_back(least_row("inverse" + at, error.inverse));
    table.rows.push_back(least_row("forward" + at, error.forward));
  }
  return table;
}

}  // namespace

std::vector<report::Block> evaluation_blocks(const bench::SeriesEvaluation& found, bool fits) {
  const char* measured = "Processor time of one state, measured by this run.";
  std::vector<bench::TimeCurve> all = found.inverse_of_order;
  for (bench::TimeCurve& curve : all) curve.name = "inverse, " + curve.name;
  for (const bench::TimeCurve& curve : found.forward_of_order)
    all.push_back({"forward, " + curve.name, curve.points});
  for (const auto& curve : {found.nested_inverse, found.nested_forward, bench::quoted_casadi})
    all.push_back(curve);
  report::Checks claims;
  report::Table timed{"Claims on times, by this run", {"claim", "found", "bound", ""}, {}};
  for (const report::Check& claim : found.claims) {
    const bool is_timed = claim.name.find("fit") != std::string::npos ||
                          claim.name.find("times as fast") != std::string::npos;
    if (!is_timed) claims.rows.push_back(claim);
    else timed.rows.push_back({claim.name, claim.value, claim.bound, claim.passed ? "yes" : "no"});
  }
  std::vector<report::Block> blocks{
      claims,
      curves_figure("Figure 4 (a): inverse dynamics", "bodies", true, found.inverse_of_size,
                    measured),
      curves_figure("Figure 4 (b): forward dynamics", "bodies", true, found.forward_of_size,
                    measured),
      curves_figure("Figure 4 (c): against order, beside automatic differentiation", "order", false,
                    all,
                    std::string(measured) + " CasADi: quoted, nested jtimes as in the paper's "
                                            "section 7, run once on an Intel Ice "
                                            "Lake Xeon at 2.8 GHz."),
      factor_table(found)};
  if (fits) blocks.push_back(timed);
  return blocks;
}

std::vector<report::Block> frames_blocks(const bench::FramesComparison& found) {
  using Cost = bench::FrameCost;
  return {verdict_table(found),
          cost_figure("Operations of inverse dynamics, 101 bodies", found.of_order, &Cost::order,
                      &Cost::inverse_flops, 1e-3, "thousand operations"),
          cost_figure("Operations of forward dynamics, 101 bodies", found.of_order, &Cost::order,
                      &Cost::forward_flops, 1e-3, "thousand operations"),
          cost_figure("Time of inverse dynamics, 101 bodies", found.of_order, &Cost::order,
                      &Cost::inverse_ns, 1e-3, "us"),
          cost_figure("Time of forward dynamics, 101 bodies", found.of_order, &Cost::order,
                      &Cost::forward_ns, 1e-3, "us"),
          cost_figure("Time of inverse dynamics of order 4", found.of_size, &Cost::bodies,
                      &Cost::inverse_ns, 1e-3, "us"),
          cost_figure("Time of forward dynamics of order 4", found.of_size, &Cost::bodies,
                      &Cost::forward_ns, 1e-3, "us"),
          error_figure("Joint forces far away", found.errors, &bench::FrameError::inverse),
          error_figure("Joint accelerations far away", found.errors, &bench::FrameError::forward)};
}

}  // namespace jounce::app
