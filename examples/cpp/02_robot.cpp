// SPDX-License-Identifier: BSD-3-Clause
// A robot from a file or from the bundled ones: poses, velocities and Jacobians by name, and the
// forces that hold it.
#include <cassert>
#include <iostream>
#include <jounce/jounce.hpp>

int main() {
  const jounce::Robot arm = jounce::load("builtin:arm7");  // or "panda.urdf"
  std::cout << arm.name() << " has " << arm.nv() << " degrees of freedom\n";
  for (const jounce::JointInfo& joint : arm.joints())
    std::cout << "  " << joint.name << ": q[" << joint.q << "]\n";

  jounce::Kinematics kinematics(arm);  // owns its memory; one per thread
  const jounce::FrameId flange = arm.frame("flange");
  const Eigen::VectorXd q = Eigen::VectorXd::Constant(arm.nq(), 0.3);
  const Eigen::VectorXd v = Eigen::VectorXd::LinSpaced(arm.nv(), -1, 1);
  kinematics.at(q, v);
  std::cout << "pose of the flange\n" << to_eigen(kinematics.pose(flange)) << '\n';

  // Which frame is this Jacobian in? The name says it, and J v is the twist of the same name.
  const Eigen::MatrixXd J = kinematics.jacobian_hybrid(flange);
  const double defect = (J * v - to_eigen(kinematics.twist_hybrid(flange))).norm();
  std::cout << "J v - twist: " << defect << '\n';
  assert(defect < 1e-12);

  // Results own their numbers. In a real-time loop, into(...) writes them without allocation.
  jounce::Dynamics dyn(arm);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(arm.nv());
  Eigen::VectorXd tau = dyn.inverse(q, zero, zero);
  std::cout << "forces that hold the arm\n" << tau << '\n';
  dyn.inverse(q, v, zero, {.passive = false}, jounce::into(tau));
  assert((tau - dyn.bias(q, v)).norm() < 1e-10);
}
