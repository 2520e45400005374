// SPDX-License-Identifier: BSD-3-Clause
// Kinematics and dynamics of one robot: one object per thread owns all working memory.
//
//   const jounce::Robot arm = jounce::load("panda.urdf");
//   jounce::Dynamics dyn(arm);
//   dyn.kinematics(q, v);
//   Eigen::MatrixXd J = dyn.jacobian_body(arm.frame("flange"));
// Arguments are checked (size, NaN, quaternion length: InputError), and so are results: what is not
// finite is a ComputationError that names the call and the joint. Calls do not allocate, but for
// set_max_order and reserve_second_derivatives; an argument that is an Eigen expression is
// evaluated into memory of its own. Results are views that are valid until the next call on the
// same object, and may be arguments of it: copy one that must outlive it.
//   const Eigen::VectorXd now = dyn.inverse(q, v, a), next = dyn.inverse(q + h, v, a);
// Loops of the robot are left open: this is the tree without them (Robot::loops).
#pragma once

#include <jounce/algorithm/com.hpp>
#include <jounce/algorithm/momentum.hpp>
#include <jounce/dynamics_results.hpp>
#include <memory>

namespace jounce {

class Dynamics {
 public:
  explicit Dynamics(Robot robot);
  Dynamics(Dynamics&&) noexcept;
  Dynamics& operator=(Dynamics&&) noexcept;
  ~Dynamics();

  const Robot& robot() const;

  /// Poses of all bodies; with v also twists, with a also accelerations (v and a count as zero
  /// otherwise). Everything below reads what the last of these calls left.
  void kinematics(const VectorArg& q);
  void kinematics(const VectorArg& q, const VectorArg& v);
  void kinematics(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                  const OptionalGround<double>& ground = {});

  // Dynamics of one state. These calls leave the state of the last kinematics call as it is. What
  // surrounds the robot is an argument: {.wrenches = pushes, .ground = Ground{V, Vdot}, .passive =
  // false, .gravity = false}; nothing of it is remembered.

  /// The forces that give the accelerations a: M a + c + g - J^T F_ext, and what passive joint
  /// forces take (recursive Newton-Euler).
  VectorView inverse(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                     const Surroundings& around = {});
  /// The accelerations that the forces tau give (articulated bodies; with mimic joints, sparse
  /// factors of the coupled mass matrix). Where the mass matrix is singular, this and all calls
  /// that solve with it throw a ComputationError that names the joints (model/singular_mass.hpp).
  VectorView forward(const VectorArg& q, const VectorArg& v, const VectorArg& tau,
                     const Surroundings& around = {});
  /// Accelerations where prescribed, forces elsewhere; one flag per velocity coordinate.
  HybridResult hybrid(std::span<const bool> prescribed, const VectorArg& q, const VectorArg& v,
                      const VectorArg& a, const VectorArg& tau, const Surroundings& around = {});
  /// The mass matrix, armature included, and its inverse.
  MatrixView mass(const VectorArg& q);
  RowMatrixView mass_inverse(const VectorArg& q);
  /// The sparse factors: L(k, j) is zero unless coordinate j carries coordinate k.
  MassFactors mass_factors(const VectorArg& q);
  /// Factors the mass matrix at q, on long chains as articulated bodies; until the next such call,
  /// mass_solve(x) is M^-1 x in at most O(n).
  void factor_mass(const VectorArg& q);
  VectorView mass_solve(const VectorArg& x);
  /// Each column of X becomes M^-1 times it.
  template <class Matrix>
  void mass_solve_columns(Eigen::MatrixBase<Matrix>& X) {
    for (Eigen::Index k = 0; k < X.cols(); ++k) X.col(k) = mass_solve(X.col(k));
  }
  /// c(q, v) + g(q), and g(q): without passive forces.
  VectorView bias(const VectorArg& q, const VectorArg& v,
                  const OptionalGround<double>& ground = {});
  VectorView gravity(const VectorArg& q);
  /// Kinetic and potential energy of the moving bodies, that of rotors (armature) included.
  Energy energy(const VectorArg& q, const VectorArg& v, const OptionalGround<double>& ground = {});

  /// The pose of a link or frame in the ground.
  SE3<double> pose(FrameId frame) const;

  /// Velocity: in the frame's own axes and origin; in the ground's; in the ground's axes at the
  /// frame's origin.
  Twist<double> twist_body(FrameId frame) const;
  Twist<double> twist_space(FrameId frame) const;
  Twist<double> twist_hybrid(FrameId frame) const;

  /// Spatial acceleration: the derivative of twist_body, twist_space, component by component.
  Twist<double> spatial_acceleration_body(FrameId frame) const;
  Twist<double> spatial_acceleration_space(FrameId frame) const;
  /// Classical acceleration: angular acceleration, and the acceleration of the frame's origin as a
  /// point. It is the derivative of twist_hybrid; in body axes it is the same vector turned.
  Twist<double> classical_acceleration_body(FrameId frame) const;
  Twist<double> classical_acceleration_hybrid(FrameId frame) const;

  /// 6 x nv, angular part first; J v is the twist of the same name where the ground is at rest,
  /// else what the joints add to it.
  MatrixView jacobian_body(FrameId frame);
  MatrixView jacobian_space(FrameId frame);
  MatrixView jacobian_hybrid(FrameId frame);
  MatrixView jacobian(FrameId frame, Representation in);
  /// From q alone, walking only the joints that carry the frame; the state of the last kinematics
  /// call stays as it is.
  MatrixView jacobian(FrameId frame, Representation in, const VectorArg& q);
  /// Their time derivatives (needs kinematics with v).
  MatrixView jacobian_body_rate(FrameId frame);
  MatrixView jacobian_space_rate(FrameId frame);
  MatrixView jacobian_hybrid_rate(FrameId frame);
  MatrixView jacobian_rate(FrameId frame, Representation in);

  /// Centre of mass of the moving bodies, with velocity and acceleration, in ground axes.
  Com<double> com() const;
  /// 3 x nv: J v is the com's velocity where the ground is at rest.
  MatrixView com_jacobian();

  /// Yoshikawa's sqrt(det(J J^T)) of the body Jacobian, the product of its singular values, and its
  /// derivative along every velocity coordinate. Zero, with a zero gradient, where J does not have
  /// full row rank: robots with fewer than six coordinates, and singularities to rounding.
  double manipulability(FrameId frame);
  VectorView manipulability_gradient(FrameId frame);
  /// 1 - J^+ J: joint velocities that do not move the frame. Singular values of J that are at most
  /// `cutoff` times the largest count as zero; so do those of rounding, max(6, nv) 2^-52 of it.
  MatrixView null_space_projector(FrameId frame, double cutoff = 1e-9);

  /// The inertia that a wrench on the frame feels: Lambda = (J M^-1 J^T)^-1, 6 x 6 (Khatib 1987).
  /// Directions in which the frame cannot move, with singular values of J M^-1 J^T of at most
  /// `cutoff` times the largest, are left out: Lambda is a pseudo-inverse then.
  MatrixView operational_inertia(FrameId frame, Representation in, double cutoff = 1e-12);
  /// M^-1 J^T Lambda, nv x 6: the inverse of J that moves the robot with the least kinetic energy.
  MatrixView dynamically_consistent_inverse(FrameId frame, Representation in,
                                            double cutoff = 1e-12);
  /// 1 - Jbar J: its transpose takes joint forces to forces that do not accelerate the frame.
  MatrixView dynamic_null_space_projector(FrameId frame, double cutoff = 1e-12);

  // The matrices of the equations of motion, on a base at rest.

  /// C(q, v) with C v + g = bias, and Mdot. With every factorization but plain, Mdot - 2 C is
  /// skew-symmetric; christoffel has the Christoffel symbols of M in the joint coordinates, the
  /// Levi-Civita connection where velocities are not rates of coordinates.
  CoriolisResult coriolis(const VectorArg& q, const VectorArg& v,
                          Factorization factorization = Factorization::christoffel);
  /// M(q) a_r + C(q, v) v_r + g(q) in O(n), without passive forces, with a C for which Mdot - 2 C
  /// is skew-symmetric (InputError for plain): for adaptive and passivity-based control.
  VectorView inverse_passive(const VectorArg& q, const VectorArg& v, const VectorArg& v_r,
                             const VectorArg& a_r,
                             Factorization factorization = Factorization::ploen);
  /// A(q) and Adot(q, v): momentum about the com in ground axes is A v on a ground at rest.
  CentroidalResult centroidal(const VectorArg& q, const VectorArg& v);

  // Momentum, power and wrenches.

  /// Momentum of all moving bodies, about their com in ground axes.
  Momentum<double> momentum(const VectorArg& q, const VectorArg& v,
                            const OptionalGround<double>& ground = {});
  /// d/dt of energy(q, v) along the acceleration a.
  EnergyRate<double> energy_rate(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                                 const OptionalGround<double>& ground = {});
  /// Where the power goes that the forces of inverse(q, v, a, around) bring in.
  PowerBalance power_balance(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                             const Surroundings& around = {});
  /// What every joint transmits: in the child link's frame (body), in ground axes at the child
  /// link's origin (hybrid), or in the ground frame (space).
  JointWrenches joint_wrenches(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                               Representation in = Representation::body,
                               const Surroundings& around = {});
  /// The point of the plane about which the ground's wrench on the robot has no moment along the
  /// plane. ComputationError where the ground does not push along the normal.
  Vec3<double> zero_moment_point(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                                 const Plane& plane = {}, const Surroundings& around = {});

  // Partial derivatives, nv x nv; a column along q is along integrate(q, dv).

  /// Derivatives of inverse(q, v, a, around): armature, passive forces and wrenches that do not
  /// turn with their bodies included; dtau_da is the mass matrix.
  InverseDerivativesResult inverse_derivatives(const VectorArg& q, const VectorArg& v,
                                               const VectorArg& a, const Surroundings& around = {});
  /// Derivatives of forward(q, v, tau, around); da_dtau is the inverse of the mass matrix.
  ForwardDerivativesResult forward_derivatives(const VectorArg& q, const VectorArg& v,
                                               const VectorArg& tau,
                                               const Surroundings& around = {});
  /// y^T d tau/d(q, v, a), and d tau/dq dq + d tau/dv dv + d tau/da da, in O(n).
  VectorJacobianResult inverse_vector_jacobian(const VectorArg& y, const VectorArg& q,
                                               const VectorArg& v, const VectorArg& a,
                                               const Surroundings& around = {});
  VectorView inverse_jacobian_vector(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                                     const VectorArg& dq, const VectorArg& dv, const VectorArg& da,
                                     const Surroundings& around = {});
  /// The same of forward dynamics: y^T d a/d(q, v, tau), with d tau in the place of d a, and
  /// d a/dq dq + d a/dv dv + d a/dtau dtau.
  VectorJacobianResult forward_vector_jacobian(const VectorArg& y, const VectorArg& q,
                                               const VectorArg& v, const VectorArg& tau,
                                               const Surroundings& around = {});
  VectorView forward_jacobian_vector(const VectorArg& q, const VectorArg& v, const VectorArg& tau,
                                     const VectorArg& dq, const VectorArg& dv,
                                     const VectorArg& dtau, const Surroundings& around = {});
  /// Derivatives of hybrid(prescribed, q, v, a, tau, around).
  HybridDerivativesResult hybrid_derivatives(std::span<const bool> prescribed, const VectorArg& q,
                                             const VectorArg& v, const VectorArg& a,
                                             const VectorArg& tau, const Surroundings& around = {});

  // Partial derivatives of kinematics, momentum and energy; along q, along integrate(q, dv). That
  // of a frame's pose is its Jacobian.

  /// Derivatives of twist_body, twist_space or twist_hybrid at the state of the last kinematics
  /// call.
  TwistDerivativesResult twist_derivatives(FrameId frame, Representation in);
  /// Derivatives of spatial_acceleration_body or _space, and of classical_acceleration_body or
  /// _hybrid.
  AccelerationDerivativesResult spatial_acceleration_derivatives(FrameId frame, Representation in);
  AccelerationDerivativesResult classical_acceleration_derivatives(FrameId frame,
                                                                   Representation in);
  /// Derivatives of com(): position, velocity and acceleration.
  ComDerivativesResult com_derivatives();
  /// Derivatives of momentum(q, v) and of its rate along a (the wrench from outside that it takes).
  MomentumDerivativesResult momentum_derivatives(const VectorArg& q, const VectorArg& v,
                                                 const VectorArg& a,
                                                 const OptionalGround<double>& ground = {});
  /// Gradients of energy(q, v).
  EnergyDerivativesResult energy_derivatives(const VectorArg& q, const VectorArg& v,
                                             const OptionalGround<double>& ground = {});

  // Second derivatives, after reserve_second_derivatives.

  /// Makes room for what the calls below leave, nv^3 numbers for each of twelve tensors at most.
  /// The one call of them that allocates.
  void reserve_second_derivatives(SecondOrder what = SecondOrder::tensors);
  /// Second derivatives of inverse(q, v, a, around).
  InverseSecondDerivativesResult inverse_second_derivatives(const VectorArg& q, const VectorArg& v,
                                                            const VectorArg& a,
                                                            const Surroundings& around = {});
  /// Second derivatives of forward(q, v, tau, around). Those by v and tau, and twice by tau, are
  /// zero.
  ForwardSecondDerivativesResult forward_second_derivatives(const VectorArg& q, const VectorArg& v,
                                                            const VectorArg& tau,
                                                            const Surroundings& around = {});
  /// sum_i y_i d2 tau_i and sum_i y_i d2 a_i, without tensors.
  SecondProductsResult inverse_second_products(const VectorArg& y, const VectorArg& q,
                                               const VectorArg& v, const VectorArg& a,
                                               const Surroundings& around = {});
  SecondProductsResult forward_second_products(const VectorArg& y, const VectorArg& q,
                                               const VectorArg& v, const VectorArg& tau,
                                               const Surroundings& around = {});
  /// dM/dq: slice(l) is dM/dq_l.
  TensorView mass_derivatives(const VectorArg& q);
  /// d2 M/(dq_k dq_l), first along k, then along l.
  MatrixView mass_second_derivative(const VectorArg& q, int k, int l);

  // Time derivatives of any order. Column k of a matrix holds the k-th derivative: motion is
  // v, a, jerk, ..., v^(order + 1), taus is tau, tau', ..., tau^(order).

  /// The highest order that the calls below take, 0 to 16; 4 at first. The one call that allocates.
  void set_max_order(int order);
  int max_order() const;
  /// The forces and their derivatives for a motion, passive joint forces included.
  MatrixView inverse_series(const VectorArg& q, const MatrixArg& motion, int order,
                            const SeriesSurroundings& around = {});
  MatrixView inverse_series(const VectorArg& q, const MatrixArg& motion,
                            const SeriesSurroundings& around = {}) {
    return inverse_series(q, motion, motion.columns() - 2, around);
  }
  /// The motion that forces and their derivatives give, v first.
  MatrixView forward_series(const VectorArg& q, const VectorArg& v, const MatrixArg& taus,
                            int order, const SeriesSurroundings& around = {});
  MatrixView forward_series(const VectorArg& q, const VectorArg& v, const MatrixArg& taus,
                            const SeriesSurroundings& around = {}) {
    return forward_series(q, v, taus, taus.columns() - 1, around);
  }
  /// Motion where prescribed, forces elsewhere; one flag per velocity coordinate. Column 0 of
  /// motion is v of all. A free base with a given motion has its six coordinates prescribed.
  HybridSeriesResult hybrid_series(std::span<const bool> prescribed, const VectorArg& q,
                                   const MatrixArg& motion, const MatrixArg& taus, int order,
                                   const SeriesSurroundings& around = {});

  /// Poses, twists and Jacobians with their derivatives along a motion v, a, ..., v^(order). What
  /// the three calls below answer, until a call of higher order uses the same memory.
  void kinematics_series(const VectorArg& q, const MatrixArg& motion, int order,
                         std::span<const Twist<double>> ground = {});
  /// The derivative of the 4 x 4 pose of a frame; order up to that of the motion + 1.
  Mat4<double> pose_derivative(FrameId frame, int order) const;
  /// The derivative of twist_body, twist_space or twist_hybrid, component by component.
  Twist<double> twist_derivative(FrameId frame, Representation in, int order) const;
  /// The derivative of jacobian(frame, in), 6 x nv; order up to that of the motion + 1.
  MatrixView jacobian_derivative(FrameId frame, Representation in, int order);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace jounce
