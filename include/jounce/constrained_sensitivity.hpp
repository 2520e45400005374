// SPDX-License-Identifier: BSD-3-Clause
// How the dynamics of closed loops and of robots that touch the ground depends on named parameters.
//
//   jounce::ConstrainedSensitivity to(linkage, {{jounce::ParameterKind::payload, "tip"},
//                                               {jounce::ParameterKind::placement, "elbow", 3}});
//   const auto d = to.forward(q, v, tau);      // d.dx_dp = da/dp, d.dlambda_dp
//   const auto c = to.closed(q, v);            // c.dq_dp, c.dv_dp
// A parameter that moves a joint moves the configurations that close the loops, too. forward,
// inverse and hybrid leave q, v and what is given as they are, and rows go on constant in frame 2
// where that opens the loops. Along states that stay closed, which `closed` finds, the derivative
// is d.dx_dp + (by q) c.dq_dp + (by v) c.dv_dp with those of ConstrainedDerivatives.
#pragma once

#include <jounce/constrained_dynamics.hpp>
#include <jounce/door/clone.hpp>
#include <jounce/sensitivity.hpp>

namespace jounce {

/// One column per parameter: of accelerations (forward), of motor forces (inverse), of what is
/// unknown (hybrid: forces where prescribed, accelerations elsewhere); and of multipliers.
struct ConstrainedSensitivities : RobotResult {
  ConstrainedSensitivities(const Robot& robot, int rows, int parameters)
      : RobotResult(robot), dx_dp(robot.nv(), parameters), dlambda_dp(rows, parameters) {}

  OwnedMatrix dx_dp, dlambda_dp;
};

/// How the nearest closed state moves, and what no motion closes: a number for every row of the
/// loops. Where that is not zero, no robot with another such parameter can be closed.
struct ClosedSensitivities : RobotResult {
  ClosedSensitivities(const Robot& robot, int rows, int parameters)
      : RobotResult(robot),
        dq_dp(robot.nv(), parameters),
        dv_dp(dq_dp),
        open_dp(rows, parameters) {}

  OwnedMatrix dq_dp, dv_dp, open_dp;
};

class ConstrainedSensitivity {
 public:
  /// InputError where the robot has no such parameter. The rank of the loops is decided as by
  /// ConstrainedDynamics.
  ConstrainedSensitivity(Robot robot, std::vector<Parameter> parameters);
  ConstrainedSensitivity(ConstrainedSensitivity&&) noexcept;
  ConstrainedSensitivity& operator=(ConstrainedSensitivity&&) noexcept;
  ~ConstrainedSensitivity();

  const Robot& robot() const;
  std::span<const Parameter> parameters() const;
  int rows() const;  ///< of the robot's loops
  int decide_rank(const VectorArg& q, double time = 0);
  /// Of forward and hybrid dynamics, as ConstrainedDynamics::set_path.
  void set_path(ConstrainedPath path);
  /// Another one that takes as many rows: what clone(door) gives.
  ConstrainedSensitivity another() const;

  /// Derivatives of ConstrainedDynamics::forward. A wrench in ground axes stays as it is where a
  /// parameter moves the body that it acts on.
  template <class Owned = ConstrainedSensitivities>
  Owned forward(const VectorArg& q, const VectorArg& v, const VectorArg& tau,
                const Surroundings& around = {}, std::span<const Contact> contacts = {}) {
    Owned found = room<Owned>(contacts);
    forward(q, v, tau, around, contacts, into(found));
    return found;
  }
  ConstraintReport forward(const VectorArg& q, const VectorArg& v, const VectorArg& tau,
                           const Surroundings& around, std::span<const Contact> contacts,
                           const IntoResult<ConstrainedSensitivities>& found);

  /// Derivatives of ConstrainedDynamics::inverse.
  template <class Owned = ConstrainedSensitivities>
  Owned inverse(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                const Surroundings& around = {}, std::span<const Contact> contacts = {},
                Optimum optimum = Optimum::force) {
    Owned found = room<Owned>(contacts);
    inverse(q, v, a, around, contacts, optimum, into(found));
    return found;
  }
  ConstraintReport inverse(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                           const Surroundings& around, std::span<const Contact> contacts,
                           Optimum optimum, const IntoResult<ConstrainedSensitivities>& found);
  /// The same where coordinates without motors have these constant forces.
  ConstraintReport inverse(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                           const VectorArg& passive, const Surroundings& around,
                           std::span<const Contact> contacts, Optimum optimum,
                           const IntoResult<ConstrainedSensitivities>& found);

  /// Derivatives of ConstrainedDynamics::hybrid.
  template <class Owned = ConstrainedSensitivities>
  Owned hybrid(std::span<const bool> prescribed, const VectorArg& q, const VectorArg& v,
               const VectorArg& a, const VectorArg& tau, const Surroundings& around = {},
               std::span<const Contact> contacts = {}, Optimum optimum = Optimum::force) {
    Owned found = room<Owned>(contacts);
    hybrid(prescribed, q, v, a, tau, around, contacts, optimum, into(found));
    return found;
  }
  ConstraintReport hybrid(std::span<const bool> prescribed, const VectorArg& q, const VectorArg& v,
                          const VectorArg& a, const VectorArg& tau, const Surroundings& around,
                          std::span<const Contact> contacts, Optimum optimum,
                          const IntoResult<ConstrainedSensitivities>& found);

  /// How the closed state nearest to (q, v) moves, in the metric of the kinetic energy: that of
  /// ConstrainedDynamics::assemble and project from here. q must close the loops, to 1e-9.
  template <class Owned = ClosedSensitivities>
  Owned closed(const VectorArg& q, const VectorArg& v, double time = 0) {
    Owned found = room<Owned>({});
    closed(q, v, into(found), time);
    return found;
  }
  void closed(const VectorArg& q, const VectorArg& v, const IntoResult<ClosedSensitivities>& found,
              double time = 0);

 private:
  template <class Owned>
  Owned room(std::span<const Contact> contacts) const {
    return Owned(robot(), rows() + ConstrainedDynamics::rows(contacts),
                 static_cast<int>(parameters().size()));
  }

  ConstraintReport run_inverse(std::span<const double> q, std::span<const double> v,
                               std::span<const double> a, std::span<const double> passive,
                               const Surroundings& around, std::span<const Contact> contacts,
                               Optimum optimum, const IntoResult<ConstrainedSensitivities>& found);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

template <>
inline constexpr bool is_clonable<ConstrainedSensitivity> = true;

}  // namespace jounce
