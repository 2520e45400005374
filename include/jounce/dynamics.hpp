// SPDX-License-Identifier: BSD-3-Clause
// The equations of motion of one robot.
//
//   const jounce::Robot arm = jounce::load("panda.urdf");
//   jounce::Dynamics dyn(arm);
//   Eigen::VectorXd tau = dyn.inverse(q, v, a);
//   dyn.inverse(q, v, a, into(tau));            // the same without allocation
//   Eigen::VectorXd acc = dyn.forward(q, v, tau, {.wrenches = pushes});
// Every call takes its whole state and what surrounds the robot; nothing is remembered. Arguments
// are checked (size, NaN, quaternion length: InputError), and so are results: what is not finite is
// a ComputationError that names the call and the joint. Results own their numbers, or go into(...)
// the caller's memory, which may be an argument's. One object per thread. Loops of the robot are
// left open: this is the tree without them (Robot::loops).
#pragma once

#include <jounce/algorithm/coriolis.hpp>
#include <jounce/algorithm/jacobian.hpp>
#include <jounce/algorithm/ltdl.hpp>
#include <jounce/algorithm/momentum.hpp>
#include <jounce/door/clone.hpp>
#include <jounce/door/into.hpp>
#include <jounce/door/owned.hpp>
#include <jounce/equations/surroundings.hpp>
#include <jounce/vector_arg.hpp>
#include <memory>

namespace jounce {

namespace detail {
template <class Real, class P>
struct DynamicsImpl;
}  // namespace detail

template <class Real>
struct BasicHybridResult {
  VectorOf<Real> a, tau;  ///< all coordinates, the given ones included
};

/// Potential energy is that of gravity, zero with all mass at the ground's origin.
template <class Real>
struct BasicEnergy {
  Real kinetic, potential;
};

/// d/dt (kinetic + potential) = actuators + passive + outside + ground.
template <class Real>
struct BasicPowerBalance {
  Real kinetic_rate, potential_rate;
  Real actuators, passive;
  Real outside;  ///< of outside wrenches
  Real ground;   ///< of the ground on the robot, where it moves

  Real residual() const {
    return kinetic_rate + potential_rate - (actuators + passive + outside + ground);
  }
};

template <class Real>
struct BasicJointWrenches {
  std::vector<Wrench<Real>> joints;  ///< as Robot::joints(): on the child, from its parent
  Wrench<Real> ground;               ///< of the ground on the robot, in the ground frame
};

struct Plane {
  Vec3<double> point{0, 0, 0}, normal{0, 0, 1};
};

/// The mass matrix, armature included.
template <class Real>
struct BasicMassMatrix : RobotResult, BasicOwnedMatrix<Real> {
  explicit BasicMassMatrix(const Robot& robot)
      : RobotResult(robot), BasicOwnedMatrix<Real>(robot.nv(), robot.nv()) {}
};

/// Its inverse; columns are padded to whole cache lines.
template <class Real>
struct BasicMassInverse : RobotResult, BasicOwnedMatrix<Real> {
  explicit BasicMassInverse(const Robot& robot)
      : RobotResult(robot),
        BasicOwnedMatrix<Real>(robot.nv(), robot.nv(), padded_row(robot.nv())) {}
};

/// C(q, v) and Mdot.
template <class Real>
struct BasicCoriolisMatrices : RobotResult {
  explicit BasicCoriolisMatrices(const Robot& robot)
      : RobotResult(robot), matrix(robot.nv(), robot.nv()), mass_rate(matrix) {}

  BasicOwnedMatrix<Real> matrix, mass_rate;
};

/// A and Adot, 6 x nv, angular first.
template <class Real>
struct BasicCentroidalMatrices : RobotResult {
  explicit BasicCentroidalMatrices(const Robot& robot)
      : RobotResult(robot), matrix(6, robot.nv()), rate(matrix) {}

  BasicOwnedMatrix<Real> matrix, rate;
};

/// Of any kind of number: double and float are compiled in the library, others need
/// jounce/any_number.hpp. P is the kind of the robot's constants: with dual numbers, inertias are
/// variables too.
template <class Real, class P = Plain<Real>>
class BasicDynamics {
 public:
  using Arg = BasicVectorArg<Real>;
  using Vector = VectorOf<Real>;
  using Around = BasicSurroundings<Real>;
  using GroundMotion = OptionalGround<Real>;

  explicit BasicDynamics(Robot robot);
  BasicDynamics(BasicDynamics&&) noexcept;
  BasicDynamics& operator=(BasicDynamics&&) noexcept;
  ~BasicDynamics();

  const Robot& robot() const;
  /// The inertia of a body in its frame; a change holds for all calls that follow.
  template <class Q = P>
  requires(!std::same_as<Q, double> || !std::same_as<Real, double>) Inertia<Q>
  &inertia(int body);

  // What surrounds the robot is an argument: {.wrenches = pushes, .ground = Ground{V, Vdot},
  // .passive = false, .gravity = false}; nothing of it is remembered.

  /// The forces that give the accelerations a: M a + c + g - J^T F_ext, and what passive joint
  /// forces take (recursive Newton-Euler).
  template <class Owned = Vector>
  Owned inverse(const Arg& q, const Arg& v, const Arg& a, const Around& around = {}) {
    return made([&](auto to) { inverse(q, v, a, around, to); });
  }
  void inverse(const Arg& q, const Arg& v, const Arg& a, const Into<Real>& tau) {
    inverse(q, v, a, {}, tau);
  }
  void inverse(const Arg& q, const Arg& v, const Arg& a, const Around& around,
               const Into<Real>& tau);

  /// The accelerations that the forces tau give (articulated bodies; with mimic joints, sparse
  /// factors of the coupled mass matrix). Where the mass matrix is singular, this and all calls
  /// that solve with it throw a ComputationError that names the joints (model/singular_mass.hpp).
  template <class Owned = Vector>
  Owned forward(const Arg& q, const Arg& v, const Arg& tau, const Around& around = {}) {
    return made([&](auto to) { forward(q, v, tau, around, to); });
  }
  void forward(const Arg& q, const Arg& v, const Arg& tau, const Into<Real>& a) {
    forward(q, v, tau, {}, a);
  }
  void forward(const Arg& q, const Arg& v, const Arg& tau, const Around& around,
               const Into<Real>& a);

  /// Accelerations where prescribed, forces elsewhere; one flag per velocity coordinate.
  template <class Owned = BasicHybridResult<Real>>
  Owned hybrid(std::span<const bool> prescribed, const Arg& q, const Arg& v, const Arg& a,
               const Arg& tau, const Around& around = {}) {
    const int n = robot().nv();
    Owned found{detail::vector_of<Real>(n), detail::vector_of<Real>(n)};
    hybrid(prescribed, q, v, a, tau, around, into(found.a), into(found.tau));
    return found;
  }
  void hybrid(std::span<const bool> prescribed, const Arg& q, const Arg& v, const Arg& a,
              const Arg& tau, const Into<Real>& a_found, const Into<Real>& tau_found) {
    hybrid(prescribed, q, v, a, tau, {}, a_found, tau_found);
  }
  void hybrid(std::span<const bool> prescribed, const Arg& q, const Arg& v, const Arg& a,
              const Arg& tau, const Around& around, const Into<Real>& a_found,
              const Into<Real>& tau_found);

  /// The mass matrix, armature included.
  template <class Owned = BasicMassMatrix<Real>>
  Owned mass(const Arg& q) {
    return detail::written<Owned>(robot(), [&](auto to) { mass(q, to); });
  }
  template <std::same_as<BasicMassMatrix<Real>> Result>
  void mass(const Arg& q, const IntoResult<Result>& M) {
    run_mass(q, detail::OwnedAccess::numbers(detail::checked_into(robot(), "mass", M)));
  }
  /// The inverse of the mass matrix.
  template <class Owned = BasicMassInverse<Real>>
  Owned mass_inverse(const Arg& q) {
    return detail::written<Owned>(robot(), [&](auto to) { mass_inverse(q, to); });
  }
  template <std::same_as<BasicMassInverse<Real>> Result>
  void mass_inverse(const Arg& q, const IntoResult<Result>& inverse) {
    auto& to = detail::checked_into(robot(), "mass_inverse", inverse);
    run_mass_inverse(q, detail::OwnedAccess::numbers(to));
  }

  /// c(q, v) + g(q), without passive forces.
  template <class Owned = Vector>
  Owned bias(const Arg& q, const Arg& v, const GroundMotion& ground = {}) {
    return made([&](auto to) { bias(q, v, ground, to); });
  }
  void bias(const Arg& q, const Arg& v, const Into<Real>& tau) { bias(q, v, {}, tau); }
  void bias(const Arg& q, const Arg& v, const GroundMotion& ground, const Into<Real>& tau);
  /// g(q), without passive forces.
  template <class Owned = Vector>
  Owned gravity(const Arg& q) {
    return made([&](auto to) { gravity(q, to); });
  }
  void gravity(const Arg& q, const Into<Real>& tau);

  /// Kinetic and potential energy of the moving bodies, that of rotors (armature) included.
  BasicEnergy<Real> energy(const Arg& q, const Arg& v, const GroundMotion& ground = {});
  /// What the springs of joints and bushings store.
  Real elastic_energy(const Arg& q);
  /// d/dt of energy(q, v) along the acceleration a.
  EnergyRate<Real> energy_rate(const Arg& q, const Arg& v, const Arg& a,
                               const GroundMotion& ground = {});
  /// Where the power goes that the forces of inverse(q, v, a, around) bring in.
  BasicPowerBalance<Real> power_balance(const Arg& q, const Arg& v, const Arg& a,
                                        const Around& around = {});

  /// C(q, v) with C v + g = bias, and Mdot, on a ground at rest. With every factorization but
  /// plain, Mdot - 2 C is skew-symmetric; christoffel has the Christoffel symbols of M in the joint
  /// coordinates, the Levi-Civita connection where velocities are not rates of coordinates.
  template <class Owned = BasicCoriolisMatrices<Real>>
  Owned coriolis(const Arg& q, const Arg& v,
                 Factorization factorization = Factorization::christoffel) {
    return detail::written<Owned>(robot(), [&](auto to) { coriolis(q, v, factorization, to); });
  }
  template <std::same_as<BasicCoriolisMatrices<Real>> Result>
  void coriolis(const Arg& q, const Arg& v, Factorization factorization,
                const IntoResult<Result>& found) {
    auto& to = detail::checked_into(robot(), "coriolis", found);
    run_coriolis(q, v, factorization, detail::OwnedAccess::numbers(to.matrix),
                 detail::OwnedAccess::numbers(to.mass_rate));
  }
  /// M(q) a_r + C(q, v) v_r + g(q) in O(n), without passive forces, with a C for which Mdot - 2 C
  /// is skew-symmetric (InputError for plain): for adaptive and passivity-based control.
  template <class Owned = Vector>
  Owned inverse_reference(const Arg& q, const Arg& v, const Arg& v_r, const Arg& a_r,
                          Factorization factorization = Factorization::ploen) {
    return made([&](auto to) { inverse_reference(q, v, v_r, a_r, factorization, to); });
  }
  void inverse_reference(const Arg& q, const Arg& v, const Arg& v_r, const Arg& a_r,
                         Factorization factorization, const Into<Real>& tau);

  /// Momentum of all moving bodies, about their com in ground axes.
  Momentum<Real> momentum(const Arg& q, const Arg& v, const GroundMotion& ground = {});
  /// A(q) and Adot(q, v): momentum about the com in ground axes is A v on a ground at rest.
  template <class Owned = BasicCentroidalMatrices<Real>>
  Owned centroidal(const Arg& q, const Arg& v) {
    return detail::written<Owned>(robot(), [&](auto to) { centroidal(q, v, to); });
  }
  template <std::same_as<BasicCentroidalMatrices<Real>> Result>
  void centroidal(const Arg& q, const Arg& v, const IntoResult<Result>& found) {
    auto& to = detail::checked_into(robot(), "centroidal", found);
    run_centroidal(q, v, detail::OwnedAccess::numbers(to.matrix),
                   detail::OwnedAccess::numbers(to.rate));
  }

  /// A(q) alone, 6 x nv, angular first.
  template <class Owned = BasicOwnedMatrix<Real>>
  Owned centroidal_matrix(const Arg& q) {
    const int n = robot().nv();
    Owned A(6, n);
    centroidal_matrix(q, Into<Real>(detail::OwnedAccess::numbers(A), 6, n));
    return A;
  }
  void centroidal_matrix(const Arg& q, const Into<Real>& A);

  /// What every joint transmits: in the child link's frame (body), in ground axes at the child
  /// link's origin (hybrid), or in the ground frame (space).
  template <class Owned = BasicJointWrenches<Real>>
  Owned joint_wrenches(const Arg& q, const Arg& v, const Arg& a,
                       Representation in = Representation::body, const Around& around = {}) {
    Owned found{std::vector<Wrench<Real>>(robot().joints().size()), {}};
    found.ground = joint_wrenches(q, v, a, in, around, into(found.joints));
    return found;
  }
  /// Returns the wrench of the ground on the robot.
  Wrench<Real> joint_wrenches(const Arg& q, const Arg& v, const Arg& a, Representation in,
                              const Around& around, const Into<Wrench<Real>>& joints);
  /// The point of the plane about which the ground's wrench on the robot has no moment along the
  /// plane. ComputationError where the ground does not push along the normal.
  Vec3<Real> zero_moment_point(const Arg& q, const Arg& v, const Arg& a, const Plane& plane = {},
                               const Around& around = {});

 private:
  template <class Write>
  Vector made(Write write) {
    Vector x = detail::vector_of<Real>(robot().nv());
    write(into(x));
    return x;
  }
  void run_mass(const Arg& q, Real* M);
  void run_mass_inverse(const Arg& q, Real* inverse);
  void run_coriolis(const Arg& q, const Arg& v, Factorization f, Real* C, Real* Mdot);
  void run_centroidal(const Arg& q, const Arg& v, Real* A, Real* Adot);

  using Impl = detail::DynamicsImpl<Real, P>;
  std::unique_ptr<Impl> impl_;
};

using Dynamics = BasicDynamics<double>;
using MassMatrix = BasicMassMatrix<double>;
using MassInverse = BasicMassInverse<double>;
using CoriolisMatrices = BasicCoriolisMatrices<double>;
using CentroidalMatrices = BasicCentroidalMatrices<double>;
using HybridResult = BasicHybridResult<double>;
using Energy = BasicEnergy<double>;
using PowerBalance = BasicPowerBalance<double>;
using JointWrenches = BasicJointWrenches<double>;

template <>
inline constexpr bool is_clonable<Dynamics> = true;

}  // namespace jounce
