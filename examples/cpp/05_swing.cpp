// SPDX-License-Identifier: BSD-3-Clause
// A robot that falls: forward dynamics, fixed steps on the configuration manifold, and where the
// power goes.
#include <cassert>
#include <cmath>
#include <iostream>
#include <jounce/jounce.hpp>
#include <jounce/rk4.hpp>

int main() {
  jounce::Dynamics dyn(jounce::load("builtin:quadruped"));  // a free base: q holds a quaternion
  const jounce::Robot& robot = dyn.robot();
  std::vector<double> q = robot.neutral(), v(static_cast<size_t>(robot.nv()), 0.3);
  const std::vector<double> no_force(v.size());

  const auto acceleration = [&](double, std::span<const double> at, std::span<const double> speed,
                                std::span<double> a) {
    dyn.forward(at, speed, no_force, {.passive = false}, jounce::into(a));
  };
  const auto energy = [&] {
    const jounce::Energy now = dyn.energy(q, v);
    return now.kinetic + now.potential;
  };

  const double before = energy();
  jounce::Rk4 rk4(robot);
  constexpr double h = 1e-3;
  for (int k = 0; k < 250; ++k) {
    if (k % 50 == 0) {
      const jounce::Momentum<double> now = dyn.momentum(q, v);
      std::cout << "t = " << k * h << " s: com at z = " << now.com.z << " m, spin "
                << norm(now.about_com.m) << " N m s\n";
    }
    rk4.step(acceleration, k * h, h, q, v);
  }
  const double drift = std::abs(energy() - before);
  std::cout << "energy drifts by " << drift << " J\n";
  assert(drift < 1e-6);
}
