// SPDX-License-Identifier: BSD-3-Clause
// The experiments of [Xie] section 5.
#include <algorithm>
#include <cmath>
#include <jounce/stewart/xie_tables.hpp>

#include "split_mix.hpp"
#include "stewart/random_geometry.hpp"
#include "stewart/stewart_checks.hpp"

namespace jounce {

namespace {

using stewart_detail::same_pose;

constexpr SixPoints lower{{{28.9778, 7.7646, 0},
                           {-7.7646, 28.9778, 0},
                           {-21.2132, 21.2132, 0},
                           {-21.2132, -21.2132, 0},
                           {-7.7646, -28.9778, 0},
                           {28.9778, -7.7646, 0}}};  // Table 1
constexpr SixPoints upper{{{14.1421, 14.1421, 0},
                           {5.1764, 19.3185, 0},
                           {-19.3185, 5.1764, 0},
                           {-19.3185, -5.1764, 0},
                           {5.1764, -19.3185, 0},
                           {14.1421, -14.1421, 0}}};
constexpr SixNumbers true_coordinates{0, 0, 50, 20, 0, -30};
constexpr SixNumbers start_coordinates[5] = {{0, 20, 20, 10, 100, 5},
                                             {0, 20, 40, 0, -50, -70},  // printed with +70
                                             {20, -15, 70, 20, -20, 50},
                                             {-20, 10, 70, 50, -20, 70},
                                             {20, -10, 40, 60, 70, 50}};
constexpr StewartChart table_charts[3] = {StewartChart::euler, StewartChart::quaternion,
                                          StewartChart::se3};
constexpr int printed_percent[2][5][3] = {
    {{10, 52, 52}, {0, 0, 20}, {100, 100, 100}, {0, 4, 54}, {100, 100, 100}},  // Table 2
    {{0, 4, 14}, {0, 0, 66}, {100, 100, 100}, {44, 68, 12}, {100, 100, 92}}};  // Table 3

XieRun run(const XieExperiment& x, int start, const StewartMethodOptions& options, double factor) {
  const StewartMethodResult found =
      solve_pose(x.platform, x.lengths, x.starts[static_cast<size_t>(start)], options);
  XieRun r{factor, found.iterations, XieOutcome::nowhere, found.stop};
  if (!found.converged) return r;
  r.outcome = same_pose(x.platform, found.pose, x.true_pose)     ? XieOutcome::true_pose
              : same_pose(x.platform, found.pose, x.branch_pose) ? XieOutcome::branch
                                                                 : XieOutcome::other_pose;
  return r;
}

/// The lengths of the true pose, rounded as (29) prints them.
XieExperiment rounded(XieExperiment x) {
  for (double& length : x.lengths) length = std::round(length * 1e4) / 1e4;
  x.true_pose = solve_pose(x.platform, x.lengths, x.true_pose).pose;
  x.branch_pose = solve_pose(x.platform, x.lengths, x.branch_pose).pose;
  return x;
}

int count_equal(const std::vector<XieCell>& cells, bool between) {
  return static_cast<int>(std::count_if(cells.begin(), cells.end(), [&](const XieCell& cell) {
    const bool inside = cell.paper_percent > 0 && cell.paper_percent < 100;
    return cell.difference() == 0 && (inside || !between);
  }));
}

}  // namespace

SE3<double> xie_pose(const SixNumbers& q) {
  stewart_detail::check_finite("xie_pose", "the coordinates", q);
  const double rad = std::acos(-1.0) / 180;
  return {exp(Vec3<double>{0, 0, q[5] * rad}) * exp(Vec3<double>{0, q[4] * rad, 0}) *
              exp(Vec3<double>{q[3] * rad, 0, 0}),
          {q[0], q[1], q[2]}};
}

XieExperiment xie_experiment(const XiePrint& print) {
  const Stewart platform(lower, upper);
  const SE3<double> true_pose = xie_pose(true_coordinates);
  const SixNumbers lengths = platform.lengths(true_pose);
  const SE3<double> branch = solve_pose(platform, lengths, xie_pose(xie_q_S2)).pose;
  XieExperiment x{platform, true_pose, branch, lengths, {}};
  for (size_t k = 0; k < 5; ++k) x.starts[k] = xie_pose(start_coordinates[k]);
  if (print.lengths) x.lengths = xie_printed_lengths;
  if (print.start_2) {
    SixNumbers q = start_coordinates[1];
    q[5] = -q[5];
    x.starts[1] = xie_pose(q);
  }
  return x;
}

XieExperiment in_unit(const XieExperiment& x, double factor) {
  if (!(factor > 0 && factor < 1e50))
    stewart_detail::refuse(
        "in_unit", "factor is " + short_text(factor) + ", needs a positive number below 1e50");
  SixPoints base = x.platform.base(), platform = x.platform.platform();
  for (size_t i = 0; i < 6; ++i) base[i] = base[i] * factor, platform[i] = platform[i] * factor;
  XieExperiment scaled{{base, platform}, x.true_pose, x.branch_pose, x.lengths, x.starts};
  for (SE3<double>* T : {&scaled.true_pose, &scaled.branch_pose}) T->p = T->p * factor;
  for (SE3<double>& T : scaled.starts) T.p = T.p * factor;
  for (double& length : scaled.lengths) length *= factor;
  return scaled;
}

int XieCell::percent(XieOutcome outcome) const {
  long count = 0;
  for (const XieRun& r : runs) count += r.outcome == outcome ? 1 : 0;
  return static_cast<int>(std::lround(100.0 * double(count) / double(runs.size())));
}

double XieCell::mean_iterations(XieOutcome outcome) const {
  double sum = 0, count = 0;
  for (const XieRun& r : runs)
    if (r.outcome == outcome) sum += r.iterations, count += 1;
  return count > 0 ? sum / count : 0;
}

std::vector<FactorRange> XieCell::ranges(XieOutcome outcome) const {
  std::vector<FactorRange> all;
  bool inside = false;
  for (const XieRun& r : runs) {
    const bool alike = r.outcome == outcome;
    if (alike && !inside) all.push_back({r.factor, r.factor, 0});
    if (alike) all.back().last = r.factor, ++all.back().runs;
    inside = alike;
  }
  return all;
}

std::string XieCell::name() const {
  return std::string(method == StewartMethod::gauss_newton ? "GN-" : "LM-") +
         (chart == StewartChart::se3     ? "SE(3)"
          : chart == StewartChart::euler ? "R^6"
                                         : "Quat");
}

std::vector<XieCell> xie_table(const XieExperiment& experiment, StewartMethod method) {
  return xie_table(experiment, StewartMethodOptions{.method = method});
}

std::vector<XieCell> xie_table(const XieExperiment& experiment,
                               const StewartMethodOptions& options) {
  const bool newton = options.method == StewartMethod::gauss_newton;
  std::vector<XieCell> cells;
  for (int start = 0; start < 5; ++start)
    for (int c = 0; c < 3; ++c) {
      XieCell cell{
          options.method, table_charts[c], start, {}, printed_percent[newton ? 0 : 1][start][c]};
      for (int k = 0; k < 50; ++k) {
        StewartMethodOptions one = options;
        one.chart = table_charts[c];
        one.step_factor = 0.50 + 0.01 * k;
        one.damping = std::pow(10.0, -9 + 0.12 * k);
        cell.runs.push_back(run(experiment, start, one, newton ? one.step_factor : one.damping));
      }
      cells.push_back(std::move(cell));
    }
  return cells;
}

int XieVariant::equal() const { return count_equal(cells, false); }
int XieVariant::equal_between() const { return count_equal(cells, true); }

std::vector<XieVariant> xie_variants(const XieExperiment& x, StewartMethod method) {
  const StewartMethodOptions plain{.method = method};
  std::vector<XieVariant> all;
  const auto add = [&](const char* name, const XieExperiment& of, StewartMethodOptions with) {
    all.push_back({name, xie_table(of, with)});
  };
  const auto changed = [&](auto change) {
    StewartMethodOptions options = plain;
    change(options);
    return options;
  };
  if (method == StewartMethod::gauss_newton) {
    constexpr std::pair<const char*, LineSearch> readings[] = {
        {"square until (27) holds", LineSearch::squared},
        {"test, square, use the square", LineSearch::squared_after_test},
        {"as printed", LineSearch::printed},
        {"while accepted, until epsilon_3", LineSearch::printed_until_small},
        {"times alpha_0 until (27) holds", LineSearch::multiplied},
        {"halve until (27) holds", LineSearch::halved}};
    for (const auto& reading : readings)
      add(reading.first, x, changed([&](auto& o) { o.line_search = reading.second; }));
  } else {
    add("spatial increment", x, plain);
    add("body increment (A2)", x, changed([](auto& o) { o.increment = Increment::body; }));
    add("damping by the diagonal", x,
        changed([](auto& o) { o.scaling = StewartScaling::diagonal; }));
  }
  add("angles times the size", x,
      changed([](auto& o) { o.scaling = StewartScaling::platform_size; }));
  add("lengths in m", in_unit(x, 0.01), plain);
  add("lengths in mm", in_unit(x, 10), plain);
  add("lengths to 4 decimals", rounded(x), plain);
  add("start 2 as printed", xie_experiment({.start_2 = true}), plain);
  add("lengths as printed", xie_experiment({.lengths = true}), plain);
  return all;
}

std::vector<XieRange> xie_ranges(const XieExperiment& experiment, StewartMethod method, int draws,
                                 double rms) {
  std::vector<XieRange> ranges(15);
  SplitMix random(1);
  for (int draw = 0; draw < draws; ++draw) {
    XieExperiment rough = experiment;
    for (double& length : rough.lengths) length += rms * random.normal();
    rough.true_pose = solve_pose(rough.platform, rough.lengths, experiment.true_pose).pose;
    rough.branch_pose = solve_pose(rough.platform, rough.lengths, experiment.branch_pose).pose;
    const std::vector<XieCell> cells = xie_table(rough, method);
    for (size_t k = 0; k < ranges.size(); ++k) {
      const int percent = cells[k].percent(XieOutcome::true_pose);
      ranges[k] = {std::min(ranges[k].least, percent), std::max(ranges[k].most, percent)};
    }
  }
  return ranges;
}

}  // namespace jounce
