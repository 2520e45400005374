// SPDX-License-Identifier: BSD-3-Clause
// A robot that falls: forward dynamics, fixed steps on the configuration manifold, and where the
// power goes.
#include <cassert>
#include <cmath>
#include <iostream>
#include <jounce/jounce.hpp>
#include <jounce/simulation.hpp>

int main() {
  jounce::Dynamics dyn(jounce::load("builtin:quadruped"));  // a free base: q holds a quaternion
  const jounce::Robot& robot = dyn.robot();
  constexpr double h = 1e-3;
  jounce::Simulation sim(robot,
                         {.integrator = jounce::Integrator::rk4, .step = h, .passive = false});
  jounce::SimulationState x =
      sim.start(robot.neutral(), std::vector<double>(static_cast<size_t>(robot.nv()), 0.3));
  const auto energy = [&] {
    const jounce::Energy now = dyn.energy(x.q, x.v);
    return now.kinetic + now.potential;
  };

  const double before = energy();
  for (int k = 0; k < 250; ++k) {
    if (k % 50 == 0) {
      const jounce::Momentum<double> now = dyn.momentum(x.q, x.v);
      std::cout << "t = " << x.t << " s: com at z = " << now.com.z << " m, spin "
                << norm(now.about_com.m) << " N m s\n";
    }
    sim.step(x, h);
  }
  const double drift = std::abs(energy() - before);
  std::cout << "energy drifts by " << drift << " J\n";
  assert(drift < 1e-6);
}
