// SPDX-License-Identifier: BSD-3-Clause
// The front door: one object per thread that owns all working memory, checks and computes.
//
//   const jounce::Robot arm = jounce::load("panda.urdf");
//   jounce::Dynamics dyn(arm);
//   dyn.kinematics(q, v);
//   Eigen::MatrixXd J = dyn.jacobian_body(arm.frame("flange"));
// Arguments are checked (size, NaN, quaternion length: InputError). No call allocates; matrices
// come back as views that are valid until the next call on the same object.
#pragma once

#include <jounce/algorithm/com.hpp>
#include <jounce/algorithm/jacobian.hpp>
#include <jounce/model/robot.hpp>
#include <jounce/vector_arg.hpp>
#include <memory>

namespace jounce {

using MatrixView = Eigen::Map<const Eigen::MatrixXd>;
using VectorView = Eigen::Map<const Eigen::VectorXd>;

/// A wrench from outside on a link or frame: in the frame's own axes at its origin (body), in
/// ground axes at its origin (hybrid: a force at a point), or in ground axes at the ground's origin
/// (space).
struct ExternalWrench {
  FrameId frame{};
  Wrench<double> wrench;
  Representation in = Representation::body;
};

struct HybridResult {
  VectorView a, tau;  ///< all coordinates, the given ones included
};

struct Energy {
  double kinetic = 0, potential = 0;  ///< potential: zero with all mass at the ground's origin
};

class Dynamics {
 public:
  explicit Dynamics(Robot robot);
  Dynamics(Dynamics&&) noexcept;
  Dynamics& operator=(Dynamics&&) noexcept;
  ~Dynamics();

  const Robot& robot() const;

  /// A base that moves: body twist and acceleration of the ground frame, until set again.
  void set_base_motion(const Twist<double>& V_0, const Twist<double>& Vdot_0);

  /// Poses of all bodies; with v also twists, with a also accelerations (v and a count as zero
  /// otherwise). Everything below reads what the last of these calls left.
  void kinematics(const VectorArg& q);
  void kinematics(const VectorArg& q, const VectorArg& v);
  void kinematics(const VectorArg& q, const VectorArg& v, const VectorArg& a);

  // Dynamics of one state. These calls leave the state of the last kinematics call as it is.

  /// The forces that give the accelerations a: M a + c + g - J^T F_ext, and what passive joint
  /// forces take (recursive Newton-Euler).
  VectorView inverse(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                     std::span<const ExternalWrench> external = {});
  /// The accelerations that the forces tau give (articulated bodies). ComputationError that names
  /// the joint where it moves no mass.
  VectorView forward(const VectorArg& q, const VectorArg& v, const VectorArg& tau,
                     std::span<const ExternalWrench> external = {});
  /// Accelerations where prescribed, forces elsewhere; one flag per velocity coordinate.
  HybridResult hybrid(std::span<const bool> prescribed, const VectorArg& q, const VectorArg& v,
                      const VectorArg& a, const VectorArg& tau,
                      std::span<const ExternalWrench> external = {});
  /// The mass matrix, armature included.
  MatrixView mass(const VectorArg& q);
  /// c(q, v) + g(q), and g(q): without passive forces.
  VectorView bias(const VectorArg& q, const VectorArg& v);
  VectorView gravity(const VectorArg& q);
  /// Of the moving bodies; the kinetic energy of rotors (armature) included.
  Energy energy(const VectorArg& q, const VectorArg& v);
  /// Whether damping, friction and springs act (they do at first).
  void set_passive(bool on);

  /// The pose of a link or frame in the ground.
  SE3<double> pose(FrameId frame) const;

  /// Velocity: in the frame's own axes and origin; in the ground's; in the ground's axes at the
  /// frame's origin.
  Twist<double> twist_body(FrameId frame) const;
  Twist<double> twist_space(FrameId frame) const;
  Twist<double> twist_hybrid(FrameId frame) const;

  /// Spatial acceleration: the component-wise derivative of twist_body, twist_space.
  Twist<double> spatial_acceleration_body(FrameId frame) const;
  Twist<double> spatial_acceleration_space(FrameId frame) const;
  /// Classical acceleration: angular acceleration, and the acceleration of the frame's origin as a
  /// point. It is the derivative of twist_hybrid; in body axes it is the same vector turned.
  Twist<double> classical_acceleration_body(FrameId frame) const;
  Twist<double> classical_acceleration_hybrid(FrameId frame) const;

  /// 6 x nv, angular part first; J v is the twist of the same name.
  MatrixView jacobian_body(FrameId frame);
  MatrixView jacobian_space(FrameId frame);
  MatrixView jacobian_hybrid(FrameId frame);
  MatrixView jacobian(FrameId frame, Representation in);
  /// Their time derivatives (needs kinematics with v).
  MatrixView jacobian_body_rate(FrameId frame);
  MatrixView jacobian_space_rate(FrameId frame);
  MatrixView jacobian_hybrid_rate(FrameId frame);
  MatrixView jacobian_rate(FrameId frame, Representation in);

  /// Centre of mass of the moving bodies, with velocity and acceleration, in ground axes.
  Com<double> com() const;
  /// 3 x nv: com velocity = J v.
  MatrixView com_jacobian();

  /// Yoshikawa's sqrt(det(J J^T)) of the body Jacobian, and its derivative along every velocity
  /// coordinate. Zero, with a zero gradient, where J has not full row rank.
  double manipulability(FrameId frame);
  VectorView manipulability_gradient(FrameId frame);
  /// 1 - J^+ J: joint velocities that do not move the frame. Singular values below
  /// `cutoff` times the largest count as zero.
  MatrixView null_space_projector(FrameId frame, double cutoff = 1e-9);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace jounce
