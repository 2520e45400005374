// SPDX-License-Identifier: BSD-3-Clause
// The ten-line program of a user who installed the library.
#include <cstdio>
#include <jounce/jounce.hpp>

int main() {
  jounce::Kinematics kinematics(jounce::load("builtin:arm7"));
  const Eigen::VectorXd q = Eigen::VectorXd::Constant(kinematics.robot().nq(), 0.3);
  const Eigen::MatrixXd J = kinematics.at(q + q).jacobian_body(kinematics.robot().frame("flange"));
  std::printf("%d x %d, norm %.12f\n", int(J.rows()), int(J.cols()), J.norm());
  return J.cols() == 7 && J.norm() > 1 ? 0 : 1;
}
