// SPDX-License-Identifier: BSD-3-Clause
// Tour, chapter "Any order": the paper's experiment, what distance costs the spatial form, and how
// fast each order is.
#include <algorithm>
#include <jounce/model/generate.hpp>
#include <jounce/world_series.hpp>

#include "apps/jounce/tour/aerial_experiment.hpp"
#include "apps/jounce/tour/chapters.hpp"
#include "benchmarks/series_tables.hpp"
#include "report/plot.hpp"
#include "report/text.hpp"

namespace jounce::app {
namespace {

using Steps = std::vector<AerialExperiment::Step>;
constexpr int order = AerialExperiment::order;

Steps run_experiment() {
  AerialExperiment experiment;
  Steps steps;
  for (int k = 0; k <= 200; ++k)
    steps.push_back(experiment.step(AerialExperiment::duration * k / 200));
  return steps;
}

std::string derivative_name(int k) {
  const char* names[] = {"velocity", "acceleration", "jerk", "snap (jounce)"};
  return k < 4 ? names[k] : "derivative " + std::to_string(k) + " of velocity";
}

/// |reproduced - reference| over the largest entry of the order in the whole run.
double error_at(const Steps& steps, const AerialExperiment::Step& at, int k) {
  double size = 0;
  for (const AerialExperiment::Step& step : steps)
    size = std::max(size, step.reference.motion.col(k).cwiseAbs().maxCoeff());
  return (at.reproduced.col(k) - at.reference.motion.col(k)).cwiseAbs().maxCoeff() / size;
}

report::Figure motion_figure(const Steps& steps) {
  const int joint = 8;  // the last of the left arm
  report::Plot plot{.title = "Left arm, third joint: reference and returned",
                    .x = {.label = "time", .unit = "s"},
                    .y = {.label = "derivatives of velocity", .unit = "rad/s^(k+1)"}};
  for (int k = 1; k <= 4; ++k) {
    report::Series reference{.name = derivative_name(k), .colour = k - 1},
        reproduced{.name = "", .colour = 5, .width = 1.5, .dashed = true};
    if (k == 1) reproduced.name = "by Series::forward";
    for (const AerialExperiment::Step& step : steps) {
      reference.x.push_back(step.time);
      reference.y.push_back(step.reference.motion(joint, k));
      reproduced.x.push_back(step.time);
      reproduced.y.push_back(step.reproduced(joint, k));
    }
    plot.series.push_back(reference);
    plot.series.push_back(reproduced);
  }
  return {report::to_svg(plot), "Forces by Series::inverse, fed to Series::forward."};
}

report::Figure error_figure(const Steps& steps) {
  report::Plot plot{.title = "Error of the returned motion",
                    .x = {.label = "time", .unit = "s"},
                    .y = {.label = "error / largest", .log = true}};
  for (int k = 1; k <= order + 1; ++k) {
    report::Series series{.name = derivative_name(k)};
    for (const AerialExperiment::Step& step : steps) {
      series.x.push_back(step.time);
      series.y.push_back(std::max(1e-17, error_at(steps, step, k)));
    }
    plot.series.push_back(series);
  }
  return {report::to_svg(plot),
          "Each order repeats the errors of the orders below, times the stiffness of the arms."};
}

report::Figure speed_figure(const Steps& steps) {
  report::Plot plot{.title = "Propeller speeds",
                    .x = {.label = "time", .unit = "s"},
                    .y = {.label = "speed", .unit = "rad/s"}};
  for (int p = 0; p < 6; ++p) {
    report::Series series{.name = "propeller " + std::to_string(p + 1)};
    for (const AerialExperiment::Step& step : steps) {
      series.x.push_back(step.time);
      series.y.push_back(step.speeds(p, 0));
    }
    plot.series.push_back(series);
  }
  return {report::to_svg(plot), "The wrench on the base, allocated to six tilted propellers (28)."};
}

/// Inverse dynamics of order 3 of a floating tree of seven bodies, far from the inertial origin. A
/// push on the last of them along a line fixed in the ground is given about that origin.
struct Distance {
  double body = 0, spatial = 0;  ///< error relative to the largest entry of an order
};

Distance distance_errors(double distance) {
  constexpr int r = 3;
  const Robot robot(generate({.shape = TreeShape::random_tree, .bodies = 6, .free_base = true}));
  Series series(robot, r);
  std::vector<double> q = robot.random(1);
  Eigen::MatrixXd motion(robot.nv(), r + 2);
  for (int j = 0; j < robot.nv(); ++j)
    for (int k = 0; k < r + 2; ++k) motion(j, k) = std::sin(3.0 * j + 5.0 * k);
  const auto last = std::find_if(robot.frames().begin(), robot.frames().end(),
                                 [&](const FrameInfo& f) { return f.body == robot.bodies() - 1; });
  Wrench<double> push[r + 1] = {{{3, -2, 1}, {10, 20, -15}}};  // its derivatives are zero
  const OutsideWrenchSeries outside{FrameId(int(last - robot.frames().begin())), push,
                                    Representation::space};
  const Eigen::MatrixXd exact = series.inverse(q, motion, {.wrenches = {&outside, 1}});
  q[0] += distance;
  push[0].m += cross(Vec3<double>{distance, 0, 0}, push[0].f);
  const Eigen::MatrixXd body = series.inverse(q, motion, {.wrenches = {&outside, 1}});
  const Eigen::MatrixXd space =
      WorldSeries(robot, r).inverse(q, motion, {.wrenches = {&outside, 1}});
  Distance worst;
  for (int k = 0; k <= r; ++k) {
    const Eigen::VectorXd joints = exact.col(k).tail(robot.nv() - 6);
    const double size = joints.cwiseAbs().maxCoeff();
    worst.body = std::max(worst.body, (body.col(k).tail(joints.size()) - joints).norm() / size);
    worst.spatial =
        std::max(worst.spatial, (space.col(k).tail(joints.size()) - joints).norm() / size);
  }
  return worst;
}

report::Figure distance_figure() {
  report::Series body{.name = "body frames", .mark = report::Mark::line_scatter},
      space{.name = "spatial frame", .mark = report::Mark::line_scatter};
  for (double distance = 1; distance <= 1e6; distance *= 10) {
    const Distance error = distance_errors(distance);
    body.x.push_back(distance);
    body.y.push_back(std::max(1e-17, error.body));
    space.x.push_back(distance);
    space.y.push_back(std::max(1e-17, error.spatial));
  }
  return {report::to_svg({.title = "Torque derivatives to order 3, far from the inertial origin",
                          .x = {.label = "distance", .unit = "m", .log = true},
                          .y = {.label = "error / largest", .log = true},
                          .series = {body, space}}),
          "The paper's spatial form loses what moments about a far origin cancel."};
}

report::Figure time_figure(const bench::SeriesFigures& figures) {
  report::Plot plot{.title = "Five branches of twenty bodies on a floating base",
                    .x = {.label = "order"},
                    .y = {.label = "time", .unit = "us", .log = true}};
  const auto add = [&](const char* name, const std::vector<std::pair<double, double>>& points) {
    report::Series series{.name = name, .mark = report::Mark::line_scatter};
    for (const auto& [r, ns] : points) {
      series.x.push_back(r);
      series.y.push_back(ns / 1000);
    }
    plot.series.push_back(series);
  };
  add("inverse", figures.inverse);
  add("forward", figures.forward);
  add("hybrid", figures.hybrid);
  add("nested dual numbers, inverse", figures.nested);
  return {report::to_svg(plot), "One state on one core, measured by this run."};
}

std::string listed(const double (&x)[3]) {
  return report::significant(x[0], 3) + ", " + report::significant(x[1], 3) + ", " +
         report::significant(x[2], 3);
}

report::Paragraph parameters() {
  using X = AerialExperiment;
  const auto number = [](double x) { return report::significant(x, 3); };
  return {
      "The experiment of Ali, Gabellieri, Franchi 2026, section 7: builtin:aerial_manipulator "
      "flies a circle of " +
      number(X::circle) + " m at " + number(X::circle_rate) + " rad/s, " + number(X::height) +
      " m high, yawing by " + number(X::yaw) + " sin(" + number(X::yaw_rate) +
      " t) rad; its joints move on half cosines a (1 - cos(w t)) / 2 with a = " + listed(X::swing) +
      " rad (right arm: negative) and w = " + listed(X::swing_rate) + " rad/s; " +
      number(X::duration) + " s. Propellers: " + number(X::arm) + " m from the axis, " +
      number(X::propeller_height) + " m high, tilted by " + number(X::tilt * 180 / M_PI) +
      " degrees in turn, thrust " + number(X::thrust) + " N s^2, drag " + number(X::drag) +
      " N m s^2. The paper's own values are not in the text at hand; these were chosen. Forces "
      "by Series::inverse, put into Series::forward, must return the motion."};
}

}  // namespace

report::Chapter tour_any_order() {
  const Steps steps = run_experiment();
  report::Checks checks;
  for (int k = 1; k <= order + 1; ++k) {
    double worst = 0;
    for (const AerialExperiment::Step& step : steps)
      worst = std::max(worst, error_at(steps, step, k));
    checks.rows.push_back(report::at_most("returned " + derivative_name(k) + ", relative", worst,
                                          1e-13 * std::pow(10, k)));
  }
  double allocation = 0, fastest = 0;
  for (const AerialExperiment::Step& step : steps) {
    fastest = std::max(fastest, step.speeds.col(0).maxCoeff());
    allocation =
        std::max(allocation, (step.wrench - step.taus.col(0).head(6)).norm() / step.wrench.norm());
  }
  checks.rows.push_back(
      report::at_most("propeller speeds give the wrench back", allocation, 1e-12));
  checks.rows.push_back(
      report::at_most("fastest propeller, rad/s", fastest, AerialExperiment::max_speed));
  const Distance far = distance_errors(1e5);
  checks.rows.push_back(report::at_most("body form 100 km away, relative", far.body, 1e-10));
  checks.rows.push_back(report::at_least("spatial form 100 km away, relative", far.spatial, 1e-9));
  const bench::SeriesFigures figures = bench::series_figures();
  report::Chapter chapter{
      "Any order",
      "any-order",
      {parameters(), checks, motion_figure(steps), error_figure(steps), speed_figure(steps),
       distance_figure(), report::Paragraph{bench::series_sources}, time_figure(figures)}};
  for (const report::Table& table : figures.tables) chapter.blocks.push_back(table);
  return chapter;
}

}  // namespace jounce::app
