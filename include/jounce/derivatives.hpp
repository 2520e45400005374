// SPDX-License-Identifier: BSD-3-Clause
// Partial derivatives of dynamics, kinematics, momentum and energy.
//
//   jounce::Derivatives derivatives(arm);
//   jounce::InverseDerivatives d(arm);         // owns three matrices, their zeros in place
//   derivatives.inverse(q, v, a, into(d));     // written in place: d.dq, d.dv, d.da
//   auto e = derivatives.forward(q, v, tau);   // the same, made anew
// A column along q is along integrate(q, dv). Checks, surroundings and results as of Dynamics.
#pragma once

#include <jounce/algorithm/jacobian.hpp>
#include <jounce/algorithm/ltdl.hpp>
#include <jounce/door/clone.hpp>
#include <jounce/door/into.hpp>
#include <jounce/door/owned.hpp>
#include <jounce/equations/surroundings.hpp>
#include <jounce/vector_arg.hpp>
#include <memory>

namespace jounce {

namespace detail {
template <class Real, class P>
struct DerivativesImpl;
struct DerivativesAccess;
}  // namespace detail

/// Derivatives of the forces of inverse dynamics, nv x nv; da is the mass matrix.
template <class Real>
struct BasicInverseDerivatives : RobotResult {
  explicit BasicInverseDerivatives(const Robot& robot)
      : RobotResult(robot), dq(robot.nv(), robot.nv()), dv(dq), da(dq) {}

  BasicOwnedMatrix<Real> dq, dv, da;
};
using InverseDerivatives = BasicInverseDerivatives<double>;

/// Derivatives of the accelerations of forward dynamics, nv x nv; dtau is the inverse of the mass
/// matrix, its columns padded to whole cache lines.
struct ForwardDerivatives : RobotResult {
  explicit ForwardDerivatives(const Robot& robot)
      : RobotResult(robot),
        dq(robot.nv(), robot.nv()),
        dv(dq),
        dtau(robot.nv(), robot.nv(), padded_row(robot.nv())) {}

  OwnedMatrix dq, dv, dtau;
};

/// Derivatives of the unknowns of hybrid dynamics, one row per coordinate: its force where its
/// acceleration is prescribed, its acceleration elsewhere. The columns of `dgiven` are by what is
/// given instead.
struct HybridDerivatives : RobotResult {
  explicit HybridDerivatives(const Robot& robot)
      : RobotResult(robot), dq(robot.nv(), robot.nv()), dv(dq), dgiven(dq) {}

  OwnedMatrix dq, dv, dgiven;
};

/// y^T times a matrix of derivatives, for each of its arguments.
struct VectorJacobian {
  Eigen::VectorXd dq, dv;
  Eigen::VectorXd da;  ///< of forward dynamics by tau
};

/// Derivatives of a frame's twist, 6 x nv, angular first.
struct TwistDerivatives : RobotResult {
  explicit TwistDerivatives(const Robot& robot) : RobotResult(robot), dq(6, robot.nv()), dv(dq) {}

  OwnedMatrix dq, dv;
};
/// Derivatives of a frame's acceleration, 6 x nv, angular first.
struct AccelerationDerivatives : RobotResult {
  explicit AccelerationDerivatives(const Robot& robot)
      : RobotResult(robot), dq(6, robot.nv()), dv(dq), da(dq) {}

  OwnedMatrix dq, dv, da;
};
/// Derivatives of the centre of mass, 3 x nv; three of them are the same Jacobian.
struct ComDerivatives : RobotResult {
  explicit ComDerivatives(const Robot& robot)
      : RobotResult(robot),
        position_dq(3, robot.nv()),
        velocity_dq(position_dq),
        velocity_dv(position_dq),
        acceleration_dq(position_dq),
        acceleration_dv(position_dq),
        acceleration_da(position_dq) {}

  OwnedMatrix position_dq, velocity_dq, velocity_dv;
  OwnedMatrix acceleration_dq, acceleration_dv, acceleration_da;
};
/// Derivatives of momentum about the com and of its rate, 6 x nv; momentum_dv and rate_da are the
/// same.
struct MomentumDerivatives : RobotResult {
  explicit MomentumDerivatives(const Robot& robot)
      : RobotResult(robot),
        momentum_dq(6, robot.nv()),
        momentum_dv(momentum_dq),
        rate_dq(momentum_dq),
        rate_dv(momentum_dq),
        rate_da(momentum_dq) {}

  OwnedMatrix momentum_dq, momentum_dv;
  OwnedMatrix rate_dq, rate_dv, rate_da;
};
struct EnergyDerivatives {
  Eigen::VectorXd kinetic_dq, kinetic_dv, potential_dq;
};

/// inverse is of any kind of number: double and float are compiled in the library, others need
/// jounce/any_number.hpp. The others are of double.
template <class Real, class P = Plain<Real>>
class BasicDerivatives {
 public:
  using Arg = BasicVectorArg<Real>;
  using Around = BasicSurroundings<Real>;
  using GroundMotion = OptionalGround<Real>;
  static constexpr bool of_double = std::same_as<Real, double>;

  explicit BasicDerivatives(Robot robot);
  BasicDerivatives(BasicDerivatives&&) noexcept;
  BasicDerivatives& operator=(BasicDerivatives&&) noexcept;
  ~BasicDerivatives();

  const Robot& robot() const;

  /// Derivatives of inverse(q, v, a, around): armature, passive forces and wrenches that do not
  /// turn with their bodies included.
  template <class Owned = BasicInverseDerivatives<Real>>
  Owned inverse(const Arg& q, const Arg& v, const Arg& a, const Around& around = {}) {
    return detail::written<Owned>(robot(), [&](auto to) { inverse(q, v, a, around, to); });
  }
  template <std::same_as<BasicInverseDerivatives<Real>> Result>
  void inverse(const Arg& q, const Arg& v, const Arg& a, const IntoResult<Result>& found) {
    inverse(q, v, a, {}, found);
  }
  template <std::same_as<BasicInverseDerivatives<Real>> Result>
  void inverse(const Arg& q, const Arg& v, const Arg& a, const Around& around,
               const IntoResult<Result>& found) {
    auto& to = detail::checked_into(robot(), "inverse_derivatives", found);
    run_inverse(q, v, a, around, numbers(to.dq), numbers(to.dv), numbers(to.da));
  }

  /// Derivatives of forward(q, v, tau, around).
  template <class Owned = ForwardDerivatives>
  Owned forward(const Arg& q, const Arg& v, const Arg& tau,
                const Around& around = {}) requires of_double {
    return detail::written<Owned>(robot(), [&](auto to) { forward(q, v, tau, around, to); });
  }
  template <std::same_as<ForwardDerivatives> Result>
  void forward(const Arg& q, const Arg& v, const Arg& tau,
               const IntoResult<Result>& found) requires of_double {
    forward(q, v, tau, {}, found);
  }
  template <std::same_as<ForwardDerivatives> Result>
  void forward(const Arg& q, const Arg& v, const Arg& tau, const Around& around,
               const IntoResult<Result>& found) requires of_double {
    auto& to = detail::checked_into(robot(), "forward_derivatives", found);
    run_forward(q, v, tau, around, numbers(to.dq), numbers(to.dv), numbers(to.dtau));
  }

  /// Derivatives of hybrid(prescribed, q, v, a, tau, around).
  template <class Owned = HybridDerivatives>
  Owned hybrid(std::span<const bool> prescribed, const Arg& q, const Arg& v, const Arg& a,
               const Arg& tau, const Around& around = {}) requires of_double {
    return detail::written<Owned>(robot(),
                                  [&](auto to) { hybrid(prescribed, q, v, a, tau, around, to); });
  }
  template <std::same_as<HybridDerivatives> Result>
  void hybrid(std::span<const bool> prescribed, const Arg& q, const Arg& v, const Arg& a,
              const Arg& tau, const IntoResult<Result>& found) requires of_double {
    hybrid(prescribed, q, v, a, tau, {}, found);
  }
  template <std::same_as<HybridDerivatives> Result>
  void hybrid(std::span<const bool> prescribed, const Arg& q, const Arg& v, const Arg& a,
              const Arg& tau, const Around& around,
              const IntoResult<Result>& found) requires of_double {
    auto& to = detail::checked_into(robot(), "hybrid_derivatives", found);
    run_hybrid(prescribed, q, v, a, tau, around, numbers(to.dq), numbers(to.dv),
               numbers(to.dgiven));
  }

  /// y^T d tau/d(q, v, a), in O(n).
  template <class Owned = VectorJacobian>
  Owned inverse_vector_jacobian(const Arg& y, const Arg& q, const Arg& v, const Arg& a,
                                const Around& around = {}) requires of_double {
    return made_product([&](auto dq, auto dv, auto da) {
      inverse_vector_jacobian(y, q, v, a, around, dq, dv, da);
    });
  }
  void inverse_vector_jacobian(const Arg& y, const Arg& q, const Arg& v, const Arg& a,
                               const Around& around, const Into<Real>& dq, const Into<Real>& dv,
                               const Into<Real>& da);
  /// d tau/dq dq + d tau/dv dv + d tau/da da, in O(n).
  template <class Owned = VectorOf<Real>>
  Owned inverse_jacobian_vector(const Arg& q, const Arg& v, const Arg& a, const Arg& dq,
                                const Arg& dv, const Arg& da,
                                const Around& around = {}) requires of_double {
    Owned dtau(robot().nv());
    inverse_jacobian_vector(q, v, a, dq, dv, da, around, into(dtau));
    return dtau;
  }
  void inverse_jacobian_vector(const Arg& q, const Arg& v, const Arg& a, const Arg& dq,
                               const Arg& dv, const Arg& da, const Around& around,
                               const Into<Real>& dtau);
  /// y^T d a/d(q, v, tau) of forward dynamics, in O(n), with d tau in the place of d a.
  template <class Owned = VectorJacobian>
  Owned forward_vector_jacobian(const Arg& y, const Arg& q, const Arg& v, const Arg& tau,
                                const Around& around = {}) requires of_double {
    return made_product([&](auto dq, auto dv, auto dtau) {
      forward_vector_jacobian(y, q, v, tau, around, dq, dv, dtau);
    });
  }
  void forward_vector_jacobian(const Arg& y, const Arg& q, const Arg& v, const Arg& tau,
                               const Around& around, const Into<Real>& dq, const Into<Real>& dv,
                               const Into<Real>& dtau);
  /// d a/dq dq + d a/dv dv + d a/dtau dtau of forward dynamics, in O(n).
  template <class Owned = VectorOf<Real>>
  Owned forward_jacobian_vector(const Arg& q, const Arg& v, const Arg& tau, const Arg& dq,
                                const Arg& dv, const Arg& dtau,
                                const Around& around = {}) requires of_double {
    Owned da(robot().nv());
    forward_jacobian_vector(q, v, tau, dq, dv, dtau, around, into(da));
    return da;
  }
  void forward_jacobian_vector(const Arg& q, const Arg& v, const Arg& tau, const Arg& dq,
                               const Arg& dv, const Arg& dtau, const Around& around,
                               const Into<Real>& da);

  // Of kinematics, momentum and energy. The derivative of a frame's pose is its Jacobian.

  /// Derivatives of a frame's twist_body, twist_space or twist_hybrid.
  template <class Owned = TwistDerivatives>
  Owned twist(FrameId frame, Representation in, const Arg& q, const Arg& v,
              const GroundMotion& ground = {}) requires of_double {
    return detail::written<Owned>(robot(), [&](auto to) { twist(frame, in, q, v, ground, to); });
  }
  template <std::same_as<TwistDerivatives> Result>
  void twist(FrameId frame, Representation in, const Arg& q, const Arg& v,
             const GroundMotion& ground, const IntoResult<Result>& found) requires of_double {
    auto& to = detail::checked_into(robot(), "twist_derivatives", found);
    run_twist(frame, in, q, v, ground, numbers(to.dq), numbers(to.dv));
  }
  /// Derivatives of a frame's spatial_acceleration_body or _space.
  template <class Owned = AccelerationDerivatives>
  Owned spatial_acceleration(FrameId frame, Representation in, const Arg& q, const Arg& v,
                             const Arg& a, const GroundMotion& ground = {}) requires of_double {
    return detail::written<Owned>(
        robot(), [&](auto to) { spatial_acceleration(frame, in, q, v, a, ground, to); });
  }
  template <std::same_as<AccelerationDerivatives> Result>
  void spatial_acceleration(FrameId frame, Representation in, const Arg& q, const Arg& v,
                            const Arg& a, const GroundMotion& ground,
                            const IntoResult<Result>& found) requires of_double {
    run_acceleration(Acceleration::spatial, frame, in, q, v, a, ground, found);
  }
  /// Derivatives of a frame's classical_acceleration_body or _hybrid.
  template <class Owned = AccelerationDerivatives>
  Owned classical_acceleration(FrameId frame, Representation in, const Arg& q, const Arg& v,
                               const Arg& a, const GroundMotion& ground = {}) requires of_double {
    return detail::written<Owned>(
        robot(), [&](auto to) { classical_acceleration(frame, in, q, v, a, ground, to); });
  }
  template <std::same_as<AccelerationDerivatives> Result>
  void classical_acceleration(FrameId frame, Representation in, const Arg& q, const Arg& v,
                              const Arg& a, const GroundMotion& ground,
                              const IntoResult<Result>& found) requires of_double {
    run_acceleration(Acceleration::classical, frame, in, q, v, a, ground, found);
  }
  /// Derivatives of the centre of mass, its velocity and acceleration.
  template <class Owned = ComDerivatives>
  Owned com(const Arg& q, const Arg& v, const Arg& a,
            const GroundMotion& ground = {}) requires of_double {
    return detail::written<Owned>(robot(), [&](auto to) { com(q, v, a, ground, to); });
  }
  template <std::same_as<ComDerivatives> Result>
  void com(const Arg& q, const Arg& v, const Arg& a, const GroundMotion& ground,
           const IntoResult<Result>& found) requires of_double {
    auto& to = detail::checked_into(robot(), "com_derivatives", found);
    run_com(q, v, a, ground, numbers(to.position_dq), numbers(to.velocity_dq),
            numbers(to.acceleration_dq), numbers(to.acceleration_dv));
    copy_numbers(to.position_dq, to.velocity_dv);
    copy_numbers(to.position_dq, to.acceleration_da);
  }
  /// Derivatives of momentum(q, v) and of its rate along a (the wrench from outside that it takes).
  template <class Owned = MomentumDerivatives>
  Owned momentum(const Arg& q, const Arg& v, const Arg& a,
                 const GroundMotion& ground = {}) requires of_double {
    return detail::written<Owned>(robot(), [&](auto to) { momentum(q, v, a, ground, to); });
  }
  template <std::same_as<MomentumDerivatives> Result>
  void momentum(const Arg& q, const Arg& v, const Arg& a, const GroundMotion& ground,
                const IntoResult<Result>& found) requires of_double {
    auto& to = detail::checked_into(robot(), "momentum_derivatives", found);
    run_momentum(q, v, a, ground, numbers(to.momentum_dq), numbers(to.rate_dq), numbers(to.rate_dv),
                 numbers(to.momentum_dv));
    copy_numbers(to.momentum_dv, to.rate_da);
  }
  /// Gradients of energy(q, v).
  template <class Owned = EnergyDerivatives>
  Owned energy(const Arg& q, const Arg& v, const GroundMotion& ground = {}) requires of_double {
    const int n = robot().nv();
    Owned x{Eigen::VectorXd(n), Eigen::VectorXd(n), Eigen::VectorXd(n)};
    energy(q, v, ground, into(x.kinetic_dq), into(x.kinetic_dv), into(x.potential_dq));
    return x;
  }
  void energy(const Arg& q, const Arg& v, const GroundMotion& ground, const Into<Real>& kinetic_dq,
              const Into<Real>& kinetic_dv, const Into<Real>& potential_dq);

 private:
  friend struct detail::DerivativesAccess;
  static Real* numbers(BasicOwnedMatrix<Real>& x) { return detail::OwnedAccess::numbers(x); }
  static void copy_numbers(const BasicOwnedMatrix<Real>& from, BasicOwnedMatrix<Real>& to) {
    std::copy(from.data(), from.data() + from.size(), numbers(to));
  }
  template <class Write>
  VectorJacobian made_product(Write write) {
    const int n = robot().nv();
    VectorJacobian x{Eigen::VectorXd(n), Eigen::VectorXd(n), Eigen::VectorXd(n)};
    write(into(x.dq), into(x.dv), into(x.da));
    return x;
  }

  void run_inverse(const Arg& q, const Arg& v, const Arg& a, const Around& around, Real* dq,
                   Real* dv, Real* da);
  void run_forward(const Arg& q, const Arg& v, const Arg& tau, const Around& around, Real* dq,
                   Real* dv, Real* dtau);
  void run_hybrid(std::span<const bool> prescribed, const Arg& q, const Arg& v, const Arg& a,
                  const Arg& tau, const Around& around, Real* dq, Real* dv, Real* dgiven);
  void run_twist(FrameId frame, Representation in, const Arg& q, const Arg& v,
                 const GroundMotion& ground, Real* dq, Real* dv);
  enum class Acceleration : unsigned char { spatial, classical };
  static constexpr const char* name_of(Acceleration kind) {
    return kind == Acceleration::spatial ? "spatial_acceleration_derivatives"
                                         : "classical_acceleration_derivatives";
  }
  template <class Result>
  void run_acceleration(Acceleration kind, FrameId frame, Representation in, const Arg& q,
                        const Arg& v, const Arg& a, const GroundMotion& ground,
                        const IntoResult<Result>& found) {
    auto& to = detail::checked_into(robot(), name_of(kind), found);
    run_acceleration(kind, frame, in, q, v, a, ground, numbers(to.dq), numbers(to.dv),
                     numbers(to.da));
  }
  void run_acceleration(Acceleration kind, FrameId frame, Representation in, const Arg& q,
                        const Arg& v, const Arg& a, const GroundMotion& ground, Real* dq, Real* dv,
                        Real* da);
  void run_com(const Arg& q, const Arg& v, const Arg& a, const GroundMotion& ground,
               Real* position_dq, Real* velocity_dq, Real* acceleration_dq, Real* acceleration_dv);
  void run_momentum(const Arg& q, const Arg& v, const Arg& a, const GroundMotion& ground,
                    Real* momentum_dq, Real* rate_dq, Real* rate_dv, Real* A);

  using Impl = detail::DerivativesImpl<Real, P>;
  std::unique_ptr<Impl> impl_;
};

using Derivatives = BasicDerivatives<double>;

template <>
inline constexpr bool is_clonable<Derivatives> = true;

}  // namespace jounce
