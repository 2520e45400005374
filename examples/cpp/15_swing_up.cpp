// SPDX-License-Identifier: BSD-3-Clause
// A pendulum learns to swing up: gradient descent through a whole simulation.
//
// Its motor is too weak to lift it: it has to swing to and fro. The cost is how far it is from
// standing still upright at the end; the adjoint of 200 steps gives its slope by all 200 forces.
#include <cassert>
#include <cmath>
#include <iostream>
#include <jounce/jounce.hpp>
#include <jounce/simulation_gradient.hpp>

namespace {

/// 1 kg at the end of a rod of 0.5 m, hanging at q = 0.
jounce::Robot pendulum() {
  jounce::RobotDescription d;
  d.name = "pendulum";
  jounce::LinkDescription bob;
  bob.name = "bob";
  bob.mass = 1;
  bob.com = {0, 0, -0.5};
  bob.I_com = {1e-3, 0, 1e-3, 0, 0, 1e-3};
  jounce::JointDescription pivot;
  pivot.name = "pivot";
  pivot.child = "bob";
  pivot.geometry.kind = jounce::JointKind::revolute;
  pivot.geometry.axes = {{0, 1, 0}};
  pivot.properties.damping = {0.02};
  d.links = {bob};
  d.joints = {pivot};
  return jounce::Robot(d);
}

}  // namespace

int main() {
  const jounce::Robot robot = pendulum();
  constexpr int steps = 200;
  constexpr double h = 0.025, strongest = 2;  // N m; holding it level takes 4.9
  const std::vector<double> lengths(steps, h), start = {0.0}, still = {0.0};
  jounce::SimulationGradient simulation(robot);

  // Forces strongest tanh(w), w moved against the gradient with Adam's steps.
  Eigen::VectorXd w = Eigen::VectorXd::Constant(steps, 0.1), mean = Eigen::VectorXd::Zero(steps),
                  square = mean;
  double cost = 0;
  for (int k = 1; k <= 600; ++k) {
    const Eigen::ArrayXd weak = w.array().tanh();
    simulation.simulate(start, still, lengths, (strongest * weak).matrix().transpose());
    const double q = simulation.q()[0], v = simulation.v()[0];
    cost = 10 * (1 + std::cos(q)) + v * v / 2;
    if (k % 100 == 0) std::cout << "after " << k << " descents: cost " << cost << '\n';
    const std::vector<double> by_q = {-10 * std::sin(q)}, by_v = {v};
    const jounce::SimulationCovector slope = simulation.adjoint(by_q, by_v);
    const Eigen::VectorXd g =
        slope.tau.row(0).transpose().array() * strongest * (1 - weak.square());
    mean = 0.9 * mean + 0.1 * g;
    square = 0.999 * square + 0.001 * g.cwiseAbs2();
    const Eigen::ArrayXd size = (square.array() / (1 - std::pow(0.999, k))).sqrt() + 1e-8;
    w.array() -= 0.03 * (1 - k / 600.0) * mean.array() / (1 - std::pow(0.9, k)) / size;
  }
  std::cout << "it stands at " << simulation.q()[0] << " rad, moving with " << simulation.v()[0]
            << " rad/s\n";
  assert(cost < 0.01);
}
