// SPDX-License-Identifier: BSD-3-Clause
// Where the frames of a robot are and how they move, at one state.
//
//   jounce::Kinematics kinematics(arm);
//   kinematics.at(q, v);
//   Eigen::MatrixXd J = kinematics.jacobian_body(arm.frame("flange"));
// The state given to `at` is what everything else answers about; what was not given is refused:
// twists and rates need v, accelerations need a (InputError). Arguments are checked (size, NaN,
// quaternion length: InputError), and so are results: what is not finite is a ComputationError.
// Results own their numbers, or go into(...) the caller's memory, without allocation. Where speed
// does not matter a frame's name does: kinematics.pose("flange"). One object per thread. Loops of
// the robot are left open: this is the tree without them (Robot::loops).
#pragma once

#include <jounce/algorithm/jacobian.hpp>
#include <jounce/door/clone.hpp>
#include <jounce/door/frame_arg.hpp>
#include <jounce/door/into.hpp>
#include <jounce/door/owned.hpp>
#include <jounce/equations/surroundings.hpp>
#include <jounce/vector_arg.hpp>
#include <memory>

namespace jounce {

namespace detail {
template <class Real, class P>
struct KinematicsImpl;
}  // namespace detail

/// Of any kind of number: double and float are compiled in the library, others need
/// jounce/any_number.hpp. P is the kind of the robot's constants.
template <class Real, class P = Plain<Real>>
class BasicKinematics {
 public:
  using Arg = BasicVectorArg<Real>;
  using Vector = VectorOf<Real>;
  using Matrix = BasicOwnedMatrix<Real>;
  using GroundMotion = OptionalGround<Real>;

  explicit BasicKinematics(Robot robot);
  BasicKinematics(BasicKinematics&&) noexcept;
  BasicKinematics& operator=(BasicKinematics&&) noexcept;
  ~BasicKinematics();

  const Robot& robot() const;

  /// The state that everything below is about: poses from q, twists with v, accelerations with a.
  /// On a ground that moves they are those seen from inertial axes, with components in the axes
  /// that the ground has at this instant.
  BasicKinematics& at(const Arg& q);
  BasicKinematics& at(const Arg& q, const Arg& v);
  BasicKinematics& at(const Arg& q, const Arg& v, const Arg& a, const GroundMotion& ground = {});

  /// The pose of a link or frame in the ground.
  SE3<Real> pose(FrameId frame) const;
  SE3<Real> pose(std::string_view frame) const { return pose(robot().frame(frame)); }

  /// The velocity of a frame in its own axes, at its origin.
  Twist<Real> twist_body(FrameId frame) const;
  Twist<Real> twist_body(std::string_view frame) const { return twist_body(robot().frame(frame)); }
  /// The velocity of a frame in the ground's axes, at the ground's origin.
  Twist<Real> twist_space(FrameId frame) const;
  Twist<Real> twist_space(std::string_view frame) const {
    return twist_space(robot().frame(frame));
  }
  /// The velocity of a frame in the ground's axes, at the frame's origin.
  Twist<Real> twist_hybrid(FrameId frame) const;
  Twist<Real> twist_hybrid(std::string_view frame) const {
    return twist_hybrid(robot().frame(frame));
  }

  /// Spatial acceleration: the derivative of twist_body, component by component.
  Twist<Real> spatial_acceleration_body(FrameId frame) const;
  Twist<Real> spatial_acceleration_body(std::string_view frame) const {
    return spatial_acceleration_body(robot().frame(frame));
  }
  /// Spatial acceleration: the derivative of twist_space, component by component.
  Twist<Real> spatial_acceleration_space(FrameId frame) const;
  Twist<Real> spatial_acceleration_space(std::string_view frame) const {
    return spatial_acceleration_space(robot().frame(frame));
  }
  /// Classical acceleration, in the frame's own axes: angular acceleration, and the acceleration of
  /// the frame's origin as a point.
  Twist<Real> classical_acceleration_body(FrameId frame) const;
  Twist<Real> classical_acceleration_body(std::string_view frame) const {
    return classical_acceleration_body(robot().frame(frame));
  }
  /// Classical acceleration, in the ground's axes: the derivative of twist_hybrid.
  Twist<Real> classical_acceleration_hybrid(FrameId frame) const;
  Twist<Real> classical_acceleration_hybrid(std::string_view frame) const {
    return classical_acceleration_hybrid(robot().frame(frame));
  }

  /// The Jacobian of a frame, 6 x nv, angular part first: J v is the twist of the same name where
  /// the ground is at rest, else what the joints add to it.
  template <class Owned = Matrix>
  Owned jacobian(const FrameArg& frame, Representation in) {
    return made(6, [&](auto to) { jacobian(frame.of(robot()), in, to); });
  }
  void jacobian(FrameId frame, Representation in, const Into<Real>& J);
  template <class Owned = Matrix>
  Owned jacobian_body(const FrameArg& frame) {
    return jacobian(frame, Representation::body);
  }
  template <class Owned = Matrix>
  Owned jacobian_space(const FrameArg& frame) {
    return jacobian(frame, Representation::space);
  }
  template <class Owned = Matrix>
  Owned jacobian_hybrid(const FrameArg& frame) {
    return jacobian(frame, Representation::hybrid);
  }
  /// The Jacobian at another q, walking only the joints that carry the frame; the state of `at`
  /// stays as it is.
  template <class Owned = Matrix>
  Owned jacobian(const FrameArg& frame, Representation in, const Arg& q) {
    return made(6, [&](auto to) { jacobian(frame.of(robot()), in, q, to); });
  }
  void jacobian(FrameId frame, Representation in, const Arg& q, const Into<Real>& J);
  /// The time derivative of the Jacobian.
  template <class Owned = Matrix>
  Owned jacobian_rate(const FrameArg& frame, Representation in) {
    return made(6, [&](auto to) { jacobian_rate(frame.of(robot()), in, to); });
  }
  void jacobian_rate(FrameId frame, Representation in, const Into<Real>& rate);
  template <class Owned = Matrix>
  Owned jacobian_body_rate(const FrameArg& frame) {
    return jacobian_rate(frame, Representation::body);
  }
  template <class Owned = Matrix>
  Owned jacobian_space_rate(const FrameArg& frame) {
    return jacobian_rate(frame, Representation::space);
  }
  template <class Owned = Matrix>
  Owned jacobian_hybrid_rate(const FrameArg& frame) {
    return jacobian_rate(frame, Representation::hybrid);
  }

  /// The centre of mass of the moving bodies, in ground axes.
  Vec3<Real> com() const;
  /// Its velocity, in ground axes.
  Vec3<Real> com_velocity() const;
  /// Its acceleration, in ground axes.
  Vec3<Real> com_acceleration() const;
  /// 3 x nv: J v is the velocity of the centre of mass where the ground is at rest.
  template <class Owned = Matrix>
  Owned com_jacobian() {
    return made(3, [&](auto to) { com_jacobian(to); });
  }
  void com_jacobian(const Into<Real>& J);

  /// Yoshikawa's sqrt(det(J J^T)) of the body Jacobian, the product of its singular values. Zero
  /// where J does not have full row rank: robots with fewer than six coordinates, and singularities
  /// to rounding.
  double manipulability(FrameId frame);
  template <class Owned = double>  // so that Clang leaves it out of BasicKinematics<float>
  Owned manipulability(std::string_view frame) requires std::same_as<Real, double> {
    return manipulability(robot().frame(frame));
  }
  /// The derivative of manipulability along every velocity coordinate; zero where that is zero.
  template <class Owned = Vector>
  Owned manipulability_gradient(const FrameArg& frame) requires std::same_as<Real, double> {
    Owned gradient(robot().nv());
    manipulability_gradient(frame.of(robot()), into(gradient));
    return gradient;
  }
  void manipulability_gradient(FrameId frame, const Into<Real>& gradient);
  /// 1 - J^+ J: joint velocities that do not move the frame. Singular values of J that are at most
  /// `cutoff` times the largest count as zero; so do those of rounding, max(6, nv) 2^-52 of it.
  template <class Owned = Matrix>
  Owned null_space_projector(const FrameArg& frame,
                             double cutoff = 1e-9) requires std::same_as<Real, double> {
    return made(robot().nv(),
                [&](auto to) { null_space_projector(frame.of(robot()), cutoff, to); });
  }
  void null_space_projector(FrameId frame, double cutoff, const Into<Real>& N);

 private:
  /// A matrix of nv columns that write(into) fills.
  template <class Write>
  Matrix made(int rows, Write write) {
    Matrix x(rows, robot().nv());
    write(Into<Real>(detail::OwnedAccess::numbers(x), rows, robot().nv()));
    return x;
  }

  using Impl = detail::KinematicsImpl<Real, P>;
  std::unique_ptr<Impl> impl_;
};

using Kinematics = BasicKinematics<double>;

template <>
inline constexpr bool is_clonable<Kinematics> = true;

}  // namespace jounce
