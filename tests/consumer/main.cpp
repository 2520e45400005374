// SPDX-License-Identifier: BSD-3-Clause
// The ten-line program of a user who installed the library.
#include <cstdio>
#include <jounce/jounce.hpp>

int main() {
  jounce::Dynamics dyn(jounce::load("builtin:arm7"));
  const Eigen::VectorXd q = Eigen::VectorXd::Constant(dyn.robot().nq(), 0.3);
  dyn.kinematics(q + q);
  const Eigen::MatrixXd J = dyn.jacobian_body(dyn.robot().frame("flange"));
  std::printf("%d x %d, norm %.12f\n", int(J.rows()), int(J.cols()), J.norm());
  return J.cols() == 7 && J.norm() > 1 ? 0 : 1;
}
