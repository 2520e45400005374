// SPDX-License-Identifier: BSD-3-Clause
// Poses, twists and wrenches: what a change of frame does, and what stays.
#include <cassert>
#include <cmath>
#include <cstdio>
#include <jounce/jounce.hpp>

int main() {
  using namespace jounce;
  // A quarter turn about z, one metre along x: the screw motion with constant body twist.
  const Twist<double> screw{{0, 0, M_PI / 2}, {1, 0, 0}};
  const SE3<double> T = exp(screw);
  std::printf("the frame went to (%.4f, %.4f, %.4f)\n", T.p.x, T.p.y, T.p.z);
  assert(norm(log(T).w - screw.w) + norm(log(T).v - screw.v) < 1e-15);

  // A wrench and a twist of frame b, seen in frame a: their power is the same in both.
  const Twist<double> V_b{{0.1, 0.2, 0.3}, {1, 2, 3}};
  const Wrench<double> F_b{{4, 5, 6}, {7, 8, 9}};
  const double in_b = dot(F_b, V_b), in_a = dot(dual_Ad_inv(T, F_b), Ad(T, V_b));
  std::printf("power in b %.12f, in a %.12f\n", in_b, in_a);
  assert(std::abs(in_b - in_a) < 1e-12);

  // The same code on a series gives derivatives: position, velocity, acceleration, jerk at t = 0.
  using Number = Taylor<double, 3>;
  const Number t = Number::line(0, 1);
  const SE3<Number> path =
      exp(Twist<Number>{{Number(0.0), Number(0.0), t}, {t, Number(0.0), t * t}});
  std::printf("x(t) = %g + %g t + %g t^2 + %g t^3 + ...\n", path.p.x.c[0], path.p.x.c[1],
              path.p.x.c[2], path.p.x.c[3]);
  assert(path.p.x.c[1] == 1);
}
