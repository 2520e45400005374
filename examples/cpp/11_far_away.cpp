// SPDX-License-Identifier: BSD-3-Clause
// Bodies a thousand kilometres apart: what double precision keeps of every result.
//
// The same words on long double tell what is exact. Errors are those of the worst entry of a
// result, relative to the entry itself.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <jounce/any_number.hpp>
#include <jounce/jounce.hpp>

/// Two bodies of a metre's size, the third next to the second; how far is the second from the
/// first?
jounce::Robot arm(double distance) {
  jounce::RobotDescription robot{.name = "arm"};
  const char* name[] = {"near", "far", "tip"};
  const jounce::Vec3<double> place[] = {{0, 0, 0.5}, {distance, 0.5, 0.25}, {0.375, 0.125, -0.25}};
  const jounce::Vec3<double> axis[] = {{0, 0, 1}, {0, 1, 0}, {1, 0, 0}};
  for (int k = 0; k < 3; ++k) {
    robot.links.push_back(
        {name[k], 2.5 - k, {0.25, -0.125, 0.5}, {0.5, 0, 0.625, 0, 0, 0.375}, {}, {}});
    robot.joints.push_back({name[k],
                            k == 0 ? "" : name[k - 1],
                            name[k],
                            {jounce::JointKind::revolute, {{}, place[k]}, {axis[k]}}});
  }
  return jounce::Robot(std::move(robot));
}

/// The worst entry of a vector or matrix; entries that vanish are left out.
template <class Found, class Exact>
double error(const Found& found, const Exact& exact) {
  long double worst = 0;
  for (int k = 0; k < exact.cols(); ++k)
    for (int l = 0; l < exact.rows(); ++l)
      if (std::abs(exact(l, k)) > 1e-15L)
        worst = std::max(worst, std::abs(found(l, k) / exact(l, k) - 1));
  return double(worst);
}

int main() {
  const std::vector<double> q{0.5, -0.75, 1.25}, v{0.25, -0.5, 0.75}, a{0.5, 1, -0.25};
  const std::vector<long double> Q(q.begin(), q.end()), V(v.begin(), v.end()),
      A(a.begin(), a.end());
  std::printf("%-10s%10s%10s%10s%14s%10s%10s%10s   (%s)\n", "distance", "inverse", "forward",
              "mass", "mass_inverse", "dtau_dq", "dtau_dv", "dtau_da",
              jounce::name(jounce::best_isa()));
  for (const double distance : {1.0, 1e3, 1e5, 1e6}) {
    const jounce::Robot robot = arm(distance);
    jounce::Dynamics dyn(robot);
    jounce::BasicDynamics<long double> exact(robot);
    const jounce::InverseDerivatives d = jounce::Derivatives(robot).inverse(q, v, a);
    const auto exact_d = jounce::BasicDerivatives<long double>(robot).inverse(Q, V, A);
    const double of_mass = error(dyn.mass(q), exact.mass(Q));
    std::printf("%-10g%10.0e%10.0e%10.0e%14.0e%10.0e%10.0e%10.0e\n", distance,
                error(dyn.inverse(q, v, a), exact.inverse(Q, V, A)),
                error(dyn.forward(q, v, a), exact.forward(Q, V, A)), of_mass,
                error(dyn.mass_inverse(q), exact.mass_inverse(Q)), error(d.dq, exact_d.dq),
                error(d.dv, exact_d.dv), error(d.da, exact.mass(Q)));
    assert(of_mass < 1e-13);
  }
}
