// SPDX-License-Identifier: BSD-3-Clause
// Joints on prescribed motions inside the steps: methods keep their orders, also where a command
// takes over from another.
#include <gtest/gtest.h>

#include <cmath>
#include <jounce/simulation.hpp>

#include "tests/simulation/known_motions.hpp"

namespace jounce {
namespace {

constexpr double until = 0.3, let_loose = 0.1237;

struct PrescribedRun {
  std::vector<double> q, v;
  long steps;
};

/// arm7 with joints 2 and 4 on laws of degree 7; `loose`: the second is let loose on the way.
PrescribedRun run_prescribed(const SimulationOptions& options, bool loose) {
  const test::KnownMotion known = test::known_arm();
  SimulationOptions still = options;
  still.passive = false;
  Simulation sim(known.robot, still);
  sim.command(known.robot.joints()[1].name, Command::trajectory(septic(1.5, 0.5, 0.8)));
  sim.command(known.robot.joints()[3].name, Command::trajectory(septic(0.5, 1.7, 0.8)));
  if (loose) sim.command(known.robot.joints()[3].name, Command::force(0.0), let_loose);
  SimulationState x = sim.start(known.q0, known.v0);
  const long steps = sim.run(x, until, {.energy = false}).steps;
  return {x.q, x.v, steps};
}

double order_of(Integrator integrator, int order, bool loose) {
  const PrescribedRun exact = run_prescribed(
      {.integrator = integrator == Integrator::taylor ? Integrator::dop853 : Integrator::taylor,
       .tol = 1e-14},
      loose);
  const test::KnownMotion known{test::known_arm().robot, {}, {}, 0, exact.q, exact.v};
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (double steps = 8; steps < 2000; steps *= 1.25) {
    const double h = until / std::floor(steps);
    const PrescribedRun found =
        run_prescribed({.integrator = integrator, .step = h, .order = order}, loose);
    const double error = test::distance(known.robot, found.q, found.v, known);
    if (error > 1e-8) continue;
    if (error < 5e-12) break;
    const double u = std::log(h), w = std::log(error);
    n += 1, x += u, y += w, xx += u * u, xy += u * w;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

TEST(Prescribed, MotionsKeepTheOrder) {
  for (const bool loose : {false, true}) {
    const double rk4 = order_of(Integrator::rk4, 0, loose);
    const double taylor = order_of(Integrator::taylor, 6, loose);
    std::printf("prescribed joints%s: rk4 %.2f, taylor6 %.2f\n", loose ? ", let loose" : "", rk4,
                taylor);
    EXPECT_NEAR(rk4, 4, 0.4) << "let loose: " << loose;
    EXPECT_NEAR(taylor, 6, 0.5) << "let loose: " << loose;
  }
}
TEST(Prescribed, AStepEndsWhereACommandTakesOver) {
  const SimulationOptions options{.integrator = Integrator::rk4, .step = 0.01};
  EXPECT_EQ(run_prescribed(options, false).steps, 30);
  EXPECT_EQ(run_prescribed(options, true).steps, 31);
}
TEST(Prescribed, JointsAreOnTheirLaws) {
  const PiecewisePolynomial law = septic(1.5, 0.5, 0.8);
  double exact[2];
  law.derivatives(until, exact);
  for (const Integrator one : {Integrator::rk4, Integrator::taylor, Integrator::rodas4}) {
    const PrescribedRun found =
        run_prescribed({.integrator = one, .step = one == Integrator::rk4 ? 0.01 : 0}, false);
    EXPECT_NEAR(found.q[1], exact[0], 1e-14) << name(one);
    EXPECT_NEAR(found.v[1], exact[1], 1e-13) << name(one);
  }
}

}  // namespace
}  // namespace jounce
