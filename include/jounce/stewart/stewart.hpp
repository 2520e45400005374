// SPDX-License-Identifier: BSD-3-Clause
// Gough-Stewart platforms: geometry, leg lengths and rates, Jacobians, statics, stiffness.
//
// [Xie] (15)-(17), (22)-(24). Leg i joins a_i, fixed in the base, to b_i, fixed in the platform. T
// is the pose of the platform in the base, V its body twist (w, v), F a wrench (m, f) in its frame.
//   leg_i = R b_i + p - a_i,   L_i = |leg_i|,   u_i = leg_i / L_i
//   dL/dt = J_body V,   row_i = (b_i x R^T u_i, R^T u_i)       [Xie] (24) is 2 L_i times this row
//   dL/dt = J_space V_space,   row_i = (a_i x u_i, u_i)        [Xie] (23) likewise
// Lengths may be in any unit: nothing here depends on it but the numbers that carry it.
#pragma once

#include <array>
#include <jounce/group/se3.hpp>

namespace jounce {

using SixPoints = std::array<Vec3<double>, 6>;
using SixNumbers = std::array<double, 6>;

/// How the joints of the legs are mounted: z is the direction of the leg when all angles are zero,
/// x the first axis of a universal joint.
struct LegMounts {
  std::array<SO3<double>, 6> base;      ///< lower joints, in the base
  std::array<SO3<double>, 6> platform;  ///< upper joints, in the platform
};

/// The angles of a leg's joints against their mounts, in rad.
struct LegAngles {
  double first = 0,
         second = 0;         ///< of the universal joint at the base: leg = Rx(first) Ry(second) z
  double base_tilt = 0;      ///< between the leg and its mount's z at the base
  double platform_tilt = 0;  ///< and at the platform
};

/// The rank of the Jacobian in almost every pose: 6, or less for an architecturally singular
/// platform, which moves while its legs are locked.
int generic_rank(const SixPoints& base, const SixPoints& platform);

/// A platform on six legs of any geometry: planar or spatial, 3-3, 6-3, 6-6. Immutable.
class Stewart {
 public:
  /// Throws InputError for numbers that are not finite, points that coincide or lie on one line,
  /// two legs that are one, and architecturally singular platforms.
  Stewart(const SixPoints& base, const SixPoints& platform);

  const SixPoints& base() const noexcept { return base_; }
  const SixPoints& platform() const noexcept { return platform_; }
  /// Root mean square distance of the platform's points from their centre: the length that makes
  /// moments comparable with forces.
  double size() const noexcept { return size_; }
  const Vec3<double>& platform_centre() const noexcept { return centre_; }

  /// L from T: inverse kinematics.
  SixNumbers lengths(const SE3<double>& T) const;
  /// dL/dt from the body twist.
  SixNumbers rates(const SE3<double>& T, const Twist<double>& V) const;
  /// d^2L/dt^2 from the body twist and its derivative.
  SixNumbers accelerations(const SE3<double>& T, const Twist<double>& V,
                           const Twist<double>& Vdot) const;

  /// dL/dt = J V with the body twist or the space twist.
  Mat6<double> jacobian_body(const SE3<double>& T) const;
  Mat6<double> jacobian_space(const SE3<double>& T) const;
  /// r(T), r_i = |leg_i|^2 - L_i^2: zero where the pose has the lengths.  [Xie] (17)
  SixNumbers residual(const SE3<double>& T, const SixNumbers& lengths) const;
  /// phi(T) = r.r / 2.  [Xie] (18)
  double objective(const SE3<double>& T, const SixNumbers& lengths) const;
  /// Its derivatives along the six unit screws of the body or of space: J^T r.
  Wrench<double> objective_gradient_body(const SE3<double>& T, const SixNumbers& lengths) const;
  Wrench<double> objective_gradient_space(const SE3<double>& T, const SixNumbers& lengths) const;
  /// Jacobians of the residuals r.  [Xie] (24), (23)
  Mat6<double> residual_jacobian_body(const SE3<double>& T) const;
  Mat6<double> residual_jacobian_space(const SE3<double>& T) const;

  /// The body twist that gives these rates; throws ComputationError in a singular pose.
  Twist<double> twist(const SE3<double>& T, const SixNumbers& rates) const;
  /// The forces along the legs, positive where a leg pushes, that hold a wrench which acts on the
  /// platform: J^T f + F = 0. Throws ComputationError in a singular pose.
  SixNumbers leg_forces(const SE3<double>& T, const Wrench<double>& F) const;
  /// J^T f: what forces along the legs do to the platform.
  Wrench<double> platform_wrench(const SE3<double>& T, const SixNumbers& forces) const;
  /// The wrench (body) per small body twist that brings an unloaded platform back: J^T diag(k) J.
  Mat6<double> stiffness(const SE3<double>& T, const SixNumbers& leg_stiffness) const;

  /// Mounts whose angles are all zero in this pose; x is horizontal, or the base's x for a
  /// vertical leg.
  LegMounts mounts_at(const SE3<double>& T) const;
  std::array<LegAngles, 6> joint_angles(const SE3<double>& T, const LegMounts& mounts) const;

  /// det J / size^3: zero in singular poses, of one sign on each side of them.
  double normalised_determinant(const SE3<double>& T) const;
  /// The smallest singular value of J with moments taken about the platform's centre and divided
  /// by size: how far a pose is from a singular one. At most sqrt(2).
  double singularity_distance(const SE3<double>& T) const;

 private:
  SixPoints base_, platform_;
  Vec3<double> centre_;
  double size_ = 0;
};

}  // namespace jounce
