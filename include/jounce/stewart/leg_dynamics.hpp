// SPDX-License-Identifier: BSD-3-Clause
// Inverse and forward dynamics of a Gough-Stewart platform with legs that have mass.
//
//   jounce::StewartDynamics dynamics(platform, platform_inertia, legs, platform.mounts_at(home));
//   const jounce::SixNumbers f = dynamics.inverse(T, V, Vdot);      // forces along the legs
//   const jounce::Twist<double> a = dynamics.forward(T, V, f);      // body acceleration
// SI units; V and Vdot are the body twist of the platform's frame and its derivative. The method
// and its equations stand in jounce/algorithm/stewart_dynamics.hpp.
#pragma once

#include <jounce/algorithm/stewart_dynamics.hpp>
#include <jounce/stewart/stewart.hpp>

namespace jounce {

/// The two bodies of a leg, both with z along it from base to platform.
struct LegBodies {
  Inertia<double> cylinder;  ///< origin at the lower joint
  Inertia<double> piston;    ///< origin at the upper joint
};

/// Immutable; calls allocate nothing. Poses are refused as by Stewart; ComputationError is thrown
/// where a leg has no length or lies along the first axis of its universal joint, and by inverse in
/// singular poses.
class StewartDynamics {
 public:
  /// The inertia of the platform is about the origin of its frame.
  StewartDynamics(const Stewart& platform, const Inertia<double>& inertia,
                  const std::array<LegBodies, 6>& legs, const LegMounts& mounts,
                  const Vec3<double>& gravity = {0, 0, -9.81});

  const Stewart& platform() const noexcept { return platform_; }
  const StewartBodies<double>& bodies() const noexcept { return bodies_; }

  /// The actuators' forces, positive where they push the platform away from the base. F_ext: a
  /// wrench on the platform, in its frame.
  SixNumbers inverse(const SE3<double>& T, const Twist<double>& V, const Twist<double>& Vdot,
                     const Wrench<double>& F_ext = {}) const;
  /// The derivative of the body twist under these forces.
  Twist<double> forward(const SE3<double>& T, const Twist<double>& V, const SixNumbers& forces,
                        const Wrench<double>& F_ext = {}) const;
  /// M with J^T f = M Vdot + ...: inertia of platform and legs as the platform's twist sees it.
  Mat6<double> mass(const SE3<double>& T) const;
  double kinetic_energy(const SE3<double>& T, const Twist<double>& V) const;
  double potential_energy(const SE3<double>& T) const;

 private:
  void check(const char* call, const SE3<double>& T) const;

  Stewart platform_;
  StewartBodies<double> bodies_;
};

}  // namespace jounce
