// SPDX-License-Identifier: BSD-3-Clause
// Dynamics of platforms with leg inertia: checks and calls.
#include <jounce/stewart/leg_dynamics.hpp>

#include "linear_algebra/elimination.hpp"
#include "stewart/stewart_checks.hpp"

namespace jounce {

using namespace stewart_detail;

namespace {

void check_inertia(const std::string& name, const Inertia<double>& G, bool may_vanish) {
  const bool finite = std::isfinite(G.mass) && is_finite(G.h) &&
                      is_finite(Vec3<double>{G.I.xx, G.I.yy, G.I.zz}) &&
                      is_finite(Vec3<double>{G.I.xy, G.I.xz, G.I.yz});
  if (!finite) refuse("dynamics", "the inertia of " + name + " is not finite");
  if (G.mass < 0 || (!may_vanish && G.mass == 0))
    refuse("dynamics", "the mass of " + name + " is " + short_text(G.mass));
}

void column(const Wrench<double>& F, double (&x)[6]) {
  x[0] = F.m.x, x[1] = F.m.y, x[2] = F.m.z, x[3] = F.f.x, x[4] = F.f.y, x[5] = F.f.z;
}

}  // namespace

StewartDynamics::StewartDynamics(const Stewart& platform, const Inertia<double>& inertia,
                                 const std::array<LegBodies, 6>& legs, const LegMounts& mounts,
                                 const Vec3<double>& gravity)
    : platform_(platform) {
  check_inertia("the platform", inertia, false);
  if (!is_finite(gravity)) refuse("dynamics", "gravity is not finite");
  bodies_.platform = inertia;
  bodies_.gravity = gravity;
  for (size_t i = 0; i < 6; ++i) {
    const std::string leg = std::to_string(i + 1);
    check_inertia("cylinder " + leg, legs[i].cylinder, true);
    check_inertia("piston " + leg, legs[i].piston, true);
    check_pose("dynamics", {mounts.base[i], {}});
    bodies_.a[i] = platform.base()[i];
    bodies_.b[i] = platform.platform()[i];
    bodies_.mount[i] = mounts.base[i];
    bodies_.cylinder[i] = legs[i].cylinder;
    bodies_.piston[i] = legs[i].piston;
  }
}

/// Every leg has a length, and not the direction of its universal joint's first axis.
void StewartDynamics::check(const char* call, const SE3<double>& T) const {
  check_pose(call, T);
  for (int i = 0; i < 6; ++i) {
    const Vec3<double> leg = T * bodies_.b[i] - bodies_.a[i];
    const Vec3<double> d = inverse_times(bodies_.mount[i], leg);
    const double L = norm(leg);
    if (L > 0 && std::hypot(d.y, d.z) > 1e-9 * L) continue;
    throw ComputationError(
        "stewart " + std::string(call) + ": leg " + std::to_string(i + 1) +
        (L > 0 ? " lies along the first axis of its universal joint" : " has no length"));
  }
}

SixNumbers StewartDynamics::inverse(const SE3<double>& T, const Twist<double>& V,
                                    const Twist<double>& Vdot, const Wrench<double>& F_ext) const {
  check("inverse", T);
  check_finite("inverse", "the twist", V.w, V.v);
  check_finite("inverse", "the twist's derivative", Vdot.w, Vdot.v);
  check_finite("inverse", "the wrench", F_ext.m, F_ext.f);
  return platform_.leg_forces(T, -stewart_wrench(bodies_, T, V, Vdot, F_ext));
}

Mat6<double> StewartDynamics::mass(const SE3<double>& T) const {
  check("mass", T);
  return stewart_mass(bodies_, T);
}

/// M Vdot = J^T f - W(Vdot = 0).
Twist<double> StewartDynamics::forward(const SE3<double>& T, const Twist<double>& V,
                                       const SixNumbers& forces,
                                       const Wrench<double>& F_ext) const {
  check("forward", T);
  check_finite("forward", "the twist", V.w, V.v);
  check_finite("forward", "the forces", forces);
  check_finite("forward", "the wrench", F_ext.m, F_ext.f);
  double b[6], x[6];
  column(platform_.platform_wrench(T, forces) - stewart_wrench(bodies_, T, V, {}, F_ext), b);
  const dense::Elimination<> M(mass(T));
  if (!(std::abs(M.determinant) > 0))
    throw ComputationError("stewart forward: the inertia of the platform is singular");
  M.solve(b, x);
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}

double StewartDynamics::kinetic_energy(const SE3<double>& T, const Twist<double>& V) const {
  check("kinetic_energy", T);
  check_finite("kinetic_energy", "the twist", V.w, V.v);
  return stewart_kinetic(bodies_, T, V);
}

double StewartDynamics::potential_energy(const SE3<double>& T) const {
  check("potential_energy", T);
  return stewart_potential(bodies_, T);
}

}  // namespace jounce
