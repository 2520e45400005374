// SPDX-License-Identifier: BSD-3-Clause
// A user's program whose Eigen has other defaults than the library's: J v is the twist all the
// same.
#include <cmath>
#include <cstdio>
#include <jounce/jounce.hpp>

int main() {
  const jounce::Robot arm = jounce::load("builtin:arm7");
  jounce::Kinematics kinematics(arm);
  jounce::Dynamics dyn(arm);
  const Eigen::VectorXd q = Eigen::VectorXd::Constant(7, 0.3),
                        v = Eigen::VectorXd::Constant(7, 0.1);
  const jounce::FrameId flange = arm.frame("flange");
  kinematics.at(q, v);
  const jounce::Twist<double> V = kinematics.twist_body(flange);
  const double needed[6] = {V.w.x, V.w.y, V.w.z, V.v.x, V.v.y, V.v.z};
  const auto J = kinematics.jacobian_body(flange);
  bool right = J.rows() == 6 && J.cols() == 7 && dyn.inverse(q, v, v).size() == 7;
  for (int i = 0; i < 6 && right; ++i) {
    double found = 0;
    for (int k = 0; k < 7; ++k) found += J(i, k) * v[k];
    std::printf("(J v)[%d] = %.12f, twist %.12f\n", i, found, needed[i]);
    right = std::abs(found - needed[i]) < 1e-12;
  }
  return right ? 0 : 1;
}
