// SPDX-License-Identifier: BSD-3-Clause
// Tour, chapter "Any order": the paper's experiment, what distance costs the spatial form, and how
// fast each order is.
#include <algorithm>
#include <jounce/model/generate.hpp>
#include <jounce/world_series.hpp>

#include "apps/jounce/tour/chapters.hpp"
#include "apps/jounce/tour/orders_figures.hpp"
#include "report/plot.hpp"
#include "report/text.hpp"

namespace jounce::app {
namespace {

using Steps = AerialSteps;
constexpr int order = AerialExperiment::order;

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
  return {report::both_widths(plot),
          "The wrench on the base, allocated to six tilted propellers (28)."};
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
  return {
      report::both_widths({.title = "Torque derivatives to order 3, far from the inertial origin",
                           .x = {.label = "distance", .unit = "m", .log = true},
                           .y = {.label = "error / largest", .log = true},
                           .series = {body, space}}),
      "The paper's spatial form loses what moments about a far origin cancel."};
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
      " m high, yawing by " + number(X::yaw) + " sin(" + number(X::yaw_rate) + " t), rolling by " +
      number(X::roll) + " sin(" + number(X::roll_rate) + " t) and pitching by " + number(X::pitch) +
      " sin(" + number(X::pitch_rate) + " t) rad, climbing by " + number(X::heave) + " sin(" +
      number(X::heave_rate) +
      " t) m; its joints move on half cosines a (1 - cos(w t)) / 2 with a = " + listed(X::swing) +
      " rad (right arm: negative) and w = " + listed(X::swing_rate) + " rad/s; " +
      number(X::duration) + " s. Propellers: " + number(X::arm) + " m from the axis, " +
      number(X::propeller_height) + " m high, tilted by " + number(X::tilt * 180 / M_PI) +
      " degrees in turn, thrust " + number(X::thrust) + " N s^2, drag " + number(X::drag) +
      " N m s^2. The paper's own values are not in the text at hand; these were chosen. Forces "
      "by Series::inverse, put into Series::forward, must return the motion."};
}

}  // namespace

report::Chapter tour_any_order() {
  const Steps steps = fly_experiment(44);
  report::Checks checks = returned_checks(steps);
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
  report::Chapter chapter{
      "Any order",
      "any-order",
      {parameters(), checks, base_motion_figure(steps, 1), joint_motion_figure(steps, 1),
       base_motion_figure(steps, order + 1), joint_motion_figure(steps, order + 1),
       wrench_figure(steps, 0), torque_figure(steps, 0), wrench_figure(steps, order),
       torque_figure(steps, order), speed_figure(steps), articulated_inertia_table(3),
       distance_figure()}};
  for (const auto& blocks :
       {passive_arms_blocks(4), evaluation_blocks(bench::evaluate_series(true), false),
        frames_blocks(bench::compare_frames(true))})
    chapter.blocks.insert(chapter.blocks.end(), blocks.begin(), blocks.end());
  return chapter;
}

}  // namespace jounce::app
