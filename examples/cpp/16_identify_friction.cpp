// SPDX-License-Identifier: BSD-3-Clause
// The friction of a joint from a recorded motion: least squares with the gradient of a simulation.
//
// An arm swings; its joint positions are recorded. The friction of its second joint is found as
// that with which a simulation of the same steps passes nearest to them.
#include <cassert>
#include <cmath>
#include <iostream>
#include <jounce/jounce.hpp>
#include <jounce/simulation_gradient.hpp>

namespace {

jounce::Robot arm_with(double friction) {
  jounce::RobotDescription d = jounce::load("builtin:planar_2r").description();
  d.joints[1].properties.friction = {friction};
  return jounce::Robot(d);
}

}  // namespace

int main() {
  const double truth = 0.35;
  constexpr int steps = 400;
  const std::vector<double> lengths(steps, 2.5e-3), q0 = {1.2, 0.8}, v0 = {2.0, -3.0};
  const Eigen::MatrixXd no_force = Eigen::MatrixXd::Zero(2, 1);

  // What is measured: the true arm, in a simulation of its own.
  const jounce::Robot real = arm_with(truth);
  jounce::Simulation sim(real, {.tol = 1e-10});
  jounce::SimulationState x = sim.start(q0, v0);
  jounce::Record record(real);
  sim.run(x, 1.0, record, {.every = 2.5e-3, .energy = false});
  const std::string joint = real.description().joints[1].name;

  double friction = 0.1;
  for (int k = 0; k < 6; ++k) {
    jounce::SimulationGradient model(arm_with(friction),
                                     {.parameters = {{jounce::ParameterKind::friction, joint, 0}}});
    // How far positions are off, and the derivative of all of them by the friction.
    double off_by = 0, by_by = 0, off_off = 0;
    for (int last = 40; last <= steps; last += 40) {
      model.simulate(q0, v0, std::vector<double>(lengths.begin(), lengths.begin() + last),
                     no_force);
      const jounce::SimulationTangents d = model.tangents();
      for (int j = 0; j < 2; ++j) {
        const double off = model.q()[size_t(j)] - record.q(last)[size_t(j)], by = d.q(j, 6);
        off_by += off * by, by_by += by * by, off_off += off * off;
      }
    }
    std::cout << "friction " << friction << " N m: off by " << std::sqrt(off_off) << " rad\n";
    friction -= off_by / by_by;  // Gauss and Newton's step
  }
  std::cout << "found " << friction << " N m, true " << truth << '\n';
  assert(std::abs(friction - truth) < 1e-3);
}
