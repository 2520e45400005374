// SPDX-License-Identifier: BSD-3-Clause
// The mass matrix as a metric: what is the curvature of an arm, which way between two
// configurations is the shortest, and which links make a 2R arm as flat as it can be?
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <jounce/geometry.hpp>
#include <jounce/minimum_motion.hpp>
#include <jounce/scalar/dual.hpp>
#include <numbers>

namespace {

constexpr int parameters = 5;
using Number = jounce::Dual<double, parameters>;

/// m_2, length l_1 of the first link, r_1 and r_2 from joints to centres of mass, I_2 about the
/// second; the first link has 1 kg and 0.1 kg m^2.
using Links = std::array<double, parameters>;
constexpr Links lower{0.3, 0.5, 0.1, 0.1, 0.01}, upper{1, 1, 0.6, 0.5, 0.1};

/// The mean square of the scalar curvature over q_2, with its gradient by the link parameters.
Number mean_square_curvature(const Links& links) {
  Number p[parameters];
  for (int k = 0; k < parameters; ++k) p[k] = Number(links[size_t(k)]), p[k].d[k] = 1;
  const Number &m2 = p[0], &l1 = p[1], &r1 = p[2], &r2 = p[3], &I2 = p[4];
  const Number b = m2 * l1 * r2, c = I2 + m2 * r2 * r2;
  const Number a = r1 * r1 + 0.1 + m2 * l1 * l1 + c;  // M_11 = a + 2 b cos, M_12 = c + b cos
  Number sum(0.0);
  constexpr int count = 64;
  for (int k = 0; k < count; ++k) {
    const double x = std::cos(2 * std::numbers::pi * k / count);
    const Number det = a * c - c * c - b * b * (x * x);
    const Number scalar = b * (a * c - c * c - b * b) * (2 * x) / (det * det);
    sum += scalar * scalar * (1.0 / count);
  }
  return sum;
}

/// Projected descent with steps that grow while they help.
Links flattest(Links links) {
  double step = 1e-3;
  Number now = mean_square_curvature(links);
  for (int k = 0; k < 20000 && step > 1e-14; ++k) {
    Links next = links;
    for (size_t j = 0; j < next.size(); ++j)
      next[j] = std::clamp(next[j] - step * now.d[j], lower[j], upper[j]);
    const Number there = mean_square_curvature(next);
    if (there.a < now.a) links = next, now = there, step *= 1.5;
    else step /= 2;
  }
  return links;
}

}  // namespace

int main() {
  const jounce::Robot arm = jounce::load("builtin:arm7");
  jounce::Geometry geometry(arm);
  const std::vector<double> q{0.3, -0.5, 0.7, -1.1, 0.4, 0.9, -0.2};
  const jounce::Curvature R = geometry.curvature(q);
  std::printf("arm7: R_0101 %.9f, scalar curvature %.7f 1/(kg m^2)\n", R(0, 1, 0, 1), R.scalar());
  assert(std::abs(R.scalar() - 168.34984159129213) < 1e-9);

  // The way with the least kinetic energy is a geodesic.
  const jounce::Robot small = jounce::load("builtin:planar_2r");
  const std::vector<double> from{0.2, 0.3}, to{1.4, 1.9};
  jounce::MinimumMotion motion(small, {.limits = false});
  const jounce::MinimumMotionResult best = motion.find(from, to);
  jounce::Geometry plane(small);
  const jounce::ShortestPath way = plane.shortest_path(from, to);
  std::printf("planar_2r: straight %.6f, best spline %.6f, geodesic %.6f, %d iterations\n",
              best.straight, best.value, way.length * way.length, best.iterations);
  assert(best.converged && way.converged);
  assert(std::abs(best.value - way.length * way.length) < 1e-6 * best.value);

  // A 2R is flat where its second centre of mass lies on its axis, and curved elsewhere.
  const jounce::Flatness flat = plane.flatness();
  std::printf("planar_2r is %s: ratio %.3f\n", flat.flat ? "flat" : "curved", flat.ratio);
  assert(!flat.flat);
  const Links start{0.5, 0.8, 0.3, 0.4, 0.04}, end = flattest(start);
  std::printf("root mean square of the curvature: %.4f, of the flattest links %.4f\n",
              std::sqrt(mean_square_curvature(start).a), std::sqrt(mean_square_curvature(end).a));
  std::printf("flattest: m2 %.3f, l1 %.3f, r1 %.3f, r2 %.3f, I2 %.3f\n", end[0], end[1], end[2],
              end[3], end[4]);
  assert(mean_square_curvature(end).a < 0.05 * mean_square_curvature(start).a);
  assert(end[3] == lower[3]);  // as near to the axis as it may be
}
