// SPDX-License-Identifier: BSD-3-Clause
// Speed of simulation: one step beside the calls it makes, and motions to a given error. Times of
// "NAME@ERROR" are per simulated second; the ratio of such a row is how much faster it is than
// dopri5 at the same error.
#include <cmath>
#include <ctime>
#include <jounce/dynamics.hpp>
#include <jounce/simulation_gradient.hpp>

#include "benchmarks/work_precision.hpp"

namespace jounce::bench {
namespace {

/// A step, and the four calls that it makes, along the same motion. The ratio of the second row is
/// that of its time to the step's.
std::vector<Row> step_rows() {
  const Swing swing = arm_swing(0.5);
  Simulation sim(swing.robot, {.integrator = Integrator::rk4, .step = 1e-3, .passive = false});
  Dynamics dynamics(swing.robot);
  const SimulationState start = sim.start(swing.q0, swing.v0);
  SimulationState x = start;
  std::vector<double> tau(swing.v0.size()), a(tau);
  const auto step = [&] {
    if (x.t > 0.5) x = start;
    sim.step(x, 1e-3);
  };
  std::vector<SimulationState> states(512, start);
  for (size_t k = 1; k < states.size(); ++k) {
    states[k] = states[k - 1];
    sim.step(states[k], 1e-3);
  }
  size_t at = 0;
  const auto calls = [&] {
    at = (at + 1) % states.size();
    for (int k = 0; k < 4; ++k)
      dynamics.forward(states[at].q, states[at].v, tau, {.passive = false}, into(a));
  };
  double of_step = nanoseconds(step), of_calls = nanoseconds(calls);
  for (int round = 0; round < 6; ++round) {
    of_step = std::min(of_step, nanoseconds(step));
    of_calls = std::min(of_calls, nanoseconds(calls));
  }
  return {{.robot = "arm7", .algorithm = "rk4-step", .ns = of_step},
          {.robot = "arm7",
           .algorithm = "rk4-step/forward-calls",
           .ns = of_calls,
           .ratio = of_calls / of_step}};
}

/// Of the processor's time, for calls that are longer than a time slice of a busy machine.
template <class F>
double processor_nanoseconds(F f) {
  const std::clock_t start = std::clock();
  f();
  return 1e9 * double(std::clock() - start) / CLOCKS_PER_SEC;
}

/// A thousand steps, and their gradient by q0, v0 and all forces. The ratio of the second row is
/// that of the gradient, simulation included, to the simulation.
std::vector<Row> gradient_rows() {
  const Swing swing = arm_swing(0.5);
  SimulationGradient gradient(swing.robot, {.passive = false});
  const std::vector<double> steps(1000, 1e-3), still(swing.v0.size()), slope(still.size(), 1);
  const auto simulate = [&] {
    gradient.simulate(swing.q0, swing.v0, steps, MatrixArg(still, int(still.size())));
  };
  const auto whole = [&] {
    simulate();
    (void)gradient.adjoint(slope, slope);
  };
  double alone = INFINITY, with_gradient = INFINITY;
  for (int round = 0; round < 40; ++round) {
    alone = std::min(alone, processor_nanoseconds(simulate));
    with_gradient = std::min(with_gradient, processor_nanoseconds(whole));
  }
  return {{.robot = "arm7", .algorithm = "rk4-1000-steps", .ns = alone},
          {.robot = "arm7",
           .algorithm = "rk4-1000-steps/gradient",
           .ns = with_gradient,
           .ratio = with_gradient / alone}};
}

struct Method {
  const char* name;
  SimulationOptions options;
};

/// Each at the error, from its points at tolerances that become ten times tighter.
std::vector<Row> rows_at(const Swing& swing, const std::string& what, double error,
                         const std::vector<Method>& methods) {
  std::vector<Row> rows;
  for (const Method& method : methods) {
    std::vector<WorkPrecision> points;
    for (double tol = error; tol > 1e-14; tol *= 0.1) {
      SimulationOptions options = method.options;
      options.tol = std::min(tol, 1e-3);
      points.push_back(work_of(swing, options, 0.05));
      if (points.back().error < error && points.size() > 1) break;
      if (points.back().error < error) {  // looser than asked for
        options.tol = std::min(1e-3, 30 * tol);
        points.insert(points.begin(), work_of(swing, options, 0.05));
        break;
      }
    }
    rows.push_back(
        {.robot = "arm7", .algorithm = what + method.name, .ns = ns_at_error(points, error)});
    rows.back().ratio = rows.front().ns / rows.back().ns;
  }
  return rows;
}

}  // namespace

std::vector<Row> simulation() {
  std::vector<Row> rows = step_rows();
  const auto add = [&](std::vector<Row> more) {
    for (Row& row : more) rows.push_back(std::move(row));
  };
  add(gradient_rows());
  const Method dopri5{"dopri5", {.integrator = Integrator::dopri5}};
  add(rows_at(arm_swing(1), "swing@1e-10/", 1e-10,
              {dopri5,
               {"dop853", {.integrator = Integrator::dop853}},
               {"taylor", {.integrator = Integrator::taylor}}}));
  add(rows_at(arm_swing(0.25, 0.5), "friction@1e-4/", 1e-4, {dopri5, {"auto", {}}}));
  const Swing stiff = arm_swing(0.5, 0, true);
  rows.push_back({.robot = "arm7",
                  .algorithm = "springs/rodas4",
                  .ns = work_of(stiff, {.integrator = Integrator::rodas4}, 0.1).ns});
  return rows;
}

}  // namespace jounce::bench
