// SPDX-License-Identifier: BSD-3-Clause
#include "pictures/motion_plots.hpp"

#include <algorithm>
#include <cmath>

#include "report/text.hpp"

namespace jounce::pictures {
namespace {

using report::Plot;
using report::Series;

/// A quantity of all coordinates, and its limits where it has some.
struct Quantity {
  std::string title, label, unit;
  const dense::Matrix& values;
  std::vector<int> rows = {};  ///< of the coordinates that are drawn
  std::span<const double> lower = {}, upper = {};
};

/// The velocity coordinates that are drawn, in their order: those that lead or have forces.
std::vector<int> drawn(const Along& run) {
  const auto largest = [&](int k) {
    double most = 0;
    for (int i = 0; i < run.tau.columns; ++i) most = std::max(most, std::abs(run.tau(k, i)));
    return most;
  };
  std::vector<int> all;
  for (int k = 0; k < run.robot.nv(); ++k)
    if (std::find(run.leading.begin(), run.leading.end(), k) != run.leading.end() || largest(k) > 0)
      all.push_back(k);
  std::stable_sort(all.begin(), all.end(), [&](int a, int b) { return largest(a) > largest(b); });
  all.resize(std::min(all.size(), size_t(most_drawn)));
  std::sort(all.begin(), all.end());
  return all;
}

/// Where the first coordinates of the joints of these velocities stand in q; none where a joint has
/// more coordinates than velocities.
std::vector<int> positions_of(const Robot& robot, const std::vector<int>& velocities) {
  std::vector<int> found;
  for (const int v : velocities)
    for (const JointInfo& joint : robot.joints())
      if (!joint.mimic && v >= joint.v && v < joint.v + joint.nv && joint.nq == joint.nv)
        found.push_back(joint.q + v - joint.v);
  return found;
}

double largest_value(const Quantity& x) {
  double most = 0;
  for (const int row : x.rows)
    for (int i = 0; i < x.values.columns; ++i) most = std::max(most, std::abs(x.values(row, i)));
  return most;
}

/// A dashed line, of its own joint's colour and without a name.
void add_limit(Plot& plot, const Along& run, double value, int colour, double most) {
  if (!std::isfinite(value) || std::abs(value) > 1.3 * most) return;
  Series line{.x = {run.t.front(), run.t.back()}, .y = {value, value}};
  line.colour = colour;
  line.width = 1;
  line.dashed = true;
  plot.series.push_back(std::move(line));
}

Plot plot_of(const Along& run, const Quantity& x, const std::vector<std::string>& names) {
  Plot plot{.title = x.title};
  plot.x = {.label = "t", .unit = "s"};
  plot.y = {.label = x.label, .unit = x.unit};
  plot.height = 300;
  for (size_t k = 0; k < x.rows.size(); ++k) {
    Series one{.name = names[size_t(x.rows[k])], .x = run.t};
    one.colour = int(k) % most_drawn;
    for (int i = 0; i < x.values.columns; ++i) one.y.push_back(x.values(x.rows[k], i));
    plot.series.push_back(std::move(one));
  }
  const double most = largest_value(x);
  for (size_t k = 0; k < x.rows.size() && !x.upper.empty(); ++k) {
    add_limit(plot, run, x.lower[k], int(k), most);
    add_limit(plot, run, x.upper[k], int(k), most);
  }
  return plot;
}

Plot energy_plot(const Along& run) {
  Plot plot{.title = "Energy"};
  plot.x = {.label = "t", .unit = "s"};
  plot.y = {.label = "energy", .unit = "J"};
  plot.height = 300;
  std::vector<double> sum = run.kinetic;
  for (size_t i = 0; i < sum.size(); ++i) sum[i] += run.potential[i];
  plot.series = {{.name = "kinetic", .x = run.t, .y = run.kinetic},
                 {.name = "potential", .x = run.t, .y = run.potential},
                 {.name = "sum", .x = run.t, .y = std::move(sum)}};
  return plot;
}

/// Numbers of limits at the drawn coordinates.
std::vector<double> picked(const std::vector<double>& all, const std::vector<int>& rows,
                           double sign = 1) {
  std::vector<double> found;
  for (const int row : rows) found.push_back(sign * all[size_t(row)]);
  return found;
}

}  // namespace

std::vector<Plot> motion_plots(const Along& run) {
  const Robot& robot = run.robot;
  const std::vector<int> rows = drawn(run), positions = positions_of(robot, rows);
  const std::vector<std::string> names = velocity_names(robot), q_names = position_names(robot);
  const bool some = int(rows.size()) == most_drawn && robot.nv() > most_drawn;
  const std::string which = some ? ": the " + std::to_string(rows.size()) + " of " +
                                       std::to_string(robot.nv()) + " with the largest forces"
                                 : "";
  const Limits& limits = robot.limits();
  const auto effort = picked(limits.effort, rows), least = picked(limits.effort, rows, -1);
  std::vector<double> lower, upper;
  if (positions.size() == rows.size()) {
    lower = picked(limits.lower, rows);
    upper = picked(limits.upper, rows);
  }
  std::vector<Plot> plots;
  if (!positions.empty())
    plots.push_back(plot_of(
        run, {"Positions" + which, "q", "rad or m", run.q, positions, lower, upper}, q_names));
  plots.push_back(plot_of(
      run, {"Forces of the joints" + which, "τ", "N m or N", run.tau, rows, least, effort}, names));
  plots.push_back(plot_of(
      run, {"Their rates" + which, "dτ/dt", "N m/s or N/s", run.tau_rate, rows, {}, {}}, names));
  plots.push_back(energy_plot(run));
  return plots;
}

std::string motion_svg(const Along& run) {
  std::vector<Plot> plots = motion_plots(run);
  if (!plots.empty()) plots[0].title = run.robot.name() + ": " + plots[0].title;
  return report::stacked_svg(plots);
}

std::vector<std::string> exceeded_lines(const Along& run) {
  const std::vector<std::string> names = velocity_names(run.robot);
  std::vector<std::string> lines;
  for (const Exceeded& one : run.exceeded())
    lines.push_back(names[size_t(one.v)] + ": " + name(one.kind) + " " +
                    report::significant(one.value, 4) + " at " + report::significant(one.t, 4) +
                    " s, limit " + report::significant(one.limit, 4));
  return lines;
}

}  // namespace jounce::pictures
