// SPDX-License-Identifier: BSD-3-Clause
// The experiments of [Xie] section 5.
#include <algorithm>
#include <cmath>
#include <jounce/stewart/xie_tables.hpp>

#include "split_mix.hpp"

namespace jounce {

namespace {

SE3<double> pose_of(const double (&q)[6]) {
  const double rad = std::acos(-1.0) / 180;
  return {exp(Vec3<double>{0, 0, q[5] * rad}) * exp(Vec3<double>{0, q[4] * rad, 0}) *
              exp(Vec3<double>{q[3] * rad, 0, 0}),
          {q[0], q[1], q[2]}};
}

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
constexpr double true_coordinates[6] = {0, 0, 50, 20, 0, -30};
constexpr double branch_coordinates[6] = {17.58, 10.34, 36.71, 89.28, -67.82, -142.0};
constexpr double starts[5][6] = {{0, 20, 20, 10, 100, 5},
                                 {0, 20, 40, 0, -50, -70},  // printed with +70
                                 {20, -15, 70, 20, -20, 50},
                                 {-20, 10, 70, 50, -20, 70},
                                 {20, -10, 40, 60, 70, 50}};
constexpr StewartChart charts[3] = {StewartChart::euler, StewartChart::quaternion,
                                    StewartChart::se3};
constexpr int printed[2][5][3] = {
    {{10, 52, 52}, {0, 0, 20}, {100, 100, 100}, {0, 4, 54}, {100, 100, 100}},  // Table 2
    {{0, 4, 14}, {0, 0, 66}, {100, 100, 100}, {44, 68, 12}, {100, 100, 92}}};  // Table 3

bool same(const Stewart& s, const SE3<double>& T, const SE3<double>& U) {
  const Twist<double> e = log(inverse_times(T, U));
  return norm(e.w) < 1e-4 && norm(e.v) < 1e-4 * s.size();
}

XieRun run(const XieExperiment& x, int start, const StewartMethodOptions& options, double factor) {
  const StewartMethodResult found =
      solve_pose(x.platform, x.lengths, x.starts[static_cast<size_t>(start)], options);
  XieRun r{factor, found.iterations, XieOutcome::nowhere};
  if (!found.converged) return r;
  r.outcome = same(x.platform, found.pose, x.true_pose)     ? XieOutcome::true_pose
              : same(x.platform, found.pose, x.branch_pose) ? XieOutcome::branch
                                                            : XieOutcome::other_pose;
  return r;
}

}  // namespace

XieExperiment xie_experiment() {
  const Stewart platform(lower, upper);
  const SE3<double> true_pose = pose_of(true_coordinates);
  const SixNumbers lengths = platform.lengths(true_pose);
  const SE3<double> branch = solve_pose(platform, lengths, pose_of(branch_coordinates)).pose;
  XieExperiment x{platform, true_pose, branch, lengths, {}};
  for (size_t k = 0; k < 5; ++k) x.starts[k] = pose_of(starts[k]);
  return x;
}

int XieCell::percent(XieOutcome outcome) const {
  long count = 0;
  for (const XieRun& r : runs) count += r.outcome == outcome ? 1 : 0;
  return static_cast<int>(std::lround(100.0 * double(count) / double(runs.size())));
}

std::vector<XieCell> xie_table(const XieExperiment& experiment, StewartMethod method,
                               Increment increment) {
  const bool newton = method == StewartMethod::gauss_newton;
  std::vector<XieCell> cells;
  for (int start = 0; start < 5; ++start)
    for (int c = 0; c < 3; ++c) {
      XieCell cell{method, charts[c], start, {}, printed[newton ? 0 : 1][start][c]};
      for (int k = 0; k < 50; ++k) {
        StewartMethodOptions options{.method = method, .chart = charts[c], .increment = increment};
        options.step_factor = 0.50 + 0.01 * k;
        options.damping = std::pow(10.0, -9 + 0.12 * k);
        cell.runs.push_back(
            run(experiment, start, options, newton ? options.step_factor : options.damping));
      }
      cells.push_back(std::move(cell));
    }
  return cells;
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
