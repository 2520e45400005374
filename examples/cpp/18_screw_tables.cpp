// SPDX-License-Identifier: BSD-3-Clause
// A robot from a Denavit-Hartenberg table, as a product of exponentials in Park's three forms, and
// back to a robot.
#include <cassert>
#include <iostream>
#include <jounce/jounce.hpp>
#include <jounce/model/product_of_exponentials.hpp>

int main() {
  constexpr double right = 1.5707963267948966;
  jounce::DhTable table;  // a, alpha, d, theta of a PUMA 560
  table.rows = {{0, -right, 0, 0},      {0.4318, 0, 0.1491, 0}, {-0.0203, right, 0, 0},
                {0, -right, 0.4331, 0}, {0, right, 0, 0},       {0, 0, 0.0563, 0}};
  const jounce::Robot arm(jounce::to_description(table, "puma"));

  const jounce::PoeLocal local = jounce::to_local(table);  // e^{P_1 x_1} M_1 e^{P_2 x_2} M_2 ...
  const jounce::PoeSpace space = jounce::to_space(local);  // e^{A_1 x_1} e^{A_2 x_2} ... M
  const jounce::PoeBody body = jounce::to_body(space);     // M e^{B_1 x_1} e^{B_2 x_2} ...

  const std::vector<double> q{0.3, -0.5, 0.7, -1.1, 0.4, 0.9};
  jounce::Kinematics kinematics(arm);
  const jounce::SE3<double> tip = kinematics.at(q).pose(arm.frame("tool"));
  double worst = 0;
  for (const jounce::SE3<double>& f : {local.forward(q), space.forward(q), body.forward(q)})
    worst = std::max(worst, norm(f.p - tip.p));
  std::cout << "tip at " << tip.p.x << ", " << tip.p.y << ", " << tip.p.z
            << "; the three forms are at most " << worst << " m apart from it\n";
  for (const jounce::Twist<double>& A : space.A)
    std::cout << "screw w " << A.w.x << " " << A.w.y << " " << A.w.z << ", v " << A.v.x << " "
              << A.v.y << " " << A.v.z << "\n";
  assert(worst < 1e-14);

  const jounce::Robot again(jounce::to_description(jounce::to_local(space), "again"));
  const jounce::Vec3<double> p = jounce::Kinematics(again).at(q).pose(again.frame("tool")).p;
  assert(norm(p - tip.p) < 1e-14);
}
