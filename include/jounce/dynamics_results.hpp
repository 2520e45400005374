// SPDX-License-Identifier: BSD-3-Clause
// What the calls of Dynamics take and give: views into its memory, valid until its next call.
#pragma once

#include <jounce/algorithm/coriolis.hpp>
#include <jounce/algorithm/jacobian.hpp>
#include <jounce/matrix_arg.hpp>
#include <jounce/model/robot.hpp>
#include <jounce/tensor_view.hpp>
#include <jounce/vector_arg.hpp>

namespace jounce {

using MatrixView = Eigen::Map<const Eigen::MatrixXd>;
using VectorView = Eigen::Map<const Eigen::VectorXd>;
/// Stored row by row, with padding.
using RowMatrixView =
    Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>, 0,
               Eigen::OuterStride<>>;

/// A wrench from outside on a link or frame: in the frame's own axes at its origin (body), in
/// ground axes at its origin (hybrid: a force at a point), or in ground axes at the ground's origin
/// (space).
struct ExternalWrench {
  FrameId frame{};
  Wrench<double> wrench;
  Representation in = Representation::body;
};

inline namespace JOUNCE_ISA {

/// InputError for external[n], on this frame, that is not finite.
[[noreturn]] inline void refuse_wrench(const char* caller, const FrameInfo& frame, std::size_t n) {
  throw InputError(std::string(caller) + ": external[" + std::to_string(n) + "] on \"" +
                   frame.name + "\" is not finite");
}

}  // namespace JOUNCE_ISA

struct HybridResult {
  VectorView a, tau;  ///< all coordinates, the given ones included
};

/// M = L^T diag(D) L. The lower triangle of LD holds L (its diagonal, which is 1, gives way to D).
struct MassFactors {
  RowMatrixView LD;
};

/// A wrench from outside with its derivatives: F, F', F'', ... as components in the named frame,
/// in ground axes those that the ground has at this instant; those not given are zero.
struct ExternalWrenchSeries {
  FrameId frame{};
  std::span<const Wrench<double>> derivatives;
  Representation in = Representation::body;
};

struct HybridSeriesResult {
  MatrixView motion;  ///< v, a, jerk, ..., v^(order + 1) of all coordinates
  MatrixView taus;    ///< tau, tau', ..., tau^(order)
};

struct Energy {
  double kinetic = 0, potential = 0;  ///< potential: zero with all mass at the ground's origin
};

struct CoriolisResult {
  MatrixView matrix, mass_rate;  ///< C(q, v) and Mdot
};

struct CentroidalResult {
  MatrixView matrix, rate;  ///< A and Adot, 6 x nv, angular first
};

/// d/dt (kinetic + potential) = actuators + passive + external + base.
struct PowerBalance {
  double kinetic_rate = 0, potential_rate = 0;
  double actuators = 0, passive = 0, external = 0;
  double base = 0;  ///< of the ground on the robot, where the base moves

  double residual() const {
    return kinetic_rate + potential_rate - (actuators + passive + external + base);
  }
};

struct JointWrenches {
  std::span<const Wrench<double>> joints;  ///< as Robot::joints(): on the child, from its parent
  Wrench<double> base;  ///< of the ground on the robot, in the ground frame at its origin
};

/// Derivatives of the forces of inverse dynamics; dq along integrate(q, dv).
struct InverseDerivativesResult {
  MatrixView dtau_dq, dtau_dv, dtau_da;
};
/// Derivatives of the accelerations of forward dynamics.
struct ForwardDerivativesResult {
  MatrixView da_dq, da_dv;
  RowMatrixView da_dtau;
};
/// Derivatives of the unknowns of hybrid dynamics, one row per coordinate: its force where its
/// acceleration is prescribed, its acceleration elsewhere. The columns of `given` are what is given
/// instead.
struct HybridDerivativesResult {
  MatrixView dq, dv, given;
};

/// y^T times a matrix of derivatives, for each of its arguments.
struct VectorJacobianResult {
  VectorView dq, dv, da;
};

/// Derivatives of a frame's twist and acceleration, 6 x nv, angular first.
struct TwistDerivativesResult {
  MatrixView dq, dv;
};
struct AccelerationDerivativesResult {
  MatrixView dq, dv, da;
};
/// Derivatives of the centre of mass, 3 x nv; three of them are the same Jacobian.
struct ComDerivativesResult {
  MatrixView position_dq, velocity_dq, velocity_dv;
  MatrixView acceleration_dq, acceleration_dv, acceleration_da;
};
/// Derivatives of momentum about the com and of its rate, 6 x nv; momentum_dv and rate_da are the
/// same.
struct MomentumDerivativesResult {
  MatrixView momentum_dq, momentum_dv;
  MatrixView rate_dq, rate_dv, rate_da;
};
struct EnergyDerivativesResult {
  VectorView kinetic_dq, kinetic_dv, potential_dq;
};

/// d2 tau_i/(dx_k dy_l) at (i, k, l): first along x_k, then y_l, so that slice(l) is how the matrix
/// dtau/dx changes along y_l. Along q_k and q_l of one planar, spherical or free joint the order
/// matters: the tensor less its transpose is the bracket of the two screws times dtau/dq.
struct InverseSecondDerivativesResult {
  TensorView d2tau_dqdq, d2tau_dqdv, d2tau_dvdv;
  TensorView d2tau_dadq;  ///< slice(l) is dM/dq_l
};
/// Second derivatives of the accelerations of forward dynamics, as above.
struct ForwardSecondDerivativesResult {
  TensorView d2a_dqdq, d2a_dqdv, d2a_dvdv;
  TensorView d2a_dtaudq;  ///< slice(l) is d(M^-1)/dq_l
};
/// sum_i y_i d2 tau_i/(dx_k dy_l) at (k, l); of forward dynamics with tau in the place of a.
struct SecondProductsResult {
  MatrixView dqdq, dqdv, dvdv, dadq;
};
/// What reserve_second_derivatives makes room for: a few matrices, or also tensors.
enum class SecondOrder : unsigned char { products, tensors };

struct Plane {
  Vec3<double> point{0, 0, 0}, normal{0, 0, 1};
};

}  // namespace jounce
