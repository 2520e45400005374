// SPDX-License-Identifier: BSD-3-Clause
// Tour, chapter "Geometry": the mass matrix as a metric. Park's 2R in closed form, maps of scalar
// curvature, geodesics, and the motion that costs least.
#include <algorithm>
#include <cmath>
#include <jounce/dynamics.hpp>
#include <jounce/geometry.hpp>
#include <jounce/io.hpp>
#include <jounce/minimum_motion.hpp>
#include <jounce/paper/lagrangian.hpp>
#include <numbers>

#include "apps/jounce/tour/chapters.hpp"
#include "apps/jounce/tour/largest.hpp"
#include "benchmarks/bench.hpp"
#include "report/plot.hpp"
#include "report/text.hpp"

namespace jounce::app {
namespace {

using Numbers = std::vector<double>;
constexpr double pi = std::numbers::pi;

struct TwoRTrial {
  report::Table table{"The general 2R at q = (0.3, -0.5), v = (0.7, -1.3)",
                      {"number", "(60)-(64) in closed form", "general code"},
                      {}};
  double error = 0;
};

TwoRTrial try_2r() {
  TwoRTrial trial;
  const Robot arm = load("builtin:planar_2r");
  Geometry geometry(arm);
  Dynamics dyn(arm);
  const Numbers q{0.3, -0.5}, v{0.7, -1.3};
  const TwoScrewArm park(LagrangianForm(arm, q));
  const Curvature R = geometry.curvature(q);
  const Eigen::MatrixXd C = dyn.coriolis(q, v).matrix, closed = park.C(v[0], v[1]);
  const auto add = [&](const char* name, double exact, double found) {
    trial.table.rows.push_back({name, report::fixed(exact, 10), report::fixed(found, 10)});
    trial.error = std::max(trial.error, std::abs(exact - found) / (1 + std::abs(exact)));
  };
  add("m_11", park.M(0, 0), R.mass(0, 0));
  add("m_12", park.M(0, 1), R.mass(0, 1));
  add("m_22", park.M(1, 1), R.mass(1, 1));
  add("c_11", closed(0, 0), C(0, 0));
  add("c_12", closed(0, 1), C(0, 1));
  add("c_21", closed(1, 0), C(1, 0));
  add("R_1212", park.R_1212(), R(0, 1, 0, 1));
  add("scalar curvature", park.scalar_curvature(), R.scalar());
  return trial;
}

/// Scalar curvature over two joint angles, the others at q.
report::Figure curvature_map(const std::string& name, Numbers q, size_t first, size_t second,
                             const std::string& caption) {
  constexpr size_t cells = 36;
  Geometry geometry(load("builtin:" + name));
  Curvature R(geometry.robot());
  report::HeatMap map{.rows = cells,
                      .columns = cells,
                      .values = {},
                      .x = report::Range{-180, 180},
                      .y = report::Range{-180, 180},
                      .colour = {.label = "scalar curvature", .unit = "1/(kg m²)"},
                      .diverging = true};
  for (size_t i = 0; i < cells; ++i)
    for (size_t j = 0; j < cells; ++j) {
      q[second] = (2 * (double(i) + 0.5) / cells - 1) * pi;
      q[first] = (2 * (double(j) + 0.5) / cells - 1) * pi;
      geometry.curvature(q, into(R));
      map.values.push_back(R.scalar());
    }
  const auto axis = [](size_t k) {
    return report::Axis{.label = "joint " + std::to_string(k + 1), .unit = "deg"};
  };
  return {report::both_widths({.title = name,
                               .x = axis(first),
                               .y = axis(second),
                               .heat_map = map,
                               .width = 560,
                               .height = 460}),
          caption};
}

struct MotionTrial {
  std::vector<report::Block> figures;
  double saved = 0, against_geodesic = 0;
  bool converged = false;
};

/// Least energy of the 2R between two configurations, beside the straight line.
MotionTrial try_motion() {
  const Robot arm = load("builtin:planar_2r");
  const Numbers q0{0.2, 0.3}, q1{1.4, 1.9};
  MinimumMotion motion(arm, {.control_points = 30, .limits = false, .tolerance = 1e-9});
  const MinimumMotionResult best = motion.find(q0, q1);
  Geometry geometry(arm);
  const ShortestPath path = geometry.shortest_path(q0, q1);
  MotionTrial trial;
  trial.saved = 1 - best.value / best.straight;
  trial.against_geodesic = std::abs(best.value / (path.length * path.length) - 1);
  trial.converged = best.converged && path.converged;
  report::Series line{.name = "straight line", .dashed = true}, curve{.name = "least energy"};
  report::Series geodesic{.name = "geodesic by collocation", .mark = report::Mark::scatter};
  for (double t = 0; t <= 1.0001; t += 0.02) {
    const Numbers at = best.path(t);
    curve.x.push_back(at[0]), curve.y.push_back(at[1]);
    line.x.push_back(q0[0] + t * (q1[0] - q0[0])), line.y.push_back(q0[1] + t * (q1[1] - q0[1]));
  }
  for (int k = 0; k < path.q.columns; k += 4)
    geodesic.x.push_back(path.q(0, k)), geodesic.y.push_back(path.q(1, k));
  report::Series energy{.name = "spline", .mark = report::Mark::line_scatter};
  for (size_t k = 0; k < best.values.size(); ++k) {
    energy.x.push_back(double(k));
    energy.y.push_back(best.values[k] / (path.length * path.length) - 1);
  }
  trial.figures.push_back(report::Figure{
      report::both_widths({.title = "planar_2r from one configuration to another",
                           .x = {.label = "joint 1", .unit = "rad"},
                           .y = {.label = "joint 2", .unit = "rad"},
                           .series = {line, curve, geodesic},
                           .width = 560}),
      "The path of least energy between two configurations is a geodesic of the metric."});
  trial.figures.push_back(report::Figure{
      report::both_widths({.title = "Energy of the path above that of the geodesic",
                           .x = {.label = "iteration"},
                           .y = {.label = "integral of v M v, relative", .log = true},
                           .series = {energy},
                           .width = 560,
                           .height = 320}),
      "From the straight line, by scaled L-BFGS over B-splines."});
  return trial;
}

/// Gauss and Bonnet: curvature times volume over the torus of a 2R, relative to what cancels.
double total_curvature() {
  Geometry geometry(load("builtin:planar_2r"));
  double sum = 0, size = 0;
  constexpr int count = 200;
  for (int k = 0; k < count; ++k) {
    const Curvature R = geometry.curvature({0, 2 * pi * k / count});
    const double volume = std::sqrt(R.mass(0, 0) * R.mass(1, 1) - R.mass(0, 1) * R.mass(0, 1));
    sum += R.scalar() * volume, size += std::abs(R.scalar() * volume);
  }
  return std::abs(sum) / size;
}

report::Table geometry_times() {
  report::Table table{
      "Nanoseconds of one call", {"robot", "velocities", "all Gamma_ijk", "all R_ijkl"}, {}};
  for (const std::string name : {"planar_2r", "puma560", "arm7"}) {
    const Robot robot = load("builtin:" + name);
    Geometry geometry(robot);
    Christoffel gamma(robot);
    Curvature R(robot);
    const Numbers q = robot.random(1);
    const auto row = [](double ns) { return std::to_string(std::lround(ns)); };
    table.rows.push_back(
        {name, std::to_string(robot.nv()),
         row(bench::nanoseconds([&] { geometry.christoffel(q, into(gamma)); }, 0.02)),
         row(bench::nanoseconds([&] { geometry.curvature(q, into(R)); }, 0.02))});
  }
  return table;
}

/// Speed along a free motion, and the bias by Christoffel symbols.
double drift_of_speed() {
  RobotDescription description = read_robot("builtin:arm7").robot;
  description.gravity = {};
  const Robot arm(description);
  Geometry geometry(arm);
  Dynamics dyn(arm);
  const Numbers q = arm.random(3);
  Numbers v;
  for (int k = 0; k < arm.nv(); ++k) v.push_back(std::cos(1.1 * k));
  const GeodesicPath path = geometry.geodesic(q, v, {1.0});
  const double before = dyn.energy(q, v).kinetic;
  const double after =
      dyn.energy(std::span(path.q.column(0), q.size()), std::span(path.v.column(0), v.size()))
          .kinetic;
  return std::abs(after / before - 1);
}

}  // namespace

report::Chapter tour_geometry() {
  const TwoRTrial park = try_2r();
  MotionTrial motion = try_motion();
  const double scalar =
      Geometry(load("builtin:arm7")).curvature({0.3, -0.5, 0.7, -1.1, 0.4, 0.9, -0.2}).scalar();
  const report::Checks checks{
      {report::at_most("2R: closed form against general code", park.error, 1e-13),
       report::at_most("arm7: scalar curvature against 100 digits",
                       std::abs(scalar / 168.34984159129213385 - 1), 1e-11),
       report::at_most("2R: total curvature of the torus", total_curvature(), 1e-12),
       report::at_most("arm7: energy of a geodesic after 1 s", drift_of_speed(), 1e-11),
       report::at_least("least energy converged", motion.converged ? 1 : 0, 1),
       report::at_least("share of energy saved", motion.saved, 0.1),
       report::at_most("least energy against the geodesic", motion.against_geodesic, 1e-10)}};
  report::Chapter chapter{
      "Geometry",
      "geometry",
      {report::Paragraph{
           "The mass matrix is a metric: twice the kinetic energy is the square of a speed, and "
           "free motion is a geodesic. One 3 x 3 matrix for each pair of coordinates gives M, its "
           "Christoffel symbols and, by Gauss's equation, its curvature, with no derivative "
           "taken (Park, Bobrow, Ploen 1995, section 4)."},
       park.table, geometry_times(), checks,
       curvature_map("planar_2r", {0, 0}, 0, 1,
                     "It does not depend on joint 1, and has the sign of cos q2: the arm is flat "
                     "where its links stand at right angles."),
       curvature_map("puma560", {0, 0, 0, 0.4, 0.6, -0.3}, 1, 2,
                     "Joints 2 and 3 of the PUMA 560 with its motors, the wrist bent: the "
                     "curvature depends on joint 2 as well.")}};
  for (report::Block& figure : motion.figures) chapter.blocks.push_back(std::move(figure));
  return chapter;
}

}  // namespace jounce::app
