// SPDX-License-Identifier: BSD-3-Clause
// A flight simulator's motion: which forces must the six legs give, and what do the legs' own
// masses add? Writes the plot to the file named by its first argument.
#include <cassert>
#include <cmath>
#include <fstream>
#include <iostream>
#include <jounce/stewart.hpp>

#include "report/plot.hpp"

using jounce::Inertia;
using jounce::SE3;
using jounce::SixNumbers;
using jounce::Twist;
using jounce::Vec3;

namespace {

/// Table 1 of Xie, Dai, Liu 2021, five times as large, in m.
jounce::Stewart simulator() {
  const double a[6][2] = {{28.9778, 7.7646},    {-7.7646, 28.9778},  {-21.2132, 21.2132},
                          {-21.2132, -21.2132}, {-7.7646, -28.9778}, {28.9778, -7.7646}};
  const double b[6][2] = {{14.1421, 14.1421},  {5.1764, 19.3185},  {-19.3185, 5.1764},
                          {-19.3185, -5.1764}, {5.1764, -19.3185}, {14.1421, -14.1421}};
  jounce::SixPoints base, platform;
  for (size_t i = 0; i < 6; ++i) {
    base[i] = Vec3<double>{a[i][0], a[i][1], 0} * 0.05;
    platform[i] = Vec3<double>{b[i][0], b[i][1], 0} * 0.05;
  }
  return {base, platform};
}

/// A cabin of 800 kg one metre above the joints; legs of 40 kg and 20 kg.
jounce::StewartDynamics dynamics_of(const jounce::Stewart& platform, const SE3<double>& home,
                                    double leg_mass) {
  const auto rod = [](double mass, double centre) {
    const double I = mass * (0.01 + centre * centre * 4 / 3);  // slender, about its end
    return Inertia<double>{mass, {0, 0, mass * centre}, {I, 0, I, 0, 0, 0.01 * mass}};
  };
  std::array<jounce::LegBodies, 6> legs;
  for (jounce::LegBodies& leg : legs) leg = {rod(40 * leg_mass, 0.6), rod(20 * leg_mass, -0.6)};
  const Inertia<double> cabin{800, {0, 0, 800}, {1300, 0, 1300, 0, 0, 500}};
  return {platform, cabin, legs, platform.mounts_at(home)};
}

/// Take-off run and rotation, then turbulence: pose, body twist and its derivative at time t.
struct Motion {
  SE3<double> T;
  Twist<double> V, Vdot;
};
SE3<double> pose_at(double t) {
  const double pitch = -0.15 * std::tanh(2 * (t - 3)) - 0.15,
               bump = std::exp(-0.5 * (t - 7) * (t - 7));
  const double roll = 0.10 * bump * std::sin(9 * t);
  return {
      exp(Vec3<double>{0, pitch, 0}) * exp(Vec3<double>{roll, 0, 0}),
      {0.35 * std::sin(0.8 * t), 0.08 * bump * std::sin(11 * t), 2.5 + 0.15 * std::sin(1.7 * t)}};
}
Motion motion_at(double t) {
  const double h = 1e-4;  // central differences of a smooth motion
  const SE3<double> T = pose_at(t);
  const Twist<double> ahead = log(inverse_times(T, pose_at(t + h)));
  const Twist<double> behind = log(inverse_times(T, pose_at(t - h)));
  return {T, (ahead - behind) * (0.5 / h), (ahead + behind) * (1 / (h * h))};
}

}  // namespace

int main(int argc, char** argv) {
  const jounce::Stewart platform = simulator();
  const SE3<double> home{{}, {0, 0, 2.5}};
  const jounce::StewartDynamics full = dynamics_of(platform, home, 1);
  const jounce::StewartDynamics light = dynamics_of(platform, home, 0);  // legs without mass
  jounce::report::Plot plot{.title = "Forces along the legs",
                            .x = {.label = "time", .unit = "s"},
                            .y = {.label = "force", .unit = "kN"}};
  plot.series.resize(6);
  for (size_t i = 0; i < 6; ++i) plot.series[i].name = "leg " + std::to_string(i + 1);

  const double dt = 0.002;
  double largest = 0, share = 0, work = 0;
  for (double t = 0; t <= 10; t += dt) {
    const Motion m = motion_at(t);
    const SixNumbers f = full.inverse(m.T, m.V, m.Vdot), g = light.inverse(m.T, m.V, m.Vdot);
    const SixNumbers rates = platform.rates(m.T, m.V);
    for (size_t i = 0; i < 6; ++i) {
      largest = std::max(largest, std::abs(f[i]));
      share = std::max(share, std::abs(f[i] - g[i]));
      work += f[i] * rates[i] * dt;
      plot.series[i].x.push_back(t);
      plot.series[i].y.push_back(f[i] / 1000);
    }
  }
  std::cout << "largest force " << largest << " N, up to " << share << " N of it for the legs\n";

  // The actuators' work is the energy gained.
  const auto energy = [&](double t) {
    const Motion m = motion_at(t);
    return full.kinetic_energy(m.T, m.V) + full.potential_energy(m.T);
  };
  std::cout << "work " << work << " J, energy gained " << energy(10) - energy(0) << " J\n";
  assert(std::abs(work - (energy(10) - energy(0))) < 20);  // rectangle rule of several kJ

  // Forward dynamics gives the motion back.
  const Motion m = motion_at(6.5);
  const Twist<double> again = full.forward(m.T, m.V, full.inverse(m.T, m.V, m.Vdot));
  assert(norm(again.w - m.Vdot.w) + norm(again.v - m.Vdot.v) < 1e-8);
  if (argc > 1) std::ofstream(argv[1]) << jounce::report::to_svg(plot);
}
