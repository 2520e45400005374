// SPDX-License-Identifier: BSD-3-Clause
// Inverse kinematics: a pose within limits, then the same pose near a preferred posture.
#include <cassert>
#include <iostream>
#include <jounce/jounce.hpp>

int main() {
  const jounce::Robot arm = jounce::load("builtin:arm7");
  jounce::Kinematics kinematics(arm);
  jounce::InverseKinematics ik(arm);
  const jounce::FrameId flange = arm.frame("flange");

  const jounce::SE3<double> target = kinematics.at(arm.random(7)).pose(flange);
  const jounce::IkResult found = ik.solve({{flange, target}}, arm.neutral());
  std::cout << "converged: " << found.converged << " after " << found.iterations
            << " iterations, residual " << found.residual << '\n';
  assert(found.converged);

  jounce::IkOptions options;
  options.preferred = arm.neutral();
  const Eigen::VectorXd relaxed = ik.solve({{flange, target}}, found.q, options).q;
  std::cout << "distance to the neutral posture: " << found.q.norm() << ", then " << relaxed.norm()
            << '\n';
  assert(relaxed.norm() <= found.q.norm());

  const jounce::SE3<double> far{{}, {5, 0, 0}};
  assert(!ik.solve({{flange, far}}, arm.neutral()).converged);  // the nearest pose, no NaN
}
