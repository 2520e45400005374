// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/work_precision.hpp"

#include <cmath>
#include <ctime>
#include <jounce/dynamics.hpp>
#include <jounce/io.hpp>

#include "benchmarks/peers/peer.hpp"

namespace jounce::bench {
namespace {

double largest_error(const Swing& swing, std::span<const double> q, std::span<const double> v) {
  std::vector<double> dq(v.size());
  swing.robot.difference(swing.q, q, dq);
  double worst = 0;
  for (size_t k = 0; k < v.size(); ++k)
    worst = std::max({worst, std::abs(dq[k]), std::abs(v[k] - swing.v[k])});
  return worst;
}

/// Of one call, the fastest of several: time of the processor, because a run may take longer than
/// what a busy machine gives at a time.
template <class F>
double processor_nanoseconds(F f, double seconds) {
  const auto now = [] { return double(std::clock()) / CLOCKS_PER_SEC; };
  double best = 1e300, spent = 0;
  while (spent < seconds) {
    const double start = now();
    int calls = 0;
    do f(), ++calls;
    while (now() - start < 1e-3);
    const double took = now() - start;
    best = std::min(best, took / calls), spent += took;
  }
  return best * 1e9;
}

/// arm7 is flat: its state is q and v.
WorkPrecision cvode_work(const Swing& swing, double tol, double seconds) {
  Dynamics dynamics(swing.robot);
  const auto n = size_t(swing.robot.nv());
  const std::vector<double> tau(n, 0);
  const auto rate = [&](double, const double* x, double* xdot) {
    std::copy_n(x + n, n, xdot);
    dynamics.forward(std::span<const double>(x, n), std::span<const double>(x + n, n), tau,
                     {.passive = swing.passive}, into(std::span<double>(xdot + n, n)));
  };
  std::vector<double> x(2 * n);
  const double ns = processor_nanoseconds(
      [&] {
        std::copy(swing.q0.begin(), swing.q0.end(), x.begin());
        std::copy(swing.v0.begin(), swing.v0.end(), x.begin() + long(n));
        cvode()(rate, x, swing.time, tol);
      },
      seconds);
  const std::span<const double> all(x);
  return {"CVODE Adams", tol, largest_error(swing, all.first(n), all.last(n)), ns / swing.time};
}

}  // namespace

Swing arm_swing(double time, double friction, bool springs) {
  const std::vector<double> q = {0.25, 1.5, -0.25, 0.5, 0.25, -0.5, 0.25};
  RobotDescription d = load("builtin:arm7").description();
  size_t k = 0;
  for (JointDescription& joint : d.joints) {
    if (joint.geometry.kind != JointKind::revolute) continue;
    joint.properties.friction = {friction};
    joint.properties.damping = {0};
    if (springs && (k == 2 || k == 4 || k == 6)) {
      joint.properties.stiffness = {1e6}, joint.properties.damping = {1e3};
      joint.properties.rest = {q[k]};
    }
    ++k;
  }
  Swing swing{Robot(d), q, {0.5, 0, 0.25, 0, -0.25, 0, 0.5}, time, friction > 0 || springs, {}, {}};
  const Integrator other = springs        ? Integrator::rodas4
                           : friction > 0 ? Integrator::dop853
                                          : Integrator::taylor;
  Simulation sim(swing.robot, {.integrator = other,
                               .tol = springs        ? 1e-10
                                      : friction > 0 ? 1e-11
                                                     : 1e-14,
                               .passive = swing.passive});
  SimulationState x = sim.start(swing.q0, swing.v0);
  sim.run(x, time, {.energy = false});
  swing.q = x.q, swing.v = x.v;
  return swing;
}

WorkPrecision work_of(const Swing& swing, const SimulationOptions& given, double seconds) {
  SimulationOptions options = given;
  options.passive = swing.passive;
  Simulation sim(swing.robot, options);
  const SimulationState start = sim.start(swing.q0, swing.v0);
  SimulationState x = start;
  const double ns = processor_nanoseconds(
      [&] {
        x = start;
        sim.run(x, swing.time, {.energy = false});
      },
      seconds);
  std::string method(name(options.integrator));
  if (options.order > 0) method += std::to_string(options.order);
  return {method, options.step > 0 ? options.step : options.tol, largest_error(swing, x.q, x.v),
          ns / swing.time};
}

double ns_at_error(std::span<const WorkPrecision> points, double error) {
  if (!points.empty() && points.front().error <= error) return points.front().ns;
  for (size_t k = 1; k < points.size(); ++k) {
    const WorkPrecision &a = points[k - 1], &b = points[k];
    if ((a.error - error) * (b.error - error) > 0) continue;
    const double share = std::log(error / a.error) / std::log(b.error / a.error);
    return a.ns * std::pow(b.ns / a.ns, share);
  }
  return NAN;
}

std::vector<WorkPrecision> work_precision(double seconds, bool small) {
  const Swing swing = arm_swing(0.5);
  std::vector<WorkPrecision> points;
  const double from = small ? 1e-4 : 1e-3, by = small ? 1e-4 : 0.1;
  for (const Integrator one : {Integrator::semi_implicit, Integrator::variational, Integrator::rk4})
    for (double h = small ? 1e-3 : 4e-3; h > (small ? 2e-4 : 5e-5); h /= small ? 4 : 2)
      points.push_back(work_of(swing, {.integrator = one, .step = h}, seconds));
  for (const Integrator one :
       {Integrator::dopri5, Integrator::dop853, Integrator::rodas4, Integrator::taylor})
    for (double tol = from; tol > (one == Integrator::rodas4 ? 1e-9 : 2e-13); tol *= by)
      points.push_back(work_of(swing, {.integrator = one, .tol = tol}, seconds));
  if (cvode() != nullptr)
    for (double tol = from; tol > 2e-13; tol *= by)
      points.push_back(cvode_work(swing, tol, seconds));
  return points;
}

report::Plot work_precision_plot(const std::vector<WorkPrecision>& points) {
  report::Plot plot{.title = "Work and precision: arm7 let go, 0.5 s",
                    .x = {.label = "global error", .log = true},
                    .y = {.label = "time per simulated second", .unit = "us", .log = true}};
  for (const WorkPrecision& point : points) {
    if (plot.series.empty() || plot.series.back().name != point.method)
      plot.series.push_back({.name = point.method, .mark = report::Mark::line_scatter});
    plot.series.back().x.push_back(point.error);
    plot.series.back().y.push_back(point.ns * 1e-3);
  }
  return plot;
}

}  // namespace jounce::bench
