// SPDX-License-Identifier: BSD-3-Clause
// What drives the joints of a simulation: laws of time, and what they command.
//
//   sim.command("elbow", jounce::Command::force(2.0));
//   sim.command("wrist", jounce::Command::trajectory(jounce::septic(0, 1, 2)));
#pragma once

#include <functional>
#include <jounce/trajectory.hpp>
#include <variant>

namespace jounce {

/// A number that changes with time: a constant, a piecewise polynomial, which before its first and
/// after its last knot stays what it is there, or a function.
class Law {
 public:
  using Function = std::function<double(double t)>;

  Law(double constant) : value_(constant) {}                // NOLINT: an argument type
  Law(PiecewisePolynomial law) : value_(std::move(law)) {}  // NOLINT
  Law(Function function) : value_(std::move(function)) {}   // NOLINT
  template <std::invocable<double> F>
  requires(!std::same_as<std::remove_cvref_t<F>, PiecewisePolynomial>) Law(F function)
      : value_(Function(std::move(function))) {}  // NOLINT

  double operator()(double t) const;
  /// Whether all derivatives are known: not of a function.
  bool has_derivatives() const { return !std::holds_alternative<Function>(value_); }
  /// The value and its derivatives at time t from the right, as many as out holds. InputError for a
  /// function.
  void derivatives(double t, std::span<double> out) const;
  bool is_constant() const { return std::holds_alternative<double>(value_); }
  /// The first time after t at which the law jumps or has a corner; infinite where there is none.
  double next_break(double t) const;

 private:
  std::variant<double, PiecewisePolynomial, Function> value_;
};

/// What one joint, or one of its coordinates, is told to do.
class Command {
 public:
  enum class Kind : unsigned char {
    force,         ///< of the actuator, beside passive forces
    acceleration,  ///< prescribed: the force that it takes is found (hybrid dynamics)
    trajectory     ///< position, velocity and acceleration are prescribed
  };
  /// Writes the joint's q, v and a at time t.
  using JointLaw =
      std::function<void(double t, std::span<double> q, std::span<double> v, std::span<double> a)>;

  static Command force(Law law);
  static Command acceleration(Law law);
  /// Of one coordinate that moves by q + v. InputError where the law has no derivatives.
  static Command trajectory(Law position);
  /// Of a whole joint.
  static Command trajectory(JointLaw law);
  /// Of a free joint, which rests before and after.
  static Command trajectory(PosePath path);

  Kind kind() const { return kind_; }
  const Law* law() const { return std::get_if<Law>(&how_); }
  const JointLaw* joint_law() const { return std::get_if<JointLaw>(&how_); }
  const PosePath* pose_path() const { return std::get_if<PosePath>(&how_); }
  /// Whether it has a series, which Taylor's method needs.
  bool has_derivatives() const;
  double next_break(double t) const;

 private:
  using How = std::variant<Law, JointLaw, PosePath>;
  Command(Kind kind, How how) : kind_(kind), how_(std::move(how)) {}

  Kind kind_;
  How how_;
};

}  // namespace jounce
